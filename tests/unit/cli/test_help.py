"""What help texts tell of arguments, and that every word which is no value is refused in words."""

from __future__ import annotations

import argparse
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sidecar.cli.arguments import MODEL, Limits, count, model_choice, model_name, natural, whole
from sidecar.cli.main import COMMANDS
from sidecar.cli.parsing import Parser
from sidecar.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator


def arguments(parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.Action]]:
    """Yield each argument of a command and of those below it, with the command's name."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                yield from arguments(below)
        elif not isinstance(action, argparse._HelpAction):
            yield parser.prog, action


def all_arguments() -> list[tuple[str, argparse.Action]]:
    found = []
    for name in COMMANDS:
        parser = Parser(prog=f"sidecar {name}")
        import_module(f"sidecar.cli.{name.replace('-', '_')}").configure(parser)
        found += arguments(parser)
    return found


ARGUMENTS = [
    pytest.param(action, id=f"{prog} {'/'.join(action.option_strings) or action.dest}")
    for prog, action in all_arguments()
]
NO_VALUES = ("abc", "", "-1", "1e999", "nan", "\0", "\ud800", "9" * 5_000)


@pytest.mark.parametrize("argument", ARGUMENTS)
def test_every_argument_is_explained_and_named_in_one_way(argument: argparse.Action) -> None:
    assert argument.help
    read = argument.type
    if read in (model_choice, model_name):
        assert argument.metavar == MODEL
    elif read in (count, natural, whole) or isinstance(read, Limits):
        assert argument.metavar == "N"
    elif argument.nargs != 0 and not argument.choices:
        assert isinstance(argument.metavar, str) and argument.metavar.isupper()
    if isinstance(read, Limits):
        assert f"{read.least} to {read.most}" in argument.help


def test_what_is_no_value_is_refused_in_words() -> None:
    """What else escapes, argparse tells with the name of the function."""
    readers = {param.values[0].type for param in ARGUMENTS} - {None, Path}
    assert len(readers) > 10
    for read in readers:
        for word in NO_VALUES:
            # A few take some of these.
            with suppress(argparse.ArgumentTypeError, UsageError):
                read(word)
