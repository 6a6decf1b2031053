"""Speeds that outlive the front: kept privately, beside those of others, and never in the way."""

from __future__ import annotations

import asyncio
import json
import os
import stat
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from sidecar.completion.latency import Speeds
from sidecar.completion.speeds import KeptSpeeds, SpeedFile, name_of
from sidecar.engine.messages import ModelInfo, Stats
from sidecar.engine.spec import EngineSpec
from sidecar.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Coroutine

SPEC = EngineSpec(Path("a.gguf"), "a digest")
INFO = ModelInfo("a model", "psm", 4096, 4, 100.0, 40.0, 2, 0)
ANSWER = Stats(evaluated=100, prompt_ms=500.0, generated=11, first_token_ms=500.0, total_ms=600.0)


def test_a_name_tells_models_apart_and_how_they_are_run_but_not_which(tmp_path: Path) -> None:
    names = {
        name_of(spec)
        for spec in (
            SPEC,
            replace(SPEC, identity="another"),
            replace(SPEC, threads=7),
            replace(SPEC, gpu_layers=7),
            replace(SPEC, kv_type="q8_0"),
        )
    }
    assert len(names) == 5
    # Where it lies and how long it stays make it no faster.
    assert name_of(replace(SPEC, model_path=tmp_path, idle_seconds=9.0)) == name_of(SPEC)
    assert not any("digest" in name for name in names)


def test_what_is_written_is_read_again_by_its_owner_alone(tmp_path: Path) -> None:
    file = SpeedFile(lambda: tmp_path)
    assert file.read("a") is None
    file.write("a", Speeds(2.0, 30.0))
    # Another front's.
    SpeedFile(lambda: tmp_path).write("b", Speeds(3.0, 40.0))
    file.write("a", Speeds(2.5, 30.0))
    assert file.read("a") == Speeds(2.5, 30.0)
    assert file.read("b") == Speeds(3.0, 40.0)
    (only,) = tmp_path.iterdir()
    if os.name == "posix":
        assert stat.S_IMODE(only.stat().st_mode) == 0o600


def test_only_so_many_are_remembered(tmp_path: Path) -> None:
    file = SpeedFile(lambda: tmp_path)
    for number in range(40):
        file.write(str(number), Speeds(1.0, 1.0 + number))
    assert file.read("0") is None
    assert file.read("39") == Speeds(1.0, 40.0)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no JSON",
        "[]",
        '{"a": 1}',
        '{"a": {}}',
        '{"a": {"prompt_ms": "2", "token_ms": 1, "at": 1}}',
        '{"a": {"prompt_ms": -2, "token_ms": 1, "at": 1}}',
        '{"a": {"prompt_ms": NaN, "token_ms": 1, "at": 1}}',
        '{"a": {"prompt_ms": 1e99, "token_ms": 1, "at": 1}}',
        '{"a": ' * 30_000,
    ],
)
def test_a_damaged_file_is_no_file(tmp_path: Path, text: str) -> None:
    (tmp_path / "speeds.json").write_text(text)
    file = SpeedFile(lambda: tmp_path)
    assert file.read("a") is None
    file.write("a", Speeds(2.0, 30.0))
    assert file.read("a") == Speeds(2.0, 30.0)


def test_without_a_directory_nothing_is_kept(tmp_path: Path) -> None:
    def nowhere() -> Path:
        raise ModelError("there is no directory", "make one")

    for folder in (nowhere, lambda: tmp_path / "gone"):
        file = SpeedFile(folder)
        file.write("a", Speeds(2.0, 30.0))
        assert file.read("a") is None


async def test_a_later_front_begins_with_what_an_earlier_one_learned(tmp_path: Path) -> None:
    begun: list[Coroutine[Any, Any, None]] = []
    file = SpeedFile(lambda: tmp_path)
    first = KeptSpeeds(file, begun.append)
    # Nothing was asked yet, and nothing is known.
    await first.close()
    await first.begin(SPEC, INFO)
    assert first.latency.speeds == Speeds(10.0, 40.0)
    await first.close()
    assert os.listdir(tmp_path) == []
    first.latency.learn(ANSWER, moved=False)
    await first.close()
    later = KeptSpeeds(file, begun.append)
    await later.begin(SPEC, INFO)
    assert later.latency.speeds == first.latency.speeds != Speeds(10.0, 40.0)
    # Another model's are another's.
    await later.begin(replace(SPEC, identity="another"), INFO)
    assert later.latency.speeds == Speeds(10.0, 40.0)
    assert not begun


async def test_a_front_that_is_killed_has_kept_most(tmp_path: Path) -> None:
    begun: list[asyncio.Task[None]] = []
    kept = KeptSpeeds(
        SpeedFile(lambda: tmp_path), lambda work: begun.append(asyncio.ensure_future(work))
    )
    await kept.begin(SPEC, INFO)
    for _ in range(40):
        kept.latency.learn(ANSWER, moved=False)
        await asyncio.sleep(0)
    await asyncio.gather(*begun)
    assert len(begun) == 1
    (entry,) = json.loads(await asyncio.to_thread((tmp_path / "speeds.json").read_text)).values()
    assert 5.0 < entry["prompt_ms"] < 10.0
