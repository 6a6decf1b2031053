"""`sidecar lsp-log`: every kind of message in one line, and no code where none is wanted."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from sidecar.cli.main import main
from sidecar.server.framing import frame
from sidecar.server.recording import Recording

if TYPE_CHECKING:
    from pathlib import Path

DOCUMENT = {"uri": "file:///w/app%20one.py"}
PLACE = {"line": 1, "character": 11}
ITEM = {
    "insertText": "    return hidden",
    "range": {"start": {"line": 1, "character": 0}, "end": PLACE},
}


def client(method: str, params: Any, **more: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}).encode()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "session.jsonl"
    recording = Recording(path)
    params = {"clientInfo": {"name": "Vim", "version": "9"}, "rootUri": "file:///w"}
    recording.heard(client("initialize", params, id=1))
    recording.said(frame({"id": 1, "result": {"capabilities": {}, "serverInfo": {}}}))
    opened = {**DOCUMENT, "languageId": "python", "text": "def hidden():\n    return "}
    recording.heard(client("textDocument/didOpen", {"textDocument": opened}))
    change = {"range": {"start": PLACE, "end": PLACE}, "text": "h\n"}
    changed = {"textDocument": {**DOCUMENT, "version": 2}, "contentChanges": [change]}
    recording.heard(client("textDocument/didChange", changed))
    place = {"textDocument": DOCUMENT, "position": PLACE, "context": {"triggerKind": 1}}
    recording.heard(client("textDocument/inlineCompletion", place, id=2))
    recording.note({"prompt_tokens_per_s": 300.0})
    recording.said(frame({"id": 2, "result": {"items": [ITEM]}}))
    recording.heard(client("$/cancelRequest", {"id": 3}))
    recording.heard(client("textDocument/completion", place, id=3))
    recording.said(frame({"id": 3, "error": {"code": -32800, "message": "cancelled"}}))
    recording.heard(client("textDocument/didShowCompletion", {"item": ITEM}))
    recording.said(frame({"id": "s1", "method": "workspace/configuration", "params": {}}))
    recording.heard(b'{"id":"s1","result":[null]}')
    recording.heard(client("textDocument/didChange", {"textDocument": 5}))
    recording.heard(client("shutdown", None, id=4))
    recording.close()
    return path


def printed(capsys: pytest.CaptureFixture[str], *argv: object, code: int = 0) -> list[str]:
    assert main(["lsp-log", *map(str, argv)]) == code
    said = capsys.readouterr()
    assert bool(said.err) == bool(code)
    return said.out.splitlines()


def test_a_line_says_what_was_said(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [line.partition(" ms ")[2] for line in printed(capsys, file)]
    assert [line.partition(" after ")[0] for line in lines] == [
        "→ initialize #1  Vim 9, utf-16, file:///w",
        "← initialize #1",
        "→ textDocument/didOpen  app one.py python, 25 characters",
        '→ textDocument/didChange  app one.py v2: 2:12-2:12 "h\\n"',
        "→ textDocument/inlineCompletion #2  app one.py 2:12 by hand",
        "· note  prompt_tokens_per_s 300.0",
        "← textDocument/inlineCompletion #2",
        "→ $/cancelRequest  #3",
        "→ textDocument/completion #3  app one.py 2:12 by hand",
        "← textDocument/completion #3",
        '→ textDocument/didShowCompletion  2:1-2:12 "    return hidden"',
        "← workspace/configuration #s1",
        "→ workspace/configuration #s1",
        "→ textDocument/didChange  malformed",
        "→ shutdown #4",
        "→ shutdown #4  was never answered",
    ]
    assert lines[6].endswith('ms  2:1-2:12 "    return hidden"')
    assert lines[9].endswith("ms  error -32800: cancelled")


def test_what_others_may_see_holds_no_code(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "\n".join(printed(capsys, file, "--no-code"))
    assert "hidden" not in text
    assert "2:1-2:12 17 characters" in text


def test_some_methods_only_and_whole(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, file, "--method", "*inline*", "--full")
    assert [line.count("inlineCompletion #2") for line in lines].count(1) == 2
    whole = json.loads("\n".join(lines[1 : lines.index("}") + 1]))
    assert whole["params"]["position"] == PLACE
    printed(capsys, file, "--method", "nothing/*", code=1)


@pytest.mark.parametrize(
    ("text", "err"),
    [
        (None, "cannot be read (No such file or directory); check its name"),
        ("", "is no recording"),
        ("hello\n", "is no recording"),
        ('{"recording":1}\n{"at_ms":0,"from":"nobody","message":{}}\n', "is no recording"),
        ('{"recording":2}\n', "of another form"),
        ("[]\n", "is no recording"),
    ],
)
@pytest.mark.parametrize("command", ["lsp-log", "replay"])
def test_what_is_no_recording_is_said(
    command: str, text: str | None, err: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "r"
    if text is not None:
        path.write_text(text)
    assert main([command, str(path)]) == 2
    said = capsys.readouterr().err
    assert err in said and "; " in said and said.count("\n") == 1


@pytest.mark.parametrize("command", ["lsp-log", "replay"])
def test_a_folder_is_no_recording(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, str(tmp_path)]) == 2
    assert capsys.readouterr().err.endswith("; give a recording, not a folder\n")
