"""`sidecar bench typing --scenario session` and `places`: editing as people do, and new places.

May import `bench`, and `arguments`, `bench_model`, `bench_report` and `output` of this package.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from sidecar.cli.arguments import count, positive
from sidecar.cli.bench_model import model_settings
from sidecar.cli.output import emit_json, note
from sidecar.errors import UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from sidecar.bench.session import Package, SessionPlan

__all__ = ["configure", "run"]

_KEYS = 600
#: No limit: places are counted, not keys.
_ALL = 10**9

_ABOUT = """
scenarios:
  lines    types lines of files, waits for each answer, and warms nothing: what a key costs
  session  plays an editing session in a copy of a folder, in real time, with the usual settings:
           open, look around, jump, type with pauses and slips, take suggestions that say what
           would be typed, switch files. No answer is waited for; a key that comes before
           anything is shown waits on until something is
  places   goes to places of a folder's files and types there: after pauses, and in files never
           seen; the key there is compared with the keys after it

With --peer the same is played to llama-server, driven as the best plugin for it drives it.

  sidecar bench typing --scenario session src --minutes 5 --peer http://127.0.0.1:8012 --json
  sidecar bench typing --scenario places src --rounds 8
"""
_GROUP = ("mean", "p50", "p90", "p95")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments to those of `bench typing`."""
    parser.epilog = f"{parser.epilog}\n{_ABOUT}"
    parser.add_argument(
        "--scenario",
        choices=("lines", "session", "places"),
        default="lines",
        help="what is done (default: %(default)s)",
    )
    parser.add_argument(
        "--minutes",
        type=positive,
        metavar="MINUTES",
        help="a session: how long at most, if no suggestion is taken (without --keys)",
    )
    parser.add_argument(
        "--session-files",
        type=count,
        metavar="N",
        help="a session: files that are edited (default: 6; for places one for each round)",
    )
    parser.add_argument(
        "--longest-pause",
        type=positive,
        default=3.0,
        metavar="SECONDS",
        help="a session: seconds to which pauses are cut (default: %(default)s)",
    )
    parser.add_argument(
        "--rounds",
        type=count,
        metavar="N",
        default=8,
        help="places: how many of each kind (default: %(default)s)",
    )


def run(args: argparse.Namespace) -> int:
    """Play, and print what came out."""
    from sidecar.bench.session import SessionPlan, load_package
    from sidecar.bench.session_plan import Rhythm

    if len(args.files) != 1:
        raise UsageError(
            f"the scenario {args.scenario} is played in one folder", "name the folder of a package"
        )
    places = args.scenario == "places"
    keys = args.keys or (_ALL if args.minutes else _KEYS)
    plan = SessionPlan(
        root=args.files[0],
        files=args.session_files or (args.rounds if places else 6),
        keys=_ALL if places else keys,
        seconds=None if places or not args.minutes else args.minutes * 60.0,
        seed=args.seed,
        rhythm=Rhythm(longest=args.longest_pause),
        settings=model_settings(args.model),
    )
    package = load_package(plan)
    if args.peer:
        _greet(args.peer)
    summary = _places(args, plan, package) if places else _session(args, plan, package)
    if args.json:
        emit_json(summary)
    elif places:
        _print_places(summary)
    else:
        _print_session(summary)
    return 0


def _session(args: argparse.Namespace, plan: SessionPlan, package: Package) -> dict[str, Any]:
    from sidecar.bench.session import play_ours, play_peer, summarize
    from sidecar.cli.bench_report import BenchProgress

    peer = None
    with BenchProgress("the session, blocks") as shown:
        ours = asyncio.run(play_ours(plan, package, shown.at))
    if args.peer:
        with BenchProgress("the peer's session, blocks") as shown:
            peer = asyncio.run(play_peer(plan, package, args.peer, shown.at))
    return summarize(package, ours, peer)


def _places(args: argparse.Namespace, plan: SessionPlan, package: Package) -> dict[str, Any]:
    from sidecar.bench.places import places_ours, places_peer, summarize_places
    from sidecar.cli.bench_report import BenchProgress

    peer = None
    with BenchProgress("places") as shown:
        ours, one_token_ms = asyncio.run(places_ours(plan, package, args.rounds, shown.at))
    if args.peer:
        with BenchProgress("the peer's places") as shown:
            peer = asyncio.run(places_peer(plan, package, args.rounds, args.peer, shown.at))
    return summarize_places(ours, peer, one_token_ms)


def _greet(url: str) -> None:
    """Tell who the peer is: now, not after minutes of our own turn."""
    from sidecar.bench.peer import Peer

    with Peer(url) as peer:
        note(f"the peer at {url} runs {peer.model() or 'a model that it does not name'}")


def _print_session(summary: Mapping[str, Any]) -> None:
    from sidecar.cli.bench_report import print_rows

    rows = []
    for who in ("ours", "peer"):
        told = summary[who]
        if told is not None:
            rows += [
                [f"{who}, {title}", str(told["n"]), *_cells(told[measure])]
                for title, measure in (
                    ("key to visible text", "visible_ms"),
                    ("key to the whole of it", "whole_ms"),
                    ("first token", "ttft_ms"),
                )
            ]
    print_rows(["milliseconds", "keys", *_GROUP], rows)
    names = [who for who in ("ours", "peer") if summary[who] is not None]
    measures = (
        ("keys overtaken by the next", "share_overtaken", 100, " %"),
        ("keys that nothing was ever shown for", "unanswered", 1, ""),
        ("keys that evaluate 3 tokens or less", "share_evaluated_le_3", 100, " %"),
        ("tokens evaluated while one waits", "foreground_evaluated", 1, ""),
        ("tokens evaluated ahead", "background_evaluated", 1, ""),
        ("processor time", "cpu_s", 1, " s"),
        ("suggestions taken", "accepted", 1, ""),
        ("characters in them", "accepted_characters", 1, ""),
    )
    print_rows(
        ["", *names],
        [
            [title, *(_number(summary[who][key], unit, scale) for who in names)]
            for title, key, scale, unit in measures
        ],
    )
    ratios = [
        [
            f"{name[0]} {name[1]} to {other}",
            _number(summary["ratios"][f"{'_'.join(name)}_to_{key}"]),
        ]
        for key, other in (("one_token", "one token"), ("peer", "the peer's"))
        for name in (("visible", "p50"), ("visible", "p95"), ("whole", "p50"))
    ]
    print_rows(["", ""], [["one token", _number(summary["one_token_ms"], " ms")], *ratios])


def _print_places(summary: Mapping[str, Any]) -> None:
    from sidecar.cli.bench_report import print_rows

    rows = []
    for who in ("ours", "peer"):
        for kind, group in (summary[who] or {}).items():
            title = f"{who}, {kind.replace('_', ' ')}"
            rows.append([title, str(group["n"]), "evaluated", *_cells(group["evaluated"])])
            rows.append(["", "", "visible_ms", *_cells(group["visible_ms"])])
    print_rows(["", "keys", "", *_GROUP], rows)
    print_rows(
        ["", ""],
        [
            ["one token", _number(summary["one_token_ms"], " ms")],
            *([name.replace("_", " "), _number(one)] for name, one in summary["ratios"].items()),
        ],
    )


def _cells(group: Mapping[str, float] | None) -> list[str]:
    return [_number(group[name]) if group else "-" for name in _GROUP]


def _number(value: float | None, unit: str = "", scale: float = 1) -> str:
    if value is None:
        return "-"
    value *= scale
    whole = value >= 100 or value == int(value)
    return f"{value:,.0f}{unit}" if whole else f"{value:.2f}{unit}"
