"""Texts of the cancelling benchmark share nothing, and late rounds do not count."""

from __future__ import annotations

from itertools import takewhile

from sidecar.bench.cancel import Round, summarize, text_of


def test_texts_are_code_with_an_open_end() -> None:
    text = text_of("a", 3)
    assert text.count("\n") == 3
    compile(text.rsplit("\n", 1)[0], "text", "exec")


def test_texts_share_no_more_than_a_word() -> None:
    pairs = zip(text_of("a", 3), text_of("b", 3), strict=True)
    assert "".join(a for a, _ in takewhile(lambda pair: pair[0] == pair[1], pairs)) == "value_"


def test_rounds_that_were_answered_before_they_were_given_up_do_not_count() -> None:
    good = Round(2000, 900.0, 5.0, 20.0, 0, 700, 700, 1300, in_time=True)
    late = Round(2000, 900.0, -100.0, 500.0, 0, 2000, 2000, 0, in_time=False)
    summary = summarize([good, late])
    assert summary["n"] == 1
    assert summary["worst_idle_ms"] == 20.0
    assert summary["reused_tokens"]["mean"] == 700
    assert len(summary["rounds"]) == 2
    assert summarize([late])["n"] == 0
