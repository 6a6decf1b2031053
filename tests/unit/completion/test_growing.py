"""What a client that streams is shown of a text that grows."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from typing import TYPE_CHECKING

from cursor import at_cursor

from sidecar.completion.growing import Growing

if TYPE_CHECKING:
    from sidecar.completion.suggestion import Suggestion


async def shown(fixture: str, *bursts: tuple[str, ...], close_before: int = 99) -> list[str]:
    """Feed bursts of texts and return what was shown."""
    document, offset = at_cursor(fixture)
    pieces: list[Suggestion] = []
    growing = Growing(document, offset, 0, False, pieces.append)
    for number, burst in enumerate(bursts):
        for text in burst:
            growing(text)
        if number == close_before:
            growing.close()
        await asyncio.sleep(0)
    return [piece.shown for piece in pieces]


async def test_each_piece_is_the_whole_so_far() -> None:
    assert await shown("x = |\n", ("f",), ("foo",), ("foo(a",)) == ["f", "foo", "foo(a"]


async def test_of_a_burst_only_the_newest_is_shown() -> None:
    assert await shown("x = |\n", ("f", "fo", "foo"), ("foo(", "foo(a)")) == ["foo", "foo(a)"]


async def test_what_is_shown_never_shrinks_or_changes() -> None:
    # The second text ends with what follows the cursor, so it is cut there until it goes on.
    pieces = await shown("x = | + 1\n", ("a",), ("a +",), ("a + 1",), ("a + 10",), ("a + 10 * b",))
    assert all(longer.startswith(text) for text, longer in pairwise(pieces))
    assert len(set(pieces)) == len(pieces)


async def test_nothing_is_shown_after_the_end() -> None:
    assert await shown("x = |\n", ("f",), ("foo",), close_before=1) == ["f"]
