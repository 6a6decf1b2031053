"""Values of arguments: what argparse calls to turn a word of the command line into a value.

Each refuses in words; argparse adds the name of the argument. May import `models` lazily.
"""

from __future__ import annotations

import argparse
import re

__all__ = ["count", "duration", "model_choice", "natural"]

_SECONDS = {"h": 3600.0, "m": 60.0, "s": 1.0}


def count(text: str) -> int:
    """Read a number from 1 on."""
    number = natural(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def natural(text: str) -> int:
    """Read a number from 0 on."""
    try:
        number = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number") from None
    if number < 0:
        raise argparse.ArgumentTypeError("must not be negative")
    return number


def duration(text: str) -> float:
    """Read a time such as `90s`, `30m` or `1h30m`, as seconds."""
    parts = re.fullmatch(r"(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?", text.strip())
    numbers = [int(part or 0) for part in parts.groups()] if parts else []
    seconds = sum(number * size for number, size in zip(numbers, _SECONDS.values(), strict=False))
    if not seconds:
        raise argparse.ArgumentTypeError(f"{text!r} is no time; write it as 90s, 30m or 1h30m")
    return seconds


def model_choice(text: str) -> str:
    """Read the name of a model of the catalogue, or the path of a file.

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
