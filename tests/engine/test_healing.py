"""Bytes taken back before the cursor, and the tokens that may give them again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sidecar.engine.boundary import MOST_TOKENS_BACK, take_back
from sidecar.engine.healing import Healer
from sidecar.text import encode_utf8

if TYPE_CHECKING:
    from sidecar.engine.inference import Inference

CODE_LIKE = st.text(
    st.one_of(st.sampled_from("abcxyz_ \t\n(){}.,:='\"0123"), st.characters()), max_size=60
)


@pytest.fixture(scope="module")
def healer(pieces: list[bytes]) -> Healer:
    return Healer(pieces)


@pytest.mark.parametrize(
    ("text", "healed"),
    [
        ("", ""),
        ("def fo", "def fo"),
        ("x = total_cou", " total_cou"),
        ("    return\n", ""),
        ("    return\n  ", "  "),
        ("x = 1\n    retu", " retu"),
        ("café", "café"),
    ],
)
def test_takes_back(inference: Inference, pieces: list[bytes], text: str, healed: str) -> None:
    kept, back = take_back(text.encode(), inference.model.tokenize, pieces)
    assert (kept + back, back) == (text.encode(), healed.encode())


@settings(deadline=None, max_examples=300, suppress_health_check=list(HealthCheck))
@given(text=CODE_LIKE)
def test_takes_back_little_and_nothing_twice(
    inference: Inference, pieces: list[bytes], text: str
) -> None:
    source = encode_utf8(text)
    kept, healed = take_back(source, inference.model.tokenize, pieces)
    assert kept + healed == source
    assert b"\n" not in healed
    kept.decode("utf-8")
    healed.decode("utf-8")
    tokens = inference.model.tokenize(source)
    assert len(healed) <= sum(len(pieces[token]) for token in tokens[-MOST_TOKENS_BACK:])


@pytest.mark.parametrize("remaining", [b"s", b" retu", b"            ", "ü".encode(), b"\xff"])
def test_allows_what_begins_with_the_bytes_or_begins_them(
    healer: Healer, pieces: list[bytes], remaining: bytes
) -> None:
    allowed = set(healer.allowed(remaining).tolist())
    expected = {
        token
        for token, piece in enumerate(pieces)
        if piece and (piece.startswith(remaining) or remaining.startswith(piece))
    }
    assert allowed == expected


def test_never_allows_a_control_token(healer: Healer, inference: Inference) -> None:
    for text in ("<|fim_middle|>", "<|endoftext|>", "<"):
        assert not set(healer.allowed(text.encode()).tolist()) & inference.template.stops
