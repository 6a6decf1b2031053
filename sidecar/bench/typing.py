"""Types lines of real files again, key by key, and measures what an editor would see.

Each request is awaited to its end before the next key, so that keys do not disturb each other, and
the peer gets its turn after ours, with the same keys. May import `syntax` and this package.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, Any

from sidecar.bench.editor import Editor, columns
from sidecar.bench.keystrokes import Case, choose_lines, choose_share, type_line
from sidecar.bench.statistics import mean, percentile_group
from sidecar.errors import UsageError
from sidecar.syntax import Languages

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from sidecar.bench.editor import Seen
    from sidecar.bench.keystrokes import Keystroke
    from sidecar.bench.peer import Peer

__all__ = ["Key", "TypingPlan", "choose_cases", "key_of", "run_peer", "run_typing", "summarize"]

#: Lines shall be what limits the windows, as they do the peer's.
_MANY_TOKENS = 65536
#: More than this between what the engine and the editor call visible is another decode.
_HELD_BACK_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class TypingPlan:
    """What is typed.

    Args:
        files: The files that lines are taken from.
        lines: How many, over all files.
        keys: Characters typed of each.
        seed: Which lines.
        before_lines: Lines above the cursor that may be shown.
        after_lines: Lines below it.
        autoclose: Whether the editor closes brackets and quotes.
        settings: Further settings, under `sidecar`.
    """

    files: tuple[Path, ...]
    lines: int = 24
    keys: int = 10
    seed: int = 5
    before_lines: int = 256
    after_lines: int = 64
    autoclose: bool = False
    settings: dict[str, dict[str, Any]] = field(default_factory=dict)

    def all_settings(self) -> dict[str, Any]:
        """Return the server's settings."""
        context = {
            "beforeLines": self.before_lines,
            "afterLines": self.after_lines,
            "beforeTokens": _MANY_TOKENS,
            "afterTokens": _MANY_TOKENS,
        }
        # What a key costs is measured, so nothing may be done before it is typed.
        engine = {**self.settings.get("engine", {}), "warming": "off"}
        completion = {**self.settings.get("completion", {}), "speculate": False}
        return {**self.settings, "engine": engine, "completion": completion, "context": context}


@dataclass(frozen=True, slots=True)
class Key:
    """What one key cost.

    Args:
        first: Whether it is the first on its line.
        evaluated: Prompt tokens computed.
        passes: Forward passes until something was visible.
        ttft_ms: Until the first token.
        visible_ms: Until the first text beyond what was typed, or the answer if there is none.
        overhead_ms: What of that was not spent inside llama.cpp.
        one_token_ms: Median of the request's one-token decodes; 0 when it had none.
        held_back: Whether the server showed the engine's first text only with a later one.
    """

    first: bool
    evaluated: int
    passes: int
    ttft_ms: float
    visible_ms: float
    overhead_ms: float
    one_token_ms: float = 0.0
    held_back: bool = False


def choose_cases(plan: TypingPlan) -> list[Case]:
    """Choose the lines to type.

    Raises:
        UsageError: A file cannot be read, or none has lines that are worth it.
    """
    rng = random.Random(plan.seed)
    cases: list[Case] = []
    for path, count in zip(plan.files, choose_share(plan.lines, len(plan.files)), strict=True):
        lines = _read(path).split("\n")
        cases += [
            Case(str(path), path.resolve().as_uri(), lines, number)
            for number in choose_lines(lines, count, rng)
        ]
    if not cases:
        raise UsageError(
            "none of the files has a line to type again",
            "name source files of more than 80 lines",
        )
    return cases


async def run_typing(
    plan: TypingPlan, cases: Sequence[Case], on_done: Callable[[int, int], None] | None = None
) -> tuple[list[Key], int]:
    """Type the cases to a server of our own.

    Returns:
        The keys, and how many others the server refused without asking the engine.
    """
    keys: list[Key] = []
    refused = 0
    async with Editor(plan.all_settings()) as editor:
        opened: str | None = None
        for number, case in enumerate(cases):
            uri = case.uri
            if uri != opened:
                if opened is not None:
                    editor.close(opened)
                editor.open(uri, _language(case.path), "\n".join(case.lines))
                opened = uri
            line, indentation = case.number, columns(case.indentation)
            editor.change(uri, line, indentation, columns(case.line), "")
            last = ""
            for place, stroke in enumerate(_strokes(plan, case)):
                seen = await _press(editor, uri, line, stroke)
                last = stroke.before + stroke.after
                if seen.stats is None:
                    refused += 1
                else:
                    keys.append(key_of(seen, first=place == 0))
            editor.change(uri, line, 0, columns(last or case.indentation), case.line)
            if on_done is not None:
                on_done(number + 1, len(cases))
    return keys, refused


