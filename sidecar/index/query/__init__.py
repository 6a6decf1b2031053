"""Questions to the index, answered in the process that asks, with unsaved documents on top.

Must never write. May import `text`, `telemetry` and `syntax`, and `files`, `extract` and `storage`
of `index`. Imports nothing here: `context` needs `answers` alone.
"""

from __future__ import annotations

__all__: list[str] = []
