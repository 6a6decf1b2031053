"""`sidecar bench quality`: what context of other files is worth, on real lines that need it.

May import `bench`, and `arguments`, `bench_report`, `output` and `running` of this package.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from sidecar.cli.arguments import add_tasks, count, number
from sidecar.cli.bench_model import model_settings
from sidecar.cli.output import emit_json, note
from sidecar.errors import SidecarError, UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from sidecar.bench.quality import Answers
    from sidecar.bench.quality_prompts import Variant
    from sidecar.bench.quality_tasks import QualityTask, Tree
    from sidecar.settings import Settings

__all__ = ["EXAMPLE", "configure", "run"]

EXAMPLE = (
    "sidecar bench quality code/* --limit 150 --seed 3 --variants full current-file ring"
    " --resume run.jsonl"
)

#: Room for a ring, or a whole file, with a window.
_CONTEXT_TOKENS = 12_288
#: What other lanes hold costs time in each pass, and one holds what the next prompt begins with.
_LANES = 1
#: What the product shows on a machine that reads a hundred tokens a second.
_HEAD_TOKENS = 512
#: Log-probability of a line from which on it is shown, if nothing is said: chosen on other packages
#: than those that it was tried on, where it showed 63 % of lines, 63 % of these right.
_THRESHOLD = -1.4
#: The precision that a threshold is chosen for.
_PRECISION = 0.6


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    from sidecar.bench.quality_prompts import SOURCES, VARIANTS
    from sidecar.bench.quality_tasks import KINDS, MIXED, POSITIONS

    parser.add_argument(
        "paths", nargs="+", type=Path, metavar="PATH", help="folders of code, a project each"
    )
    add_tasks(parser, 150)
    parser.add_argument(
        "--without",
        nargs="+",
        default=[],
        metavar="SOURCE",
        help=f"also without each of these sources, or `each` of those in use: {', '.join(SOURCES)}",
    )
    parser.add_argument(
        "--variants",
        nargs="+",
        default=["full", "current-file"],
        metavar="VARIANT",
        help=f"{', '.join(VARIANTS)} (default: full current-file)",
    )
    parser.add_argument(
        "--kinds",
        nargs="+",
        choices=(*KINDS, MIXED),
        default=list(KINDS),
        metavar="KIND",
        help=f"what lines need: {', '.join(KINDS)}; or {MIXED}: any line (default: all but that)",
    )
    parser.add_argument(
        "--positions",
        nargs="+",
        choices=POSITIONS,
        default=list(POSITIONS),
        metavar="POSITION",
        help=f"only tasks whose cursor stands there: {', '.join(POSITIONS)} (default: all)",
    )
    parser.add_argument(
        "--head-tokens",
        type=count,
        metavar="N",
        default=_HEAD_TOKENS,
        help="most tokens of what stands before the window (default: %(default)s)",
    )
    parser.add_argument(
        "--threshold",
        type=number,
        metavar="LOG",
        default=_THRESHOLD,
        help="log-probability from which on a line is shown (default: %(default)s)",
    )
    parser.add_argument(
        "--choose-threshold",
        action="store_true",
        help="find the threshold that shows most lines of which "
        f"{100 * _PRECISION:.0f} %% are right",
    )
    parser.add_argument(
        "--most-tokens",
        type=count,
        metavar="N",
        default=4_000,
        help="tasks are in files of at most so many tokens (default: %(default)s)",
    )
    parser.add_argument("--tasks", action="store_true", help="only list the tasks")
    parser.add_argument(
        "--resume",
        type=Path,
        metavar="FILE",
        help="keep answers in this file as they come, and go on with what it holds; it holds code",
    )


def run(args: argparse.Namespace) -> int:
    """Measure, and print what came out."""
    from sidecar.bench.quality_scores import summarize
    from sidecar.cli.bench_report import print_quality

    settings, usual = _settings(args)
    variants = _variants(args, usual)
    with ExitStack() as stack:
        trees = _trees(args.paths, stack)
        tasks = _tasks(args, trees)
        if args.tasks:
            _list(tasks, as_json=args.json)
            return 0
        try:
            answers = asyncio.run(_measure(args, settings, trees, tasks, variants))
        except KeyboardInterrupt:
            if args.resume is None:
                raise
            raise SidecarError(
                "the benchmark was stopped", f"run it again: {args.resume} holds what was done"
            ) from None
    summary = summarize(
        tasks,
        answers,
        threshold=args.threshold,
        seed=args.seed,
        precision=_PRECISION if args.choose_threshold else None,
    )
    if args.json:
        emit_json(summary)
    else:
        print_quality(summary)
    return 0


def _settings(args: argparse.Namespace) -> tuple[Settings, frozenset[str]]:
    """Return settings for the engine, and the sources of the full context."""
    from sidecar.settings import load

    chosen = model_settings(args.model)
    # Nobody waits for a single answer here, so large chunks save reading the weights again.
    chosen["engine"] |= {"chunkMs": 5000, "contextTokens": _CONTEXT_TOKENS, "lanes": _LANES}
    settings, _ = load(chosen)
    return settings, frozenset(settings.context.sources)


def _variants(args: argparse.Namespace, usual: frozenset[str]) -> list[Variant]:
    from sidecar.bench.quality_prompts import variant_of

    without = sorted(usual) if args.without == ["each"] else args.without
    names = [*args.variants, *(f"without:{source}" for source in without)]
    return [variant_of(name, usual) for name in dict.fromkeys(names)]


def _trees(paths: Sequence[Path], stack: ExitStack) -> list[Tree]:
    from sidecar.bench.quality_tasks import indexed

    for path in paths:
        if not path.is_dir():
            raise UsageError(f"{path} is not a folder", "name folders of code")
    names = [path.resolve().name for path in paths]
    if len(set(names)) < len(names):
        raise UsageError("two of the folders have the same name", "name each project once")
    cache = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="sidecar-bench-")))
    note(f"indexing {len(paths)} folder{'s' * (len(paths) != 1)}")
    return [stack.enter_context(indexed(path, cache)) for path in paths]


def _tasks(args: argparse.Namespace, trees: Sequence[Tree]) -> list[QualityTask]:
    from sidecar.bench.quality_tasks import choose, tasks_of

    found = [
        task
        for tree in trees
        for task in tasks_of(tree, seed=args.seed, kinds=args.kinds, most_tokens=args.most_tokens)
        if task.position in args.positions
    ]
    if not found:
        raise UsageError(
            "no line of these folders needs another file", "name folders of projects with imports"
        )
    tasks = choose(found, args.limit, args.seed)
    if len(tasks) < args.limit:
        note(f"there are {len(tasks)} tasks")
    return tasks


def _list(tasks: Sequence[QualityTask], *, as_json: bool) -> None:
    from sidecar.cli.output import emit

    if as_json:
        keys = ("name", "kind", "position", "needs")
        emit_json({"tasks": [{key: getattr(task, key) for key in keys} for task in tasks]})
        return
    for task in tasks:
        typed = task.before.rpartition("\n")[2].lstrip()
        emit(f"{task.name}  {task.kind}, {task.position}  {typed}|{task.rest}  {task.needs}")


async def _measure(
    args: argparse.Namespace,
    settings: Settings,
    trees: Sequence[Tree],
    tasks: Sequence[QualityTask],
    variants: Sequence[Variant],
) -> Answers:
    from sidecar.bench.journal import Journal
    from sidecar.bench.quality import measure
    from sidecar.bench.quality_prompts import Prompts
    from sidecar.cli.bench_report import BenchProgress
    from sidecar.cli.running import running_engine
    from sidecar.context import WindowLimits

    async with running_engine(settings, sys.stderr.isatty()) as engines:
        client, model = engines.client, engines.plan.model
        journal = None
        if args.resume is not None:
            # What is asked is compared prompt by prompt, so tasks and settings may change.
            about = {"benchmark": "quality", "model": model.identity}
            journal = Journal(args.resume, about)

        async def counted(texts: Sequence[str]) -> dict[str, int]:
            return dict(zip(texts, await client.count(texts), strict=True))

        context = settings.context
        limits = WindowLimits(
            context.before_lines, context.after_lines, context.before_tokens, context.after_tokens
        )
        prompts = Prompts(
            trees,
            counted,
            limits=limits,
            head_tokens=args.head_tokens,
            use_body=model.entry is None or model.entry.anchor == "body",
            seed=args.seed,
        )
        with BenchProgress("quality, answers") as shown:
            return await measure(client, tasks, variants, prompts, journal, shown.at)
