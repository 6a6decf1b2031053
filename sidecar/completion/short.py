"""Short prompts: for who types where the whole prompt would take long to read on this machine.

A little of the current file is read within a second or so, and says more than nothing. The whole
prompt is evaluated meanwhile, whenever nobody waits, and serves from then on. Pure. May import
`context`.
"""

from __future__ import annotations

from typing import Final

from sidecar.context.head import Head
from sidecar.context.window import WindowLimits

__all__ = ["WINDOW", "head", "is_short", "pays"]

#: What is shown of the current file. With the tokens around it, about 60 are read: 0.6 s on two
#: cores, and so within a second from where a cursor comes to rest. With 64 and 24 tokens, 90 were
#: read in 1.0 s, and of 32 lines as many were right (6; one each that the other had wrong).
WINDOW: Final = WindowLimits(before_lines=24, after_lines=8, before_tokens=44, after_tokens=12)
#: Whoever waits for less is better served by all of it.
_WORTH_MS: Final = 1500.0
#: The short one must be there in this part of the time.
_SHARE: Final = 0.5

_HEAD: Final = Head()


def head() -> Head:
    """Return the head of short prompts, in which nothing stands; always the same one."""
    return _HEAD


def is_short(head: Head) -> bool:
    """Tell whether a prompt with this head is a short one."""
    return head is _HEAD


def pays(whole_ms: float, short_ms: float) -> bool:
    """Tell whether a short prompt is worth it.

    Args:
        whole_ms: Milliseconds until the whole one shows something.
        short_ms: Milliseconds until the short one does.
    """
    return whole_ms > _WORTH_MS and short_ms < _SHARE * whole_ms
