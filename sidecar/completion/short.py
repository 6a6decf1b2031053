"""Short prompts: for who types where the whole prompt would take long to read on this machine.

A little of the current file is read within a second or so, and says more than nothing. The whole
prompt is evaluated meanwhile, whenever nobody waits, and serves from then on. Pure. May import
`anchor` and `context`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sidecar.completion.anchor import AnchorLimits, Extension, choose
from sidecar.context.head import Head
from sidecar.context.window import Tokens, WindowLimits

if TYPE_CHECKING:
    from sidecar.text import Document

__all__ = ["BEFORE_TOKENS", "before_tokens", "head", "is_short", "pays", "place", "still_short"]

#: What is shown of the current file before the cursor, typed or not, and after it. These are
#: estimates of 2.5 bytes each: code has about 3.5.
BEFORE_TOKENS: Final = 128
_AFTER_TOKENS: Final = 24
_BEFORE_LINES, _AFTER_LINES = 24, 8
#: Less is shown where so many tokens, about half of them real ones, would take longer than this: a
#: prompt is read then for who looks around for a second, and what comes next generated.
_BEFORE_MS: Final = 1100.0
_LESS: Final = (104, 80)
#: As much may stand between anchor and cursor, of bytes two thirds; and so much is shown before the
#: anchor at least.
_TYPED: Final = AnchorLimits(tokens=64, bytes=240)
_LEAST_BEFORE: Final = 16
#: Whoever waits for less is better served by all of it.
_WORTH_MS: Final = 1500.0
#: The short one must be there in this part of the time.
_SHARE: Final = 0.5

_HEAD: Final = Head()


def head() -> Head:
    """Return the head of short prompts, in which nothing stands; always the same one."""
    return _HEAD


def before_tokens(token_ms: float) -> int:
    """Tell how much a short prompt shows of the file before the cursor, in estimated tokens.

    Args:
        token_ms: Milliseconds that a token of a prompt takes; 0 if nobody knows.
    """
    sizes = (BEFORE_TOKENS, *_LESS)
    return next((size for size in sizes if size * token_ms <= _BEFORE_MS), sizes[-1])


def place(document: Document, offset: int, before: int = BEFORE_TOKENS) -> Extension:
    """Choose an anchor whose prompt shows little of a document.

    Args:
        document: The document.
        offset: The cursor.
        before: What it shows before the cursor, in estimated tokens.
    """
    tokens = Tokens({})

    def chosen(shown: int) -> Extension:
        window = WindowLimits(_BEFORE_LINES, _AFTER_LINES, shown, _AFTER_TOKENS)
        return choose(document, offset, None, tokens=tokens, limits=_TYPED, window=window)

    typed = tokens.text(chosen(_LEAST_BEFORE).typed)
    return chosen(max(before - typed, _LEAST_BEFORE))


def is_short(head: Head) -> bool:
    """Tell whether a prompt with this head is a short one."""
    return head is _HEAD


def still_short(head: Head, typed: str, held: int) -> bool:
    """Tell whether a prompt is a short one, and little of it was pasted behind its anchor since.

    Args:
        head: Its head.
        typed: What stands behind its anchor.
        held: Characters of that which the engine has evaluated; -1 for none.
    """
    return is_short(head) and len(typed) - max(held, 0) <= _TYPED.bytes


def pays(whole_ms: float, short_ms: float) -> bool:
    """Tell whether a short prompt is worth it.

    Args:
        whole_ms: Milliseconds until the whole one shows something.
        short_ms: Milliseconds until the short one does.
    """
    return whole_ms > _WORTH_MS and short_ms < _SHARE * whole_ms
