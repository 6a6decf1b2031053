"""Who types on before anything is shown waits on: the slow gain nothing by being overtaken."""

from __future__ import annotations

from sidecar.bench.session_waits import Waits


def test_a_key_that_is_answered() -> None:
    waits = Waits()
    waits.key(1.0)
    waits.visible(1.25)
    waits.whole(1.5)
    assert (waits.visible_ms, waits.whole_ms) == ([250.0], [500.0])
    assert waits.overtaken == 0


def test_keys_that_are_overtaken_wait_for_what_is_shown_for_a_later_one() -> None:
    waits = Waits()
    waits.key(1.0)
    waits.key(2.0)
    waits.visible(2.5)
    waits.key(3.0)
    waits.whole(3.25)
    assert waits.visible_ms == [1500.0, 500.0, 250.0]
    assert waits.whole_ms == [2250.0, 1250.0, 250.0]
    summary = waits.summary()
    assert summary["n"] == 3
    assert summary["share_overtaken"] == 1 / 3


def test_keys_that_nothing_was_shown_for_have_waited_until_one_left() -> None:
    waits = Waits()
    waits.key(1.0)
    waits.key(2.0)
    waits.left(4.0)
    assert waits.visible_ms == waits.whole_ms == [3000.0, 2000.0]
    assert waits.unanswered == 2
    waits.key(5.0)
    waits.visible(5.5)
    waits.left(6.0)
    assert waits.visible_ms[-1:] == [500.0]
    assert waits.whole_ms[-1:] == [1000.0]
    assert waits.unanswered == 2


def test_a_key_for_which_nothing_is_wanted_does_not_count() -> None:
    waits = Waits()
    waits.key(1.0)
    waits.key(2.0)
    waits.refuse()
    waits.refuse()
    waits.whole(3.0)
    assert waits.visible_ms == [2000.0]
    assert (waits.keys, waits.refused) == (1, 1)


def test_a_summary_of_nothing_is_no_failure() -> None:
    summary = Waits().summary()
    assert summary["n"] == 0
    assert summary["visible_ms"] is None
