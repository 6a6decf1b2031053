"""Shows how a benchmark goes, on standard error, and what came out, as tables on standard output.

May import rich, and `output` of this package.
"""

from __future__ import annotations

import sys
from time import perf_counter
from typing import TYPE_CHECKING, Any, Self

from sidecar.cli.output import note

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.table import Table

__all__ = [
    "BenchProgress",
    "print_cancel",
    "print_context",
    "print_index",
    "print_infilling",
    "print_quality",
    "print_rows",
    "print_typing",
]

#: Where there is no terminal, a line is written this often.
_LINE_SECONDS = 15.0
_GROUP = ("mean", "p50", "p90", "p95")


class BenchProgress:
    """One line that says how much is done and how long the rest will take.

    Args:
        what: What is counted.
    """

    def __init__(self, what: str) -> None:
        self._what = what
        self._started = self._last = perf_counter()
        self._terminal = sys.stderr.isatty()
        self._open = False

    def at(self, done: int, total: int, left_s: float | None = None) -> None:
        """Show that `done` of `total` are done.

        Args:
            done: How many are done.
            total: Of how many.
            left_s: Seconds that the rest will take; as long as what is done took, when None.
        """
        now = perf_counter()
        if left_s is None:
            left_s = (now - self._started) / max(done, 1) * (total - done)
        text = f"{self._what}: {done} of {total}, {_duration(left_s)} left"
        if self._terminal:
            sys.stderr.write(f"\r\x1b[K{text}")
            sys.stderr.flush()
            self._open = True
        elif now - self._last >= _LINE_SECONDS or done == total:
            self._last = now
            note(text)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._open:
            note("")


def print_typing(summary: Mapping[str, Any]) -> None:
    """Print the numbers of `bench typing`."""
    table = _table("", "keys", "", *_GROUP)
    for who in ("ours", "peer"):
        if summary[who] is None:
            continue
        for name in ("first_key", "later_keys"):
            group = summary[who][name]
            title = f"{who}, {name.replace('_', ' ')}"
            for measure in ("evaluated", "passes", "ttft_ms", "visible_ms", "overhead_ms"):
                table.add_row(title, str(group["n"]), measure, *_cells(group[measure]))
                title = ""
    _print(table)
    later = summary["ours"]["later_keys"]
    ratios = summary["ratios"]
    lines = [
        ("one token", _number(summary["one_token_ms"], " ms")),
        ("later keys without a forward pass", f"{100 * later['share_zero_pass']:.0f} %"),
        ("visible p50 to one token", _number(ratios["visible_p50_to_one_token"])),
        ("visible p95 to one token", _number(ratios["visible_p95_to_one_token"])),
    ]
    if summary["ours"]["refused"]:
        lines.append(("keys refused without asking", str(summary["ours"]["refused"])))
    if summary["peer"] is not None:
        lines.append(("the peer's visible p50 to ours", _number(ratios["peer_p50_to_ours"])))
    _print_pairs(lines)


def print_infilling(summary: Mapping[str, Any]) -> None:
    """Print the numbers of `bench infilling`."""
    names = ["layout", "healed", "tasks", "exact match", "edit similarity", "evaluated"]
    several = any(result["stops_at_line"] is not None for result in summary["results"])
    table = _table(*names, *(["ends at the right line"] if several else []))
    for result in summary["results"]:
        stops = result["stops_at_line"]
        table.add_row(
            result["layout"],
            "yes" if result["heal"] else "no",
            str(result["n"]),
            f"{100 * result['exact_match']:.1f} %",
            f"{result['edit_similarity']:.3f}",
            f"{result['evaluated']:.1f}",
            *([] if stops is None else [f"{100 * stops:.1f} %"]),
        )
    _print(table)
    gain = summary["difference"]
    if gain is not None:
        low, high = (100 * end for end in gain["ci95"])
        points = f"{100 * gain['exact_match']:+.1f} points (95 %: {low:+.1f} to {high:+.1f})"
        _print_pairs([(f"{gain['of']} against {gain['against']}", points)])


def print_cancel(summary: Mapping[str, Any]) -> None:
    """Print the numbers of `bench cancel`."""
    table = _table("", *_GROUP)
    for name in (
        "prompt_tokens",
        "cancelled_after_ms",
        "answered_ms",
        "idle_ms",
        "finished_tokens",
        "reused_tokens",
    ):
        table.add_row(name, *_cells(summary[name]))
    _print(table)
    _print_pairs(
        [
            ("given up in time", f"{summary['n']} of {len(summary['rounds'])}"),
            ("slowest answer", _number(summary["worst_answered_ms"], " ms")),
            ("slowest to rest", _number(summary["worst_idle_ms"], " ms")),
            ("passes begun after that", _number((summary["decodes_after"] or {}).get("mean"))),
        ]
    )


