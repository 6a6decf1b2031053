from __future__ import annotations

import json

import pytest

from sidecar.context import Card, Part, build


def test_a_prompt_is_lf_text_that_can_be_encoded():
    prompt = build("a\r\nb\r", "\r\nc", "x\ud83d\u2028😀")
    assert [(s.kind, s.text) for s in prompt.segments] == [
        ("prefix", "a\nb\n"),
        ("suffix", "\nc"),
        ("typed", "x\ufffd\u2028😀"),
    ]
    for segment in prompt.segments:
        segment.text.encode()


CARD = Card(
    (
        Part("prefix", "current file", "a.py", "before the anchor", 100),
        Part("suffix", "current file", "a.py", "after the cursor", 50),
        Part("typed", "current file", "a.py", "typed since the anchor", 10),
    )
)


def test_a_card_is_settled_by_the_engines_counts():
    counts = {"prefix": 90, "suffix": 40, "typed": 12}
    settled = CARD.settled(counts, 135).noting("anchor: body")
    assert [(p.part, p.tokens, p.reused) for p in settled.parts] == [
        ("prefix", 90, True),
        ("suffix", 40, True),
        ("typed", 12, False),
    ]
    assert settled.notes == ("anchor: body",)
    suffix_first = CARD.settled(counts, 45, "spm")
    assert [(p.part, p.reused) for p in suffix_first.parts] == [
        ("suffix", True),
        ("prefix", False),
        ("typed", False),
    ]


@pytest.mark.parametrize(
    ("sizes", "counted", "shares"),
    [
        ((100, 50), 160, [107, 53]),
        ((1, 1, 1), 10, [3, 4, 3]),
        ((100, 100), 60, [30, 30]),
        ((0, 0), 5, [5, 0]),
        ((3, 0), 0, [0, 0]),
    ],
)
def test_parts_of_one_kind_add_up_to_what_was_counted(
    sizes: tuple[int, ...], counted: int, shares: list[int]
) -> None:
    files = tuple(Part("repo", "similar", f"{n}.py", "alike", n) for n in sizes)
    parts = Card((*files, *CARD.parts)).counted({"repo": counted, "typed": 11}).parts
    assert [part.tokens for part in parts] == [*shares, 100, 50, 11]


def test_a_card_is_plain_data():
    data = json.loads(json.dumps(CARD.as_dict()))
    assert data["parts"][0]["reason"] == "before the anchor"
    assert data["notes"] == []
