"""Recordings: whole lines, for their user alone, and nothing that was not said."""

from __future__ import annotations

import json
import os
import stat
from typing import TYPE_CHECKING

import pytest

from sidecar.errors import UsageError
from sidecar.server.framing import frame
from sidecar.server.recording import Recording, read_recording

if TYPE_CHECKING:
    from pathlib import Path

MESSAGE = {"jsonrpc": "2.0", "method": "m", "params": {"text": "a\n\N{GRINNING FACE}\ud800"}}


def test_what_was_said_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_text("of another session")
    path.chmod(0o644)
    recording = Recording(path)
    # Editors may send JSON in several lines.
    recording.heard(json.dumps(MESSAGE, indent=2).encode())
    recording.heard(b"not JSON")
    recording.heard(b"[1]")
    recording.said(frame(MESSAGE))
    recording.note({"fact": 1})
    entries = read_recording(path)
    recording.close()
    recording.note({"fact": 2})
    assert [(one.side, one.message) for one in entries] == [
        ("client", MESSAGE),
        ("server", MESSAGE),
        ("note", {"fact": 1}),
    ]
    assert sorted(one.at_ms for one in entries) == [one.at_ms for one in entries]
    assert len(read_recording(path)) == 3
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_line_that_a_killed_server_left_is_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    recording = Recording(path)
    recording.said(frame(MESSAGE))
    recording.close()
    with path.open("ab") as file:
        file.write(b'{"at_ms":1.0,"from":"cli')
    assert len(read_recording(path)) == 1


def test_each_process_may_have_its_own(tmp_path: Path) -> None:
    Recording(tmp_path / "r-{pid}.jsonl").close()
    assert (tmp_path / f"r-{os.getpid()}.jsonl").exists()


def test_a_file_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be written"):
        Recording(tmp_path / "no" / "r.jsonl")
