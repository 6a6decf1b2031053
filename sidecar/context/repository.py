"""Makes the texts of `repo` segments of snippets that are shown.

Pure. May import `text` and `context`'s values.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from sidecar.text import scrub

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sidecar.context.arrangement import Kept

__all__ = ["repository_texts"]


def repository_texts(kept: Sequence[Kept], name: str) -> tuple[str, ...]:
    """Return the texts in the order of the prompt: the workspace's name, then one for each file.

    A file has several where snippets of another one stand between its own. Each text ends with one
    line feed.

    Args:
        kept: What is shown, in the order of the prompt.
        name: The workspace's name.
    """
    if not kept:
        return ()
    texts = [_line(name)]
    for path, members in groupby(kept, key=lambda one: one.snippet.path):
        code = "".join(one.text.rstrip("\n") + "\n" for one in members)
        texts.append(_line(path) + scrub(code))
    return tuple(texts)


def _line(text: str) -> str:
    """Return a name as one line, whatever characters stand in it."""
    return scrub(" ".join(text.splitlines())) + "\n"
