"""What a real server would show to a model of other files, as they are at that moment."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any

import pytest
from lsp_work import indexed, started, until, write

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.lsp

MODELS = "class User:\n    def save(self) -> None:\n        pass\n"
MAIN = "from app.models import User\n\n\ndef start() -> User:\n    user = User()\n    user.\n"
AT = {"line": 5, "character": 9}
SOURCES = ["outline", "definitions", "members", "similar", "edits"]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    write(root / ".gitignore", "local.py\n")
    (root / ".git").mkdir()
    write(root / "app/__init__.py", "")
    write(root / "app/main.py", MAIN)
    write(root / "app/models.py", MODELS)
    write(root / "app/local.py", "def start_here() -> None:\n    user = User()\n    user.save()\n")
    return root


async def at_work(stack: AsyncExitStack, environment: dict[str, str], root: Path) -> Any:
    client = await started(
        stack,
        environment,
        root,
        initializationOptions={"settings": {"context": {"sources": SOURCES}}},
    )
    await indexed(client)
    client.open((root / "app/main.py").as_uri(), MAIN)
    return client


async def card(client: Any, root: Path) -> dict[str, Any]:
    found: dict[str, Any] = await client.request(
        "sidecar/contextCard",
        {"textDocument": {"uri": (root / "app/main.py").as_uri()}, "position": AT},
    )
    return found


async def test_members_of_another_file_stand_in_front(
    no_model: dict[str, str], project: Path
) -> None:
    async with AsyncExitStack() as stack:
        client = await at_work(stack, no_model, project)
        told = await card(client, project)
        parts = {(part["source"], part["path"]): part for part in told["parts"]}
        members = parts["members", "app/models.py"]
        assert members["part"] == "repo"
        assert members["tokens"] > 0
        assert members["reason"]
        # What git ignores is not there to be similar.
        assert not [path for _, path in parts if "local" in path]


async def test_unsaved_text_is_shown_and_what_was_deleted_is_not(
    no_model: dict[str, str], project: Path
) -> None:
    async with AsyncExitStack() as stack:
        client = await at_work(stack, no_model, project)
        models = (project / "app/models.py").as_uri()
        client.open(models, MODELS)
        before = await card(client, project)
        (part,) = [part for part in before["parts"] if part["source"] == "members"]
        longer = (
            MODELS
            + "\n    def remove_everything_at_once(self, reason: str) -> bool:\n        pass\n"
        )
        client.change(models, 2, {"text": longer})
        more = await until(
            lambda: card(client, project),
            lambda said: [
                other
                for other in said["parts"]
                if other["source"] == "members" and other["tokens"] > part["tokens"]
            ],
        )
        assert "edits" in {other["source"] for other in (*more["parts"], *more["dropped"])}
        client.change(models, 3, {"text": MODELS})
        back = await card(client, project)
        (again,) = [other for other in back["parts"] if other["source"] == "members"]
        assert again["tokens"] == part["tokens"]


async def test_a_document_outside_of_all_folders_has_itself(
    no_model: dict[str, str], project: Path, tmp_path: Path
) -> None:
    async with AsyncExitStack() as stack:
        client = await at_work(stack, no_model, project)
        alone = tmp_path / "alone.py"
        client.open(alone.as_uri(), "def f():\n    return 1\n\n\nx = \n")
        told = await client.request(
            "sidecar/contextCard",
            {"textDocument": {"uri": alone.as_uri()}, "position": {"line": 4, "character": 4}},
        )
        assert {part["part"] for part in told["parts"]} <= {"outline", "prefix", "suffix", "typed"}
