"""Whole editing sessions in a copy of a package, played to us and to the peer.

The copy lacks the lines that the session writes, so that nobody has seen them; the index is made
anew of it. Settings are the usual ones: what is warmed, guessed and remembered counts, and what it
costs is told. May import `index`, `syntax`, `settings`, `errors` and this package.
"""

from __future__ import annotations

import contextlib
import random
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sidecar.bench.probes import copy_tree
from sidecar.bench.session_ours import Ours
from sidecar.bench.session_peer import Theirs
from sidecar.bench.session_plan import Rhythm, choose_holes, plan_visits, without
from sidecar.bench.session_play import play
from sidecar.errors import UsageError
from sidecar.index.files.walk import Walk
from sidecar.settings import cache_dir
from sidecar.syntax import Languages

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from sidecar.bench.session_plan import Hole, Visit
    from sidecar.bench.session_play import Played

__all__ = [
    "Package",
    "SessionPlan",
    "copied",
    "load_package",
    "play_ours",
    "play_peer",
    "summarize",
]

#: Files that people write by hand are of such a size.
_USUAL_LINES = range(40, 3_000)
_LINES_FOR_A_HOLE = 25
_MOST_HOLES = 12


@dataclass(frozen=True, slots=True)
class SessionPlan:
    """What a session is made of.

    Args:
        root: The package.
        files: Files that are edited.
        keys: Most keys of it, if no suggestion is taken.
        seconds: Most seconds of it, if no suggestion is taken; no limit when None.
        seed: Which lines, in which order, and how somebody types.
        rhythm: How fast somebody types.
        settings: Further settings, under `sidecar`.
    """

    root: Path
    files: int = 6
    keys: int = 600
    seconds: float | None = None
    seed: int = 5
    rhythm: Rhythm = field(default_factory=Rhythm)
    settings: dict[str, dict[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Package:
    """The files that a session edits, and what it does with them.

    Args:
        files: Their lines, without those that are written.
        holes: What is written.
        visits: In which order, and how.
    """

    files: Mapping[str, Sequence[str]]
    holes: Mapping[str, Sequence[Hole]]
    visits: Sequence[Visit]


def load_package(plan: SessionPlan) -> Package:
    """Choose files, lines in them, and how they are written.

    Raises:
        UsageError: The folder has no files that are worth it.
    """
    rng = random.Random(plan.seed)
    files, holes = _choose(plan, rng)
    left = {path: without(lines, holes[path]) for path, lines in files.items()}
    visits: list[Visit] = []
    keys, seconds = 0, 0.0
    for visit in plan_visits(holes, rng, plan.rhythm):
        keys += len(visit.strokes)
        seconds += visit.seconds
        over = keys > plan.keys or (plan.seconds is not None and seconds > plan.seconds)
        if over and visits:
            break
        visits.append(visit)
    return Package(left, holes, visits)


@contextlib.contextmanager
def copied(plan: SessionPlan, package: Package) -> Iterator[tuple[Path, dict[str, str]]]:
    """Make a copy of the package as a session finds it, for the time of the block.

    Yields:
        Its folder, and variables by which a server keeps what it learns of it apart.
    """
    with tempfile.TemporaryDirectory(prefix="sidecar-bench-", ignore_cleanup_errors=True) as folder:
        root = Path(folder, plan.root.resolve().name)
        root.mkdir()
        copy_tree(plan.root, root)
        for path, lines in package.files.items():
            (root / path).write_text("\n".join(lines), "utf-8")
        cache = Path(folder, "cache")
        cache.mkdir()
        models = cache_dir() / "models"
        if models.is_dir():
            (cache / "models").symlink_to(models.resolve(), target_is_directory=True)
        yield root, {"SIDECAR_CACHE_DIR": str(cache)}


async def play_ours(
    plan: SessionPlan, package: Package, on_done: Callable[[int, int], None] | None = None
) -> dict[str, Any]:
    """Play the session to a server of our own, and return its numbers."""
    with copied(plan, package) as (root, environment):
        async with Ours(root, plan.settings, environment) as typist:
            played = await play(package.visits, package.files, typist, on_done)
            return {**await typist.summary(), **_told(played)}


async def play_peer(
    plan: SessionPlan,
    package: Package,
    url: str,
    on_done: Callable[[int, int], None] | None = None,
) -> dict[str, Any]:
    """Play the session to the peer, and return its numbers."""
    async with Theirs(url, plan.seed) as typist:
        played = await play(package.visits, package.files, typist, on_done)
        return {**await typist.summary(), **_told(played)}


def summarize(
    package: Package, ours: Mapping[str, Any], peer: Mapping[str, Any] | None
) -> dict[str, Any]:
    """Return the numbers of a run in the contract's shape, and the ratios that are asked for."""
    own = dict(ours)
    one_token_ms = own.pop("one_token_ms")
    measures = ("visible_ms", "whole_ms")
    ratios = {}
    for measure in measures:
        for name in ("p50", "p90", "p95"):
            key = f"{measure.removesuffix('_ms')}_{name}"
            mine = (own[measure] or {}).get(name)
            theirs = ((peer or {}).get(measure) or {}).get(name)
            ratios[f"{key}_to_one_token"] = _ratio(mine, one_token_ms)
            ratios[f"{key}_to_peer"] = _ratio(mine, theirs)
    ratios["cpu_to_peer"] = _ratio(own["cpu_s"], (peer or {}).get("cpu_s"))
    ratios["foreground_evaluated_to_peer"] = _ratio(
        own["foreground_evaluated"], (peer or {}).get("foreground_evaluated")
    )
    return {
        "one_token_ms": one_token_ms,
        "visits": len(package.visits),
        "files": len({visit.path for visit in package.visits}),
        "planned_keys": sum(len(visit.strokes) for visit in package.visits),
        "planned_s": sum(visit.seconds for visit in package.visits),
        "ours": own,
        "peer": None if peer is None else dict(peer),
        "ratios": ratios,
    }


def _choose(
    plan: SessionPlan, rng: random.Random
) -> tuple[dict[str, list[str]], dict[str, list[Hole]]]:
    if not plan.root.is_dir():
        raise UsageError(f"{plan.root} is not a folder", "name the folder of a package")
    languages = Languages.load()
    paths = [
        found.path
        for found in Walk(plan.root).files()
        if languages.find("", found.path) is not None
    ]
    rng.shuffle(paths)
    files: dict[str, list[str]] = {}
    holes: dict[str, list[Hole]] = {}
    for path in paths:
        if len(files) == plan.files:
            break
        lines = _lines(plan.root / path)
        if len(lines) in _USUAL_LINES:
            most = min(max(len(lines) // _LINES_FOR_A_HOLE, 1), _MOST_HOLES)
            found = choose_holes(lines, most, rng)
            if found:
                files[path], holes[path] = lines, found
    if not files:
        raise UsageError(
            f"{plan.root} has no file to write in", "name a folder of source files of 40 lines on"
        )
    return files, holes


def _lines(path: Path) -> list[str]:
    """Return the lines of a text as editors have them; nothing of what is none."""
    try:
        text = path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return []
    return [] if "\0" in text else text.replace("\r\n", "\n").split("\n")


def _told(played: Played) -> dict[str, Any]:
    return {
        "pressed": played.keys,
        "accepted": played.accepted,
        "accepted_characters": played.accepted_characters,
        "seconds": played.seconds,
    }


def _ratio(value: float | None, to: float | None) -> float | None:
    return value / to if value is not None and to else None
