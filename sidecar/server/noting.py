"""What a recorded session has to tell a replay beyond what was said: what followed from the clock.

Does nothing where no session is recorded. May import `completion` and recordings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sidecar.completion.short import is_short

if TYPE_CHECKING:
    from sidecar.completion.anchoring import Anchors
    from sidecar.engine.messages import ModelInfo
    from sidecar.server.recording import Recording

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

    def ready(self, info: ModelInfo | None) -> None:
        """Note how fast a model reads: how much it is shown of other files follows from it."""
        if self._recording is not None and info is not None:
            self._recording.note({"prompt_tokens_per_s": info.prompt_tokens_per_s})

    def answering(self, uri: str) -> None:
        """Note of what is about to be answered that a short prompt came first.

        How long that answers follows from when the whole one is evaluated.
        """
        if self._recording is None:
            return
        last = self._anchors.last(uri)
        if last is not None and is_short(last.head):
            self._recording.note({"short": uri})
