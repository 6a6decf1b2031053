"""What watchers told of, until it is due."""

from __future__ import annotations

from sidecar.index.upkeep.heard import Heard


def test_each_path_is_handed_out_once_when_it_is_due() -> None:
    heard = Heard()
    assert heard.due() == float("inf")
    assert heard.add(["a", "b"], 2.0)
    # What waits already is not put off, and nobody has to be woken once more.
    assert not heard.add(["a"], 5.0)
    # Whoever waits would wait too long.
    assert heard.add(["c"], 1.0)
    assert heard.due() == 1.0
    assert heard.take(0.5) == []
    assert heard.take(2.0) == ["c", "a", "b"]
    assert heard.due() == float("inf")
    assert heard.add(["a"], 3.0)


def test_what_is_told_of_again_comes_earlier_and_once() -> None:
    heard = Heard()
    assert heard.add(["a", "b"], 4.0)
    assert heard.add(["a"], 1.0)
    assert heard.take(1.0) == ["a"]
    assert heard.take(4.0) == ["b"]
    assert heard.due() == float("inf")