def print_index(summary: Mapping[str, Any]) -> None:
    """Print the numbers of `bench index`."""
    table = _table("milliseconds from a save to its answer", *_GROUP)
    for name, group in (*summary["visible_ms"].items(), ("watcher", summary["watcher_ms"])):
        table.add_row(name, *_cells(group))
    _print(table)
    processes, switch = summary["processes"], summary["switch"]
    _print_pairs(
        [
            ("files", f"{summary['files']:,} with {summary['symbols']:,} declarations"),
            ("first index", _number(summary["first_index_s"], " s")),
            (f"bare parse, {processes} processes", _number(summary["bare_parse_s"], " s")),
            ("first index to bare parse", _number(summary["ratio_to_bare_parse"])),
            (f"ctags, {processes} processes", _number(summary["ctags_s"], " s")),
            ("restart, nothing changed", _number(summary["restart_s"], " s")),
            ("look-ups a second over LSP, while edited", _number(summary["lookups_per_s"])),
            ("look-ups a second in process", _number(summary["reader_lookups_per_s"])),
            ("memory per 100,000 declarations", _number(summary["rss_mb_per_100k"], " MB")),
            ("disk per 100,000 declarations", _number(summary["db_bytes_per_100k"] / 1e6, " MB")),
            ("imports of an opened file known", _number(summary["imports_known_ms"], " ms")),
            (
                f"{switch['files']:,} files changed at once: known",
                _number(switch["known_s"], " s"),
            ),
            ("of these never known", f"{len(switch['unknown']):,}"),
            ("slowest answer to a key meanwhile", _number(switch["worst_ms"], " ms")),
            ("slowest answer to a key before", _number(switch["quiet_worst_ms"], " ms")),
        ]
    )


def print_quality(summary: Mapping[str, Any]) -> None:
    """Print the numbers of `bench quality`."""
    table = _table(
        "variant", "exact", "against full", "similar", "names", "parses", "shown", "right", "tokens"
    )
    for variant in summary["variants"]:
        gain = "-"
        if variant["delta"] is not None:
            low, high = (100 * end for end in variant["ci95"])
            gain = f"{100 * variant['delta']:+.1f} ({low:+.1f} to {high:+.1f})"
        shares = ("identifier_match", "parses", "show_rate", "precision_shown")
        table.add_row(
            variant["name"],
            f"{100 * variant['exact_match']:.1f} %",
            gain,
            f"{variant['edit_similarity']:.3f}",
            *(f"{100 * variant[share]:.0f} %" for share in shares),
            _number((variant["prompt_tokens"] or {}).get("mean")),
        )
    _print(table)
    pairs = [("tasks", str(summary["n"])), ("shown from", _number(summary["threshold"]))]
    for variant in summary["variants"]:
        unseen = variant["unseen"]
        if unseen is not None and unseen["n"]:
            low, high = (100 * end for end in unseen["ci95"])
            said = f"{100 * unseen['exact_match']:.1f} %, {100 * unseen['delta']:+.1f}"
            said += f" ({low:+.1f} to {high:+.1f})"
            title = f"{variant['name']}, {unseen['n']} with a name that is nowhere around"
            pairs.append((title, said))
        hits = variant["hits_to_whole_file"]
        if hits is not None:
            low, high = hits["ci95"]
            said = f"{hits['ratio']:.3f} (95 %: {low:.3f} to {high:.3f})"
            pairs.append((f"hits of {variant['name']} to those with the whole file", said))
    if "chosen" in summary:
        chosen = summary["chosen"]
        said = "no threshold is enough"
        if chosen is not None:
            said = (
                f"{chosen['threshold']:.3f}, which shows {100 * chosen['show_rate']:.0f} %, "
                f"{100 * chosen['precision_shown']:.0f} % of them right"
            )
        pairs.append(("threshold", said))
    _print_pairs(pairs)


def print_context(summary: Mapping[str, Any]) -> None:
    """Print the numbers of `bench context`."""
    table = _table("", *_GROUP)
    for title, key in (
        ("tokens of the prompt", "prompt_tokens"),
        ("to those of the files that it shows of", "tokens_ratio"),
        ("to those of the current file", "tokens_ratio_current_file"),
        ("milliseconds to make it", "build_ms"),
        ("the same right after an edit", "build_after_edit_ms"),
    ):
        table.add_row(title, *_cells(summary[key]))
    _print(table)
    _print_pairs(
        [
            ("prompts", str(summary["n"])),
            *(
                (title, f"{100 * summary[key]:.0f} %")
                for title, key in (
                    ("head unchanged within a file", "head_unchanged_within_file"),
                    ("prompt unchanged within a file", "prompt_unchanged_within_file"),
                    ("prompt unchanged back in a file", "prompt_unchanged_switch_back"),
                )
            ),
        ]
    )


def print_rows(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table; without titles where all of these are empty."""
    table = _table(*titles)
    table.show_header = any(titles)
    for row in rows:
        table.add_row(*row)
    _print(table)


def _table(*titles: str) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for number, title in enumerate(titles):
        table.add_column(title, no_wrap=True, justify="left" if number == 0 else "right")
    return table


def _print(table: Table) -> None:
    from rich.console import Console

    console = Console(highlight=False)
    # A pipe has no width: never cut a number that a script may want.
    console.print(table, width=None if console.is_terminal else 120)


def _print_pairs(pairs: Sequence[tuple[str, str]]) -> None:
    table = _table("", "")
    table.show_header = False
    for name, value in pairs:
        table.add_row(name, value)
    _print(table)


def _cells(group: Mapping[str, float] | None) -> list[str]:
    return [_number(group[name]) if group else "-" for name in _GROUP]


def _number(value: float | None, unit: str = "") -> str:
    if value is None:
        return "-"
    return f"{value:,.0f}{unit}" if value >= 100 else f"{value:.2f}{unit}"


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
