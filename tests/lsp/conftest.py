"""What the tests over stdio share."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio

sys.path.insert(0, str(Path(__file__).parent))

from client import LspClient

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


@pytest.fixture
def no_model(tmp_path: Path) -> dict[str, str]:
    """An environment in which no model is installed."""
    cache = tmp_path / "cache"
    cache.mkdir()
    return {"SIDECAR_CACHE_DIR": str(cache)}


@pytest_asyncio.fixture
async def client(no_model: dict[str, str]) -> AsyncIterator[LspClient]:
    """A server without a model, not yet initialized."""
    async with LspClient(environment=no_model) as connected:
        yield connected
