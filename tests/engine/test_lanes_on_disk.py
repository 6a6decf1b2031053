"""Lanes of the session before: evaluated once, and never trusted further than they are true."""

from __future__ import annotations

import asyncio
import os
import signal
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING

import psutil
import pytest

from sidecar.engine import keeping
from sidecar.engine.client import EngineClient
from sidecar.engine.messages import Request, Segment
from sidecar.engine.shelf import Shelf

if TYPE_CHECKING:
    from pathlib import Path

    from sidecar.engine.inference import Inference
    from sidecar.engine.messages import Completion
    from sidecar.engine.spec import EngineSpec

HEAD = "import json\n\n\n" + "LIMIT = 7\n\n\n"
LIMIT = 64 << 20


def body(name: str, lines: int = 6) -> str:
    """Return the beginning of a function that leaves no doubt about what follows.

    Unless told otherwise, just long enough to be worth reading from disk.
    """
    steps = "".join(f"    {name}_{n} = load({n}, {name!r})\n" for n in range(lines))
    return f"def {name}(value):\n{steps}"


def request(prefix: str, typed: str = "    value = load(9, ", *, warm: bool = False) -> Request:
    segments = (Segment("prefix", HEAD + prefix), Segment("suffix", "\n"), Segment("typed", typed))
    return Request(
        " warming" if warm else "d",
        segments,
        max_tokens=0 if warm else 6,
        priority="warming" if warm else "interactive",
    )


def run(inference: Inference, asked: Request) -> Completion:
    return inference.run(asked, perf_counter(), lambda: False, lambda _text: None)


def restart(
    inference: Inference, folder: Path, monkeypatch: pytest.MonkeyPatch, key: str = "k"
) -> None:
    """Empty an engine, and give it what is on disk."""
    for lane in inference.lanes.all:
        inference.lanes.clear(lane)
    monkeypatch.setattr(inference.lanes, "_shelf", Shelf(folder, key, LIMIT))
    monkeypatch.setattr(inference.lanes, "restored", 0)


def test_the_next_session_goes_on_where_the_last_one_was(
    inference: Inference, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    restart(inference, tmp_path, monkeypatch)
    asked = request(body("first"))
    cold = run(inference, asked)
    run(inference, request(body("second")))
    # What nobody came to is not kept, and shares a head with what is.
    run(inference, request(body("third"), warm=True))
    inference.end()
    assert len([*tmp_path.iterdir()]) == 2
    inference.end()
    assert len([*tmp_path.iterdir()]) == 2, "they are there already"

    restart(inference, tmp_path, monkeypatch)
    again = run(inference, asked)
    assert again.text == cold.text
    assert again.stats.evaluated == 1, "for the row after its last token, which is not kept"
    assert again.stats.reused == cold.stats.evaluated - 1
    assert run(inference, asked).stats.evaluated == 0
    assert inference.lanes.restored == 1
    # Typing goes on as ever, and the other place is there as well.
    typed = run(inference, request(body("first"), "    value = load(9, 'f"))
    assert typed.stats.evaluated <= 2
    assert run(inference, request(body("second"), "    value = load(9, 's")).stats.evaluated <= 2
    assert inference.lanes.restored == 2
    lanes = inference.lanes
    assert all(len(lane.tokens) == inference.model.length(lane.number) for lane in lanes.all)
    assert lanes.cells_used() == sum(len(lane.tokens) for lane in lanes.all)


def test_what_is_warmed_is_read_as_well_and_pushes_nobody_out(
    inference: Inference, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    restart(inference, tmp_path, monkeypatch)
    run(inference, request(body("first")))
    inference.end()
    restart(inference, tmp_path, monkeypatch)
    asked = request(body("first"), warm=True)
    warmed = run(inference, asked).stats
    assert (warmed.evaluated, warmed.stop) == (0, "held")
    assert run(inference, request(body("first"))).stats.evaluated <= 1
    # All lanes are in use: somebody types in each, however slow the machine is.
    monkeypatch.setattr(keeping, "_TYPING_SECONDS", 600.0)
    restart(inference, tmp_path, monkeypatch)
    for name in ("a", "b", "c", "d"):
        run(inference, request(body(name, 3)))
    before = [[*lane.tokens] for lane in inference.lanes.all]
    assert run(inference, asked).stats.stop == "no_room"
    assert [lane.tokens for lane in inference.lanes.all] == before


def test_a_lane_from_disk_makes_room_as_any_prompt_does(
    inference: Inference, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    restart(inference, tmp_path, monkeypatch)
    asked = request(body("large", 24))
    run(inference, asked)
    inference.end()
    restart(inference, tmp_path, monkeypatch)
    # Fill the cells without evaluating anything.
    (stored,) = inference.lanes._shelf.lanes  # type: ignore[union-attr]
    state = Shelf(tmp_path, "k", LIMIT).read(stored)
    assert state is not None
    lanes, size = inference.lanes, len(stored.tokens)
    for lane in lanes.all[: (lanes.room - 1) // size]:
        assert inference.model.restore(lane.number, state, size)
        lane.tokens = [7] * size
        lane.cells = [next(lanes._cells) for _ in range(size)]
        lanes._touched(lane)
    stats = run(inference, asked).stats
    assert stats.evaluated == 1
    assert lanes.cells_used() <= lanes.room


def test_a_state_that_does_not_belong_here_costs_a_cold_prompt(
    inference: Inference, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    restart(inference, tmp_path, monkeypatch)
    asked = request(body("first"))
    cold = run(inference, asked)
    lanes = inference.lanes
    lane = max(lanes.all, key=lambda lane: len(lane.tokens))
    state = inference.model.save(lane.number)
    for wrong in (b"", state[:-1], bytes(len(state))):
        shelf = Shelf(tmp_path, "k", LIMIT)
        assert shelf.put(lane.tokens, wrong)
        restart(inference, tmp_path, monkeypatch)
        again = run(inference, asked)
        assert again.stats.evaluated == cold.stats.evaluated
        assert inference.lanes.restored == 0
        assert not [*tmp_path.iterdir()]
        assert all(len(one.tokens) == inference.model.length(one.number) for one in lanes.all)
        lane = max(lanes.all, key=lambda lane: len(lane.tokens))
    # Nor does one of another model, library or type of values.
    run(inference, asked)
    inference.end()
    restart(inference, tmp_path, monkeypatch, key="other")
    assert run(inference, asked).stats.evaluated == cold.stats.evaluated


@pytest.mark.skipif(os.name != "posix", reason="SIGTERM is POSIX")
async def test_an_engine_that_is_told_to_end_keeps_its_lanes(
    engine_spec: EngineSpec, tmp_path: Path
) -> None:
    folder = tmp_path / "lanes"
    folder.mkdir(mode=0o700)
    spec = replace(engine_spec, identity="kept", lanes_folder=folder, lanes_bytes=LIMIT)
    client = EngineClient(spec)
    await client.start()
    await client.ready()
    asked = request(body("first"))
    cold = await client.complete(asked)
    first = psutil.Process(client.state.pid)
    first.terminate()
    async with asyncio.timeout(30):
        while client.connected:  # noqa: ASYNC110 - the connection just ends.
            await asyncio.sleep(0.01)
    assert len([*folder.iterdir()]) == 1
    # At once: it may still be on its way out.
    await client.start()
    await client.ready()
    assert client.state.pid != first.pid
    again = await client.complete(asked)
    assert again.text == cold.text
    assert again.stats.evaluated <= cold.stats.evaluated / 10
    assert (await client.status())["lanes_restored"] == 1
    os.kill(client.state.pid, signal.SIGKILL)
    await client.close()
