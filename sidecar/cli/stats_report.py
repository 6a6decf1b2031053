"""What `sidecar stats` shows to people: lines of plain text, by theme.

Pure: the same numbers give the same lines. May import `telemetry`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from sidecar.cli.output import printable
from sidecar.telemetry.percentiles import percentile_group
from sidecar.telemetry.posting import merged
from sidecar.telemetry.rates import rates

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sidecar.telemetry import Observed
    from sidecar.telemetry.posting import Posted

__all__ = ["Seen", "report"]


class Seen(NamedTuple):
    """What was found in one look.

    Args:
        fronts: What living servers told.
        engines: What running engines told.
        now: When that was, in seconds of the system's clock.
    """

    fronts: Sequence[Posted]
    engines: Sequence[Mapping[str, Any]]
    now: float


#: What is timed, as it is called here and there.
_TIMES = (
    ("first token", "completion.first_token_ms"),
    ("first new text", "completion.visible_ms"),
    ("all of it", "completion.total_ms"),
    ("one token", "completion.per_token_ms"),
    ("waiting for its turn", "completion.queue_ms"),
    ("reading the prompt", "completion.prompt_ms"),
    ("request, at the server", "request_ms"),
    ("outside of the engine", "request_outside_engine_ms"),
)
_STAGES = ("gate", "cache", "anchor", "context", "count", "prompt", "engine", "finish")
_WIDTH = 24
_MOST_REASONS = 4


def report(seen: Seen) -> list[str]:
    """Return the lines."""
    if not seen.fronts and not seen.engines:
        return ["no server and no engine of yours is running; an editor starts both"]
    lines = [_heading(seen)]
    if seen.fronts:
        observed = merged(seen.fronts)
        for title, rows in (
            ("requests", _requests(observed)),
            ("milliseconds", _times(observed)),
            ("prompts", _prompts(observed)),
            ("ahead of the user", _ahead(observed)),
        ):
            lines += ["", title, *rows]
    for engine in seen.engines:
        lines += ["", *_engine(engine)]
    return [printable(line) for line in lines]


def _heading(seen: Seen) -> str:
    fronts = [
        f"{front.facts.get('client', '?')} ({front.pid}, "
        f"{_duration(seen.now - float(front.facts.get('started', seen.now)))})"
        for front in seen.fronts
    ]
    servers = _several(len(fronts), "server", "servers") + (": " if fronts else "")
    engines = _several(len(seen.engines), "engine", "engines")
    return f"{servers}{', '.join(fronts)}; {engines}"


def _requests(observed: Observed) -> list[str]:
    counters = observed.counters
    empty = {
        name.removeprefix("completion.empty."): number
        for name, number in counters.items()
        if name.startswith("completion.empty.")
    }
    most = sorted(empty.items(), key=lambda pair: (-pair[1], pair[0]))[:_MOST_REASONS]
    why = ", ".join(f"{name.replace('_', ' ')} {number:,}" for name, number in most)
    found = rates(counters)
    accepted = counters.get("feedback.accepted", 0)
    return [
        _row("answered", f"{counters.get('completion.offered', 0):,}", f"accepted {accepted:,}"),
        _row("answered with nothing", f"{sum(empty.values()):,}", why),
        _row("cancelled by the client", f"{counters.get('completion.cancelled', 0):,}"),
        _row(
            "known before",
            _percent(found["cache"]),
            f"of the rest {_percent(found['joined'])} joined what was being generated",
        ),
    ]


def _times(observed: Observed) -> list[str]:
    named = [*_TIMES, *((f"stage: {name}", f"stage.{name}_ms") for name in _STAGES)]
    rows = []
    for title, name in named:
        group = percentile_group(observed.histograms.get(name, ()))
        if group is not None:
            cells = (f"{key} {_number(group[key]):>8}" for key in ("p50", "p90", "p95"))
            rows.append(_row(title, "  ".join(cells)))
    return rows or [_row("nothing yet", "")]


def _prompts(observed: Observed) -> list[str]:
    counters = observed.counters
    evaluated, reused = counters.get("prompt.evaluated", 0), counters.get("prompt.reused", 0)
    few = observed.histograms.get("completion.evaluated", ())
    time_share = percentile_group(observed.histograms.get("completion.prompt_time_share", ()))
    return [
        _row(
            "evaluated tokens",
            f"{evaluated:,}",
            f"reused {reused:,}; {_percent(rates(counters)['prompt_evaluated'])} evaluated",
        ),
        _row(
            "requests",
            f"{len(few):,}",
            f"of which {_percent(_share_of_few(few))} evaluated at most 3 tokens",
        ),
        _row("share of the time", _percent(time_share["mean"] if time_share else None)),
        _row("anchors moved", f"{counters.get('anchor.moved', 0):,}"),
    ]


def _share_of_few(evaluated: Sequence[float]) -> float | None:
    return sum(tokens <= 3 for tokens in evaluated) / len(evaluated) if evaluated else None


def _ahead(observed: Observed) -> list[str]:
    counters = observed.counters
    found = rates(counters)
    by_reason = found["warming_by_reason"]
    assert isinstance(by_reason, dict)
    reasons = ", ".join(
        f"{name.replace('_', ' ')} {_percent(value)}" for name, value in by_reason.items()
    )
    held_back = sum(n for name, n in counters.items() if name.startswith("warming.held_back."))

    def counted(name: str) -> str:
        return f"{counters.get(name, 0):,}"

    return [
        _row(
            "warm-ups come to",
            _percent(found["warming"]),
            f"of {counted('warming.guesses')} places" + (f": {reasons}" if reasons else ""),
        ),
        _row(
            "their tokens used",
            _percent(found["warming_tokens"]),
            f"of {counted('warming.tokens')} evaluated; held back {held_back:,} times",
        ),
        _row(
            "speculations used",
            _percent(found["speculation"]),
            f"of {counted('speculation.begun')}, {counted('speculation.tokens')} tokens",
        ),
        _row("drafts accepted", _percent(found["drafts"]), f"of {counted('draft.tokens')} tokens"),
    ]


def _engine(engine: Mapping[str, Any]) -> list[str]:
    title = f"engine {engine.get('pid', engine['engine'])}: {engine.get('model', 'unknown model')}"
    if "lane_details" not in engine:
        words = {
            "silent": "does not answer",
            "loading": "is loading",
            "ready": "is of another version, and tells less",
        }
        return [f"{title} {words.get(engine['phase'], engine['phase'])}"]
    queue = ", ".join(f"{rank} {number}" for rank, number in engine["queue"].items())
    cell, used, cells = engine["cell_bytes"], engine["cells_used"], engine["cells"]
    lanes = "  ".join(f"{lane['tokens']:,} {lane['holds']}" for lane in engine["lane_details"])
    counters = engine["counters"]
    ranks = ("interactive", "speculative", "warming")
    asked = ", ".join(f"{rank} {counters.get(f'requests.{rank}', 0):,}" for rank in ranks)
    computed = ", ".join(f"{rank} {counters.get(f'evaluated.{rank}', 0):,}" for rank in ranks)
    info = engine.get("info") or {}
    speed = ""
    if info:
        speed = (
            f"reads {info['prompt_tokens_per_s']:,.0f} tokens/s, "
            f"one token in {info['one_token_ms']:,.1f} ms"
        )
    rows = engine["rows"]
    return [
        title,
        _row("at work", "yes" if engine["busy"] else "no", f"waiting: {queue}"),
        _row("servers", f"{engine['fronts']:,}", speed),
        _row("cells", f"{used:,}", f"of {cells:,}: {_mb(used * cell)} of {_mb(cells * cell)}"),
        _row("lanes", f"{len(engine['lanes'])}", lanes),
        _row("rows of logits", f"{rows:,}", _mb(rows * engine["row_bytes"])),
        _row("requests", f"{sum(counters.get(f'requests.{r}', 0) for r in ranks):,}", asked),
        _row("evaluated tokens", f"{counters.get('prompt.evaluated', 0):,}", computed),
        _row("generated tokens", f"{counters.get('generated', 0):,}"),
        *_draft_model(engine),
    ]


def _draft_model(engine: Mapping[str, Any]) -> list[str]:
    draft = engine.get("draft_model")
    if not draft:
        return []
    counters = engine["counters"]
    accepted = _percent(engine["rates"].get("draft_model"))
    worth = f"{draft['worth']:.2f} x as fast lately" if draft["worth"] else "too early to tell"
    use = "used" if draft["pays"] else "not used"
    return [
        _row(
            "draft model's tokens",
            f"{counters.get('draft.model_tokens', 0):,}",
            f"{accepted} accepted; {use}: {draft['problem'] or worth}",
        )
    ]


def _row(name: str, value: str, more: str = "") -> str:
    return f"  {name:<{_WIDTH}}{value:>9}  {more}".rstrip()


def _several(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _percent(value: object) -> str:
    return f"{value:.1%}".replace("%", " %") if isinstance(value, float) else "-"


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 1 else f"{value:.3f}"


def _mb(count: float) -> str:
    return f"{count / 1e6:,.1f} MB"


def _duration(seconds: float) -> str:
    minutes = max(int(seconds), 0) // 60
    return f"{minutes // 60} h {minutes % 60:02d} min" if minutes >= 60 else f"{minutes} min"
