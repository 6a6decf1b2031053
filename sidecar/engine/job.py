"""A request on its way through an engine, and in which order such are served.

Knows nothing of the model or of sockets. May import `messages`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from sidecar.engine.messages import Completion, Priority, Request, Segment
    from sidecar.errors import SidecarError

__all__ = ["RANKS", "SHORT_CHARACTERS", "STARVED_SECONDS", "TURN_SECONDS", "Job"]

RANKS: dict[Priority, int] = {"interactive": 0, "speculative": 1, "warming": 2}
#: Characters of a prompt that is read in a second or two. Where one is read in the background,
#: somebody is about to wait for it.
SHORT_CHARACTERS = 1000
#: Where several editors are typed in, there may be no pause in which a long prompt gets on.
STARVED_SECONDS = 1.0
#: What one that did not get on for so long is given: longer turns lose less, and delay others more.
TURN_SECONDS = 0.3


@dataclass(eq=False, slots=True)
class Job:
    """A request on its way.

    Args:
        owner: Stands for the connection it came from.
        request: What to complete.
        arrived: `perf_counter` at arrival.
        on_text: Called on the inference thread with the whole text so far.
        on_done: Called once, with the completion or the error, on whichever thread ended the job.
        evaluated: Prompt tokens that were evaluated for it before it was preempted.
        reused: Prompt tokens that were there when the first of them was.
        spoke: Whether it has said something, so that its prompt is evaluated.
        turn_ends: Until when nobody preempts it.
        got_on: When some of its prompt was evaluated last.
        waited: Whether somebody waits for it by now, whatever it was begun as.
    """

    owner: object
    request: Request
    arrived: float
    on_text: Callable[[str], None]
    on_done: Callable[[Completion | SidecarError], None]
    cancelled: bool = False
    preempted: bool = False
    evaluated: int = 0
    reused: int = 0
    ticket: int = field(default=0)
    spoke: bool = False
    turn_ends: float = 0.0
    got_on: float = 0.0
    waited: bool = False

    @property
    def rank(self) -> int:
        """Its rank now; 0 goes first."""
        return 0 if self.waited else RANKS[self.request.priority]

    def stopped(self) -> bool:
        """Tell whether it is to end now."""
        return self.cancelled or (self.preempted and perf_counter() >= self.turn_ends)

    def starves(self, now: float) -> bool:
        """Tell whether it is in the background, and did not get on for long."""
        since = max(self.arrived, self.got_on)
        return self.request.priority == "warming" and now - since >= STARVED_SECONDS

    def order(self) -> tuple[int, bool, int]:
        """Sort key: rank, then age; of warming, short prompts come first."""
        is_long = self.request.priority == "warming" and _size(self.request) > SHORT_CHARACTERS
        return self.rank, is_long, self.ticket

    def is_newer_of(self, other: Job) -> bool:
        """Tell whether it is of the same document and connection as one that came before."""
        return self.owner is other.owner and self.request.document == other.request.document

    def goes_on_with(self, other: Job) -> bool:
        """Tell whether what is evaluated of another's prompt is a part of its own as well."""
        return (
            not other.spoke
            and self.owner is other.owner
            and _frozen(self.request) == _frozen(other.request)
        )


def _frozen(request: Request) -> list[Segment]:
    """Return what of a prompt stands before what is typed."""
    return [segment for segment in request.segments if segment.kind != "typed"]


def _size(request: Request) -> int:
    return sum(len(segment.text) for segment in request.segments)
