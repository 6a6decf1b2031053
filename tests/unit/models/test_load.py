"""What other programs use of this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import psutil
import pytest

from sidecar.models.load import Load, Sample, busy_share

if TYPE_CHECKING:
    from collections.abc import Sequence


@pytest.mark.parametrize(
    ("busy", "own", "cores", "share"),
    [(0.0, 0.0, 2, 0.0), (10.0, 0.0, 2, 0.5), (10.0, 10.0, 2, 0.0), (30.0, 5.0, 4, 0.625)],
)
def test_what_others_use(busy: float, own: float, cores: int, share: float) -> None:
    assert busy_share(Sample(5, 100, 20), Sample(15, 100 + busy, 20 + own), cores) == share


def test_clocks_that_disagree_and_no_time_make_no_nonsense() -> None:
    assert busy_share(Sample(1, 10, 5), Sample(1, 11, 5), 2) == 0.0
    assert busy_share(Sample(1, 10, 5), Sample(2, 10, 6), 2) == 0.0
    assert busy_share(Sample(1, 10, 5), Sample(2, 99, 5), 2) == 1.0


def test_shares_are_between_two_questions_about_the_same_processes() -> None:
    samples = [Sample(0, 0, 0), Sample(10, 1e9, 0), Sample(10.01, 2e9, 0), Sample(20, 1e9, 0)]
    asked: list[Sequence[int]] = []

    def sample(own: Sequence[int]) -> Sample:
        asked.append(own)
        return samples[len(asked) - 1]

    processes = [7]
    load = Load(lambda: processes, sample)
    assert [load.others() for _ in range(3)] == [0.0, 1.0, 1.0]
    processes.append(8)
    # What the other one used before is not known.
    assert load.others() == 1.0
    assert asked[-1] == (7, 8)


def test_this_machine_answers() -> None:
    load = Load()
    assert 0.0 <= load.others() <= 1.0
    assert load.on_battery() in (True, False)


@pytest.mark.parametrize(
    ("share", "battery", "expected"),
    [(0.2, False, ""), (0.9, False, "busy"), (0.2, True, "battery"), (0.9, True, "battery")],
)
def test_nothing_is_guessed_on_battery_or_beside_others(
    share: float, battery: bool, expected: str
) -> None:
    seconds = iter((0.0, share))
    moments = iter((0.0, 1.0))
    cores = psutil.cpu_count() or 1
    load = Load(sample=lambda _: Sample(next(moments), next(seconds) * cores, 0.0))
    load.on_battery = lambda: battery  # type: ignore[method-assign]
    load.others()
    assert load.held_back() == expected
