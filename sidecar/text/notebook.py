"""Notebooks as one text: which cells it is made of, how they are joined, and what a file holds.

Only code cells in the kernel's language count. What a cell has put out is never looked at, so it
can get nowhere. Must never do I/O. May import nothing but the standard library.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "HEAD",
    "SEPARATOR",
    "Notebook",
    "NotebookError",
    "as_shown",
    "is_notebook",
    "is_raw",
    "kernel_language",
    "main_language",
    "of_kernel",
    "read_notebook",
]

#: What stands between two cells: the end of a line, and a blank one.
SEPARATOR: Final = "\n\n"
_ENDING: Final = ".ipynb"
#: The language of a notebook that does not tell it.
_USUAL: Final = "python"
#: What hands a whole cell to another program, and what only watches how it runs here.
_CELL_MAGIC = re.compile(r"\s*%%(!|\w+)")
_WATCHING: Final = frozenset({"time", "timeit", "capture", "prun", "memit", "snakeviz"})
#: How the file of a notebook begins.
_RAW = re.compile(r'\s*\{\s*"(?:cells|metadata|nbformat|nbformat_minor|worksheets)"\s*:')
#: Characters at the start of a cell among which a cell magic is looked for.
HEAD: Final = 200
#: Where editors and files keep what Jupyter calls the metadata of a notebook.
_METADATA: Final = ((), ("metadata",), ("custom", "metadata"))


class NotebookError(ValueError):
    """A file is no notebook; its text says why."""


class Notebook(NamedTuple):
    """What a notebook's file says, apart from what its cells have put out.

    Attributes:
        language: The kernel's language, in small letters.
        text: Its code cells, joined.
    """

    language: str
    text: str


def is_notebook(path: str) -> bool:
    """Tell by its name whether a file is a notebook."""
    return path.lower().endswith(_ENDING)


def is_raw(path: str, text: str) -> bool:
    """Tell whether a text is a notebook's file as it stands on disk, with what cells put out."""
    return is_notebook(path) and _RAW.match(text) is not None


def as_shown(text: str) -> str:
    """Return a cell's text as it stands among others: as long, with as many lines.

    A carriage return at its end would make one break with the line feed that follows.
    """
    body = text.rstrip("\r")
    return body + "\n" * (len(text) - len(body))


def of_kernel(head: str) -> bool:
    """Tell by the first characters of a code cell whether the kernel itself runs it."""
    magic = _CELL_MAGIC.match(head)
    return magic is None or magic[1] in _WATCHING


def kernel_language(metadata: object) -> str:
    """Return the language in a notebook's metadata, in small letters; nothing if it tells none."""
    for place in _METADATA:
        for path in (("language_info", "name"), ("kernelspec", "language")):
            name = _at(metadata, *place, *path)
            if isinstance(name, str) and name:
                return name.lower()
    return ""


def main_language(kernel: str, cells: Iterable[str]) -> str:
    """Return the language whose cells make the document.

    Args:
        kernel: The kernel's, as far as it is known.
        cells: The language of each code cell, as the editor names it.
    """
    counts: dict[str, int] = {}
    for language in cells:
        counts[language] = counts.get(language, 0) + 1
    if kernel in counts or not counts:
        return kernel
    return max(counts, key=lambda language: counts[language])


def read_notebook(text: str) -> Notebook:
    """Read a notebook's file.

    Raises:
        NotebookError: It is none.
    """
    try:
        found = json.loads(text.removeprefix("\ufeff"))
    except ValueError:
        raise NotebookError("it is not JSON") from None
    except RecursionError:
        raise NotebookError("it is nested too deeply") from None
    cells = _at(found, "cells")
    if cells is None and isinstance(sheets := _at(found, "worksheets"), list):
        # Version 3 of the format.
        cells = [cell for sheet in sheets for cell in _list(_at(sheet, "cells"))]
    if not isinstance(cells, list):
        raise NotebookError("it has no cells")
    language = kernel_language(_at(found, "metadata")) or _USUAL
    codes = [_code(cell, language) for cell in cells]
    texts = [as_shown(code) for code in codes if code is not None]
    return Notebook(language, SEPARATOR.join(texts))


def _code(cell: object, language: str) -> str | None:
    """Return the text of a cell that the kernel runs, or None for any other."""
    if _at(cell, "cell_type") != "code":
        return None
    # Editors keep the language of a cell here that is in another one.
    own = _at(cell, "metadata", "vscode", "languageId") or _at(cell, "language") or language
    source = _at(cell, "source")
    lines = _at(cell, "input") if source is None else source
    text = lines if isinstance(lines, str) else "".join(map(str, _list(lines)))
    return text if str(own).lower() == language and of_kernel(text[:HEAD]) else None


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _at(value: object, *path: str) -> object:
    for key in path:
        if not isinstance(value, dict):
            return None
        value = value.get(key)
    return value
