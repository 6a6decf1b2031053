"""Values of arguments: what argparse calls to turn a word of the command line into a value.

Each refuses in words; argparse adds the name of the argument. May import `settings`, and `models`
and `remote` lazily.
"""

from __future__ import annotations

import argparse
import math
import os
import re
import stat
from dataclasses import dataclass

from sidecar.cli.advice import fix_here
from sidecar.errors import EngineError, UsageError
from sidecar.settings import json_schema

__all__ = [
    "MODEL",
    "Limits",
    "add_tasks",
    "count",
    "duration",
    "limits_of",
    "model_choice",
    "model_name",
    "natural",
    "number",
    "positive",
    "remote_address",
    "seconds",
    "whole",
]

#: What an option that takes either is called in help texts.
MODEL = "NAME_OR_PATH"

_SECONDS = {"h": 3600.0, "m": 60.0, "s": 1.0}


def whole(text: str) -> int:
    """Read a whole number."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number") from None


def natural(text: str) -> int:
    """Read a number from 0 on."""
    value = whole(text)
    if value < 0:
        raise argparse.ArgumentTypeError("must not be negative")
    return value


def count(text: str) -> int:
    """Read a number from 1 on."""
    value = natural(text)
    if value < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return value


@dataclass(frozen=True, slots=True)
class Limits:
    """Reads a number within limits.

    Args:
        least: The smallest that is taken.
        most: The largest that is taken.
    """

    least: int
    most: int

    def __call__(self, text: str) -> int:
        """Read a number."""
        value = whole(text)
        if value < self.least:
            raise argparse.ArgumentTypeError(f"must be at least {self.least}")
        if value > self.most:
            raise argparse.ArgumentTypeError(f"must be at most {self.most}")
        return value

    def __str__(self) -> str:
        return f"{self.least} to {self.most}"


def limits_of(group: str, key: str) -> Limits:
    """Return what reads an option that is a setting, within the limits of that.

    Args:
        group: The group of the setting.
        key: Its name in that.
    """
    schema = json_schema()["properties"][group]["properties"][key]
    return Limits(schema["minimum"], schema["maximum"])


def number(text: str) -> float:
    """Read a number."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number")
    return value


def positive(text: str) -> float:
    """Read a number above 0."""
    value = number(text)
    if value <= 0:
        raise argparse.ArgumentTypeError("must be above 0")
    return value


def seconds(text: str) -> float:
    """Read a number of seconds from 0 on."""
    value = number(text)
    if value < 0:
        raise argparse.ArgumentTypeError("must not be negative")
    return value


def duration(text: str) -> float:
    """Read a time such as `90s`, `30m` or `1h30m`, as seconds."""
    parts = re.fullmatch(r"(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?", text.strip())
    numbers = [int(part or 0) for part in parts.groups()] if parts else []
    total = sum(value * size for value, size in zip(numbers, _SECONDS.values(), strict=False))
    if not total:
        raise argparse.ArgumentTypeError(f"{text!r} is no time; write it as 90s, 30m or 1h30m")
    return total


def model_name(text: str) -> str:
    """Read the name of a model of the catalogue, or a path, where what lies there is told later.

    Raises:
        UsageError: The catalogue has no such name.
    """
    from sidecar.models.catalogue import load_catalogue
    from sidecar.models.files import is_path

    if not text.strip():
        raise argparse.ArgumentTypeError("must not be empty")
    if not is_path(text):
        load_catalogue().require(text)
    return text


def model_choice(text: str) -> str:
    """Read the name of a model of the catalogue, or the path of a file.

    Raises:
        UsageError: The catalogue has no such name, or there is no such file.
    """
    from sidecar.models.files import is_path

    if not is_path(model_name(text)):
        return text
    fix = "give the path of a GGUF file, or a name that `sidecar models list` shows"
    try:
        mode = os.stat(os.path.expanduser(text)).st_mode
    except (FileNotFoundError, NotADirectoryError, ValueError):
        raise UsageError(f"there is no file {text}", fix) from None
    except OSError:
        # Who reads it tells what is in the way.
        return text
    if not stat.S_ISREG(mode):
        what = "is a directory" if stat.S_ISDIR(mode) else "is not a regular file"
        raise UsageError(f"{text} {what}", fix)
    return text


def remote_address(text: str) -> str:
    """Read the address of a server that completes.

    Raises:
        UsageError: It is none, or none that code is sent to.
    """
    from sidecar.remote.spec import base_of

    if not text.strip():
        raise argparse.ArgumentTypeError("must not be empty")
    try:
        base_of(text)
    except EngineError as error:
        raise UsageError(error.what, fix_here(error)) from None
    return text


def add_tasks(parser: argparse.ArgumentParser, limit: int) -> None:
    """Add the arguments of a benchmark that completes lines: how many tasks, and which.

    Args:
        parser: The benchmark's.
        limit: How many by default.
    """
    parser.add_argument(
        "--limit", type=count, metavar="N", default=limit, help="tasks (default: %(default)s)"
    )
    parser.add_argument(
        "--seed",
        type=whole,
        metavar="N",
        default=3,
        help="which tasks and cursors (default: %(default)s)",
    )
