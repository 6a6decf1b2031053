"""The first request in a new place: after a pause or without, in files open before and never seen.

Here each request is waited for, in the place and for some keys more, so that one place does not
disturb the next. May import this package.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sidecar.bench.session import copied
from sidecar.bench.session_ours import Ours
from sidecar.bench.session_peer import Theirs
from sidecar.bench.session_plan import Page, keys_of
from sidecar.bench.session_play import put
from sidecar.bench.statistics import mean, percentile_group

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from sidecar.bench.session import Package, SessionPlan
    from sidecar.bench.session_plan import Visit
    from sidecar.bench.session_play import Typist

__all__ = ["KINDS", "Sample", "places_ours", "places_peer", "summarize_places", "visit_places"]

#: Seconds between arriving in a place of a file that was open before, and the first key.
PAUSES: Final = {"pause_2s": 2.0, "pause_1s": 1.0, "pause_0s": 0.0}
NEVER_SEEN: Final = "never_seen"
LATER: Final = "later_keys"
KINDS: Final = (*PAUSES, NEVER_SEEN, LATER)

_LATER_KEYS: Final = 5
_GAP_SECONDS: Final = 0.2
_REST_SECONDS: Final = 0.6


class Sample(NamedTuple):
    """One key.

    Args:
        kind: Where it was pressed.
        evaluated: Prompt tokens that were left to evaluate.
        asked: Whether the model was asked.
        visible_ms: Until something was visible.
        whole_ms: Until all of it was.
    """

    kind: str
    evaluated: int
    asked: bool
    visible_ms: float
    whole_ms: float


async def places_ours(
    plan: SessionPlan,
    package: Package,
    rounds: int,
    on_done: Callable[[int, int], None] | None = None,
) -> tuple[list[Sample], float | None]:
    """Go to places with a server of our own; return the keys, and what one token takes."""
    with copied(plan, package) as (root, environment):
        async with Ours(root, plan.settings, environment) as typist:
            samples = await visit_places(package, typist, rounds, on_done)
            return samples, (await typist.summary())["one_token_ms"]


async def places_peer(
    plan: SessionPlan,
    package: Package,
    rounds: int,
    url: str,
    on_done: Callable[[int, int], None] | None = None,
) -> list[Sample]:
    """Go to the same places with the peer."""
    async with Theirs(url, plan.seed) as typist:
        return await visit_places(package, typist, rounds, on_done)


async def visit_places(
    package: Package,
    typist: Typist,
    rounds: int,
    on_done: Callable[[int, int], None] | None = None,
    *,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> list[Sample]:
    """Go to places and type there, until each kind was seen so often or there are no more.

    Args:
        package: The files, and the places in their order.
        typist: The editor.
        rounds: How often.
        on_done: Called with the number of places that are over, and of all that are wanted.
        sleep: Waits.
    """
    pages: dict[str, Page] = {}
    page: Page | None = None
    left = dict.fromkeys((*PAUSES, NEVER_SEEN), rounds)
    wanted = sum(left.values())
    samples: list[Sample] = []
    for visit in package.visits:
        new = visit.path not in pages
        # The kind that was seen least is next, so that none is left out where places are few.
        kind = NEVER_SEEN if new else max(PAUSES, key=lambda name: left[name])
        if not any(left.values()):
            break
        if page is not None and page.path != visit.path:
            typist.save(page)
        if new:
            pages[visit.path] = Page(visit.path, package.files[visit.path])
        switched, page = page is not pages[visit.path], pages[visit.path]
        page.go_to_end_of(visit.line)
        if switched:
            typist.show(page)
        else:
            typist.move(page)
        if PAUSES.get(kind, 0.0):
            await sleep(PAUSES[kind])
        samples += await _type(page, visit, typist, kind, sleep)
        await sleep(_REST_SECONDS)
        left[kind] = max(left[kind] - 1, 0)
        if on_done is not None:
            on_done(wanted - sum(left.values()), wanted)
    return samples


def summarize_places(
    ours: Sequence[Sample], peer: Sequence[Sample] | None, one_token_ms: float | None
) -> dict[str, Any]:
    """Return the numbers, and the ratios that are asked for."""
    own = _kinds(ours)
    theirs = None if peer is None else _kinds(peer)
    asked = _group([one for one in ours if one.kind == LATER and one.asked])
    ratios: dict[str, float | None] = {}
    for kind in (*PAUSES, NEVER_SEEN):
        ratios[f"{kind}_to_later_keys"] = _ratio(own[kind], own[LATER])
        ratios[f"{kind}_to_later_keys_asked"] = _ratio(own[kind], asked)
        ratios[f"{kind}_to_peer"] = _ratio(own[kind], theirs[kind] if theirs else None)
    return {
        "one_token_ms": one_token_ms,
        "ours": {**own, "later_keys_asked": asked},
        "peer": theirs,
        "ratios": ratios,
    }


async def _type(
    page: Page,
    visit: Visit,
    typist: Typist,
    kind: str,
    sleep: Callable[[float], Awaitable[None]],
) -> list[Sample]:
    """Press the first keys of a visit, each after the answer to the one before."""
    samples = []
    keys = list(keys_of(visit.text))
    waits = typist.waits
    for number, key in enumerate(keys[: 1 + _LATER_KEYS]):
        if number:
            await sleep(_GAP_SECONDS)
        visible, whole = len(waits.visible_ms), len(waits.whole_ms)
        typist.typed(page, put(page, key))
        cost = await typist.settled()
        if len(waits.visible_ms) > visible and len(waits.whole_ms) > whole:
            waited = waits.visible_ms[visible], waits.whole_ms[whole]
            samples.append(Sample(LATER if number else kind, *cost, *waited))
    typist.leave(page)
    rest = "".join(keys[1 + _LATER_KEYS :])
    if rest:
        typist.filled(page, put(page, rest))
    return samples


def _kinds(samples: Sequence[Sample]) -> dict[str, dict[str, Any]]:
    return {kind: _group([one for one in samples if one.kind == kind]) for kind in KINDS}


def _group(samples: Sequence[Sample]) -> dict[str, Any]:
    return {
        "n": len(samples),
        "evaluated": percentile_group([one.evaluated for one in samples]),
        "share_asked": mean([one.asked for one in samples]),
        "visible_ms": percentile_group([one.visible_ms for one in samples]),
        "whole_ms": percentile_group([one.whole_ms for one in samples]),
    }


def _ratio(group: Mapping[str, Any], to: Mapping[str, Any] | None) -> float | None:
    """Return how many times as long something takes to be visible, at the median."""
    if to is None or not group["visible_ms"] or not to["visible_ms"]:
        return None
    ratio: float = group["visible_ms"]["p50"] / to["visible_ms"]["p50"]
    return ratio
