"""The one schema of the product's settings, their defaults and their validation.

May import msgspec and platformdirs.
"""

from __future__ import annotations

from sidecar.settings.load import load, with_short_prompts
from sidecar.settings.paths import cache_dir, lanes_dir, log_dir, runtime_dir
from sidecar.settings.schema import (
    CompletionSettings,
    ContextSettings,
    EngineSettings,
    IndexSettings,
    LogSettings,
    ModelSettings,
    Settings,
    json_schema,
)

__all__ = [
    "CompletionSettings",
    "ContextSettings",
    "EngineSettings",
    "IndexSettings",
    "LogSettings",
    "ModelSettings",
    "Settings",
    "cache_dir",
    "json_schema",
    "lanes_dir",
    "load",
    "log_dir",
    "runtime_dir",
    "with_short_prompts",
]
