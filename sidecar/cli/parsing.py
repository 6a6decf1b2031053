"""Argument parsers whose errors are one line, and whose subcommands are imported when called.

A subcommand is a module of this package with three names: `EXAMPLE` (a command line and what it
does), `configure(parser)` and `run(args) -> int`. May import the standard library and `errors`.
"""

from __future__ import annotations

import argparse
import difflib
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn, Protocol, cast

from sidecar.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

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

    # argparse declares overloads here, of which a parser is only ever called in this way.
    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Parse, and refuse what nobody knows."""
        known, unknown = super().parse_known_args(args, namespace)
        if unknown:
            # The parser around this one would refuse them as well, and point to its own help.
            guess = _guess(unknown[0].partition("=")[0], self._option_string_actions)
            raise UsageError(
                f"unrecognized arguments: {' '.join(unknown)}", f"{guess}see `{self.prog} --help`"
            )
        return known, unknown

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        # The inherited one lists all commands, of which there are many.
        if isinstance(action, argparse._SubParsersAction) and value not in action.choices:
            kind = str(action.metavar or "command").lower()
            raise UsageError(
                f"`{self.prog}` has no {kind} {value!r}",
                f"{_guess(value, action.choices)}see `{self.prog} --help`",
            )
        super()._check_value(action, value)

    def _print_message(self, message: str, file: Any = None) -> None:
        # The inherited one hides that a help text could not be written, as on a full disk.
        if message:
            (file or sys.stderr).write(message)


class LazyParser(Parser):
    """A subcommand's parser: it imports the subcommand when there is something to parse."""

    def __init__(self, *, module: str, **options: Any) -> None:
        super().__init__(**options)
        self._module: str | None = module

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
        return super().parse_known_args(args, namespace)


def _guess(word: str, known: Iterable[str]) -> str:
    """Return the question for what was meant, if something is written nearly so."""
    near = difflib.get_close_matches(word, known, n=1)
    return f"did you mean `{near[0]}`? " if near else ""
