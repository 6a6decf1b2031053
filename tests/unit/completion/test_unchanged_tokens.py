"""How much of a prompt's beginning is what it was, in the order in which a model reads it."""

from __future__ import annotations

import pytest

from sidecar.completion.outcome import unchanged_tokens
from sidecar.context import build
from sidecar.engine.messages import Segment

HEAD = (Segment("repo", "r" * 100), Segment("outline", "o" * 50), Segment("repo", "s" * 50))


@pytest.mark.parametrize(
    ("head", "prefix", "suffix", "layout", "characters"),
    [
        (HEAD, "p" * 100, "x" * 50, "psm", 350),
        (HEAD, "p" * 60 + "q" * 40, "x" * 50, "psm", 260),
        (HEAD, "p" * 60 + "q" * 40, "x" * 50, "spm", 310),
        (HEAD, "p" * 100, "y" * 50, "spm", 200),
        (HEAD[:1], "p" * 100, "x" * 50, "psm", 100),
        ((Segment("repo", "r" * 50), *HEAD[1:]), "p" * 100, "x" * 50, "", 50),
        ((), "p" * 100, "x" * 50, "psm", 0),
    ],
)
def test_the_beginning_that_stays(
    head: tuple[Segment, ...], prefix: str, suffix: str, layout: str, characters: int
) -> None:
    before = build("p" * 100, "x" * 50, "", HEAD)
    assert unchanged_tokens(before, build(prefix, suffix, "typed", head), layout) == (
        characters * 2 // 5
    )
