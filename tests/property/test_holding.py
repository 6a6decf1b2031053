"""What is shown of other files holds still, tells the truth and fits, wherever one goes."""

from __future__ import annotations

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sidecar.context.gathering import Gathered
from sidecar.context.holding import Held, hold
from sidecar.context.snapshot import Snippet

NAMES = [f"name_{number}" for number in range(12)]
SOURCES = ("definitions", "members", "similar", "edits")


def snippet(name: str, source: str, lines: int, version: int, tier: str, score: float) -> Snippet:
    # Words of their own, so that none is nearly the same as another.
    body = "".join(f"    {name}_{version}_{line} = {name}({line})\n" for line in range(lines))
    path = f"{name}.py"
    text = f"def {name}_{version}():\n{body}"
    return Snippet(source, f"{source}:{path}", path, text, score, "why", tier=tier)  # type: ignore[arg-type]


@st.composite
def places(draw: st.DrawFn) -> Gathered:
    chosen = draw(st.lists(st.sampled_from(NAMES), max_size=6, unique=True))
    version = draw(st.integers(0, 1))
    offered = tuple(
        snippet(
            name,
            SOURCES[NAMES.index(name) % len(SOURCES)],
            2 + NAMES.index(name),
            version,
            draw(st.sampled_from(("extended", "extended", "background", "core"))),
            draw(st.floats(0.1, 1.0)),
        )
        for name in chosen
    )
    # One file may be gone.
    gone = draw(st.sampled_from((None, *NAMES)))
    versions = {
        f"{name}.py": None if name == gone else bytes([version]) for name in (*NAMES, "other")
    }
    return Gathered("here.py", "work", offered, versions=versions)


def total(held: Held) -> int:
    return sum(kept.tokens for kept in held.kept)


@settings(max_examples=60)
@given(st.lists(places(), min_size=1, max_size=8), st.integers(0, 900))
def test_wherever_one_goes_it_fits_and_shows_nothing_stale(walk: list[Gathered], room: int) -> None:
    held = None
    for gathered in walk:
        before = held
        held = hold(gathered, room, {}, seen=(), previous=before)
        assert held == hold(gathered, room, {}, seen=(), previous=before)
        assert total(held) <= room
        keys = [kept.snippet.key for kept in held.kept]
        assert len(keys) == len(set(keys))
        offered = {snippet.key for snippet in gathered.snippets}
        for kept in held.kept:
            now = gathered.versions[kept.snippet.path]
            if kept.snippet.key not in offered:
                assert before is not None
                assert now is not None
                assert now == before.versions[kept.snippet.path]
        shown = set(keys)
        assert not shown & {left.key for left in held.dropped}


@settings(max_examples=60)
@given(places(), places(), st.integers(200, 900))
def test_what_one_came_for_stays_where_it_is(first: Gathered, then: Gathered, room: int) -> None:
    held = hold(first, room, {}, seen=(), previous=None)
    same = Gathered(then.path, then.name, then.snippets, versions=first.versions)
    later = hold(same, room, {}, seen=(), previous=held)
    core = [s for s in same.snippets if s.tier == "core"]
    changed = {s.key for s in same.snippets} & {kept.snippet.key for kept in held.kept}
    gone = None in [first.versions[kept.snippet.path] for kept in held.kept]
    assume(not core and not changed and not gone)
    assert later.kept[: len(held.kept)] == held.kept


def test_what_must_not_be_cut_takes_the_room_of_what_was_settled() -> None:
    def at(*snippets: Snippet) -> Gathered:
        versions = {f"{name}.py": b"1" for name in NAMES}
        return Gathered("here.py", "work", snippets, versions=versions)

    many = [snippet(name, "definitions", 8, 0, "extended", 1.0) for name in NAMES[:4]]
    held = hold(at(*many), 460, {}, seen=(), previous=None)
    core = snippet("name_9", "members", 12, 0, "core", 1.0)
    later = hold(at(core), 460, {}, seen=(), previous=held)
    (shown,) = [kept for kept in later.kept if kept.snippet.key == core.key]
    assert shown.whole
    assert held.kept[0] in later.kept


def test_what_is_settled_is_not_cut_again_where_less_is_offered() -> None:
    versions = {f"{name}.py": b"1" for name in NAMES}
    # Of two that must not be cut one has to be; which one depends on what else is offered.
    first = (
        snippet("name_0", "definitions", 2, 0, "extended", 1.0),
        snippet("name_4", "definitions", 6, 0, "core", 0.5),
        snippet("name_9", "members", 11, 0, "core", 1.0),
    )
    held = hold(
        Gathered("here.py", "work", first, versions=versions), 200, {}, seen=(), previous=None
    )
    assert [kept.whole for kept in held.kept] == [False, True]
    nothing = Gathered("here.py", "work", (), versions=versions)
    assert hold(nothing, 200, {}, seen=(), previous=held).kept == held.kept


def test_a_place_that_is_missed_time_and_again_has_all_chosen_anew() -> None:
    def at(*names: str) -> Gathered:
        versions = {f"{name}.py": b"1" for name in NAMES}
        snippets = tuple(snippet(name, "definitions", 8, 0, "extended", 1.0) for name in names)
        return Gathered("here.py", "work", snippets, versions=versions)

    here, there = at(*NAMES[:4]), at(*NAMES[4:8])
    held = hold(here, 460, {}, seen=(), previous=None)
    first = held.settled
    for _ in range(2):
        held = hold(there, 460, {}, seen=(), previous=held)
        assert held.settled.kept == first.kept
    held = hold(there, 460, {}, seen=(), previous=held)
    assert {kept.snippet.path for kept in held.kept} <= {f"{name}.py" for name in NAMES[4:8]}
    assert held.misses == 0
