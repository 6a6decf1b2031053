"""`FILE:LINE:COLUMN` on the command line: reads the file and finds the place in it.

Of a notebook the code cells are read, joined as a server joins them. May import `syntax` and
`text`.
"""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path

from sidecar.errors import UsageError
from sidecar.syntax import Languages
from sidecar.text import Buffer, Document, Position
from sidecar.text.notebook import NotebookError, is_notebook, read_notebook

__all__ = ["Place", "read_place"]

_PLACE = re.compile(r"(?P<file>.+):(?P<line>\d{1,9}):(?P<column>\d{1,9})", re.DOTALL)
_MOST_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Place:
    """A cursor in a file.

    Args:
        document: The file.
        offset: The cursor.
    """

    document: Document
    offset: int

    def position(self, offset: int) -> dict[str, int]:
        """Return line and column of an offset, both from 1, the column in characters."""
        found = self.document.buffer.position(offset, "utf-32")
        return {"line": found.line + 1, "column": found.column + 1}


def read_place(text: str) -> Place:
    """Read a file and find the place in it.

    Raises:
        UsageError: It is no place, or not one in a text file.
    """
    found = _PLACE.fullmatch(text)
    if found is None:
        raise UsageError(f"{text!r} is not FILE:LINE:COLUMN", "write for example src/app.py:10:5")
    path = Path(found["file"])
    language, content = "", _read(path)
    if is_notebook(path.name):
        language, content = _cells(path, content)
    buffer = Buffer.of(content)
    line, column = int(found["line"]), int(found["column"])
    if not 1 <= line <= buffer.line_count:
        raise UsageError(f"{path} has no line {line}", f"name a line from 1 to {buffer.line_count}")
    length = len(buffer.line(line - 1))
    if not 1 <= column <= length + 1:
        raise UsageError(
            f"line {line} of {path} has no column {column}",
            f"name a column from 1 to {length + 1}",
        )
    # Links stay: the gate looks at the name that was given and at what it leads to.
    whole = Path(os.path.abspath(path))
    document = Document(whole.as_uri(), str(whole), language, 0, buffer)
    return Place(document, buffer.offset(Position(line - 1, column - 1), "utf-32"))


def _cells(path: Path, content: str) -> tuple[str, str]:
    """Return the language of a notebook as editors call it, and its code cells joined."""
    try:
        notebook = read_notebook(content)
    except NotebookError as error:
        raise UsageError(
            f"{path} is no notebook: {error}", "open it in Jupyter, and save it again"
        ) from None
    known = Languages.load().of_kernel(notebook.language)
    return known.ids[0] if known else notebook.language, notebook.text


def _read(path: Path) -> str:
    try:
        # Before it is opened: opening a pipe would wait for somebody to write to it.
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise UsageError(f"{path} is a directory", "name a file in it")
        if not stat.S_ISREG(mode):
            raise UsageError(f"{path} is not a regular file", "name a text file")
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
    except FileNotFoundError:
        raise UsageError(f"there is no file {path}", "check its name") from None
    except OSError as error:
        fix = "check its permissions" if isinstance(error, PermissionError) else "check its name"
        raise UsageError(f"{path} cannot be read ({error.strerror})", fix) from error
    except ValueError:
        raise UsageError(f"no file can be called {str(path)!r}", "check its name") from None
    if len(data) > _MOST_BYTES:
        raise UsageError(f"{path} is larger than any source file", "name a smaller file")
    if b"\0" in data and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise UsageError(f"{path} is a binary file", "name a text file")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(f"{path} is not UTF-8 text", "convert it to UTF-8 first") from None
