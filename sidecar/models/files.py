"""Files that are whole or not there: atomic writes, a lock between processes, digests.

Must never leave half a file under its final name. May import `errors` only.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import sys
import tempfile
from pathlib import Path
from typing import IO, TYPE_CHECKING

from sidecar.errors import ModelError

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sidecar.errors import DownloadError

__all__ = [
    "at_home",
    "digest",
    "is_path",
    "locked",
    "quick_identity",
    "replace_durably",
    "write_atomically",
]

_BLOCK = 4 << 20
_EDGE = 1 << 20


def digest(path: Path, on_bytes: Callable[[int], None] | None = None) -> str:
    """Return the SHA-256 of a file, telling `on_bytes` how many bytes were read so far."""
    sha = hashlib.sha256()
    buffer = memoryview(bytearray(_BLOCK))
    done = 0
    with path.open("rb", buffering=0) as file:
        while count := file.readinto(buffer):
            sha.update(buffer[:count])
            done += count
            if on_bytes is not None:
                on_bytes(done)
    return sha.hexdigest()


def quick_identity(path: Path) -> str:
    """Return a name for a file's content from its size and its first and last MiB.

    It tells different models apart without reading gigabytes; it does not prove anything.
    """
    sha = hashlib.sha256()
    with path.open("rb", buffering=0) as file:
        size = file.seek(0, os.SEEK_END)
        for start in sorted({0, max(0, size - _EDGE)}):
            file.seek(start)
            sha.update(file.read(_EDGE))
    return f"quick:{size}-{sha.hexdigest()[:32]}"


def write_atomically(path: Path, text: str) -> None:
    """Write a small file so that a reader sees the old content or the new one."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        # mkstemp makes files for this user only; the models may serve all.
        os.chmod(name, 0o644)
        replace_durably(Path(name), path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def replace_durably(source: Path, target: Path) -> None:
    """Move a finished file to its final name, and make the move survive a power cut."""
    os.replace(source, target)
    if os.name == "posix":
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


@contextlib.contextmanager
def locked(path: Path, busy: DownloadError) -> Iterator[None]:
    """Hold a lock file, which the system releases even if this process is killed.

    Args:
        path: The lock file; it is removed afterwards.
        busy: Raised if another process holds the lock.
    """
    file = _open_locked(path, busy)
    try:
        yield
    finally:
        # Removed while still held: whoever opened the old file meanwhile sees that it is gone.
        with contextlib.suppress(OSError):
            path.unlink()
        file.close()


def _open_locked(path: Path, busy: DownloadError) -> IO[bytes]:
    while True:
        file = path.open("ab")
        try:
            _lock(file)
            if os.path.samestat(os.fstat(file.fileno()), path.stat()):
                return file
        except FileNotFoundError:
            pass  # Its holder removed it between our opening and locking it.
        except OSError as error:
            file.close()
            if error.errno in (errno.EACCES, errno.EAGAIN, errno.EDEADLK):
                raise busy from error
            raise
        file.close()


if sys.platform == "win32":

    def _lock(file: IO[bytes]) -> None:
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

else:

    def _lock(file: IO[bytes]) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def at_home(path: Path) -> Path:
    """Return a path with the home directory that its `~` stands for."""
    try:
        return path.expanduser()
    except RuntimeError:
        raise ModelError(
            f"{path} names a home directory that is not there", "write it out"
        ) from None


def is_path(text: str) -> bool:
    """Whether a setting or an argument means a file rather than a name of the catalogue."""
    return text.lower().endswith(".gguf") or any(mark in text for mark in {"/", os.sep})
