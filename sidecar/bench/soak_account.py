"""The account of a long run: when it is disturbed, what it came to, and what is wrong with it.

At the beginning of a run servers are killed and started again, then all files are gone to; those
that run by then stay to the end. Its second half repeats what is typed in the first, so that its
last quarter can be compared with its second, and the end with the middle, when all is warm. Pure.
May import this package.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import median
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from sidecar.bench.statistics import percentile_group

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sidecar.bench.footprint import Footprint, Kind

__all__ = [
    "KINDS",
    "RECOVERY_SECONDS",
    "Course",
    "Disturbance",
    "Sample",
    "Timed",
    "quarter",
    "schedule",
    "summarize",
]

Disturbing = Literal["engine killed", "front killed", "engine restarted", "front restarted"]
KINDS: tuple[Disturbing, ...] = (
    "engine killed",
    "front killed",
    "engine restarted",
    "front restarted",
)
#: Disturbances fill this share of a run, this many seconds apart where there is time.
_DISTURBED, _APART_SECONDS, _MOST_DISTURBANCES = 1 / 8, 25.0, 80
#: Memory after warm-up, which takes this share of a run, and at the end, is the median of what was
#: seen for that share of it.
_WARM, _LOOK_BACK = 0.5, 0.03
#: What is judged only when it ran for so long, and saw so many keys in a quarter.
LEAST_SECONDS, LEAST_KEYS = 600.0, 100
_MOST_GROWTH, _MOST_SLOWER, _MOST_FILES = 0.03, 0.15, 8
#: A suggestion has to be there again so many seconds after a disturbance.
RECOVERY_SECONDS = 60.0


class Timed(NamedTuple):
    """One key for which something was asked.

    Args:
        at: Seconds since the beginning.
        visible_ms: Until something was visible, or the answer was there.
        one_token_ms: Of a pass of one token; 0 when there was none.
    """

    at: float
    visible_ms: float
    one_token_ms: float


class Sample(NamedTuple):
    """How things stood at a moment.

    Args:
        at: Seconds since the beginning.
        footprints: By process.
        lanes: Tokens in each lane.
        cells: Cells in use.
        lost: Lanes of which the model holds something else than they say; None if it worked.
        fronts: Connections that the engine has.
        waiting: Whether there is work that is not done.
    """

    at: float
    footprints: dict[str, Footprint]
    lanes: tuple[int, ...]
    cells: int
    lost: int | None
    fronts: int
    waiting: bool


@dataclass(slots=True)
class Disturbance:
    """Something that was done to a server.

    Args:
        at: Seconds since the beginning.
        kind: What.
        recovery_s: Until there was a suggestion again; None if there never was.
    """

    at: float
    kind: Disturbing
    recovery_s: float | None = None


@dataclass(slots=True)
class Course:
    """What happened in a run.

    Args:
        wanted_s: How long it should take.
        lanes: How many lanes the engine should have.
        cells: How many cells.
        seconds: How long it took.
        keys: The keys for which something was asked.
        requests: All requests, those that were given up included.
        samples: From the beginning to the end.
        quiet: How things stood when nobody had typed for a while.
        disturbances: What was done to servers.
        died: What ended by itself.
        left_over: Processes that were there when all should have ended.
    """

    wanted_s: float
    lanes: int = 0
    cells: int = 0
    seconds: float = 0.0
    keys: list[Timed] = field(default_factory=list)
    requests: int = 0
    samples: list[Sample] = field(default_factory=list)
    quiet: Sample | None = None
    disturbances: list[Disturbance] = field(default_factory=list)
    died: list[str] = field(default_factory=list)
    left_over: list[str] = field(default_factory=list)


def schedule(seconds: float) -> list[Disturbance]:
    """Say when what is done to servers, in a run of so many seconds."""
    span = seconds * _DISTURBED
    count = min(max(len(KINDS), int(span / _APART_SECONDS)), _MOST_DISTURBANCES)
    return [
        Disturbance(span * number / count, KINDS[number % len(KINDS)]) for number in range(count)
    ]


def quarter(at: float, seconds: float) -> int:
    """Return which quarter of a run a moment lies in, 0 to 3."""
    return min(max(int(4 * at / seconds), 0), 3)


def summarize(course: Course, kind: Kind) -> dict[str, Any]:
    """Return the numbers of a run in the contract's shape, with what was found to be wrong."""
    start, end = _around(course, _WARM), _around(course, 1.0)
    slowness = {
        name: _slowness(course, number)
        for name, number in (("second_quarter", 1), ("last_quarter", 3))
    }
    summary: dict[str, Any] = {
        "seconds": course.seconds,
        "requests": course.requests,
        "restarts": len(course.disturbances),
        "memory": kind,
        "pss_mb": _middles("memory_mb", start, end),
        "pss_mb_by_quarter": _middles("memory_mb", *(_around(course, n / 4) for n in (1, 2, 3, 4))),
        "private_mb": _middles("private_mb", start, end),
        "open_files": _middles("open_files", start, end),
        "visible_over_one_token": {name: told["p95"] for name, told in slowness.items()},
        "quarters": slowness,
        "lanes": {
            "all": course.lanes,
            "used": sum(tokens > 0 for tokens in course.quiet.lanes) if course.quiet else None,
            "cells": course.cells,
            "most_cells": max((sample.cells for sample in _looks(course)), default=0),
            "lost": max((sample.lost or 0 for sample in _looks(course)), default=0),
        },
        "disturbances": [
            {"at_s": one.at, "kind": one.kind, "recovery_s": one.recovery_s}
            for one in course.disturbances
        ],
    }
    summary["not_judged"] = _not_judged(course, slowness)
    summary["found"] = [*_broken(course), *_worse(summary)]
    return summary


