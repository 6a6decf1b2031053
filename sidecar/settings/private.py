"""Files that only their user can read, and that are whole or not there.

Must never leave half a file under its final name. May import nothing.
"""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["PART", "write_private"]

#: What the name of a file ends with while it is written; a crash leaves it.
PART = ".part"


def write_private(path: Path, pieces: Sequence[bytes | bytearray]) -> bool:
    """Write a file in place of the one of that name; tell whether that was possible.

    It is not flushed to the disk: who reads it checks a digest, which what a power cut leaves does
    not match.
    """
    name = ""
    try:
        # Made for this user alone.
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=path.suffix + PART)
        with os.fdopen(handle, "wb") as file:
            for piece in pieces:
                file.write(piece)
        os.replace(name, path)
    except OSError:
        if name:
            with suppress(OSError):
                Path(name).unlink()
        return False
    return True
