"""What a recorded session has to tell a replay beyond what was said: what followed from the clock.

Does nothing where no session is recorded. May import `completion` and recordings.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from sidecar.completion.short import is_short

if TYPE_CHECKING:
    from sidecar.completion.anchored import Anchored
    from sidecar.completion.anchoring import Anchors
    from sidecar.completion.outcome import Outcome
    from sidecar.engine.messages import ModelInfo
    from sidecar.server.recording import Recording
    from sidecar.settings import Settings

__all__ = ["Notes"]


class Notes:
    """Writes notes into a recording.

    Args:
        recording: The recording, if there is one.
        anchors: Knows which prompts are in use.
    """

    def __init__(self, recording: Recording | None, anchors: Anchors) -> None:
        self._recording = recording
        self._anchors = anchors

    def began(self, settings: Settings) -> None:
        """Note what is done otherwise than in sessions that nobody records."""
        if self._recording is not None:
            shortly = settings.context.short_first
            self._recording.note({"context.shortFirst": shortly, "remembered_places": False})

    def ready(self, info: ModelInfo | None) -> None:
        """Note how fast a model reads: how much it is shown of other files follows from it."""
        if self._recording is not None and info is not None:
            self._recording.note({"prompt_tokens_per_s": info.prompt_tokens_per_s})

    def answering(self, uri: str, document: str, outcome: Outcome | None) -> None:
        """Note how an answer came about that is about to be given.

        Args:
            uri: What the client calls the document.
            document: What the document is called here.
            outcome: The answer; None if there is none.
        """
        if self._recording is None or outcome is None:
            return
        last = self._anchors.last(document)
        self._recording.note(
            {
                "answering": uri,
                "clock": _by_clock(outcome, last),
                "origin": outcome.origin,
                "prompt": _digest(last),
            }
        )


def _by_clock(outcome: Outcome, last: Anchored | None) -> str:
    """Return in a word how an answer follows from how fast things went; nothing if it does not."""
    if last is not None and is_short(last.head):
        # How long it answers follows from when the whole one is evaluated.
        return "short"
    if outcome.reason == "timeout" or (outcome.stats and outcome.stats.stop == "time"):
        return "cut"
    return ""


def _digest(last: Anchored | None) -> str:
    """Tell one prompt from another; what was typed behind the anchor is no part of it."""
    parts = [(segment.kind, segment.text) for segment in last.prompt.segments] if last else []
    return hashlib.blake2b(repr(parts).encode(), digest_size=6).hexdigest()
