"""Complaint 9: reuse of evaluated state stopped after an upgrade, and nothing told so.

Every answer says what was evaluated for it and what was reused, and the engine adds it up for
`sidecar stats`: one look shows whether keys still cost what was typed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from sidecar.engine.client import EngineClient
from sidecar.engine.messages import Request, Segment

if TYPE_CHECKING:
    from sidecar.engine.spec import EngineSpec

pytestmark = pytest.mark.engine

PREFIX = "\n".join(f"value_{n} = compute({n})" for n in range(12)) + "\n"


async def test_each_answer_and_the_engine_tell_what_was_reused(engine_spec: EngineSpec) -> None:
    client = EngineClient(replace(engine_spec, identity="reuse", idle_seconds=1))
    await client.start()
    await client.ready()
    told = []
    for typed in ("v", "va", "val", "valu"):
        segments = (Segment("prefix", PREFIX), Segment("typed", typed))
        told.append((await client.complete(Request("d", segments, max_tokens=4))).stats)
    first, *later = told
    assert first.evaluated > 50
    assert all(stats.evaluated <= 1 and stats.reused > 50 for stats in later)
    status = await client.status()
    assert status["counters"]["prompt.evaluated"] == sum(stats.evaluated for stats in told)
    assert status["counters"]["prompt.reused"] == sum(stats.reused for stats in told)
    assert status["rates"]["prompt_evaluated"] < 0.5
    await client.close()
