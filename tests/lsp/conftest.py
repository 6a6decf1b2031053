"""What the tests over stdio share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest_asyncio
from lsp_client import LspClient

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


@pytest_asyncio.fixture
async def client(no_model: dict[str, str]) -> AsyncIterator[LspClient]:
    """A server without a model, not yet initialized."""
    async with LspClient(environment=no_model) as connected:
        yield connected
