"""The entry point: reads the arguments, picks server or subcommand, and turns errors into one line.

Must never import what the chosen command does not need: an editor waits for `sidecar --stdio`.
"""

from __future__ import annotations

import errno
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from sidecar import PRODUCT, PROTOCOL, __version__
from sidecar.cli.output import printable
from sidecar.cli.parsing import LazyParser, Parser
from sidecar.errors import SidecarError, UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

__all__ = ["main"]

COMMANDS = {
    "bench": "measure speed and quality on this machine, each with a benchmark of its own",
    "complete": "complete at a place in a file",
    "context": "show what the model is shown at a place in a file, and why",
    "deps": "show what a file imports and what imports it",
    "doctor": "say whether everything works here, and what to do if not",
    "index": "read a folder into its index, or what changed in it",
    "lsp-log": "show what an editor and a server said to each other, from a recording",
    "models": "list, fetch, check and remove models",
    "replay": "play a recorded session to a fresh server, and compare answers and times",
    "settings": "show the settings of editors: defaults, and what each means",
    "stats": "show what running servers and engines have counted",
    "symbols": "find declarations in a folder by name",
}

#: Commands that can tell what their time goes into.
_TRACED = ("complete",)

EPILOG = """\
examples:
  sidecar --stdio                      serve an editor
  sidecar complete src/app.py:10:5     complete at line 10, column 5
  sidecar context src/app.py:10:5      show what the model would read there, and why
  sidecar symbols parse_config         find declarations in this folder
  sidecar doctor                       check this machine
  sidecar stats --watch                see what running servers and engines do
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    Args:
        argv: The arguments without the program's name; those of the process when None.
    """
    try:
        return _flushed(sys.argv[1:] if argv is None else argv)
    except SidecarError as error:
        _say(str(error))
        return error.exit_code
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader has left.
        _give_up_output()
        return 1
    except OSError as error:
        name = f"{error.filename}: " if error.filename else ""
        _say(f"{name}{error.strerror or type(error).__name__}; {_advice(error)}")
        _give_up_output()
        return 1
    except Exception as error:
        _say(f"an error nobody expected: {_place(error)}; report it at the project's issues")
        return 1


def _flushed(argv: Sequence[str]) -> int:
    """Run the command line, and write out what it printed while errors can still be told."""
    # Python has none if it was closed at the start.
    if sys.stdout is None:
        raise SidecarError("standard output is closed", "redirect it to a file or to /dev/null")
    try:
        return _run(argv)
    finally:
        if not sys.stdout.closed:
            sys.stdout.flush()


def _give_up_output() -> None:
    """Keep the interpreter from complaining once more when it flushes at its end."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _advice(error: OSError) -> str:
    if error.errno == errno.ENOSPC:
        return "make room where the output goes"
    if isinstance(error, PermissionError):
        return "check its permissions"
    return "check the names that were given"


def _run(argv: Sequence[str]) -> int:
    args = _parser().parse_args(argv)
    if args.json and not args.version and args.command is None:
        raise UsageError("--json alone says nothing", "give it with --version, or to a subcommand")
    if args.version:
        return _version(as_json=args.json)
    if args.stdio or args.tcp is not None:
        if args.command is not None:
            raise UsageError(
                f"a server takes no command such as {args.command}", "give one or the other"
            )
        if args.tcp is not None and args.record is not None:
            raise UsageError("--tcp records nothing", "give --record with --stdio")
        # Standard output belongs to the protocol from here on.
        from sidecar.server.main import serve

        return serve(
            tcp=args.tcp,
            log_level=args.log_level,
            log_file=args.log_file,
            trace_file=args.trace,
            record_file=args.record,
        )
    if args.command is None:
        raise UsageError("no command was given", "see `sidecar --help`")
    if args.trace is not None and args.command not in _TRACED:
        raise UsageError(
            f"`sidecar {args.command}` writes no trace",
            f"give --trace with --stdio, --tcp or `{_TRACED[0]}`",
        )
    if args.record is not None:
        raise UsageError(f"`sidecar {args.command}` records nothing", "give --record with --stdio")
    _configure_logging(args)
    code: int = args.run(args)
    return code


def _parser() -> Parser:
    parser = Parser(
        prog="sidecar",
        description="Local code completion: a keystroke costs the tokens that were typed.",
        epilog=EPILOG,
    )
    parser.add_argument("--version", action="store_true", help="print the version")
    parser.add_argument("--json", action="store_true", help="with --version: print one JSON object")
    how = parser.add_mutually_exclusive_group()
    how.add_argument(
        "--stdio", action="store_true", help="serve an editor over standard input and output"
    )
    how.add_argument(
        "--tcp",
        metavar="HOST:PORT",
        help="serve an editor over a loopback port; the client must give the token that is "
        "printed (or that SIDECAR_TCP_TOKEN holds) as initializationOptions.token",
    )
    parser.add_argument(
        "--log-level",
        choices=("debug", "info", "warning", "error"),
        help="least severity that is logged (default: warning)",
    )
    parser.add_argument(
        "--log-file", type=Path, metavar="FILE", help="log to a file instead of standard error"
    )
    parser.add_argument(
        "--trace",
        type=Path,
        metavar="FILE",
        help="with a server or `complete`: write what the time of each request goes into, for "
        "chrome://tracing or ui.perfetto.dev; no code, and documents by a digest of their names",
    )
    parser.add_argument(
        "--record",
        type=Path,
        metavar="FILE",
        help="with --stdio: write down all that editor and server say, for `lsp-log` and "
        "`replay`. It holds your code, settings and paths: only you can read it, and it is sent "
        "nowhere; {pid} in its name becomes the number of the process. While it is written, short "
        "prompts are off (unless the initialization options switch context.shortFirst on), and "
        "nothing is taken from the session before: answers follow from what was said",
    )
    commands = parser.add_subparsers(
        dest="command", metavar="COMMAND", title="commands", parser_class=LazyParser
    )
    for name, text in COMMANDS.items():
        commands.add_parser(
            name,
            help=text,
            description=f"{text[0].upper()}{text[1:]}.",
            module=f"sidecar.cli.{name.replace('-', '_')}",
        )
    return parser


def _version(*, as_json: bool) -> int:
    if as_json:
        import json

        facts = {"product": PRODUCT, "version": __version__, "protocol": PROTOCOL}
        sys.stdout.write(json.dumps(facts) + "\n")
    else:
        sys.stdout.write(f"{PRODUCT} {__version__} (protocol {PROTOCOL})\n")
    return 0


def _configure_logging(args: argparse.Namespace) -> None:
    from sidecar.telemetry import LogSettings, configure_logging

    configure_logging(LogSettings(args.log_level or "warning", args.log_file))


def _say(line: str) -> None:
    # An error's text may hold a file name with a line break in it; an error is one line.
    sys.stderr.write("sidecar: " + printable(" ".join(line.split())) + "\n")


def _place(error: Exception) -> str:
    """Name an error by type and place; its message may quote what it was given."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = ""
    if trace is not None:
        code = trace.tb_frame.f_code
        where = f" in {Path(code.co_filename).name}:{trace.tb_lineno} ({code.co_name})"
    return f"{type(error).__name__}{where}"
