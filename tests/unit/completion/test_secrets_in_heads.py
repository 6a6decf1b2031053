"""Secrets of other files, of notes and of what an editor tells: in no prompt, card or log.

Every source is switched on, and there is room for all that they offer. Each place where something
is planted is asserted to be shown, so that nothing passes for being left out.
"""

from __future__ import annotations

import json
import logging
from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, get_args

import pytest
from context_samples import index_of
from cursor import at_cursor
from secret_samples import HEX, LETTERS, fake, planted

from sidecar.cli.main import main
from sidecar.cli.pipeline import service_of
from sidecar.completion.snapshots import Snapshots
from sidecar.context.guard import PLACEHOLDER
from sidecar.context.snapshot import Diagnostic, Edit, Viewed
from sidecar.engine.messages import Completion, Stats
from sidecar.index.query.overlay import Overlay
from sidecar.index.query.reader import Reader
from sidecar.settings import load
from sidecar.settings.schema import SourceName
from sidecar.telemetry import LogSettings, configure_logging

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from sidecar.completion.outcome import Preview
    from sidecar.context.snapshot import Snapshot
    from sidecar.settings import Settings
    from sidecar.text import Document

ALL = get_args(SourceName)
CASES = planted()


class Session:
    """A workspace with edits, files that were looked at, and what an editor reports."""

    def __init__(self, root: Path, reader: Reader, told: dict[str, Any]) -> None:
        self._root = root
        self._reader = reader
        self._told = told
        self._snapshots = Snapshots(str(root))

    async def ask(self, document: Document, question: Callable[[str, Snapshot], Any]) -> Any:
        path = document.path.removeprefix(f"{self._root}/")
        index = Overlay(self._reader, {})
        known = self._snapshots.take(index, {path: document})
        return question(path, replace(known, **self._told))


