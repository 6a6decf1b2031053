"""Looking at an engine: what it tells, and that it neither waits nor lives for who looks."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from sidecar.engine.client import EngineClient
from sidecar.engine.launch import observe
from sidecar.engine.messages import Request, Segment

if TYPE_CHECKING:
    from pathlib import Path

    from sidecar.engine.spec import EngineSpec

pytestmark = pytest.mark.engine


def request(typed: str, **options: object) -> Request:
    segments = (Segment("prefix", "import os\n"), Segment("suffix", "\n"), Segment("typed", typed))
    return replace(Request("d", segments, max_tokens=4), **options)


async def test_an_engine_tells_what_it_did_and_ends_while_somebody_looks(
    engine_spec: EngineSpec, runtime_dir: Path
) -> None:
    spec = replace(engine_spec, identity="observed", idle_seconds=1)
    client = EngineClient(spec)
    await client.start()
    await client.ready()

    async def look() -> dict[str, Any] | None:
        engines = await observe(runtime_dir)
        return next((one for one in engines if one["engine"] == spec.key()), None)

    await client.complete(request("os.pa"))
    await client.complete(request("os.path.joi", max_tokens=0, priority="warming"))
    engine = await look()
    assert engine is not None
    assert engine["fronts"] == 1, "who looks is no front"
    assert engine["info"]["lanes"] == len(engine["lanes"]) == 4
    assert engine["counters"]["requests.interactive"] == 1
    assert engine["counters"]["requests.warming"] == 1
    assert engine["counters"]["generated"] == 4
    assert engine["counters"]["prompt.evaluated"] == sum(
        engine["counters"][f"evaluated.{rank}"] for rank in ("interactive", "warming")
    )
    assert engine["histograms"]["queue_ms"]["p50"] >= 0
    assert sum(lane["tokens"] for lane in engine["lane_details"]) >= engine["cells_used"] > 0
    assert "typed" in [lane["holds"] for lane in engine["lane_details"]]
    await client.close()
    async with asyncio.timeout(60):
        while await look() is not None:  # noqa: ASYNC110 - it tells nobody that it ended.
            await asyncio.sleep(0.1)
