"""Steps that tests of a real server with a workspace share."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from lsp_client import SECONDS, LspClient

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AsyncExitStack
    from pathlib import Path

__all__ = ["indexed", "started", "state", "until", "write"]


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


async def started(
    stack: AsyncExitStack, environment: dict[str, str], *folders: Path, **more: Any
) -> LspClient:
    client = await stack.enter_async_context(LspClient(environment=environment))
    capabilities = more.pop("capabilities", {})
    await client.initialize(
        workspaceFolders=[{"uri": folder.as_uri(), "name": folder.name} for folder in folders],
        capabilities={"general": {"positionEncodings": ["utf-16"]}, **capabilities},
        **more,
    )
    return client


async def until(ask: Callable[[], Any], accept: Callable[[Any], bool]) -> Any:
    """Ask again and again until the answer is right."""
    said = None
    try:
        async with asyncio.timeout(SECONDS):
            # What a server knows can only be asked for.
            while not accept(said := await ask()):  # noqa: ASYNC110
                await asyncio.sleep(0.01)
    except TimeoutError:
        pytest.fail(f"never came: the last answer was {said}")
    return said


async def state(client: LspClient) -> dict[str, Any]:
    status: dict[str, Any] = await client.request("sidecar/status")
    return status["index"]  # type: ignore[no-any-return]


async def indexed(client: LspClient) -> dict[str, Any]:
    """Wait until all roots are known."""
    return await until(  # type: ignore[no-any-return]
        lambda: state(client),
        lambda said: said["roots"] and all(r["firstSeconds"] is not None for r in said["roots"]),
    )
