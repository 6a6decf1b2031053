"""Complaint 4: no completion from a server that has several models.

A router's model is found by its name; where that names none, the reason says which there are.
"""

from __future__ import annotations

import pytest
from http_server import HttpServer

from sidecar.errors import EngineError
from sidecar.remote.breaker import Breaker
from sidecar.remote.client import RemoteClient
from sidecar.remote.spec import RemoteSpec


async def test_a_name_that_the_server_does_not_know_is_told_with_those_that_it_does() -> None:
    async with HttpServer() as server:
        spec = RemoteSpec(server.url, model="qwen-7b-that-is-not-there")
        client = RemoteClient(spec, lambda _state: None, Breaker())
        with pytest.raises(
            EngineError, match="has no model called 'qwen-7b-that-is-not-there'"
        ) as e:
            await client.start()
        assert "coder" in f"{e.value.what} {e.value.fix}"
