"""`sidecar context`: what the model would be shown at a place, and why, without asking it.

Runs the same pipeline as the server. May import everything but `server` and `bench`.
"""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from typing import TYPE_CHECKING, get_args

from sidecar.cli.advice import fix_here, told_here
from sidecar.cli.arguments import MODEL, model_choice
from sidecar.cli.card import print_card
from sidecar.cli.output import emit, emit_json, note
from sidecar.cli.pipeline import service_of, workspace_around
from sidecar.cli.place import Place, read_place
from sidecar.cli.reasons import said
from sidecar.cli.running import running_engine
from sidecar.completion.gate import gate
from sidecar.errors import ModelError, UsageError
from sidecar.settings import Settings, load
from sidecar.settings.schema import SourceName
from sidecar.text import encode_utf8, to_lf

if TYPE_CHECKING:
    import argparse

    from sidecar.completion.contexts import Workspace
    from sidecar.completion.outcome import Preview
    from sidecar.completion.planning import EnginePlan
    from sidecar.engine.client import EngineClient

__all__ = ["EXAMPLE", "configure", "run"]

EXAMPLE = """sidecar context src/app.py:10:5            the parts of the prompt, with reasons
  sidecar context src/app.py:10:5 --prompt   the prompt itself as well
  sidecar context src/app.py:10:5 --sources definitions,similar"""


#: Files that no model is shown, wherever the cursor is: why, and what to do.
_CLOSED = {
    "secret_file": (
        "files of this name hold secrets, and no model is shown them",
        "name another file",
    ),
    "file_too_large": (said("file_too_large"), "name a file of less than 2,000,000 characters"),
}


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument(
        "place",
        metavar="FILE:LINE:COLUMN",
        help="where the cursor stands; both count from 1, in a notebook in its code cells, "
        "joined with a blank line between two",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--prompt", action="store_true", help="show the text of the prompt too")
    parser.add_argument(
        "--sources",
        metavar="NAME,…",
        help=f"where context comes from, some of {', '.join(get_args(SourceName))}; `sidecar "
        "settings` tells what they are, and '' is none of them "
        f"(default: {','.join(Settings().context.sources)})",
    )
    parser.add_argument(
        "--model",
        type=model_choice,
        metavar=MODEL,
        help="the model that counts tokens (default: the one that suits this machine)",
    )


def run(args: argparse.Namespace) -> int:
    """Build a prompt, and print its account."""
    with told_here():
        return asyncio.run(_run(args, read_place(args.place)))


async def _run(args: argparse.Namespace, place: Place) -> int:
    context = {}
    if args.sources is not None:
        context["sources"] = _sources(args.sources)
    settings, problems = load({"model": {"name": args.model}, "context": context})
    if problems:
        raise UsageError(problems[0].partition("; ")[0], "see `sidecar context --help`")
    refused = gate(place.document, place.offset, disabled=())
    if refused in _CLOSED:
        raise UsageError(*_CLOSED[refused])
    with workspace_around(place.document.path, settings) as workspace:
        preview, tokens, whole = await _preview(settings, workspace, place)
    card = preview.card.counted(tokens)
    if refused is not None:
        card = card.noting(f"nothing is suggested here: {said(refused)}")
    if args.json:
        emit_json(
            {
                "prompt_tokens": sum(tokens.values()),
                "whole_file_tokens": whole,
                "unchanged_tokens": 0,
                "build_ms": preview.build_ms,
                **card.as_dict(),
                **({"prompt": _text(preview)} if args.prompt else {}),
            }
        )
        return 0
    print_card(card)
    parts = "1 part" if len(card.parts) == 1 else f"{len(card.parts)} parts"
    emit(f"\n{sum(tokens.values())} tokens in {parts}; the whole file has {whole}")
    if args.prompt:
        emit()
        emit(_text(preview))
    return 0


def _sources(text: str) -> list[str]:
    """Read names of sources.

    Raises:
        UsageError: There is none of such a name.
    """
    known = get_args(SourceName)
    names = list(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    for name in names:
        if name not in known:
            raise UsageError(f"no source is called {name!r}", f"name some of {', '.join(known)}")
    return names


async def _preview(
    settings: Settings, workspace: Workspace, place: Place
) -> tuple[Preview, dict[str, int], int]:
    """Return the preview, the tokens of each kind of segment, and those of the whole file."""
    try:
        async with running_engine(settings, sys.stderr.isatty()) as engines:
            service = service_of(engines, workspace, settings)
            preview = await service.preview(place.document, place.offset)
            return preview, *await _counted(engines.client, preview, place)
    except ModelError as error:
        if settings.model.name:
            raise
        note(f"sidecar: tokens are estimated, since {error.what}; {fix_here(error)}")
        service = service_of(_NoEngine(), workspace, settings)
        preview = await service.preview(place.document, place.offset)
        return preview, *await _counted(None, preview, place)


async def _counted(
    client: EngineClient | None, preview: Preview, place: Place
) -> tuple[dict[str, int], int]:
    segments = preview.prompt.segments
    texts = [*(segment.text for segment in segments), to_lf(place.document.buffer.text)]
    if client is None:
        counts = [len(encode_utf8(text)) * 2 // 5 for text in texts]
    else:
        counts = await client.count(texts)
    tokens: Counter[str] = Counter()
    for segment, count in zip(segments, counts[:-1], strict=True):
        tokens[segment.kind] += count
    return dict(tokens), counts[-1]


def _text(preview: Preview) -> str:
    """Return the prompt with its parts named, as a model without special tokens would see it."""
    return "\n".join(f"[{part.kind}]\n{part.text}" for part in preview.prompt.segments)


class _NoEngine:
    """Stands in for an engine where there is no model: tokens are estimated."""

    plan: EnginePlan | None = None

    async def engine(self) -> EngineClient | None:
        """Return none."""
        return None

    def served(self) -> None:
        """Nothing is served."""
