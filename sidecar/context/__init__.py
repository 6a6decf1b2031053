"""What goes into a prompt, and the account of it: pure functions of snapshots.

May import `text`, `syntax` and `engine/messages.py`; does no I/O.
"""

from __future__ import annotations

from sidecar.context.card import Card, Part
from sidecar.context.guard import Guarded, blanked
from sidecar.context.outline import Keep, Outline, Pruned, outline_of, pruned
from sidecar.context.prompt import Prompt, build
from sidecar.context.window import Tokens, WindowLimits, lines_needed

__all__ = [
    "Card",
    "Guarded",
    "Keep",
    "Outline",
    "Part",
    "Prompt",
    "Pruned",
    "Tokens",
    "WindowLimits",
    "blanked",
    "build",
    "lines_needed",
    "outline_of",
    "pruned",
]
