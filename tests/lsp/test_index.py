"""The index behind a real server: what is known, who wins, who shares, what dies and returns."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import psutil
import pytest
from lsp_client import LspClient
from lsp_work import indexed, started, state, until, write

from sidecar.index.place import database_path

pytestmark = pytest.mark.lsp

HOME = Path.home()
MODELS = "class User:\n    def save(self) -> None:\n        pass\n"
MAIN = "from app.models import User\n\n\ndef start() -> User:\n    return User()\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    write(root / "app/__init__.py", "")
    write(root / "app/main.py", MAIN)
    write(root / "app/models.py", MODELS)
    return root


async def symbols(client: LspClient, **question: Any) -> list[str]:
    found = (await client.request("sidecar/symbols", question))["symbols"]
    return [f"{s['path']}:{s['line']} {s['name']} {s['source']}" for s in found]


async def shows(client: LspClient, expected: list[str], **question: Any) -> None:
    await until(lambda: symbols(client, **question), lambda said: said == expected)


async def test_open_save_query(project: Path, no_model: dict[str, str]) -> None:
    async with AsyncExitStack() as stack:
        client = await started(stack, no_model, project)
        (root,) = (await indexed(client))["roots"]
        assert (root["files"], root["symbols"], root["skipped"]) == (3, 3, {})
        assert root["leader"] and root["databaseBytes"] > 0
        assert await symbols(client, query="Use") == ["app/models.py:0 User index"]
        assert await symbols(client, query="svv") == []
        models = project / "app/models.py"
        assert await symbols(client, path=str(models)) == [
            "app/models.py:0 User index",
            "app/models.py:1 save index",
        ]
        deps = await client.request("sidecar/deps", {"path": str(project / "app/main.py")})
        (user,) = deps["imports"]
        assert (user["name"], user["path"], user["definer"]) == ("User", *["app/models.py"] * 2)
        deps = await client.request("sidecar/deps", {"path": str(models)})
        assert deps["importers"] == ["app/main.py"]

        write(models, MODELS + "\n\nclass Useful: ...\n")
        client.notify("textDocument/didSave", {"textDocument": {"uri": models.as_uri()}})
        await shows(
            client,
            ["app/models.py:0 User index", "app/models.py:5 Useful index"],
            query="Use",
        )
        stats = (await client.request("sidecar/stats"))["counters"]
        assert stats["index.commits"] >= 2
        assert await client.shutdown() == 0


async def test_unsaved_text_wins(project: Path, no_model: dict[str, str]) -> None:
    async with AsyncExitStack() as stack:
        client = await started(stack, no_model, project)
        await indexed(client)
        models = project / "app/models.py"
        uri = models.as_uri()
        client.open(uri, MODELS)
        assert await symbols(client, query="User") == ["app/models.py:0 User index"]
        client.change(uri, 2, {"text": "\nclass Person:\n    pass\n"})
        assert await symbols(client, query="User") == []
        assert await symbols(client, query="Person") == ["app/models.py:1 Person buffer"]
        # A new file has no other place than its document.
        new = project / "app/new.py"
        client.open(new.as_uri(), "def fresh():\n    pass\n")
        assert await symbols(client, query="fresh") == ["app/new.py:0 fresh buffer"]
        # Somebody else writes the file; what the user sees still wins.
        write(models, "class Changed: ...\n")
        params = {"changes": [{"uri": uri, "type": 2}]}
        client.notify("workspace/didChangeWatchedFiles", params)
        await until(lambda: state(client), lambda said: said["roots"][0]["generation"] >= 2)
        assert await symbols(client, query="Changed") == []
        # Closed without saving, the disk counts again.
        client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        await shows(client, ["app/models.py:0 Changed index"], query="Changed")
        assert await symbols(client, query="Person") == []
        assert await client.shutdown() == 0


async def test_a_secret_that_is_open_is_not_shown(project: Path, no_model: dict[str, str]) -> None:
    async with AsyncExitStack() as stack:
        client = await started(stack, no_model, project)
        await indexed(client)
        client.open((project / "credentials.py").as_uri(), "def plain(): ...\n")
        client.open((project / "secrets.yaml").as_uri(), "def hidden(): ...\n")
        assert await symbols(client, query="hidden") == []
        assert len(await symbols(client, query="plain")) == 1


@pytest.mark.parametrize("registers", [True, False])
async def test_files_that_change_outside(
    registers: bool, project: Path, no_model: dict[str, str]
) -> None:
    watched = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": registers}}}
    async with AsyncExitStack() as stack:
        client = await started(stack, no_model, project, capabilities=watched)
        said = await indexed(client)
        assert said["watching"] == ("client" if registers else "watchdog")
        made = project / "app/made.py"
        if registers:
            params = await client.seen("client/registerCapability")
            (registration,) = params["registrations"]
            assert registration["method"] == "workspace/didChangeWatchedFiles"
            assert registration["registerOptions"]["watchers"] == [{"globPattern": "**/*"}]
            write(made, "def made(): ...\n")
            changes: list[Any] = [{"uri": made.as_uri(), "type": 1}, {"uri": 5}, "nonsense"]
            client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
            client.notify("workspace/didChangeWatchedFiles", None)
        else:
            # Folders of open files are watched.
            client.open((project / "app/main.py").as_uri(), MAIN)
            await until(lambda: symbols(client, query="start"), bool)
            await asyncio.sleep(0.5)
            write(made, "def made(): ...\n")
        await shows(client, ["app/made.py:0 made index"], query="made")
        made.unlink()
        if registers:
            params = {"changes": [{"uri": made.as_uri(), "type": 3}]}
            client.notify("workspace/didChangeWatchedFiles", params)
        await shows(client, [], query="made")
        assert await client.shutdown() == 0


async def test_two_fronts_share_one_index(project: Path, no_model: dict[str, str]) -> None:
    async with AsyncExitStack() as stack:
        first = await started(stack, no_model, project)
        await indexed(first)
        second = await started(stack, no_model, project)
        await until(lambda: symbols(second, query="User"), bool)
        (path,) = (project.parent / "cache/index").glob("*.sqlite")
        assert path.stat().st_mode & 0o077 == 0
        leads = [(await state(client))["roots"][0]["leader"] for client in (first, second)]
        assert leads == [True, False]
        # Who does not do the work tells of it all the same.
        (followed,) = (await indexed(second))["roots"]
        assert (followed["phase"], followed["files"], followed["leader"]) == ("idle", 3, False)
        models = project / "app/models.py"
        for client, name in ((first, "First"), (second, "Second")):
            write(models, f"class {name}: ...\n")
            client.notify("textDocument/didSave", {"textDocument": {"uri": models.as_uri()}})
            for other in (first, second):
                await shows(other, [f"app/models.py:0 {name} index"], query=name)
        assert await first.shutdown() == 0
        # The other one takes over.
        write(models, "class Third: ...\n")
        second.notify("textDocument/didSave", {"textDocument": {"uri": models.as_uri()}})
        await shows(second, ["app/models.py:0 Third index"], query="Third")
        await until(lambda: state(second), lambda said: said["roots"][0]["leader"])
        assert await second.shutdown() == 0


async def test_an_index_that_lies_elsewhere_is_asked_there(
    project: Path, no_model: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SIDECAR_CACHE_DIR", no_model["SIDECAR_CACHE_DIR"])
    # Nothing can be written where a folder lies.
    database_path(str(project)).mkdir()
    async with AsyncExitStack() as stack:
        client = await started(stack, no_model, project)
        (root,) = (await indexed(client))["roots"]
        assert (root["files"], root["symbols"] > 0) == (3, True)
        assert "private" in root["notice"]
        await shows(client, ["app/models.py:0 User index"], query="User", exact=True)


async def test_a_killed_indexer_is_started_again(project: Path, no_model: dict[str, str]) -> None:
    async with AsyncExitStack() as stack:
        client = await started(stack, no_model, project)
        killed = (await indexed(client))["pid"]
        os.kill(killed, signal.SIGKILL)
        # Questions need no indexer, and what is told meanwhile is not lost.
        assert await symbols(client, query="User") == ["app/models.py:0 User index"]
        models = project / "app/models.py"
        write(models, "class After: ...\n")
        client.notify("textDocument/didSave", {"textDocument": {"uri": models.as_uri()}})
        await shows(client, ["app/models.py:0 After index"], query="After")
        said = await state(client)
        assert said["pid"] not in (None, killed) and not said["failure"]
        assert await client.shutdown() == 0


async def test_the_indexer_ends_with_its_front(project: Path, no_model: dict[str, str]) -> None:
    async with AsyncExitStack() as stack:
        client = await started(stack, no_model, project)
        pid = (await indexed(client))["pid"]
        client.process.kill()
        await client.process.wait()

        async def alive() -> bool:
            try:
                return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
            except psutil.NoSuchProcess:
                return False

        await until(alive, lambda said: not said)


async def test_editors_that_are_restarted_quickly(project: Path, no_model: dict[str, str]) -> None:
    for _ in range(3):
        async with AsyncExitStack() as stack:
            client = await started(stack, no_model, project)
            assert await client.shutdown() == 0
    async with AsyncExitStack() as stack:
        client = await started(stack, no_model, project)
        (root,) = (await indexed(client))["roots"]
        assert root["files"] == 3 and not root["notice"]
        assert await client.shutdown() == 0


async def test_several_folders_and_changes_of_them(
    project: Path, tmp_path: Path, no_model: dict[str, str]
) -> None:
    other = tmp_path / "other"
    write(other / "more.py", "class UserGroup: ...\n")
    async with AsyncExitStack() as stack:
        client = await started(stack, no_model, project)
        await indexed(client)
        event = {"added": [{"uri": other.as_uri(), "name": "other"}], "removed": []}
        client.notify("workspace/didChangeWorkspaceFolders", {"event": event})
        both = ["app/models.py:0 User index", "more.py:0 UserGroup index"]
        await shows(client, both, query="User")
        await shows(client, both[::-1], query="User", path=str(other / "more.py"))
        event = {"added": [], "removed": [{"uri": project.as_uri(), "name": "project"}]}
        client.notify("workspace/didChangeWorkspaceFolders", {"event": event})
        await shows(client, both[1:], query="User")
        assert await client.request("sidecar/deps", {"path": str(project / "app/main.py")}) is None
        assert await client.shutdown() == 0


@pytest.mark.parametrize("folder", [None, "/", "~", "/nowhere", "virtual"])
async def test_no_folder_that_can_be_indexed(folder: str | None, no_model: dict[str, str]) -> None:
    uris = {"virtual": "vscode-vfs://github/a/b", "~": HOME.as_uri()}
    uri = None if folder is None else uris.get(folder, f"file://{folder}")
    async with LspClient(environment=no_model) as client:
        await client.initialize(rootUri=uri)
        client.open("file:///w/a.py", "def alone(): ...\n")
        said = await until(
            lambda: state(client), lambda said: folder in (None, "virtual") or said["refused"]
        )
        assert (said["roots"], said["pid"]) == ([], None)
        if said["refused"]:
            await client.seen("window/logMessage", lambda p: "is not indexed" in p["message"])
        assert await symbols(client, query="alone") == []
        _, answer = client.complete("file:///w/a.py", 0, 4)
        assert await answer is None
        assert await client.shutdown() == 0
    assert client.strays == b""


async def test_settings_take_effect(project: Path, no_model: dict[str, str]) -> None:
    async with AsyncExitStack() as stack:
        client = await started(
            stack,
            no_model,
            project,
            initializationOptions={"settings": {"index": {"exclude": ["models.py"]}}},
        )
        (root,) = (await indexed(client))["roots"]
        assert (root["files"], root["skipped"]) == (2, {"ignored": 1})

        def configure(**index: Any) -> None:
            settings = {"sidecar": {"index": index}}
            client.notify("workspace/didChangeConfiguration", {"settings": settings})

        configure(exclude=["main.py"])
        await shows(client, ["app/models.py:0 User index"], query="User")
        await shows(client, [], query="start")
        configure(exclude=[], maxFileKb=1)
        await until(lambda: symbols(client, query="start"), bool)
        configure(enabled=False)
        await until(lambda: state(client), lambda said: not said["roots"])
        assert await symbols(client, query="User") == []
        configure(enabled=True, exclude=[])
        await until(lambda: symbols(client, query="User"), bool)
        assert await client.shutdown() == 0


async def test_progress_is_shown_when_it_takes_long(
    tmp_path: Path, no_model: dict[str, str]
) -> None:
    root = tmp_path / "large"
    body = "".join(f"def function_{n}(value):\n    return value + {n}\n\n" for n in range(300))
    for number in range(400):
        write(root / f"module_{number}.py", body.replace("function", f"f{number}"))
    window = {"window": {"workDoneProgress": True}}
    async with AsyncExitStack() as stack:
        client = await started(stack, no_model, root, capabilities=window)
        await client.seen("$/progress", lambda p: "indexing: " in (p["value"].get("message") or ""))
        # What is typed meanwhile is answered.
        client.open((root / "module_7.py").as_uri(), body)
        _, answer = client.complete((root / "module_7.py").as_uri(), 1, 4)
        assert await answer is None
        await indexed(client)
        await client.seen("$/progress", lambda p: p["value"]["kind"] == "end")
        tokens = {p["token"] for p in client.notifications["$/progress"]}
        assert len(tokens) == 1
        assert await client.shutdown() == 0
