"""How much time work in the background is owed where others always have something to do.

Where several editors are typed in, nothing would be left for a long prompt that one of them has
evaluated. So who has waited for long has a part of the time. May import `messages`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from sidecar.engine.messages import Priority

__all__ = ["PATIENCE_SECONDS", "TURN_SECONDS", "Share"]

#: Whoever types for so long without a rest does not pause soon.
PATIENCE_SECONDS: Final = 10.0
#: The time owed that is given at once: longer turns lose less, and delay others more.
TURN_SECONDS: Final = 0.2
_SHARE: Final = 0.2


class Share:
    """Counts the time that others took while work in the background waited, and what it is owed."""

    def __init__(self) -> None:
        self._owed = 0.0

    @property
    def due(self) -> bool:
        """Whether it has a turn now."""
        return self._owed >= TURN_SECONDS

    def spent(self, seconds: float, priority: Priority, waited: float | None) -> None:
        """Take in that the engine worked for somebody.

        Args:
            seconds: How long.
            priority: For whom.
            waited: How many seconds the oldest work in the background has waited; None if there is
                none.
        """
        if priority == "warming":
            # A turn that took longer is paid back.
            self._owed = max(self._owed - seconds, -TURN_SECONDS)
        elif waited is None:
            self._owed = min(self._owed, 0.0)
        elif waited >= PATIENCE_SECONDS:
            self._owed += _SHARE * seconds