def run_peer(
    plan: TypingPlan,
    cases: Sequence[Case],
    peer: Peer,
    on_done: Callable[[int, int], None] | None = None,
) -> list[Key]:
    """Type the same keys to the peer."""
    keys: list[Key] = []
    for number, case in enumerate(cases):
        above = case.lines[max(case.number - plan.before_lines, 0) : case.number]
        below = case.lines[case.number + 1 : case.number + 1 + plan.after_lines]
        prefix = "".join(line + "\n" for line in above)
        suffix = "\n" + "".join(line + "\n" for line in below)
        for place, stroke in enumerate(_strokes(plan, case)):
            answer = peer.infill(prefix, stroke.before, stroke.after + suffix)
            keys.append(
                Key(
                    first=place == 0,
                    evaluated=answer.evaluated,
                    # At least; it does not tell in how many batches.
                    passes=1,
                    ttft_ms=answer.visible_ms,
                    visible_ms=answer.visible_ms,
                    overhead_ms=max(answer.visible_ms - answer.llama_ms, 0.0),
                )
            )
        if on_done is not None:
            on_done(number + 1, len(cases))
    return keys


def key_of(seen: Seen, *, first: bool) -> Key:
    """Account for one key, from what the editor saw and what the engine says."""
    stats = seen.stats
    assert stats is not None
    engine_visible = stats.total_ms if stats.visible_ms is None else stats.visible_ms
    # The way to the engine and back, and the front's own work.
    way = seen.answered_ms - stats.total_ms
    late = seen.visible_ms - engine_visible - way
    # A request without a pass of one token generated nothing in between.
    held_back = late > _HELD_BACK_SHARE * stats.one_token_ms > 0.0
    if held_back:
        # Tokens were generated in between: what is ours is the way, and the engine's own share.
        overhead = way + engine_visible - stats.llama_ms
    else:
        overhead = seen.visible_ms - stats.llama_ms
    first_token = stats.first_token_ms if stats.generated else engine_visible
    return Key(
        first=first,
        evaluated=stats.evaluated,
        passes=stats.passes,
        ttft_ms=seen.visible_ms if held_back else seen.visible_ms - engine_visible + first_token,
        visible_ms=seen.visible_ms,
        overhead_ms=max(overhead, 0.0),
        one_token_ms=stats.one_token_ms,
        held_back=held_back,
    )


def summarize(ours: Sequence[Key], refused: int, peer: Sequence[Key] | None) -> dict[str, Any]:
    """Return the numbers of a run in the contract's shape, and the ratios that are asked for."""
    one_token = [key.one_token_ms for key in ours if key.one_token_ms > 0.0]
    one_token_ms = median(one_token) if one_token else None
    summary: dict[str, Any] = {
        "one_token_ms": one_token_ms,
        "ours": {**_both(ours), "refused": refused},
        "peer": None if peer is None else _both(peer),
    }
    later = summary["ours"]["later_keys"]["visible_ms"]
    theirs = summary["peer"]["later_keys"]["visible_ms"] if peer is not None else None
    summary["ratios"] = {
        "visible_p50_to_one_token": _ratio(later, "p50", one_token_ms),
        "visible_p95_to_one_token": _ratio(later, "p95", one_token_ms),
        "peer_p50_to_ours": _ratio(theirs, "p50", later["p50"] if later else None),
    }
    return summary


def _both(keys: Sequence[Key]) -> dict[str, Any]:
    return {
        "first_key": _group([key for key in keys if key.first]),
        "later_keys": _group([key for key in keys if not key.first]),
    }


def _group(keys: Sequence[Key]) -> dict[str, Any]:
    return {
        "n": len(keys),
        "evaluated": percentile_group([key.evaluated for key in keys]),
        "passes": percentile_group([key.passes for key in keys]),
        "share_zero_pass": mean([key.passes == 0 for key in keys]),
        "ttft_ms": percentile_group([key.ttft_ms for key in keys]),
        "visible_ms": percentile_group([key.visible_ms for key in keys]),
        "overhead_ms": percentile_group([key.overhead_ms for key in keys]),
        "share_held_back": mean([key.held_back for key in keys]),
    }


def _ratio(group: dict[str, float] | None, name: str, to: float | None) -> float | None:
    return group[name] / to if group and to else None


async def _press(editor: Editor, uri: str, line: int, stroke: Keystroke) -> Seen:
    whole = stroke.before + stroke.after
    start = columns(whole[: stroke.start])
    # What is typed over is the same character that stands there afterwards.
    removed = columns(whole[stroke.start : stroke.end])
    since = perf_counter()
    editor.change(uri, line, start, start + removed, stroke.text)
    return await editor.complete(uri, line, stroke.before).seen(since)


def _strokes(plan: TypingPlan, case: Case) -> list[Keystroke]:
    return list(type_line(case.line, keys=plan.keys, autoclose=plan.autoclose))


def _language(path: str) -> str:
    language = Languages.load().find("", path)
    return language.ids[0] if language and language.ids else "plaintext"


def _read(path: Path) -> str:
    fix = "name source files"
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise UsageError(f"{path} does not exist", fix) from None
    except IsADirectoryError:
        raise UsageError(f"{path} is a directory", fix) from None
    except UnicodeDecodeError:
        raise UsageError(f"{path} is not UTF-8 text", fix) from None
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror})", fix) from error
    if "\0" in text:
        raise UsageError(f"{path} is a binary file", fix)
    return text
