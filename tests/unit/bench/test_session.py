"""What a session is made of, and what its numbers come to."""

from __future__ import annotations

import os
import socket
from typing import TYPE_CHECKING

import pytest

from sidecar.bench.cpu import cpu_seconds, listener
from sidecar.bench.places import LATER, Sample, summarize_places
from sidecar.bench.session import Package, SessionPlan, copied, load_package, summarize
from sidecar.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

LINUX = os.path.isdir("/proc/self/fd")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "package"
    root.mkdir()
    for name in ("a", "b", "c"):
        body = "".join(f"    {name}_{n} = combine({n}, argument)\n" for n in range(60))
        (root / f"{name}.py").write_text(f"def {name}(argument):\n{body}    return a_1\n")
    (root / "short.py").write_text("x = 1\n")
    (root / "data.bin").write_bytes(b"\0" * 100)
    return root


def test_a_session_is_as_long_as_is_asked(folder: Path) -> None:
    small, large = (load_package(SessionPlan(folder, keys=keys)) for keys in (100, 400))
    assert small.visits == large.visits[: len(small.visits)]
    strokes = [sum(len(visit.strokes) for visit in one.visits) for one in (small, large)]
    assert strokes[0] <= 100 < strokes[1] <= 400
    timed = load_package(SessionPlan(folder, keys=10**9, seconds=20.0))
    assert 0 < sum(visit.seconds for visit in timed.visits) <= 20.0
    assert set(large.files) <= {"a.py", "b.py", "c.py"}
    assert len(load_package(SessionPlan(folder, files=1)).files) == 1


def test_a_copy_lacks_what_is_written(folder: Path) -> None:
    plan = SessionPlan(folder)
    package = load_package(plan)
    with copied(plan, package) as (root, environment):
        for path, holes in package.holes.items():
            text = (root / path).read_text()
            assert all(line not in text.split("\n") for hole in holes for line in hole.lines)
        assert (root / "short.py").exists()
        assert os.path.isdir(environment["SIDECAR_CACHE_DIR"])
    assert not root.exists()
    assert "a_30 = combine" in (folder / "a.py").read_text()


@pytest.mark.parametrize(("name", "said"), [("nothing", "is not a folder"), ("empty", "no file")])
def test_folders_without_code_are_told(tmp_path: Path, name: str, said: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match=said):
        load_package(SessionPlan(tmp_path / name))


def numbers(scale: float) -> dict[str, object]:
    group = {name: scale * size for name, size in (("mean", 3), ("p50", 2), ("p90", 8), ("p95", 9))}
    return {
        "n": 10,
        "visible_ms": group,
        "whole_ms": group,
        "foreground_evaluated": 10 * scale,
        "cpu_s": None,
    }


def test_ratios_of_a_session() -> None:
    package = Package({}, {}, [])
    summary = summarize(package, {**numbers(1.0), "one_token_ms": 4.0}, numbers(20.0))
    assert summary["one_token_ms"] == 4.0
    ratios = summary["ratios"]
    assert ratios["visible_p50_to_one_token"] == 0.5
    assert ratios["visible_p50_to_peer"] == ratios["visible_p95_to_peer"] == pytest.approx(1 / 20)
    assert ratios["foreground_evaluated_to_peer"] == pytest.approx(1 / 20)
    assert ratios["cpu_to_peer"] is None
    alone = summarize(package, {**numbers(1.0), "one_token_ms": None}, None)
    assert alone["peer"] is None
    assert set(alone["ratios"].values()) == {None}


def test_ratios_of_places() -> None:
    def keys(kind: str, visible_ms: float, *, asked: bool = True) -> list[Sample]:
        return [Sample(kind, 2, asked, visible_ms, 2 * visible_ms)] * 3

    ours = [*keys("pause_2s", 40.0), *keys("never_seen", 400.0), *keys(LATER, 20.0)]
    ours += keys(LATER, 1.0, asked=False) * 2
    peer = [*keys("never_seen", 1000.0), *keys(LATER, 500.0)]
    summary = summarize_places(ours, peer, 30.0)
    ratios = summary["ratios"]
    assert ratios["pause_2s_to_later_keys"] == 40.0
    assert ratios["pause_2s_to_later_keys_asked"] == 2.0
    assert ratios["never_seen_to_peer"] == pytest.approx(0.4)
    assert ratios["pause_1s_to_later_keys"] is None
    assert ratios["pause_2s_to_peer"] is None
    assert summary["ours"]["pause_2s"]["evaluated"]["p50"] == 2
    assert summarize_places(ours, None, None)["peer"] is None


@pytest.mark.skipif(not LINUX, reason="only Linux tells")
def test_processor_time_and_listeners_of_this_process() -> None:
    spent = cpu_seconds(os.getpid())
    assert spent is not None and spent > 0
    assert cpu_seconds(2**22 + 1) is None
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        port = server.getsockname()[1]
        assert listener(port) is None
        server.listen()
        assert listener(port) == os.getpid()
