"""Complaint 21: every editor holds a gigabyte of its own.

github/copilot-language-server-release#35, zbirenbaum/copilot.lua#667.
"""

from __future__ import annotations

import asyncio

import psutil
import pytest
from lsp_client import LspClient

pytestmark = [pytest.mark.engine, pytest.mark.lsp]

CODE = "def add(a, b):\n    return "


async def test_two_editors_share_one_engine_and_are_small_themselves(model_path: object) -> None:
    """Evaluates some 20 tokens."""
    async with LspClient() as one, LspClient() as two:
        answers = []
        for number, editor in enumerate((one, two)):
            await editor.initialize()
            await editor.ready()
            editor.open(f"file:///w/{number}.py", CODE)
            answers.append(editor.complete(f"file:///w/{number}.py", 1, 11)[1])
        first, second = await asyncio.wait_for(asyncio.gather(*answers), 60)
        assert first["items"][0]["insertText"] == second["items"][0]["insertText"]
        engines = [(await editor.request("sidecar/status"))["engine"] for editor in (one, two)]
        assert engines[0]["pid"] == engines[1]["pid"]
        assert (await one.engine())["fronts"] >= 2
        for editor in (one, two):
            assert psutil.Process(editor.process.pid).memory_info().rss < 150 * 2**20
        # One of them leaves; the other goes on.
        await one.shutdown()
        _, answer = two.complete("file:///w/1.py", 1, 11)
        assert (await asyncio.wait_for(answer, 60))["items"]
