"""`sidecar bench`: benchmarks of speed and quality on this machine, each a subcommand.

Nothing is saved unless a file is named for it. May import `bench`, and `output`, `parsing`,
`bench_report` and modules of single benchmarks of this package.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from sidecar.cli import (
    bench_context,
    bench_drafts,
    bench_fronts,
    bench_index,
    bench_infilling,
    bench_quality,
    bench_session,
    bench_soak,
)
from sidecar.cli.advice import told_here
from sidecar.cli.arguments import MODEL, count, limits_of, model_choice, whole
from sidecar.cli.bench_model import model_settings
from sidecar.cli.output import emit_json, note
from sidecar.cli.parsing import Parser

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable


__all__ = ["EXAMPLE", "configure", "run"]

EXAMPLE = "sidecar bench typing src/app.py --lines 24 --keys 10"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the subcommands."""
    commands = parser.add_subparsers(
        dest="benchmark", metavar="BENCHMARK", required=True, parser_class=Parser
    )
    _configure_typing(commands)
    _configure_cancel(commands)
    _configure_own(commands)


def run(args: argparse.Namespace) -> int:
    """Do what the subcommand says, and return the exit code."""
    from sidecar.bench.isolation import own_runtime

    with told_here(), own_runtime():
        code: int = args.do(args)
    return code


def _configure_typing(commands: argparse._SubParsersAction[Parser]) -> None:
    typing = _command(
        commands,
        "typing",
        "type lines of files again through a real server, and time what becomes visible",
        f"{EXAMPLE} --json",
        _typing,
    )
    typing.add_argument(
        "files",
        nargs="+",
        type=Path,
        metavar="PATH",
        help="source files; of the scenarios `session` and `places` one folder",
    )
    typing.add_argument(
        "--lines",
        type=count,
        metavar="N",
        default=24,
        help="lines to type, over all files (default: %(default)s)",
    )
    typing.add_argument(
        "--keys",
        type=count,
        metavar="N",
        help="characters to type of each line (default: 10); of a session, in all (default: 600)",
    )
    typing.add_argument(
        "--seed", type=whole, metavar="N", default=5, help="which lines (default: %(default)s)"
    )
    for side, where, default in (("before", "above", 256), ("after", "below", 64)):
        limits = limits_of("context", f"{side}Lines")
        typing.add_argument(
            f"--{side}-lines",
            type=limits,
            metavar="N",
            default=default,
            help=f"lines {where} that the model may see, {limits} (default: %(default)s)",
        )
    typing.add_argument(
        "--autoclose", action="store_true", help="close brackets and quotes as VS Code does"
    )
    typing.add_argument(
        "--peer",
        metavar="URL",
        help="type the same to llama-server at a loopback address (scripts/peer starts one)",
    )
    bench_session.configure(typing)


def _configure_cancel(commands: argparse._SubParsersAction[Parser]) -> None:
    cancel = _command(
        commands,
        "cancel",
        "give up requests in the middle of a long prompt, and time until nothing works on them",
        "sidecar bench cancel --rounds 5",
        _cancel,
    )
    cancel.add_argument(
        "--rounds",
        type=count,
        metavar="N",
        default=5,
        help="requests to give up (default: %(default)s)",
    )
    cancel.add_argument(
        "--tokens",
        type=count,
        metavar="N",
        default=2000,
        help="tokens of each prompt (default: %(default)s)",
    )
    cancel.add_argument(
        "--seed",
        type=whole,
        metavar="N",
        default=5,
        help="when they are given up (default: %(default)s)",
    )


def _configure_own(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the benchmarks that are modules of their own."""
    for name, module, model, does in (
        (
            "infilling",
            bench_infilling,
            True,
            "guess the rest of lines, by prompt layout, with and without token healing",
        ),
        (
            "drafts",
            bench_drafts,
            True,
            "complete with drafts and without: what that saves, and whether the text is the same",
        ),
        (
            "index",
            bench_index,
            False,
            "index a copy of a folder, edit it through real servers, and time what becomes known",
        ),
        (
            "quality",
            bench_quality,
            True,
            "complete lines that need other files, with context of these and without",
        ),
        (
            "context",
            bench_context,
            False,
            "make prompts at places of a project: how large, how fast, and how much of them stays",
        ),
        (
            "soak",
            bench_soak,
            True,
            "work in files for long while servers are killed, and look for what is lost",
        ),
        (
            "fronts",
            bench_fronts,
            True,
            "type in one editor while another one types and has a long prompt evaluated",
        ),
    ):
        parser = _command(commands, name, does, module.EXAMPLE, module.run, model=model)
        module.configure(parser)


def _command(
    commands: argparse._SubParsersAction[Parser],
    name: str,
    does: str,
    example: str,
    do: Callable[[argparse.Namespace], int],
    *,
    model: bool = True,
) -> Parser:
    parser = commands.add_parser(
        name,
        help=does,
        description=f"{does[0].upper()}{does[1:]}.",
        epilog=f"example:\n  {example}",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    if model:
        parser.add_argument(
            "--model",
            type=model_choice,
            metavar=MODEL,
            help="a model of the catalogue, or a GGUF file "
            "(default: the one that suits this machine)",
        )
    parser.set_defaults(do=do)
    return parser


def _typing(args: argparse.Namespace) -> int:
    if args.scenario != "lines":
        return bench_session.run(args)
    from sidecar.bench.peer import Peer
    from sidecar.bench.typing import (
        TypingPlan,
        choose_cases,
        run_peer,
        run_typing,
        summarize,
    )
    from sidecar.cli.bench_report import BenchProgress, print_typing

    plan = TypingPlan(
        files=tuple(args.files),
        lines=args.lines,
        keys=args.keys or 10,
        seed=args.seed,
        before_lines=args.before_lines,
        after_lines=args.after_lines,
        autoclose=args.autoclose,
        settings=model_settings(args.model),
    )
    cases = choose_cases(plan)
    peer = Peer(args.peer) if args.peer else None
    if peer is not None:
        # Now, not after minutes of our own turn.
        note(f"the peer at {args.peer} runs {peer.model() or 'a model that it does not name'}")
    theirs = None
    with BenchProgress("typing, lines") as shown:
        ours, refused = asyncio.run(run_typing(plan, cases, shown.at))
    if peer is not None:
        with peer, BenchProgress("the peer, lines") as shown:
            theirs = run_peer(plan, cases, peer, shown.at)
    summary = summarize(ours, refused, theirs)
    summary["lines"] = len(cases)
    if args.json:
        emit_json(summary)
    else:
        print_typing(summary)
    return 0


def _cancel(args: argparse.Namespace) -> int:
    from sidecar.bench.cancel import run_cancel, summarize
    from sidecar.cli.bench_report import BenchProgress, print_cancel

    with BenchProgress("cancelling, rounds") as shown:
        rounds = asyncio.run(
            run_cancel(
                rounds=args.rounds,
                prompt_tokens=args.tokens,
                seed=args.seed,
                settings=model_settings(args.model),
                on_done=shown.at,
            )
        )
    summary = summarize(rounds)
    if args.json:
        emit_json(summary)
    else:
        print_cancel(summary)
    return 0
