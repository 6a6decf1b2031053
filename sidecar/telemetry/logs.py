"""Logging of every process: where it goes, how much, and that no source code is ever in it.

Our own log calls pass no user text; that is a rule of the house. What cannot be ruled is what
others log, so two guards stand in every handler: a record of a library keeps its unformatted
message only (pygls logs whole request bodies in the arguments), and an exception is written by its
type and places, never by its message, which may quote the text that caused it. May import the
standard library and `errors`.
"""

from __future__ import annotations

import logging
import os
import re
import sys
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from sidecar.errors import SidecarError, UsageError

if TYPE_CHECKING:
    from types import TracebackType

__all__ = ["CodeFreeFormatter", "Level", "LogSettings", "configure_logging"]

Level = Literal["debug", "info", "warning", "error"]

#: Libraries that log what they are given, source code included; they are never asked for more than
#: warnings.
TALKATIVE = ("pygls", "lsprotocol", "asyncio", "huggingface_hub", "httpx", "urllib3")

#: A place for an argument in an unformatted message.
_PLACE = re.compile(r"%[-#+ 0-9.]*[a-z]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class LogSettings:
    """Where logs go.

    Args:
        level: Least severity that is written.
        file: A file to append to, readable by its user only; None writes to standard error.
    """

    level: Level = "warning"
    file: Path | None = None


class CodeFreeFormatter(logging.Formatter):
    """Formats records without anything that could quote a document."""

    def format(self, record: logging.LogRecord) -> str:
        """Format a record; records of other packages lose their arguments and further lines."""
        if not record.name.startswith("sidecar") and record.args:
            told = _PLACE.sub("…", str(record.msg).partition("\n")[0])
            record = logging.makeLogRecord({**record.__dict__, "msg": told, "args": ()})
        # The text of an exception is cached on the record by whoever formatted it first.
        record.exc_text = None
        record.stack_info = None
        return super().format(record)

    def formatException(
        self,
        ei: tuple[type[BaseException], BaseException, TracebackType | None]
        | tuple[None, None, None],
    ) -> str:
        """Write an exception as its type and the places it passed, innermost last."""
        kind, error, trace = ei
        if kind is None or error is None:
            return ""
        head = f"{kind.__name__}: {error}" if isinstance(error, SidecarError) else kind.__name__
        places = [
            f"  {Path(frame.filename).name}:{frame.lineno} in {frame.name}"
            for frame in traceback.extract_tb(trace)
        ]
        return "\n".join([head, *places])


def configure_logging(settings: LogSettings) -> logging.Handler:
    """Send the logs of this process to one place; calling it again moves them.

    Args:
        settings: Level and file.

    Returns:
        The handler that was installed.

    Raises:
        UsageError: The log file cannot be opened.
    """
    handler: logging.Handler
    if settings.file is None:
        handler = logging.StreamHandler(sys.stderr)
    else:
        handler = _file_handler(settings.file)
    handler.setFormatter(CodeFreeFormatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger()
    for old in list(root.handlers):
        if isinstance(old.formatter, CodeFreeFormatter):
            root.removeHandler(old)
            old.close()
    root.addHandler(handler)
    handler.setLevel(settings.level.upper())
    logging.getLogger("sidecar").setLevel(settings.level.upper())
    for name in TALKATIVE:
        logging.getLogger(name).setLevel(logging.WARNING)
    return handler


def _file_handler(path: Path) -> logging.Handler:
    """Open a log file that only its user can read; an existing one is narrowed."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        if os.name == "posix":
            os.fchmod(descriptor, 0o600)
    except OSError as error:
        raise UsageError(
            f"the log file {path} cannot be written ({error.strerror})",
            "name a file in a folder that exists and is yours",
        ) from error
    os.close(descriptor)
    # Unlike a handler of a stream, this one closes what it has opened.
    return logging.FileHandler(path, encoding="utf-8", errors="replace")
