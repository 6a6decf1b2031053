"""`sidecar complete`: completes at a place in a file, as an editor would, and shows the account.

Runs the same pipeline as the server, on the same shared engine. May import everything but `server`
and `bench`.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from sidecar.cli.advice import told_here
from sidecar.cli.arguments import MODEL, limits_of, model_choice, remote_address
from sidecar.cli.card import print_card
from sidecar.cli.output import emit, emit_json, note
from sidecar.cli.pipeline import service_of, workspace_around
from sidecar.cli.place import Place, read_place
from sidecar.cli.reasons import said
from sidecar.cli.running import running_here_or_there
from sidecar.context import Card
from sidecar.engine.messages import Stats
from sidecar.errors import EngineError, UsageError
from sidecar.settings import Settings, load
from sidecar.telemetry import Metrics
from sidecar.telemetry.trace import Trace
from sidecar.text import to_lf

if TYPE_CHECKING:
    from sidecar.completion.outcome import Outcome
    from sidecar.completion.suggestion import Suggestion
    from sidecar.engine.interface import Engine

__all__ = ["EXAMPLE", "configure", "run"]

EXAMPLE = "sidecar complete src/app.py:10:5 --card"

#: Reasons that are failures, not decisions.
_FAILURES = ("engine_gone", "engine_refused", "engine_not_ready", "failed", "timeout")

#: Characters of a file whose tokens are worth counting exactly.
_MOST_COUNTED = 500_000


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument(
        "place",
        metavar="FILE:LINE:COLUMN",
        help="where the cursor stands; both count from 1, in a notebook in its code cells, "
        "joined with a blank line between two",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--card", action="store_true", help="show what the model read, why, and what it cost"
    )
    max_tokens = limits_of("completion", "maxTokens")
    parser.add_argument(
        "--max-tokens",
        type=max_tokens,
        default=Settings().completion.max_tokens,
        metavar="N",
        help=f"most tokens to generate, {max_tokens} (default: %(default)s)",
    )
    parser.add_argument(
        "--trace",
        type=Path,
        # Also an option of servers, whose default must not be put in its place.
        default=argparse.SUPPRESS,
        metavar="FILE",
        help="write what the time goes into, for chrome://tracing or ui.perfetto.dev",
    )
    parser.add_argument(
        "--multiline", action="store_true", help="let the suggestion be longer than a line"
    )
    parser.add_argument(
        "--model",
        type=model_choice,
        metavar=MODEL,
        help="a model of the catalogue, or a GGUF file (default: the one that suits this machine)",
    )
    parser.add_argument(
        "--remote",
        type=remote_address,
        metavar="URL",
        help="complete at a llama-server or vLLM, to which the code that the model is shown is"
        " sent; its key comes from SIDECAR_REMOTE_KEY or the keyring",
    )


def run(args: argparse.Namespace) -> int:
    """Complete, and print the suggestion."""
    place = read_place(args.place)
    with told_here():
        if args.trace is None:
            return asyncio.run(_run(args, place, Metrics()))
        trace = Trace(args.trace, "sidecar complete")
        try:
            return asyncio.run(_run(args, place, Metrics(trace)))
        finally:
            trace.close()


async def _run(args: argparse.Namespace, place: Place, metrics: Metrics) -> int:
    completion = {"multiline": args.multiline, "maxTokens": args.max_tokens}
    settings, problems = load(
        {
            "model": {"name": args.model},
            "engine": {"remote": args.remote},
            "completion": completion,
        }
    )
    if problems:
        raise UsageError(problems[0].partition("; ")[0], "see `sidecar complete --help`")
    shown = None if args.json else _Terminal()
    with ExitStack() as stack:
        with metrics.stage("index"):
            workspace = stack.enter_context(workspace_around(place.document.path, settings))
        begun = perf_counter()
        async with running_here_or_there(settings, sys.stderr.isatty()) as engines:
            metrics.placed("engine start", begun, perf_counter())
            service = service_of(engines, workspace, settings, metrics)
            outcome = await service.suggest(place.document, place.offset, on_text=shown)
            model = engines.name
            whole = 0
            if args.json:
                whole = await _whole_file_tokens(
                    engines.client, place, asked=outcome.stats is not None
                )
    if outcome.reason in _FAILURES:
        raise EngineError(
            f"the engine did not answer ({outcome.reason.replace('_', ' ')})",
            "run `sidecar doctor`",
        )
    if args.json:
        emit_json(_object(outcome, place, model, whole))
        return 0
    assert shown is not None
    shown.end(outcome.suggestion.shown if outcome.suggestion else "")
    if outcome.suggestion is None:
        note(f"no suggestion: {said(outcome.reason)}")
    if args.card:
        _print_card(outcome)
    return 0


async def _whole_file_tokens(client: Engine, place: Place, *, asked: bool) -> int:
    """Count the tokens of the file; of one that is not for the model, or is huge, estimate them."""
    text = place.document.buffer.text
    if asked and len(text) <= _MOST_COUNTED:
        return (await client.count([to_lf(text)]))[0]
    return -(-len(text.encode("utf-8", "replace")) * 2 // 5)


def _object(outcome: Outcome, place: Place, model: str, whole: int) -> dict[str, Any]:
    """Return the contract's object: the range is what `text` replaces, from the cursor on."""
    made = outcome.suggestion
    end = made.end if made else place.offset
    stats = outcome.stats or Stats(stop=outcome.reason)
    card = outcome.card or Card(())
    return {
        "text": made.shown if made else "",
        "range": {"start": place.position(place.offset), "end": place.position(end)},
        "model": model,
        "reason": outcome.reason,
        "stats": asdict(stats),
        "card": {
            "prompt_tokens": stats.evaluated + stats.reused,
            "whole_file_tokens": whole,
            "unchanged_tokens": stats.reused,
            "build_ms": outcome.build_ms,
            **card.as_dict(),
        },
    }


class _Terminal:
    """Writes a suggestion as it grows, and corrects it if its end was cut."""

    def __init__(self) -> None:
        self._written = ""
        # In a file nothing can be corrected, so there it is written when it is whole.
        self._live = sys.stdout.isatty()

    def __call__(self, so_far: Suggestion) -> None:
        if self._live:
            sys.stdout.write(so_far.shown[len(self._written) :])
            sys.stdout.flush()
            self._written = so_far.shown

    def end(self, text: str) -> None:
        """Write what is missing."""
        if not text.startswith(self._written):
            lines = self._written.count("\n")
            sys.stdout.write((f"\x1b[{lines}A" if lines else "") + "\r\x1b[J")
            self._written = ""
        rest = text[len(self._written) :]
        if self._written or rest:
            emit(rest)


def _print_card(outcome: Outcome) -> None:
    stats, card = outcome.stats, outcome.card
    if stats is None or card is None:
        return
    emit()
    print_card(card)
    visible = "-" if stats.visible_ms is None else f"{stats.visible_ms:.1f} ms"
    emit(
        f"\nevaluated {stats.evaluated}, reused {stats.reused}, generated {stats.generated} tokens;"
        f" first new text after {visible}, all of it after {stats.total_ms:.1f} ms"
    )
