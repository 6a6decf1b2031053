"""Where snippets stand in a prompt: where they stood, as far as that can be.

Whatever changes is evaluated again with all that follows it, so a snippet keeps its place, new ones
come behind the old ones of their block, and the blocks stand in the order of how seldom they
change. Pure. May import `context`'s values.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sidecar.context.ranking import block_of, stillness_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sidecar.context.snapshot import Snippet

__all__ = ["Kept", "arranged", "same_place", "unchanged_head"]


@dataclass(frozen=True, slots=True)
class Kept:
    """A snippet that is shown.

    Args:
        snippet: What its source offered.
        text: Its text as it is shown, ending in a line feed.
        tokens: What it takes, with the line of its file's path if it is the first under it.
        whole: Whether nothing was taken from it but what says little.
        note: What was taken from it, for people.
    """

    snippet: Snippet
    text: str
    tokens: int
    whole: bool
    note: str = ""


def arranged(chosen: Sequence[Kept], before: Sequence[Kept]) -> list[Kept]:
    """Return snippets in the order of the prompt.

    Args:
        chosen: What is shown, the best first.
        before: What was shown before, in its order.
    """
    waiting = {one.snippet.key: one for one in chosen}
    old: list[Kept | None] = []
    for one in before:
        now = waiting.get(one.snippet.key)
        stays = now is not None and same_place(one.snippet, now.snippet)
        old.append(waiting.pop(one.snippet.key) if stays else None)
    blocks: dict[int, list[Kept]] = {}
    for gone, kept in zip(before, old, strict=True):
        found = kept or _replacement(gone.snippet, waiting)
        if found is not None:
            waiting.pop(found.snippet.key, None)
            blocks.setdefault(block_of(found.snippet.source), []).append(found)
    # New snippets of a file stand together, under one line with its path.
    groups: dict[tuple[int, str], list[Kept]] = {}
    for one in waiting.values():
        group = block_of(one.snippet.source), one.snippet.path
        groups.setdefault(group, []).append(one)
    for members in groups.values():
        members.sort(key=_stillness)
    for (block, _), members in sorted(groups.items(), key=lambda pair: _stillness(pair[1][0])):
        blocks.setdefault(block, []).extend(members)
    return [one for block in sorted(blocks) for one in blocks[block]]


def unchanged_head(now: Sequence[Kept], before: Sequence[Kept]) -> int:
    """Return how many snippets from the first on are shown as they were."""
    number = 0
    for one, other in zip(now, before, strict=False):
        if (one.text, one.snippet.key) != (other.text, other.snippet.key):
            break
        if not same_place(one.snippet, other.snippet):
            break
        number += 1
    return number


def same_place(one: Snippet, other: Snippet) -> bool:
    """Tell whether two snippets are from the same file and source."""
    return one.path == other.path and one.source == other.source


def _replacement(gone: Snippet, waiting: dict[str, Kept]) -> Kept | None:
    """Return the best new snippet that stands for one that is gone."""
    return next((one for one in waiting.values() if same_place(gone, one.snippet)), None)


def _stillness(one: Kept) -> int:
    return stillness_of(one.snippet.source)
