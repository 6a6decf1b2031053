"""Complaint 1: every keystroke left a live request behind, until the server was unresponsive.

continuedev/continue#2838, PR #2935.
"""

from __future__ import annotations

import asyncio

import pytest
from lsp_client import LspClient

pytestmark = [pytest.mark.engine, pytest.mark.lsp]

URI = "file:///w/burst.py"
KEYS = 25


async def test_a_burst_of_keys_leaves_one_request_and_then_none(model_path: object) -> None:
    """Evaluates some 40 tokens."""
    async with LspClient() as client:
        await client.initialize()
        await client.ready()
        client.open(URI, "def add(first, second):\n    ")
        text = "return first + second  # "
        answers = []
        for key in range(KEYS):
            here = {"line": 1, "character": 4 + key}
            client.change(URI, 2 + key, {"range": {"start": here, "end": here}, "text": text[key]})
            answers.append(client.complete(URI, 1, 5 + key)[1])
        # Every request is answered, and all but the last within the time of one.
        results = await asyncio.wait_for(asyncio.gather(*answers), 60)
        assert all(result is None or result["items"] for result in results)
        counters = (await client.request("sidecar/stats"))["counters"]
        finished = KEYS - counters.get("completion.empty.superseded", 0)
        assert finished >= 1
        # What is shown is followed by one guess, of what comes after it.
        async with asyncio.timeout(60):
            while counters.get("speculation.begun", 0) < (results[-1] is not None):
                await asyncio.sleep(0.02)
                counters = (await client.request("sidecar/stats"))["counters"]
        process = await client.engine()
        assert process["waiting"] == 0
        async with asyncio.timeout(60):
            while process["busy"]:
                process = await client.engine()
        # Nothing goes on behind anybody's back.
        await asyncio.sleep(0.5)
        later = await client.engine()
        assert later["decode_calls"] == process["decode_calls"]
