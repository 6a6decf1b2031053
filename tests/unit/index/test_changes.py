"""What is due when, for single saves and for storms."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sidecar.index.upkeep.changes import FEW, LONGEST, QUIET, RATE, Changes

MANY = [f"f{number}.py" for number in range(3000)]


def test_a_save_is_due_at_once_and_once() -> None:
    changes = Changes()
    changes.add(["a.py"], 10.0)
    changes.add(["a.py", "b.py"], 10.0)
    assert changes.take_urgent() == ["a.py", "b.py"]
    assert changes.take_urgent() == []
    assert changes.bulk_due() == float("inf")


def test_a_branch_switch_is_one_piece_when_it_has_come_to_rest() -> None:
    changes = Changes()
    changes.add(MANY[:1500], 10.0)
    changes.add(MANY, 10.05)
    assert changes.take_urgent() == []
    assert changes.take_bulk(10.1) == []
    assert changes.bulk_due() == 10.05 + QUIET
    assert changes.take_bulk(10.05 + QUIET) == MANY
    assert len(changes) == 0


def test_a_storm_of_single_events_is_taken_in_few_pieces() -> None:
    changes = Changes()
    pieces = []
    now = 10.0
    for path in MANY:
        changes.add([path], now)
        pieces += [taken for taken in (changes.take_urgent(), changes.take_bulk(now)) if taken]
        now += 0.0002
    pieces.append(changes.take_bulk(now + QUIET))
    assert sorted(path for piece in pieces for path in piece) == sorted(MANY)
    one_by_one = sum(len(piece) == 1 for piece in pieces)
    assert one_by_one <= RATE * 1.6 + 1
    assert len(pieces) - one_by_one <= 2


def test_what_never_rests_is_due_after_the_longest_wait() -> None:
    changes = Changes()
    now = 10.0
    while now < 10.0 + LONGEST:
        assert changes.take_bulk(now) == []
        changes.add(MANY[: FEW + 1], now)
        now += QUIET / 2
    assert len(changes.take_bulk(10.0 + LONGEST)) == FEW + 1


def test_a_save_during_a_branch_switch_does_not_wait() -> None:
    changes = Changes()
    changes.add(MANY, 10.0)
    changes.add([MANY[7]], 10.01)
    assert changes.take_urgent() == [MANY[7]]
    assert len(changes.take_bulk(11.0)) == len(MANY) - 1


@given(st.lists(st.tuples(st.lists(st.integers(0, 300)), st.floats(0, 0.3)), max_size=30))
def test_every_path_is_handed_out_after_it_was_named(
    reports: list[tuple[list[int], float]],
) -> None:
    changes = Changes()
    owed: set[str] = set()
    now = 10.0
    for numbers, pause in reports:
        named = [str(number) for number in numbers]
        changes.add(named, now)
        owed |= set(named)
        now += pause
        taken = [*changes.take_urgent(), *changes.take_bulk(now)]
        assert len(set(taken)) == len(taken)
        assert set(taken) <= owed
        owed -= set(taken)
    assert {*changes.take_urgent(), *changes.take_bulk(now + LONGEST)} == owed
