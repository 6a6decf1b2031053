"""Values of arguments: what argparse calls to turn a word of the command line into a value.

Each refuses in words; argparse adds the name of the argument. May import `models` lazily.
"""

from __future__ import annotations

import argparse

__all__ = ["count", "model_choice", "natural"]


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
