from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys

import pytest

from sidecar.errors import DownloadError
from sidecar.models.files import digest, locked, quick_identity, write_atomically

BUSY = DownloadError("it is busy", "wait")


def test_digest_tells_how_far_it_is(tmp_path):
    content = os.urandom((9 << 20) + 5)
    path = tmp_path / "file"
    path.write_bytes(content)
    steps = []
    assert digest(path, steps.append) == hashlib.sha256(content).hexdigest()
    assert steps == sorted(steps)
    assert steps[-1] == len(content)


def test_quick_identity_sees_size_and_both_ends(tmp_path):
    path = tmp_path / "file"
    content = bytearray(4 << 20)

    def identity() -> str:
        path.write_bytes(content)
        return quick_identity(path)

    first = identity()
    assert first.startswith(f"quick:{4 << 20}-")
    seen = {first}
    content[0] = 1
    seen.add(identity())
    content[-1] = 1
    seen.add(identity())
    content.append(0)
    seen.add(identity())
    assert len(seen) == 4
    path.write_bytes(b"")
    assert quick_identity(path).startswith("quick:0-")


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    path = tmp_path / "file.json"
    write_atomically(path, "old")
    assert path.stat().st_mode & 0o777 == 0o644

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("sidecar.models.files.os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_atomically(path, "new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


HOLD = """
import sys, time
from pathlib import Path
from sidecar.errors import DownloadError
from sidecar.models.files import locked
with locked(Path(sys.argv[1]), DownloadError("busy", "wait")):
    sys.stdout.write("held\\n"); sys.stdout.flush()
    time.sleep(60)
"""


def test_a_lock_keeps_others_out_until_its_holder_is_gone(tmp_path):
    path = tmp_path / "model.lock"
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(DownloadError, match="busy"), locked(path, BUSY):
            pass
        holder.send_signal(signal.SIGKILL)
        holder.wait()
    assert path.exists()
    with locked(path, BUSY):
        assert path.exists()
        with pytest.raises(DownloadError), locked(path, BUSY):
            pass
    assert not path.exists()
