"""File locks between processes, freed by the system when their holder dies.

May import nothing of sidecar.
"""

from __future__ import annotations

import fcntl
import os
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["FileLock"]


class FileLock:
    """An advisory lock on a file that is made for it, and removed by its holder alone.

    Args:
        path: The file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None

    def acquire(self) -> bool:
        """Take the lock if it is free; tell whether it is held now."""
        while True:
            file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(file)
                return False
            if self._names(file):
                self._file = file
                return True
            # The last holder removed it between our two steps: others lock another file now.
            os.close(file)

    def _names(self, file: int) -> bool:
        """Tell whether the path still leads to an open file."""
        try:
            return os.path.samestat(os.stat(self._path), os.fstat(file))
        except FileNotFoundError:
            return False

    def release(self) -> None:
        """Give the lock back."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.release()
