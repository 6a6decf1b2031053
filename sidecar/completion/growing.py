"""Suggestions while they grow: what a client that streams is shown of a text that is not whole.

As it grows, or in whole lines. May import `finish` and `suggestion`; runs on the loop's thread.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from sidecar.completion.finish import finish
from sidecar.completion.suggestion import Suggestion

if TYPE_CHECKING:
    from collections.abc import Callable

    from sidecar.text import Document

__all__ = ["Growing"]


class Growing:
    """Turns text that grows into suggestions that only ever grow.

    Text that the engine had at hand arrives in bursts; of each burst only the newest is finished.

    Args:
        document: The snapshot that the cursor refers to.
        offset: The cursor.
        closers: Closers right after the cursor that an editor added.
        multiline: Whether the suggestion may pass a line.
        on_text: Called with the suggestion so far whenever it has grown.
        placeholder: What the prompt shows in place of secrets, if it had any.
        whole_lines: Tells whether lines are held back until they are whole.
    """

    def __init__(
        self,
        document: Document,
        offset: int,
        closers: int,
        multiline: bool,
        on_text: Callable[[Suggestion], None],
        placeholder: str = "",
        whole_lines: Callable[[], bool] = lambda: False,
    ) -> None:
        self._document = document
        self._offset = offset
        self._closers = closers
        self._multiline = multiline
        self._on_text = on_text
        self._placeholder = placeholder
        self._whole_lines = whole_lines
        self._shown = ""
        self._newest: str | None = None
        self._closed = False

    def __call__(self, text: str) -> None:
        """Take the text so far."""
        if self._newest is None:
            asyncio.get_running_loop().call_soon(self._flush)
        self._newest = text

    def close(self) -> None:
        """Let nothing be shown any more."""
        self._closed = True

    def _flush(self) -> None:
        text, self._newest = self._newest, None
        if text is None or self._closed:
            return
        if self._whole_lines():
            text = text[: text.rfind("\n") + 1].rstrip("\n")
            if not text.strip():
                return
        so_far = finish(
            text,
            self._document,
            self._offset,
            self._closers,
            multiline=self._multiline,
            partial=True,
            placeholder=self._placeholder,
        )
        if not isinstance(so_far, Suggestion):
            return
        # A cut that was made on a guess may be taken back, and then this would jump.
        if len(so_far.shown) > len(self._shown) and so_far.shown.startswith(self._shown):
            self._shown = so_far.shown
            self._on_text(so_far)
