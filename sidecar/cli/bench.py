"""`sidecar bench`: typing over LSP, infilling, cancelling, the index, contexts, on this machine.

Nothing is saved unless a file is named for it. May import `bench`, and `output`, `parsing`,
`bench_report` and modules of single benchmarks of this package.
"""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sidecar.cli import bench_context, bench_index, bench_quality
from sidecar.cli.arguments import count, model_choice, natural
from sidecar.cli.output import emit_json, note
from sidecar.cli.parsing import Parser
from sidecar.errors import SidecarError

if TYPE_CHECKING:
    from collections.abc import Callable

    from sidecar.bench.infilling import Outcomes, Variant
    from sidecar.bench.tasks import Task

__all__ = ["EXAMPLE", "configure", "run"]

EXAMPLE = "sidecar bench typing src/app.py --lines 24 --keys 10"

#: The engine is there for the benchmark alone.
_IDLE_SECONDS = 5


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the subcommands."""
    commands = parser.add_subparsers(
        dest="benchmark", metavar="BENCHMARK", required=True, parser_class=Parser
    )
    _configure_typing(commands)
    _configure_infilling(commands)
    _configure_cancel(commands)
    _configure_own(commands)


def run(args: argparse.Namespace) -> int:
    """Do what the subcommand says, and return the exit code."""
    from sidecar.bench.isolation import own_runtime

    with own_runtime():
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
    typing.add_argument("files", nargs="+", type=Path, metavar="FILE", help="source files")
    typing.add_argument(
        "--lines",
        type=count,
        default=24,
        help="lines to type, over all files (default: %(default)s)",
    )
    typing.add_argument(
        "--keys", type=count, default=10, help="characters to type of each (default: %(default)s)"
    )
    typing.add_argument("--seed", type=int, default=5, help="which lines (default: %(default)s)")
    typing.add_argument(
        "--before-lines",
        type=count,
        default=256,
        help="lines above that the model may see (default: %(default)s)",
    )
    typing.add_argument(
        "--after-lines",
        type=natural,
        default=64,
        help="lines below that the model may see (default: %(default)s)",
    )
    typing.add_argument(
        "--autoclose", action="store_true", help="close brackets and quotes as VS Code does"
    )
    typing.add_argument(
        "--peer",
        metavar="URL",
        help="type the same to llama-server at a loopback address (scripts/peer starts one)",
    )


def _configure_infilling(commands: argparse._SubParsersAction[Parser]) -> None:
    infilling = _command(
        commands,
        "infilling",
        "guess the rest of lines, by prompt layout, with and without token healing",
        "sidecar bench infilling src --limit 100 --seed 3 --resume run.jsonl",
        _infilling,
    )
    infilling.add_argument(
        "data", type=Path, metavar="DATA", help="HumanEval infilling as JSONL, or a folder of code"
    )
    infilling.add_argument("--limit", type=count, default=100, help="tasks (default: %(default)s)")
    infilling.add_argument(
        "--seed", type=int, default=3, help="which tasks and cursors (default: %(default)s)"
    )
    infilling.add_argument(
        "--layout",
        action="append",
        choices=("plain", "anchored"),
        help="only this layout; may be given twice (default: both)",
    )
    infilling.add_argument(
        "--heal",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="only with, or only without healing (default: both)",
    )
    infilling.add_argument(
        "--pair",
        action="store_true",
        help="only the two whose difference is reported: anchored and healed against plain and "
        "not healed; half the time",
    )
    infilling.add_argument(
        "--resume",
        type=Path,
        metavar="FILE",
        help="keep results in this file as they come, and go on with what it holds",
    )


def _configure_cancel(commands: argparse._SubParsersAction[Parser]) -> None:
    cancel = _command(
        commands,
        "cancel",
        "give up requests in the middle of a long prompt, and time until nothing works on them",
        "sidecar bench cancel --rounds 5",
        _cancel,
    )
    cancel.add_argument(
        "--rounds", type=count, default=5, help="requests to give up (default: %(default)s)"
    )
    cancel.add_argument(
        "--tokens", type=count, default=2000, help="tokens of each prompt (default: %(default)s)"
    )
    cancel.add_argument(
        "--seed", type=int, default=5, help="when they are given up (default: %(default)s)"
    )


def _configure_own(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the benchmarks that are modules of their own."""
    for name, module, model, does in (
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
            metavar="NAME|FILE",
            help="default: the one that suits this machine",
        )
    parser.set_defaults(do=do)
    return parser


