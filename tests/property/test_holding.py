"""What is shown of other files holds still, tells the truth and fits, wherever one goes."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sidecar.context.gathering import Gathered
from sidecar.context.holding import Held, hold
from sidecar.context.snapshot import Snippet

NAMES = [f"name_{number}" for number in range(12)]
#: The part of the room in which a place may put something else.
REACH = 0.35
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
def test_what_one_came_for_stays_but_for_the_top_of_the_stack(
    first: Gathered, then: Gathered, room: int
) -> None:
    held = hold(first, room, {}, seen=(), previous=None)
    same = Gathered(then.path, then.name, then.snippets, versions=first.versions)
    later = hold(same, room, {}, seen=(), previous=held)
    core = [s for s in same.snippets if s.tier == "core"]
    changed = {s.key for s in same.snippets} & {kept.snippet.key for kept in held.kept}
    gone = None in [first.versions[kept.snippet.path] for kept in held.kept]
    assume(not core and not changed and not gone)
    stays, top = list(held.kept), 0
    while stays and top + stays[-1].tokens <= REACH * room:
        top += stays.pop().tokens
    assert later.kept[: len(stays)] == tuple(stays)


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


def at(*snippets: Snippet) -> Gathered:
    return Gathered("here.py", "work", snippets, versions={f"{name}.py": b"1" for name in NAMES})


def definitions(*names: str, lines: int = 8, score: float = 1.0) -> list[Snippet]:
    return [snippet(name, "definitions", lines, 0, "extended", score) for name in names]


def paths(held: Held) -> list[str]:
    return [kept.snippet.path.removesuffix(".py") for kept in held.kept]


def test_places_in_a_row_that_find_nothing_have_all_chosen_anew() -> None:
    here, there = at(*definitions(*NAMES[:4])), at(*definitions(*NAMES[4:8], lines=13))
    first = held = hold(here, 460, {}, seen=(), previous=None)
    for _ in range(3):
        held = hold(there, 460, {}, seen=(), previous=held)
        assert held.kept[:2] == first.kept[:2]
    held = hold(there, 460, {}, seen=(), previous=held)
    assert held.kept == hold(there, 460, {}, seen=(), previous=None).kept
    assert held.misses == 0


def test_places_that_ask_for_other_things_each_do_not_have_all_chosen_anew() -> None:
    first = held = hold(at(*definitions(*NAMES[:4])), 460, {}, seen=(), previous=None)
    for number in range(6):
        names = NAMES[4:8] if number % 2 else NAMES[8:12]
        held = hold(at(*definitions(*names, lines=13)), 460, {}, seen=(), previous=held)
        assert held.kept[:2] == first.kept[:2]


def test_what_a_new_place_declares_gets_in_though_all_is_full() -> None:
    held = hold(at(*definitions(*NAMES[:7], lines=6)), 400, {}, seen=(), previous=None)
    assert total(held) > 300
    for name in NAMES[7:]:
        before = held
        held = hold(at(*definitions(name, lines=3)), 400, {}, seen=(), previous=before)
        assert paths(held)[-1] == name
        assert held.kept[0] == before.kept[0]


def test_a_larger_declaration_of_a_new_place_gets_in_as_a_signature() -> None:
    held = hold(at(*definitions(*NAMES[:7], lines=6)), 400, {}, seen=(), previous=None)
    (large,) = definitions("name_9", lines=40)
    wanted = replace(large, short="def name_9_0(): ...\n")
    held = hold(at(wanted), 400, {}, seen=(), previous=held)
    assert held.kept[-1].text == wanted.short


def test_what_looks_alike_comes_in_while_little_changes() -> None:
    def similar(name: str) -> Snippet:
        return snippet(name, "similar", 9, 0, "extended", 1.0)

    calm = held = hold(at(*definitions(*NAMES[:3])), 500, {}, seen=(), previous=None)
    moved = []
    for name in NAMES[4:]:
        before = held
        held = hold(at(similar(name)), 500, {}, seen=(), previous=before)
        assert held.kept[:3] == calm.kept[:3]
        moved.append(paths(held)[-1] == name)
    # The first place has what it asks for; one that goes on and on has it now and then.
    assert moved[0]
    assert 2 <= sum(moved) <= 5
    # What is dropped is told, with a reason of its own.
    last = hold(at(similar("name_3")), 500, {}, seen=(), previous=held)
    assert ("similar:name_3.py" in [kept.snippet.key for kept in last.kept]) != (
        ["what is shown already stays for now"] == [left.reason for left in last.dropped]
    )


def test_what_changed_takes_nothing_from_what_stands_before_it() -> None:
    held = hold(at(*definitions(*NAMES[:5], lines=5)), 600, {}, seen=(), previous=None)
    where = held.kept[2].snippet
    changed = replace(where, text=where.text + f"    # {where.path}\n")
    again = hold(at(changed), 600, {}, seen=(), previous=held)
    assert again.kept[:2] == held.kept[:2]
    assert changed.text in [kept.text for kept in again.kept]
    assert set(paths(again)) == set(paths(held))


def test_what_must_be_whole_at_the_cursor_is_made_whole() -> None:
    (large,) = definitions("name_9", lines=20)
    large = replace(large, short="def name_9_0(): ...\n", score=0.5)
    held = hold(at(*definitions(*NAMES[:4], lines=6), large), 340, {}, seen=(), previous=None)
    assert held.kept[-1].text == large.short
    core = hold(at(replace(large, tier="core")), 340, {}, seen=(), previous=held)
    (shown,) = [kept for kept in core.kept if kept.snippet.key == large.key]
    assert shown.whole
    # It stays so when the cursor has left.
    assert shown.text in [k.text for k in hold(at(), 340, {}, seen=(), previous=core).kept]


@settings(max_examples=60)
@given(st.lists(places(), min_size=2, max_size=8), st.integers(200, 900))
def test_no_place_changes_more_than_a_part(walk: list[Gathered], room: int) -> None:
    held = None
    for gathered in walk:
        # Nothing changes but what is asked for, and nothing has to be whole.
        snippets = tuple(
            snippet(kept.path.removesuffix(".py"), kept.source, 4, 0, "extended", kept.score)
            for kept in gathered.snippets
        )
        before, held = held, hold(at(*snippets), room, {}, seen=(), previous=held)
        if before is None or held.credit == 0.0:
            continue
        unchanged = 0
        for one, other in zip(before.kept, held.kept, strict=False):
            if (one.text, one.snippet.key) != (other.text, other.snippet.key):
                break
            unchanged += one.tokens
        assert unchanged >= total(before) - room * 0.35
