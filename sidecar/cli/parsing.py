"""Argument parsers whose errors are one line, and whose subcommands are imported when called.

A subcommand is a module of this package with three names: `EXAMPLE` (a command line and what it
does), `configure(parser)` and `run(args) -> int`. May import the standard library and `errors`.
"""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn, Protocol, cast

from sidecar.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Command", "LazyParser", "Parser"]


class Command(Protocol):
    """What a module of a subcommand offers."""

    EXAMPLE: str

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Add the subcommand's arguments."""

    def run(self, args: argparse.Namespace) -> int:
        """Do it, and return the exit code."""


class Parser(argparse.ArgumentParser):
    """A parser that raises UsageError instead of printing its whole usage."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        super().__init__(allow_abbrev=False, **options)

    def error(self, message: str) -> NoReturn:
        """Refuse the arguments in one line."""
        raise UsageError(message, f"see `{self.prog} --help`")

    def _print_message(self, message: str, file: Any = None) -> None:
        # The inherited one hides that a help text could not be written, as on a full disk.
        if message:
            (file or sys.stderr).write(message)


class LazyParser(Parser):
    """A subcommand's parser: it imports the subcommand when there is something to parse."""

    def __init__(self, *, module: str, **options: Any) -> None:
        super().__init__(**options)
        self._module: str | None = module

    # argparse declares overloads here, of which a subparser is only ever called in this way.
    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Import the subcommand, let it add its arguments, and parse."""
        if self._module is not None:
            command = cast("Command", import_module(self._module))
            self._module = None
            command.configure(self)
            self.epilog = f"example:\n  {command.EXAMPLE}"
            self.set_defaults(run=command.run)
        known, unknown = super().parse_known_args(args, namespace)
        if unknown:
            # The parser around this one would refuse them as well, and point to its own help.
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return known, unknown
