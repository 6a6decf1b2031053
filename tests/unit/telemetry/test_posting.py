"""What fronts leave for `sidecar stats`: theirs while they live, private, whole, and then gone."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import stat
import subprocess
import sys
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest

from sidecar.telemetry import Metrics
from sidecar.telemetry.posting import Posted, Poster, merged, posted

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

_CHILD = """
import asyncio, sys
from pathlib import Path
from sidecar.telemetry import Metrics
from sidecar.telemetry.posting import Poster
metrics = Metrics()
metrics.count("requests", 5)
metrics.observe("ms", 2.0)
asyncio.run(Poster(Path(sys.argv[1]), metrics, lambda: {"client": "child"}).keep())
"""


def started(folder: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", _CHILD, folder])


def the_file(folder: Path) -> Path:
    (path,) = folder.glob("*.json")
    return path


@asynccontextmanager
async def keeping(folder: Path, metrics: Metrics) -> AsyncIterator[Poster]:
    poster = Poster(folder, metrics, lambda: {"client": "vi"}, seconds=0.01)
    task = asyncio.create_task(poster.keep())
    try:
        yield poster
    finally:
        task.cancel()
        poster.close()
        await asyncio.wait([task])


async def until(folder: Path, seen: Callable[[list[Posted]], bool]) -> list[Posted]:
    async with asyncio.timeout(30):
        while not seen(found := posted(folder)):  # noqa: ASYNC110 - files tell nobody.
            await asyncio.sleep(0.01)
    return found


async def test_a_file_is_private_follows_what_is_counted_and_goes(tmp_path: Path) -> None:
    metrics = Metrics()
    metrics.observe("ms", 1.5)
    async with keeping(tmp_path, metrics):
        await until(tmp_path, bool)
        metrics.count("requests", 3)
        for number in range(3000):
            metrics.observe("tokens", number)
        (front,) = await until(tmp_path, lambda found: "requests" in found[0].observed.counters)
        assert (front.pid, front.facts) == (os.getpid(), {"client": "vi"})
        assert front.observed.summary() == metrics.snapshot()
        path = the_file(tmp_path)
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        written = path.stat().st_ino
        await asyncio.sleep(0.05)
        assert path.stat().st_ino == written, "nothing changed, nothing is written"
    assert os.listdir(tmp_path) == []


async def test_a_killed_front_is_seen_no_more_and_cleaned_up(tmp_path: Path) -> None:
    with started(tmp_path) as child:
        try:
            (front,) = await until(tmp_path, bool)
            assert front.pid == child.pid
            async with keeping(tmp_path, Metrics()):
                both = await until(tmp_path, lambda found: len(found) == 2)
                assert merged(both).counters == {"requests": 5}
        finally:
            child.send_signal(signal.SIGKILL)
    assert the_file(tmp_path)
    assert posted(tmp_path) == []
    assert os.listdir(tmp_path) == []


def test_several_fronts_are_one() -> None:
    def front(pid: int) -> Posted:
        metrics = Metrics()
        metrics.count("requests", pid)
        for number in range(pid):
            metrics.observe("ms", float(number))
        return Posted(pid, {}, 0.0, metrics.observed())

    together = merged([front(2), front(4)])
    assert together.counters == {"requests": 6}
    assert sorted(together.histograms["ms"]) == [0, 0, 1, 1, 2, 3]


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"format": 9}', '{"format": 1, "pid": 1, "counters": []}', "\0", "null"],
)
async def test_what_cannot_be_read_is_left_out(tmp_path: Path, text: str) -> None:
    async with keeping(tmp_path, Metrics()) as poster:
        await until(tmp_path, bool)
        path = the_file(tmp_path)
        path.write_text(text)
        assert posted(tmp_path) == []
        whole = {"format": 1, "pid": 1, "updated": 1, "facts": {}, "counters": {}}
        path.write_text(json.dumps({**whole, "histograms": {"ms": "no base 64"}}))
        assert posted(tmp_path) == []
        path.write_text(json.dumps({**whole, "histograms": {}}))
        assert [front.pid for front in posted(tmp_path)] == [1]
        # Files of others in the directory are not ours to read or remove.
        (tmp_path / "0123456789ab.life").touch()
        poster.close()
        assert posted(tmp_path) == []
    assert os.listdir(tmp_path) == ["0123456789ab.life"]


async def test_where_nothing_can_be_written_nothing_is_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with keeping(tmp_path / "missing", Metrics()):
        async with asyncio.timeout(60):
            while not caplog.records:  # noqa: ASYNC110 - a log tells nobody.
                await asyncio.sleep(0.01)
    assert "will not see this process" in caplog.records[0].message
