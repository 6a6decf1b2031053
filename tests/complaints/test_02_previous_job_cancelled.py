"""Complaint 2: the previous job is not cancelled, the CPU is at 100 %, and typing lags.

ggml-org/llama.vscode#161, ggml-org/llama.vim PR #66, PR #92.
"""

from __future__ import annotations

import asyncio

import pytest
from lsp_client import LspClient

pytestmark = [pytest.mark.engine, pytest.mark.lsp]


async def test_a_newer_request_ends_the_long_job_of_an_older_one(model_path: object) -> None:
    """Evaluates some 80 tokens."""
    async with LspClient() as client:
        await client.initialize()
        await client.ready()
        settings = {
            "sidecar": {"completion": {"multiline": True, "maxTokens": 512, "stream": "words"}}
        }
        client.notify("workspace/didChangeConfiguration", {"settings": settings})
        uri = "file:///w/long.py"
        client.open(uri, "# The numbers from one to a thousand.\nnumbers = [1, 2, 3, 4, ")
        _, long_job = client.complete(uri, 1, 23, streamToken="long")
        await client.seen("sidecar/inlineCompletionProgress", lambda p: not p["done"])
        other = "file:///w/other.py"
        client.open(other, "def add(a, b):\n    return ")
        # Another document does not end it, a key in the same one does.
        here = {"line": 1, "character": 23}
        client.change(uri, 2, {"range": {"start": here, "end": here}, "text": "5"})
        _, newer = client.complete(uri, 1, 24)
        assert await asyncio.wait_for(long_job, 20) is None
        client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        # A document that is closed needs no answer either.
        assert await asyncio.wait_for(newer, 20) is None
        _, answer = client.complete(other, 1, 11)
        assert (await asyncio.wait_for(answer, 60))["items"]
