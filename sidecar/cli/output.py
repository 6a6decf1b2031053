"""The only ways in which a command writes to the terminal.

Data goes to standard output, everything else to standard error, so that a command can be piped. May
import nothing of this package.
"""

from __future__ import annotations

import json
import sys

__all__ = ["emit", "emit_json", "note", "printable"]


def emit(text: str = "") -> None:
    """Write a line of data to standard output, with what that cannot show escaped."""
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")
    sys.stdout.flush()


def emit_json(value: object) -> None:
    """Write one JSON object to standard output."""
    text = json.dumps(value, indent=2, ensure_ascii=False)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        # A path whose bytes are no text, or a terminal without its letters: escaped, so that what
        # reads this can read all of it.
        text = json.dumps(value, indent=2)
    emit(text)


def note(text: str) -> None:
    """Write a line for people to standard error."""
    sys.stderr.write(f"{printable(text)}\n")
    sys.stderr.flush()


def printable(text: str) -> str:
    """Escape what a terminal would obey rather than show, such as in the name of a file."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
