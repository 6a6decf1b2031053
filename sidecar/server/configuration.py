"""The settings in force: what the user gave at the start, then what the editor tells.

May import `settings`.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

from sidecar.settings import Settings, load, with_short_prompts

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Configuration"]

log = logging.getLogger(__name__)

_DEFAULTS: Final = Settings()
#: How long a short prompt answers depends on the clock, and nothing else that is on by itself does.
_RECORDED: Final = with_short_prompts(_DEFAULTS, wanted=False)


class Configuration:
    """Holds the settings and tells when they change.

    Args:
        initial: Raw settings of the initialization options: the user's alone, hence trusted.
        on_problems: Called with one message for all bad values of a source.
        recorded: Whether the session is recorded, to be played again. Short prompts are then only
            used if the initialization options say so: editors send the rest with every default.
    """

    def __init__(
        self, initial: object, on_problems: Callable[[str], None], *, recorded: bool = False
    ) -> None:
        self._on_problems = on_problems
        self._recorded = recorded
        base = _RECORDED if recorded else _DEFAULTS
        self._base, self._initial_problems = load(initial, base=base)
        self.settings: Settings = self._base

    def report_initial(self) -> None:
        """Name the bad values of the start, once the client can show messages."""
        self._report(self._initial_problems)

    def update(self, raw: object) -> bool:
        """Take what the editor tells now, and return whether anything changed."""
        settings, problems = load(raw, base=self._base, trusted=False)
        self._report(problems)
        if self._recorded:
            settings = with_short_prompts(settings, wanted=self._base.context.short_first)
        changed = settings != self.settings
        self.settings = settings
        return changed

    def _report(self, problems: list[str]) -> None:
        if problems:
            self._on_problems("sidecar: " + "; ".join(problems))
