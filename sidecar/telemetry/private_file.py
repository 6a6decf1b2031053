"""A file that its user alone can read, written while something goes on: a trace, a recording.

May import `errors`.
"""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING

from sidecar.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["PrivateFile"]

log = logging.getLogger(__name__)


class PrivateFile:
    """Writes piece by piece, and no more once that fails.

    Args:
        path: A file to be written anew, readable by its user only.
        called: What to call it in messages.

    Raises:
        UsageError: The file cannot be written.
    """

    def __init__(self, path: str | Path, called: str) -> None:
        self._called = called
        try:
            self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            if os.name == "posix":
                os.fchmod(self._file, 0o600)
        except OSError as error:
            raise UsageError(
                f"the {called} {path} cannot be written ({error.strerror})",
                "name a file in a folder that exists and is yours",
            ) from error
        self._open = True

    def write(self, piece: bytes) -> None:
        """Write a piece in one call: whoever kills us finds whole ones."""
        if not self._open:
            return
        try:
            os.write(self._file, piece)
        except OSError as error:
            log.warning("the %s ends here: %s", self._called, error.strerror)
            self.close()

    def close(self) -> None:
        """Write no more."""
        if self._open:
            self._open = False
            os.close(self._file)
