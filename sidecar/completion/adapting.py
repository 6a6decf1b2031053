"""What is done for one request depends on how long its answer will take: shown, offered, waited.

May import `latency`, `debounce`, `offers`, `showing`, and this package's values.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from sidecar.completion.debounce import Debounce
from sidecar.completion.latency import Latency
from sidecar.completion.showing import Showing
from sidecar.context.window import estimated

if TYPE_CHECKING:
    from collections.abc import Callable

    from sidecar.completion.asking import Ask
    from sidecar.completion.offers import Offers
    from sidecar.engine.messages import Stats
    from sidecar.settings import Settings
    from sidecar.telemetry import Metrics

__all__ = ["Adapting"]


class Adapting:
    """Predicts, and acts on it.

    Args:
        metrics: Where things are counted.
        settings: Returns the settings in force.
        latency: Tells how long answers take; without it all are expected at once.
        offers: Finds what is certain without the model; nothing is offered without it.
        is_idle: Tells whether something may be computed that nobody waits for.
    """

    def __init__(
        self,
        metrics: Metrics,
        settings: Callable[[], Settings],
        latency: Latency | None = None,
        offers: Offers | None = None,
        is_idle: Callable[[], bool] = lambda: True,
    ) -> None:
        self._metrics = metrics
        self._settings = settings
        self._latency = latency or Latency()
        self._offers = offers
        self._is_idle = is_idle
        self._debounce = Debounce()

    def asked(self) -> None:
        """Take in that a key asked for a suggestion."""
        self._debounce.asked()

    def expected_ms(self, ask: Ask, left: int | None = None) -> float:
        """Tell after how many milliseconds the model's words are expected.

        Args:
            ask: The request.
            left: Tokens of the prompt that were not evaluated yet; None before there is a prompt.
                What it shows of other files is not known then, but most is of the document.
        """
        return self._latency.expected_ms(left, estimated(len(ask.document.buffer) + 1))

    def is_too_late(self, ask: Ask, expected_ms: float) -> bool:
        """Tell whether an answer will come too late for the user's target; not if they asked.

        Where prompts are evaluated for who waits alone, none would ever be in time, so the first
        answer of a place may be late.
        """
        settings = self._settings()
        if ask.explicit or not 0 < settings.completion.latency_target_ms < expected_ms:
            return False
        return settings.engine.warming != "off" and self._is_idle()

    def showing(self, ask: Ask, expected_ms: float) -> Showing:
        """Return what shows a client what there is until the answer."""
        wanted = self._settings().completion
        find = self._offers.find if self._offers is not None and wanted.offers else None
        # Half a line may turn out to be too unlikely, and would have to be taken back.
        units = "lines" if ask.request.least_confidence else wanted.stream
        return Showing(ask, expected_ms, find, self._metrics, units)

    async def until_it_pays(self, ask: Ask) -> None:
        """Wait for the next key, if a prompt that the engine never saw would be in vain."""
        uri = ask.document.uri
        if not ask.explicit:
            seconds = self._debounce.seconds(uri, self.expected_ms(ask))
            if seconds > 0.0:
                self._metrics.observe("completion.debounce_ms", seconds * 1000.0)
                await asyncio.sleep(seconds)
        self._debounce.begun(uri)

    def answered(self, stats: Stats, expected_ms: float, *, is_new: bool) -> None:
        """Learn from an answer of the engine.

        Args:
            stats: Its account.
            expected_ms: What was expected.
            is_new: Whether the engine never saw the prompt.
        """
        self._latency.learn(stats, moved=is_new)
        if stats.visible_ms is not None and expected_ms > 0.0:
            self._metrics.observe("latency.expected_ms", expected_ms)
            self._metrics.observe("latency.error_ms", stats.visible_ms - expected_ms)
