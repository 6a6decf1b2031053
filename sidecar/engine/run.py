"""One request under way: what it asks, what it has cost, and what was generated so far.

Runs on the inference thread. May import `circles`, `drafts`, `messages`, `stream` and
`sureness`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING

from sidecar.engine.circles import copy_of
from sidecar.engine.messages import Stats
from sidecar.engine.sureness import Sureness

if TYPE_CHECKING:
    from collections.abc import Callable

    from sidecar.engine.drafts import Drafts
    from sidecar.engine.lane import Lane
    from sidecar.engine.messages import Request
    from sidecar.engine.stream import TextStream
    from sidecar.engine.template import Assembled

__all__ = ["Account", "Run"]


@dataclass(slots=True)
class Account:
    """What one request has cost so far; `Stats` says what the numbers mean."""

    arrived: float
    evaluated: int = 0
    reused: int = 0
    generated: int = 0
    passes: int = 0
    queue_ms: float = 0.0
    prompt_ms: float = 0.0
    first_token_ms: float = 0.0
    visible_ms: float | None = None
    llama_ms: float = 0.0
    visible_passes: int = 0
    drafted: int = 0
    accepted: int = 0
    one_token_ms: list[float] = field(default_factory=list)
    logprobs: list[float] = field(default_factory=list)
    choices: list[tuple[int, float]] = field(default_factory=list)

    def since(self) -> float:
        """Return the milliseconds since the request arrived."""
        return (perf_counter() - self.arrived) * 1000.0


@dataclass(slots=True)
class Run:
    """One request under way."""

    request: Request
    prompt: Assembled
    stream: TextStream
    account: Account
    stopped: Callable[[], bool]
    on_text: Callable[[str], None]
    drafts: Drafts | None
    #: The tokens generated, and how long the text was after each.
    chosen: list[int] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)
    #: The first position that was computed together with guesses, unless all are single by now.
    rough: int | None = None
    sureness: Sureness = field(init=False)

    def __post_init__(self) -> None:
        self.sureness = Sureness(self.request.least_confidence)

    @property
    def boundary(self) -> int:
        """Position of the prompt's last token."""
        return len(self.prompt.tokens) - 1

    def rows_from(self, lane: Lane) -> int:
        """Return the position from which rows are kept when there is no room for all.

        A guess of what comes later must not cost the user's next key its row.
        """
        speculates = self.request.priority == "speculative"
        return min(lane.cursor, self.boundary) if speculates else self.boundary

    def tell(self) -> None:
        """Tell whoever listens the text so far, which has grown."""
        account = self.account
        if account.visible_ms is None:
            account.visible_ms = account.since()
            account.visible_passes = account.passes
        self.on_text(self.stream.text)

    def unsure(self) -> bool:
        """Take in the newest token's chance; when its line is unwanted, leave those before it."""
        stream = self.stream
        falls = self.sureness.falls(self.account.logprobs[-1])
        # What ends several lines is no part of the last one.
        if falls and stream.ended in ("", "newline"):
            stream.text = self.sureness.without_line(stream.text)
            return True
        self.sureness.begins(stream.text)
        return False

    def goes_round(self, token: int) -> bool:
        """Take in a token; when it closes a circle, leave one copy of that and tell so."""
        self.chosen.append(token)
        self.lengths.append(len(self.stream.text))
        copies = copy_of(self.chosen)
        if copies:
            self.stream.text = self.stream.text[: self.lengths[-copies - 1]]
            del self.account.logprobs[-copies:]
        return copies > 0

    def stats(self, stop: str) -> Stats:
        """Return the account of the request, which ended for a reason."""
        account = self.account
        second = self.drafts.second if self.drafts is not None else None
        return Stats(
            evaluated=account.evaluated,
            reused=account.reused,
            generated=account.generated,
            healed_bytes=len(self.prompt.healed),
            passes=account.passes if account.visible_ms is None else account.visible_passes,
            queue_ms=account.queue_ms,
            prompt_ms=account.prompt_ms,
            first_token_ms=account.first_token_ms,
            visible_ms=account.visible_ms,
            total_ms=account.since(),
            llama_ms=account.llama_ms,
            one_token_ms=median(account.one_token_ms) if account.one_token_ms else 0.0,
            stop=stop,
            segment_tokens=self.prompt.segment_tokens,
            trimmed=self.prompt.trimmed,
            drafted=account.drafted,
            accepted=account.accepted,
            drafted_by_model=second.drafted if second is not None else 0,
            accepted_by_model=second.accepted if second is not None else 0,
        )
