"""How what was taken back is written for each kind of server, and how answers are read."""

from __future__ import annotations

import re

import pytest

from sidecar.engine.messages import Request
from sidecar.remote.dialects import LlamaServer, Said, Vllm, marker_like
from sidecar.remote.templates import template_of
from sidecar.remote.vocabulary import _cut

REQUEST = Request("d", ())


@pytest.mark.parametrize(
    ("healed", "literal"),
    [
        ("self.", '"self."'),
        ('say("', '"say(\\""'),
        ("a\\n", '"a\\\\n"'),
        ("\t", '"\\t"'),
        ("é", '"é"'),
        ("\u200b", '"\\U0000200B"'),
        ("\x7f", '"\\U0000007F"'),
    ],
)
def test_grammar(healed: str, literal: str) -> None:
    body = LlamaServer().completion([1], healed, REQUEST, [])
    assert body["grammar"] == f"root ::= {literal} .*"


@pytest.mark.parametrize("healed", ["self.", "a[b](c)", "{x|y}", "^$\\d+?*/", "é #~&-'\"", "\t "])
def test_regular_expression(healed: str) -> None:
    body = Vllm("m").completion([1], healed, REQUEST, [])
    pattern = body["structured_outputs"]["regex"]
    assert re.fullmatch(pattern, healed + "any\nthing")
    assert re.fullmatch(pattern, healed)
    assert not re.fullmatch(pattern, "x" + healed)


@pytest.mark.parametrize(
    ("version", "structured"),
    [("", True), ("0.9.1", False), ("0.10.2rc1", False), ("0.11.0", True), ("1.2", True)],
)
def test_versions(version: str, structured: bool) -> None:
    body = Vllm("m", version).completion([1], "a", REQUEST, [])
    assert ("structured_outputs" in body, "guided_regex" in body) == (structured, not structured)


def test_without_healing_nothing_is_forced() -> None:
    assert "grammar" not in LlamaServer().completion([1], "", REQUEST, [])
    assert "structured_outputs" not in Vllm("m").completion([1], "", REQUEST, [])


def test_pieces_of_vocabularies() -> None:
    names = ["Ġdef", "Ċ", "Ã©", "▁x", "<0x0A>", "<|fim_middle|>", "<｜fim▁hole｜>", "日"]
    answer = {"tokens": list(range(len(names))), "token_strs": names}
    assert [token.piece for token in Vllm("m").tokens(answer)] == [
        b" def",
        b"\n",
        "é".encode(),
        b" x",
        b"\n",
        b"<|fim_middle|>",
        "<｜fim▁hole｜>".encode(),
        "日".encode(),
    ]
    answer = {"tokens": [{"id": 5, "piece": "é"}, {"id": 6, "piece": [0xC3]}]}
    assert LlamaServer().tokens(answer) == [(5, "é".encode()), (6, b"\xc3")]


def test_many_texts_at_once() -> None:
    dialect = LlamaServer()
    assert dialect.tokenize_many(["a", ""])["content"] == ["a", -1, "", -1]
    assert dialect.many({"tokens": [97, -1, -1]}, 2) == [[97], []]
    for tokens in ([97, -1], [97, -1, -1, 5], [97, 98]):
        with pytest.raises(ValueError, match="other texts"):
            dialect.many({"tokens": tokens}, 2)


def test_events() -> None:
    dialect = LlamaServer()
    assert dialect.read({"content": "a", "tokens": [1, 2]}) == Said("a", (1, 2))
    last = {"content": "", "stop_type": "limit", "tokens_predicted": 3}
    assert dialect.read(last) == Said(end="tokens", generated=3)
    choice = {"text": "a", "finish_reason": "stop", "stop_reason": 151643}
    assert Vllm("m").read({"choices": [choice]}) == Said("a", end="eog")
    usage = {"prompt_tokens": 5, "completion_tokens": 1}
    told = Vllm("m").read({"choices": [], "usage": usage})
    assert told == Said(evaluated=5, reused=0, generated=1)


@pytest.mark.parametrize(
    ("piece", "marker"),
    [
        (b"<|fim_middle|>", True),
        (b" <PRE>", True),
        (b"</s>", True),
        (b"[INST]", True),
        (b"<", False),
        (b"<>", False),
        (b" < b", False),
        (b"[]", False),
        (b"[i]", False),
        (b"->", False),
    ],
)
def test_markers(piece: bytes, marker: bool) -> None:
    assert marker_like(piece) is marker


def test_cutting_leaves_the_text_and_no_marker() -> None:
    text = "<s>a</s><s><s>"
    parts = _cut(text, {"<s>", "</s>"})
    assert "".join(parts) == text
    assert not any(marker in part for part in parts for marker in ("<s>", "</s>"))


def test_templates_need_their_markers() -> None:
    texts = {"order": "spm", "prefix": "[PREFIX]", "suffix": "[SUFFIX]", "middle": ""}
    found = template_of(texts, {"[PREFIX]": 3, "[SUFFIX]": 4}, (1,))
    assert found is not None
    assert (found.order, found.prefix, found.suffix, found.middle) == ("spm", (3,), (4,), ())
    assert (found.begin, found.stops) == ((1,), frozenset({3, 4}))
    assert template_of(texts, {"[PREFIX]": 3}, ()) is None
