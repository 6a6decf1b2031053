"""What a client that streams is shown of one request before its answer, by how long that takes.

Words as they come where they come at once; whole lines where one waits for them; and where one
waits long, what is certain without the model, until that has a whole line. Nothing is shown to a
client that does not stream. May import `growing`, `latency`, and this package's values.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Self

from sidecar.completion.cache import placeholder_of
from sidecar.completion.growing import Growing
from sidecar.completion.latency import manner

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from sidecar.completion.anchored import Anchored
    from sidecar.completion.asking import Ask
    from sidecar.completion.suggestion import Suggestion
    from sidecar.telemetry import Metrics
    from sidecar.text import Document

    Find = Callable[[Document, int], Awaitable[Suggestion | None]]

__all__ = ["Showing"]

log = logging.getLogger(__name__)


class Showing:
    """Shows what there is of one request, from `with` to its end.

    Args:
        ask: The request.
        expected_ms: Milliseconds until the model's first words are expected.
        find: Returns what is certain without it; None where that is not wanted.
        metrics: Where things are counted.
        units: What the user wants to see: `words`, `lines`, or `auto`, as it suits.
    """

    def __init__(
        self,
        ask: Ask,
        expected_ms: float,
        find: Find | None,
        metrics: Metrics,
        units: str = "auto",
    ) -> None:
        self._ask = ask
        self._find = find
        self._metrics = metrics
        self._units = units
        self._expected_ms = expected_ms
        self._task: asyncio.Task[None] | None = None
        self._growing: Growing | None = None
        #: What was offered in place of the model's text.
        self.offered: Suggestion | None = None

    def __enter__(self) -> Self:
        self.expect(self._expected_ms)
        return self

    def __exit__(self, *_exception: object) -> None:
        self._end_offer()
        # Both know this one: dropped here, nothing of a request waits for the garbage collector,
        # which comes after minutes and would find a copy of the text for each key.
        self._task = None
        if self._growing is not None:
            self._growing.close()
            self._growing = None

    def expect(self, expected_ms: float) -> None:
        """Take in that more is known of how long it takes until the model's first words."""
        self._expected_ms = expected_ms
        if (
            manner(expected_ms) == "offer"
            and self._ask.on_text is not None
            and self._find is not None
            and self._task is None
        ):
            self._task = asyncio.create_task(self._offer(self._find))

    def growing(self, anchored: Anchored) -> Growing | None:
        """Return what takes the model's text as it grows; None if nobody is shown that.

        Args:
            anchored: The anchor, applied to the cursor, and the head of the prompt.
        """
        on_text = self._ask.on_text
        if on_text is None:
            return None
        self._metrics.count(f"completion.manner.{manner(self._expected_ms)}")

        def show(so_far: Suggestion) -> None:
            self._end_offer()
            on_text(so_far)

        self._growing = Growing(
            self._ask.document,
            self._ask.offset,
            anchored.extension.closers,
            self._ask.request.multiline,
            show,
            placeholder_of(anchored),
            self._in_lines,
        )
        return self._growing

    def _in_lines(self) -> bool:
        """Tell whether lines are held back until they are whole."""
        if self._units != "auto":
            return self._units == "lines"
        # Half a line is no better than what was offered.
        return self.offered is not None or manner(self._expected_ms) == "line"

    def _end_offer(self) -> None:
        if self._task is not None:
            self._task.cancel()

    async def _offer(self, find: Find) -> None:
        try:
            found = await find(self._ask.document, self._ask.offset)
        except Exception:
            # The model's answer comes all the same.
            log.exception("nothing could be offered")
            self._metrics.count("offers.failed")
            return
        if found is not None and self._ask.on_text is not None:
            self.offered = found
            self._metrics.count("offers.shown")
            self._ask.on_text(found)