def _typing(args: argparse.Namespace) -> int:
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
        keys=args.keys,
        seed=args.seed,
        before_lines=args.before_lines,
        after_lines=args.after_lines,
        autoclose=args.autoclose,
        settings=_settings(args.model),
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


def _infilling(args: argparse.Namespace) -> int:
    from sidecar.bench.infilling import VARIANTS, summarize
    from sidecar.bench.tasks import load_tasks
    from sidecar.cli.bench_report import print_infilling

    tasks = load_tasks(args.data, limit=args.limit, seed=args.seed)
    if len(tasks) < args.limit:
        note(f"{args.data} holds {len(tasks)} tasks")
    variants = [
        variant
        for variant in VARIANTS
        if (not args.layout or variant.layout in args.layout)
        and args.heal in (None, variant.heal)
        and (not args.pair or variant in (VARIANTS[0], VARIANTS[-1]))
    ]
    try:
        outcomes = asyncio.run(_measure(args, tasks, variants))
    except KeyboardInterrupt:
        if args.resume is None:
            raise
        raise SidecarError(
            "the benchmark was stopped", f"run it again: {args.resume} holds what was done"
        ) from None
    summary = summarize(outcomes, variants, args.seed)
    if args.json:
        emit_json(summary)
    else:
        print_infilling(summary)
    return 0


async def _measure(
    args: argparse.Namespace, tasks: list[Task], variants: list[Variant]
) -> Outcomes:
    from sidecar.bench.infilling import Placement, measure
    from sidecar.bench.journal import Journal
    from sidecar.cli.bench_report import BenchProgress
    from sidecar.completion.planning import list_devices, plan_engine
    from sidecar.engine.client import EngineClient
    from sidecar.settings import load

    chosen = _settings(args.model)
    # Nobody waits for a single answer here, so large chunks save reading the weights again.
    chosen["engine"]["chunkMs"] = 1000
    settings, _ = load(chosen)
    engine = plan_engine(settings, await list_devices(settings))
    journal = None
    if args.resume is not None:
        about = {
            "benchmark": "infilling",
            "data": args.data.name,
            "seed": args.seed,
            "model": engine.model.identity,
        }
        journal = Journal(args.resume, about)
    entry = engine.model.entry
    placement = Placement(use_body=entry is None or entry.anchor == "body")
    client = EngineClient(engine.spec, check=engine.check)
    await client.start()
    try:
        await client.ready()
        with BenchProgress("infilling, tasks") as shown:
            return await measure(client, tasks, variants, placement, journal, shown.at)
    finally:
        await client.close()


def _cancel(args: argparse.Namespace) -> int:
    from sidecar.bench.cancel import run_cancel, summarize
    from sidecar.cli.bench_report import BenchProgress, print_cancel

    with BenchProgress("cancelling, rounds") as shown:
        rounds = asyncio.run(
            run_cancel(
                rounds=args.rounds,
                prompt_tokens=args.tokens,
                seed=args.seed,
                settings=_settings(args.model),
                on_done=shown.at,
            )
        )
    summary = summarize(rounds)
    if args.json:
        emit_json(summary)
    else:
        print_cancel(summary)
    return 0


def _settings(model: str | None) -> dict[str, dict[str, Any]]:
    """Return settings that choose a model: a benchmark does not depend on the user's own."""
    from sidecar.models.files import is_path

    chosen = {"path" if is_path(model) else "name": model} if model else {}
    return {"model": chosen, "engine": {"idleSeconds": _IDLE_SECONDS}}
