"""The pipeline from a keystroke to a suggestion.

Import its modules by name: `gate`, `anchor` and `finish` are pure, `service` puts them together.
May import `text`, `syntax`, `settings`, `index`, `context`, `telemetry` and the engine's client and
messages; never LSP types.
"""

from __future__ import annotations

__all__: list[str] = []