class Counting:
    """Stands where an engine stands: it counts, and no more is asked of it here."""

    plan = None
    state = SimpleNamespace(info=None)

    async def engine(self) -> Any:
        return self

    async def count(self, texts: Sequence[str]) -> list[int]:
        return [len(text) // 3 + 1 for text in texts]

    def served(self) -> None: ...

    async def complete(self, request: Any, on_text: Any = None) -> Completion:
        return Completion(f'"{PLACEHOLDER}"', Stats(stop="newline"))


@pytest.fixture
def settings() -> Settings:
    found, problems = load({"context": {"sources": list(ALL), "headTokens": 8192}})
    assert not problems
    return found


async def previewed(
    folder: Path, files: dict[str, str], settings: Settings, told: dict[str, Any]
) -> Preview:
    """Return what a model is shown at the bar of the last file."""
    root, here = folder / "root", list(files)[-1]
    document, cursor = at_cursor(files[here], "", str(root / here))
    index_of(root, folder / "index.sqlite", {**files, here: document.buffer.text})
    with Reader(folder / "index.sqlite") as reader:
        service = service_of(Counting(), Session(root, reader, told), settings)  # type: ignore[arg-type]
        return await service.preview(document, cursor)


def check(preview: Preview, records: list[logging.LogRecord], secrets: list[str]) -> str:
    """Expect no secret, and return the text of the prompt."""
    prompt = "\0".join(segment.text for segment in preview.prompt.segments)
    told = json.dumps([preview.card.as_dict(), [record.getMessage() for record in records]])
    assert [secret for secret in secrets if secret in prompt] == []
    assert [secret for secret in secrets if secret in told] == []
    return prompt


WORD = fake(LETTERS, 18, "word of heads") + "7"
KEY = fake(HEX, 32, "key of heads")
TOKEN = "gh" + "p_" + fake(LETTERS, 36, "token of heads")
BASIC = "YWRtaW46aHVudGVyMi1jYXRzLTk"
SECRETS = [WORD, KEY, TOKEN, BASIC]

VAULT = f'''"""Where secrets are. The password is {WORD}."""

PASSWORD = "{WORD}"
HEADERS = {{"Authorization": "Basic {BASIC}"}}


class Vault:
    """Opens with the token {TOKEN}."""

    url: str = "postgres://app:{WORD}@db.internal/shop"
    api_key: str = field(default="{KEY}", repr=False)
    passwords = ["changeme", "{WORD}"]

    def __init__(self, host: str, password: str = "{WORD}") -> None:
        """Log in, by default with the password {WORD}."""
        self.token = "{TOKEN}"

    def unlock(self, header: str = "Bearer {KEY}", *, retry: int = 2) -> "Door":
        """Unlock; api_key={KEY} opens all."""


class Door:
    secret_key: bytes = b"{KEY}"

    def knock(self, dsn: str = f"redis://:{WORD}@{{HOST}}:6379", token=("{TOKEN[:20]}"
        "{TOKEN[20:]}")) -> bool: ...


def connect(host: str, user="root", password: "str" = "{WORD}", key="{TOKEN}") -> Vault:
    """Connect. Authorization: Basic {BASIC}"""


def option(parser) -> Vault:
    """Like connect(password="{WORD}")."""
'''
HERE = f'''from vault import HEADERS, PASSWORD, Door, Vault, connect, option

DEFAULT_PASSWORD = "{WORD}"


class Mine(Vault):
    """Uses the token {TOKEN}."""

    def first(self, password="{WORD}") -> Door:
        option(HEADERS)
        door = self.unlock(PASSWORD)
        vault = connect("db")
        vault.|

    def second(self, api_key="{KEY}"):
        return api_key


{"# more" * 5}
''' + "".join(f"\n\ndef later_{n}():\n    return {n}\n" for n in range(60))


async def test_what_declarations_hold_is_not_shown(
    tmp_path: Path, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    preview = await previewed(tmp_path, {"vault.py": VAULT, "mine.py": HERE}, settings, {})
    prompt = check(preview, caplog.records, SECRETS)
    for shown in (
        f'password: str = "{PLACEHOLDER}") -> None:',
        f'"Bearer {PLACEHOLDER}"',
        f'password: "str" = "{PLACEHOLDER}"',
        f"Opens with the token {PLACEHOLDER}.",
        f'PASSWORD = "{PLACEHOLDER}"',
        "class Door",
        "def later_59(): ...",
    ):
        assert shown in prompt
    sources = {part.source for part in preview.card.parts}
    assert sources >= {"definitions", "members", "outline", "current file"}


async def test_what_stands_in_place_of_a_secret_of_another_file_is_not_offered(
    tmp_path: Path, settings: Settings
) -> None:
    files = {
        "vault.py": f'def connect(password="{WORD}") -> None: ...\n',
        "here.py": "from vault import connect\n\nconnect(",
    }
    index_of(tmp_path / "root", tmp_path / "index.sqlite", files)
    document, cursor = at_cursor(files["here.py"] + "|", "", str(tmp_path / "root/here.py"))
    with Reader(tmp_path / "index.sqlite") as reader:
        session = Session(tmp_path / "root", reader, {})
        service = service_of(Counting(), session, settings)  # type: ignore[arg-type]
        assert (await service.suggest(document, cursor)).reason == "placeholder"


ALIKE = "    total = order.amount * order.price\n    order.ship(total, warehouse)\n"


def alike(name: str, text: str) -> str:
    return f"def {name}(order, warehouse):\n{ALIKE}\n{text}\n\ndef {name}_end(order):\n{ALIKE}"


@pytest.mark.parametrize("first", range(0, len(CASES), 30))
async def test_what_was_edited_or_looked_at_or_is_alike_is_not_shown(
    tmp_path: Path,
    settings: Settings,
    caplog: pytest.LogCaptureFixture,
    first: int,
) -> None:
    caplog.set_level(logging.DEBUG)
    shown: list[bool] = []
    for number, case in enumerate(CASES[first : first + 30]):
        # Different ones, since what is like something that is shown is left out.
        others = [CASES[(first + number + step) % len(CASES)] for step in (7, 13)]
        text, seen, like = (one.text for one in (case, *others))
        lines = text.count("\n")
        files = {
            "edited.py": f"first = 1\nEDITED = 2\n{text}\nlast = 3\n",
            "viewed.py": f"first = 1\nVIEWED = 2\n{seen}\nlast = 3\n",
            "alike.py": alike("ALIKE", like),
            "here.py": f"def here(order, warehouse):\n{ALIKE}    |\n",
        }
        told = {
            "edits": (Edit("edited.py", 1, 1 + lines),),
            "viewed": (Viewed("viewed.py", 2),),
            "diagnostics": (Diagnostic(1, 1, f"unused value:\n{case.text}"),),
        }
        folder = tmp_path / str(number)
        folder.mkdir()
        secrets = [secret for one in (case, *others) for secret in one.secrets]
        prompt = check(await previewed(folder, files, settings, told), caplog.records, secrets)
        shown += [mark in prompt for mark in ("EDITED = 2\n", "VIEWED = 2\n", "def ALIKE(")]
    assert sum(shown) > len(shown) * 0.8, "what is left out shows nothing"


NOTES = f"""# Goals
Ship. Staging is at https://admin:{WORD}@staging.host/, its password is {WORD}.

## Constraints
| user | admin |
| password | {WORD} |
- **API key:** {KEY}

## Decisions
```
Authorization: Basic {BASIC}
export GITHUB_TOKEN={TOKEN}
```
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A repository on disk, and a cache that holds no model."""
    monkeypatch.setenv("SIDECAR_CACHE_DIR", str(tmp_path / "cache"))
    root = tmp_path / "project"
    for name, text in {
        ".git/HEAD": "ref: refs/heads/main\n",
        ".git/objects/x": "",
        ".git/refs/x": "",
        ".gitignore": "ignored.py\n",
        ".sidecar/notes.md": NOTES,
        ".env": f"PASSWORD={WORD}\n",
        "ignored.py": f'def connect(password="{WORD}"): ...\n',
        "vault.py": VAULT,
        "mine.py": HERE.replace("|", ""),
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    yield root
    # Closes the file that was logged to.
    logging.getLogger().removeHandler(configure_logging(LogSettings()))
    logging.getLogger("sidecar").setLevel(logging.NOTSET)


def test_what_the_command_shows_and_logs_holds_no_secret(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = HERE[: HERE.index("|")].count("\n") + 1
    place = f"{project / 'mine.py'}:{line}:15"
    log = project.parent / "log"
    arguments = ("context", place, "--prompt", f"--sources={','.join(ALL)}")
    told = ""
    for more in ((), ("--json",)):
        assert main(["--log-level", "debug", "--log-file", str(log), *arguments, *more]) == 0
        said = capsys.readouterr()
        assert "Ship. Staging is at https://admin:" in said.out
        assert "class Vault" in said.out
        told += said.out + said.err
    told += log.read_text() if log.exists() else ""
    assert [secret for secret in SECRETS if secret in told] == []
