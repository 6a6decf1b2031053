"""What an editor is offered: a text, and the range on one line that it replaces.

Must never know LSP types: offsets are code points of the document. May import nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Refusal", "Suggestion"]


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Text offered to the editor.

    The range runs from the start of the cursor's line, and what it replaces is contained in order
    in `insert`: VS Code shows no ghost text otherwise, and Neovim would double what is typed
    meanwhile.

    Args:
        start: Offset of the start of the cursor's line.
        end: Offset of the cursor, or of the end of the closers behind it that the suggestion closes
        itself.
        insert: The whole text for the range, in the document's line ending.
        shown: What is new: `insert` without `typed`.
        typed: The text of the line before the cursor.
        source: Who said it: the model, or the index until that answers.
    """

    start: int
    end: int
    insert: str
    shown: str
    typed: str
    source: Literal["model", "index"] = "model"


@dataclass(frozen=True, slots=True)
class Refusal:
    """Nothing is offered, and why: a word to count, never code."""

    reason: str
