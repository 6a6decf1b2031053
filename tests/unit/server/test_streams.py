"""Standard streams of every kind: pipes, files, sockets, and nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from sidecar.server.framing import frame

if TYPE_CHECKING:
    from pathlib import Path

SESSION = frame(
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {"processId": None, "capabilities": {}},
    }
) + b"".join(
    frame({"jsonrpc": "2.0", **message})
    for message in ({"id": 2, "method": "shutdown"}, {"method": "exit"})
)
COMMAND = [sys.executable, "-m", "sidecar", "--stdio"]


def check(done: subprocess.CompletedProcess[bytes], code: int, answers: int) -> None:
    assert done.returncode == code, done.stderr
    assert done.stdout.count(b'"id":') == answers
    assert done.stderr == b""


@pytest.mark.parametrize("kind", ["pipe", "file", "nothing"])
def test_input_of_every_kind(kind: str, tmp_path: Path, no_model: dict[str, str]) -> None:
    environment = {**os.environ, **no_model}
    if kind == "pipe":
        done = subprocess.run(
            COMMAND, input=SESSION, capture_output=True, check=False, env=environment
        )
        check(done, 0, 2)
        return
    path = tmp_path / "session"
    path.write_bytes(SESSION)
    with open(path if kind == "file" else os.devnull, "rb") as stream:
        done = subprocess.run(
            COMMAND, stdin=stream, capture_output=True, check=False, env=environment
        )
    check(done, *((0, 2) if kind == "file" else (1, 0)))


@pytest.mark.skipif(os.name != "posix", reason="descriptors are closed like this on POSIX only")
def test_a_client_may_start_us_without_a_standard_error(no_model: dict[str, str]) -> None:
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" 2>&-', "sh", *COMMAND],
        input=SESSION,
        stdout=subprocess.PIPE,
        check=False,
        env={**os.environ, **no_model},
    )
    assert done.returncode == 0
    assert done.stdout.count(b'"id":') == 2


def test_large_messages_pass_in_both_directions(no_model: dict[str, str]) -> None:
    """Larger than any pipe's buffer, and than one read."""
    # An id comes back in the answer, so a long one makes a long answer.
    long = "x" * 3_000_000
    request = {"jsonrpc": "2.0", "id": long, "method": "textDocument/hover", "params": {}}
    head, _, rest = SESSION.partition(b"}Content-Length")
    session = head + b"}" + frame(request) + b"Content-Length" + rest
    done = subprocess.run(
        COMMAND, input=session, capture_output=True, check=False, env={**os.environ, **no_model}
    )
    check(done, 0, 3)
    assert done.stdout.count(b"x" * 3_000_000) == 1
