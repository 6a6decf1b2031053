"""Names that are imported from installed packages, behind a real server."""

from __future__ import annotations

import asyncio
import sysconfig
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from lsp_client import SECONDS, LspClient

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.lsp

SITE = Path(sysconfig.get_path("purelib")).resolve()
MAIN = "from pathspec import PathSpec\n\nspec: PathSpec\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    (root / "main.py").write_text(MAIN)
    (root / ".venv").symlink_to(SITE.parents[2])
    return root


async def started(
    stack: AsyncExitStack, project: Path, environment: dict[str, str], **more: Any
) -> LspClient:
    client = await stack.enter_async_context(LspClient(environment=environment))
    await client.initialize(
        workspaceFolders=[{"uri": project.as_uri(), "name": project.name}],
        capabilities={"general": {"positionEncodings": ["utf-16"]}},
        **more,
    )
    client.open((project / "main.py").as_uri(), MAIN)
    return client


async def until(client: LspClient, accept: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Ask for the state of the index until it is as it should be."""
    said: dict[str, Any] = {}
    try:
        async with asyncio.timeout(SECONDS):
            while not (said and accept(said)):
                await asyncio.sleep(0.01)
                roots = (await client.request("sidecar/status"))["index"]["roots"]
                said = roots[0] if roots else {}
    except TimeoutError:
        pytest.fail(f"never came: the last state was {said}")
    return said


async def test_an_open_file_that_imports_a_package(project: Path, no_model: dict[str, str]) -> None:
    async with AsyncExitStack() as stack:
        client = await started(stack, project, no_model)
        said = await until(client, lambda said: said["outside"]["files"] > 1)
        assert (said["files"], said["outside"]["skipped"]) == (1, {})
        main = str(project / "main.py")
        question = {"query": "PathSpec", "exact": True, "path": main}
        found = (await client.request("sidecar/symbols", question))["symbols"]
        assert found[0]["path"] == (SITE / "pathspec/pathspec.py").as_posix()
        assert found[0]["external"] and found[0]["kind"] == "class"
        deps = await client.request("sidecar/deps", {"path": main})
        (imported,) = deps["imports"]
        assert imported["path"] == (SITE / "pathspec/__init__.py").as_posix()
        assert imported["definer"] == found[0]["path"]
        # The workspace's own module of that name takes its place.
        own = project / "pathspec.py"
        own.write_text("class PathSpec: ...\n")
        client.notify("textDocument/didSave", {"textDocument": {"uri": own.as_uri()}})
        await until(client, lambda said: said["symbols"] == 2)
        deps = await client.request("sidecar/deps", {"path": main})
        assert deps["imports"][0]["path"] == "pathspec.py"
        assert await client.shutdown() == 0


async def test_a_workspace_cannot_allow_what_the_user_does_not(
    project: Path, no_model: dict[str, str]
) -> None:
    async with AsyncExitStack() as stack:
        options = {"settings": {"index": {"external": False}}}
        client = await started(stack, project, no_model, initializationOptions=options)
        settings = {"sidecar": {"index": {"external": True, "sweepSeconds": 1}}}
        client.notify("workspace/didChangeConfiguration", {"settings": settings})
        await until(client, lambda said: said["firstSeconds"] is not None)
        deps = await client.request("sidecar/deps", {"path": str(project / "main.py")})
        await asyncio.sleep(1.0)
        assert deps["imports"][0]["path"] is None
        said = await until(client, lambda said: bool(said["files"]))
        assert said["outside"] == {"files": 0, "skipped": {}}
        assert await client.shutdown() == 0
