"""Complaint 23: files with keys were read into prompts.

continuedev/continue#1196, PR #1857. (The clipboard is never read by any part of sidecar.)
"""

from __future__ import annotations

from contextlib import AsyncExitStack

import pytest
from cursor import at_cursor
from lsp_work import indexed, started, until, write

from sidecar.completion.anchor import choose
from sidecar.completion.gate import gate
from sidecar.context import build
from sidecar.index.once import index_once
from sidecar.index.query.reader import Reader


@pytest.mark.parametrize(
    "path",
    (
        "/w/.env /w/.env.production /w/config/secrets.yml /home/a/.aws/credentials /w/server.key "
        "/home/a/.ssh/id_rsa /home/a/.netrc /home/a/.npmrc /w/.pypirc"
    ).split(),
)
def test_a_file_that_holds_secrets_gets_no_prompt(path):
    document, offset = at_cursor("API_KEY=|", language="plaintext", path=path)
    assert gate(document, offset) == "secret_file"


def test_a_key_in_a_file_of_code_is_not_shown_to_the_model():
    key = "sk-" + "a1B2c3D4" * 6
    document, offset = at_cursor(f'CLIENT = Client("{key}")\n\n\ndef ask():\n    |\n# {key}\n')
    found = choose(document, offset)
    prompt = build(found.anchor.shown_prefix, found.anchor.shown_suffix, found.typed)
    assert not [segment for segment in prompt.segments if key in segment.text]
    assert found.anchor.hidden == ("api key", "api key")


def test_what_git_ignores_and_what_is_secret_is_not_in_the_index(tmp_path):
    files = {
        ".git/HEAD": "ref: refs/heads/main\n",
        ".git/objects/x": "",
        ".git/refs/x": "",
        ".git/info/exclude": "mine/\n",
        ".gitignore": "*.gen.py\n/out/\n",
        ".sidecarignore": "vendored/\n",
        ".env": "TOKEN = 'tokenofenv'\n",
        "config/secrets.yml": "key: tokenofyaml\n",
        "deploy/id_rsa": "tokenofkey\n",
        "out/a.py": "def ignored_folder(): ...\n",
        "mine/a.py": "def ignored_by_exclude(): ...\n",
        "vendored/a.py": "def ignored_by_sidecar(): ...\n",
        "app/b.gen.py": "def ignored_name(): ...\n",
        "app/.gitignore": "local.py\n!kept.gen.py\n",
        "app/local.py": "def ignored_inside(): ...\n",
        "app/kept.gen.py": "def kept_again(): ...\n",
        "app/c.py": "def shown(): ...\n",
    }
    root = tmp_path / "work"
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    database = tmp_path / "index.sqlite"
    summary = index_once(str(root), database=lambda _: database)
    assert summary.skipped["secret"] == 3
    with Reader(database) as reader:
        names = {item.symbol.name for path in reader.paths() for item in reader.symbols(path)}
        assert names == {"kept_again", "shown"}
        for word in ("tokenofenv", "tokenofyaml", "tokenofkey", "ignored_name"):
            assert reader.search(word) == ()
    stored = b"".join(path.read_bytes() for path in tmp_path.glob("index.sqlite*"))
    assert b"shown" in stored
    assert b"tokenof" not in stored and b"ignored_" not in stored


async def test_what_git_ignores_is_not_shown_because_it_was_opened_and_edited(no_model, tmp_path):
    root = tmp_path / "project"
    text = "def start(order):\n    order.ship()\n    \n"
    write(root / ".git/HEAD", "ref: refs/heads/main\n")
    write(root / ".git/objects/x", "")
    write(root / ".git/refs/x", "")
    write(root / ".gitignore", "local_*.py\n")
    names = ("main.py", "shown.py", "local_settings.py")
    for name in names:
        write(root / name, text)
    write(root / ".env", text)
    async with AsyncExitStack() as stack:
        settings = {"context": {"sources": ["edits", "viewed", "similar", "definitions"]}}
        client = await started(stack, no_model, root, initializationOptions={"settings": settings})
        await indexed(client)
        for name in (*names, ".env"):
            client.open((root / name).as_uri(), text)
        for name in (".env", "local_settings.py", "shown.py"):
            client.change((root / name).as_uri(), 2, {"text": f"{text}    order.hidden()\n"})
        where = {"uri": (root / "main.py").as_uri()}

        def card():
            at = {"textDocument": where, "position": {"line": 2, "character": 4}}
            return client.request("sidecar/contextCard", at)

        def paths(said):
            return {item["path"] for item in (*said["parts"], *said["dropped"])}

        told = await until(card, lambda said: "shown.py" in paths(said))
        assert {path.rpartition("/")[2] for path in paths(told)} <= {"main.py", "shown.py"}