def _broken(course: Course) -> list[str]:
    """Say what must never be so, however short a run is."""
    found = [*course.died]
    looks = _looks(course)
    if lost := max((sample.lost or 0 for sample in looks), default=0):
        found.append(f"{lost} lanes held something else than they said")
    if any(len(sample.lanes) != course.lanes for sample in looks):
        found.append(f"the engine did not always have its {course.lanes} lanes")
    if (most := max((sample.cells for sample in looks), default=0)) > course.cells:
        found.append(f"lanes counted {most} cells where there are {course.cells}")
    quiet = course.quiet
    if quiet is None or quiet.waiting:
        found.append("the engine still worked long after the last key")
    elif quiet.fronts != 1:
        found.append(f"the engine counted {quiet.fronts} fronts where there was one")
    found += [f"{name} had not ended with its editor" for name in course.left_over]
    for one in course.disturbances:
        late = one.recovery_s is None or one.recovery_s > RECOVERY_SECONDS
        if late and course.seconds - one.at > RECOVERY_SECONDS:
            found.append(f"no suggestion for a minute after {one.kind} at {one.at:.0f} s")
    return found


def _worse(summary: dict[str, Any]) -> list[str]:
    """Say what has become worse, of what can be judged."""
    found = []
    unit = str(summary["memory"]).upper()
    if "memory" not in summary["not_judged"]:
        for name, (start, end) in summary["pss_mb"].items():
            if start and end > start * (1 + _MOST_GROWTH):
                found.append(f"the {unit} of the {name} grew from {start:.1f} to {end:.1f} MB")
        for name, (start, end) in summary["open_files"].items():
            if start is not None and end is not None and end > start + _MOST_FILES:
                found.append(f"the {name} had {start:.0f} open files, and {end:.0f} in the end")
    if "speed" not in summary["not_judged"]:
        before, after = summary["visible_over_one_token"].values()
        if after > before * (1 + _MOST_SLOWER):
            found.append(
                f"p95 became {after:.2f} times a pass of one token, from {before:.2f} times"
            )
    return found


def _not_judged(course: Course, slowness: dict[str, dict[str, Any]]) -> dict[str, str]:
    """Say what a run is too short for, and why."""
    if course.seconds < LEAST_SECONDS:
        why = f"the run was shorter than {LEAST_SECONDS / 60:.0f} minutes"
        return {"memory": why, "speed": why}
    if any(told["p95"] is None or told["n"] < LEAST_KEYS for told in slowness.values()):
        return {"speed": f"a quarter had fewer than {LEAST_KEYS} keys"}
    return {}


def _slowness(course: Course, number: int) -> dict[str, Any]:
    """Tell how long keys of a quarter took, also as multiples of a pass of one token."""
    keys = [key for key in course.keys if quarter(key.at, course.wanted_s) == number]
    passes = [key.one_token_ms for key in keys if key.one_token_ms > 0.0]
    one_token = median(passes) if passes else None
    visible = percentile_group([key.visible_ms for key in keys])
    told: dict[str, Any] = {"n": len(keys), "one_token_ms": one_token, "visible_ms": visible}
    for name in ("p50", "p95"):
        told[name] = visible[name] / one_token if visible and one_token else None
    return told


def _around(course: Course, share: float) -> list[Sample]:
    """Return what was seen shortly before a share of a run was over; at least the last of it."""
    end = course.wanted_s * share
    before = [sample for sample in course.samples if sample.at <= end] or course.samples[:1]
    if share == 1.0:
        before = course.samples
    since = (before[-1].at if before else 0.0) - course.wanted_s * _LOOK_BACK
    return [sample for sample in before if sample.at >= since]


def _middles(what: str, *looks: Sequence[Sample]) -> dict[str, list[float | None]]:
    """Return the middle of what was seen at some times, by process, if it was there each time."""
    names = sorted({name for look in looks for sample in look for name in sample.footprints})
    return {
        name: [_middle(_values(look, name, what)) for look in looks]
        for name in names
        if all(any(name in sample.footprints for sample in look) for look in looks)
    }


def _values(samples: Iterable[Sample], name: str, what: str) -> list[float]:
    found = (
        getattr(sample.footprints[name], what) for sample in samples if name in sample.footprints
    )
    return [value for value in found if value is not None]


def _middle(values: Sequence[float]) -> float | None:
    return median(values) if values else None


def _looks(course: Course) -> list[Sample]:
    return [*course.samples, *([course.quiet] if course.quiet else [])]
