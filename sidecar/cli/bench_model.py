"""The model of a benchmark: chosen on the command line, and not as the user's settings say.

May import `models`.
"""

from __future__ import annotations

from typing import Any

__all__ = ["model_settings"]

#: The engine is there for the benchmark alone.
_IDLE_SECONDS = 5


def model_settings(model: str | None) -> dict[str, dict[str, Any]]:
    """Return settings that choose a model: a benchmark does not depend on the user's own."""
    from sidecar.models.files import is_path

    chosen = {"path" if is_path(model) else "name": model} if model else {}
    return {"model": chosen, "engine": {"idleSeconds": _IDLE_SECONDS}}
