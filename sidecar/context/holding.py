"""Holds what is shown of other files while one moves about in a file.

What is shown stands like a stack: what a place asks for and does not find goes on top, at the end
of the prompt, and what has no room any more goes from there, so that all before it is read once.
Declarations come in wherever they are asked for. What merely looks like the code at the cursor is
large and changes with every few lines: it comes in as long as little of the prompt changed lately.
Where places in a row find hardly anything of what they ask for, and ask for the same, all is chosen
anew. Pure. May import `context`'s values.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, NamedTuple

from sidecar.context.duplicates import nearly_in
from sidecar.context.fit import Budget, Dropped, Fitted, fit
from sidecar.context.ranking import block_of
from sidecar.context.window import Tokens

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from sidecar.context.arrangement import Kept
    from sidecar.context.gathering import Gathered
    from sidecar.context.snapshot import Snippet

__all__ = ["Held", "hold"]

#: The part of the room that is given when one comes to a file.
_SETTLED: Final = 0.85
#: The part of the room in which a place may put something else, and the part of it that is cleared
#: for declarations: those that are larger are cut down to signatures.
_REACH: Final = 0.35
_CLEARED: Final = 0.12
#: A place is missed where less than this part of what would be chosen there is shown. After so many
#: in a row all is chosen anew, if half of that was asked for by that many of them.
_COVERED: Final = 0.34
_MOST_MISSES: Final = 4
_LASTING: Final = 3
_MOSTLY: Final = 0.5
#: The part of what is shown that may change for what looks alike: what a move adds to it, and the
#: most that it comes to while one moves and nothing has to change.
_EARNED: Final = 0.08
_CREDIT: Final = 0.5
#: The part of a piece that another one has to show for the two to be worth the same.
_ALIKE: Final = 0.4
#: The block of what merely looks alike.
_LOOKS: Final = block_of("similar")
_STAYS: Final = "what is shown already stays for now"


@dataclass(frozen=True, slots=True)
class Held:
    """What is shown of other files.

    Args:
        kept: What is shown, in the order of the prompt.
        dropped: What is not, each once.
        versions: By path, what the files of these held then.
        asked: By key, how many places in a row asked for what is not shown.
        misses: How many places in a row were missed.
        credit: The part of what is shown that may change for what looks alike.
    """

    kept: tuple[Kept, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    versions: Mapping[str, bytes | None] = field(default_factory=dict)
    asked: Mapping[str, int] = field(default_factory=dict)
    misses: int = 0
    credit: float = _CREDIT


class _Stay(NamedTuple):
    """What of that which was shown can be shown again.

    Args:
        kept: What is shown as it was, from the first on.
        behind: What stood behind the first that is not, as far as it is still there.
        whole: Whether all is as it was.
    """

    kept: list[Kept]
    behind: list[Kept]
    whole: bool


class _Cut(NamedTuple):
    """What has to go so that something else has room.

    Args:
        number: How many of those that stay are left alone.
        cost: The part of what is shown then that is another one than before.
        fits: Whether there is room then.
    """

    number: int
    cost: float
    fits: bool


def hold(
    gathered: Gathered,
    room: int,
    counts: Mapping[str, int],
    *,
    seen: Sequence[str],
    previous: Held | None,
) -> Held:
    """Choose what is shown of other files.

    Args:
        gathered: What was found.
        room: Most tokens of it.
        counts: Tokens of texts, by text.
        seen: What the prompt shows anyway.
        previous: What was shown before.
    """
    offered, versions = gathered.snippets, gathered.versions
    # What must not be cut may have what is kept free for later.
    share = min(max(int(room * _SETTLED), _core(offered, counts)), room)
    fresh = fit(offered, Budget(share), counts, seen=seen)
    if previous is None or not previous.kept:
        return Held(fresh.kept, fresh.dropped, versions)
    stay = _stay(previous, gathered, counts)
    shown = {one.snippet.key for one in (*stay.kept, *stay.behind)}
    missing = [one for one in fresh.kept if one.snippet.key not in shown]
    asked = {one.snippet.key: previous.asked.get(one.snippet.key, 0) + 1 for one in missing}
    total = _sum(fresh.kept)
    missed = total - _sum(missing) < _COVERED * total
    misses = previous.misses + 1 if missed else 0
    lasting = [one for one in missing if asked[one.snippet.key] >= _LASTING]
    if misses >= _MOST_MISSES and _sum(lasting) >= _MOSTLY * total:
        return Held(fresh.kept, fresh.dropped, versions, credit=0.0)

    wanted = {one.snippet.key for one in fresh.kept}
    credit = min(previous.credit + _EARNED, _CREDIT)
    new = [one for one in missing if not _looks_alike(one)]
    cut = _cut(stay, new, wanted, room)
    alike = _most_alike(fresh.kept, stay)
    if alike is not None:
        larger = _cut(stay, [*new, alike], wanted, room)
        if larger.fits and larger.cost <= credit:
            new, cut = [*new, alike], larger
    head = stay.kept[: cut.number]
    again = [one for one in stay.kept[cut.number :] if one.snippet.key in wanted]
    top = fit(
        [one.snippet for one in (*again, *stay.behind, *new)],
        Budget(max(room - _sum(head), 0)),
        counts,
        previous=Fitted(previous.kept[cut.number :]),
        seen=(*seen, *(one.text for one in head)),
    )
    kept = (*head, *top.kept)
    if stay.whole and not top.kept and _sum(stay.kept) <= room:
        # There was no room for it after all.
        kept = tuple(stay.kept)
    elif stay.whole:
        credit = max(credit - _sum(top.kept) / max(_sum(kept), 1), -_CREDIT)
    left = _left((*fresh.dropped, *top.dropped), missing, kept)
    return Held(kept, left, versions, asked, misses, credit)


def _core(offered: Sequence[Snippet], counts: Mapping[str, int]) -> int:
    """Return the tokens of what must not be cut."""
    tokens = Tokens(counts)
    core = {
        snippet.key: tokens.text(snippet.text) + tokens.text(snippet.path + "\n")
        for snippet in offered
        if snippet.tier == "core"
    }
    return sum(core.values())


def _stay(previous: Held, gathered: Gathered, counts: Mapping[str, int]) -> _Stay:
    """Return what was shown as it is offered now, or as it was if its file has not changed."""
    offered: dict[str, Snippet] = {}
    for snippet in gathered.snippets:
        # Several sources may offer one declaration.
        offered.setdefault(snippet.key, snippet)
    kept: list[Kept] = []
    behind: list[Kept] = []
    whole, path = True, ""
    for one in previous.kept:
        first, path = one.snippet.path != path, one.snippet.path
        now = _still(one.snippet, offered, previous, gathered)
        whole = whole and now is not None and _is_shown(one, now)
        if now is None or (not one.whole and _is_core(one.snippet, now)):
            # Gone, or it has to be whole and is asked for as though it were new.
            continue
        if one.text in counts:
            # It may have been an estimate before.
            name = Tokens().text(path + "\n") if first else 0
            one = replace(one, tokens=counts[one.text] + name)
        (kept if whole else behind).append(replace(one, snippet=now))
    return _Stay(kept, behind, whole)


def _still(
    snippet: Snippet, offered: Mapping[str, Snippet], previous: Held, gathered: Gathered
) -> Snippet | None:
    now = offered.get(snippet.key)
    if now is not None:
        # Whichever source offers it now, it stands where it stood.
        same = now.path == snippet.path and now.source != snippet.source
        return replace(now, source=snippet.source) if same else now
    version = gathered.versions.get(snippet.path)
    same = version is not None and version == previous.versions.get(snippet.path)
    return snippet if same else None


def _is_shown(one: Kept, now: Snippet) -> bool:
    """Tell whether a snippet is shown as it is offered now, and where it belongs."""
    before = one.snippet
    if not one.whole and _is_core(before, now):
        return False
    return (before.path, before.text, before.short) == (now.path, now.text, now.short)


def _is_core(before: Snippet, now: Snippet) -> bool:
    """Tell whether a snippet is offered as one that must not be cut."""
    return now is not before and now.tier == "core"


def _looks_alike(one: Kept) -> bool:
    return block_of(one.snippet.source) == _LOOKS


def _most_alike(fresh: Sequence[Kept], stay: _Stay) -> Kept | None:
    """Return what looks most like the code at a place, if nothing is shown that looks so."""
    alike = [one for one in fresh if _looks_alike(one)]
    texts = [one.text for one in (*stay.kept, *stay.behind)]
    if any(nearly_in(one.text, texts, _ALIKE) >= 0 for one in alike):
        return None
    return alike[0] if alike else None


def _cut(stay: _Stay, new: Sequence[Kept], wanted: Collection[str], room: int) -> _Cut:
    """Return what has to go for something new.

    Args:
        stay: What could stay.
        new: What is new.
        wanted: Keys of what would be chosen now, which has room again if it has to go.
        room: Most tokens of all.
    """
    core = [one.tokens for one in new if one.snippet.tier == "core"]
    alike = [one.tokens for one in new if _looks_alike(one)]
    declared = min(_sum(new) - sum(core) - sum(alike), int(room * _CLEARED))
    need = sum(core) + sum(alike) + declared
    need += sum(one.tokens for one in stay.behind if one.snippet.key in wanted)
    reach = room if core else int(room * _REACH)
    number, used = len(stay.kept), _sum(stay.kept)
    gone = 0
    while number and used + need > room:
        last = stay.kept[number - 1]
        if gone + last.tokens > reach and used <= room:
            break
        number -= 1
        gone += last.tokens
        used -= last.tokens
        need += last.tokens if last.snippet.key in wanted else 0
    free = not stay.whole and number == len(stay.kept)
    # What stands behind something that changed is read again in any case.
    return _Cut(number, 0.0 if free else need / max(used + need, 1), used + need <= room)


def _left(
    dropped: Sequence[Dropped], missing: Sequence[Kept], kept: Sequence[Kept]
) -> tuple[Dropped, ...]:
    """Return what is not shown, each once."""
    left = {item.key: item for item in dropped}
    for one in missing:
        snippet = one.snippet
        waits = Dropped(snippet.source, snippet.key, snippet.path, _STAYS, one.tokens)
        left.setdefault(snippet.key, waits)
    for one in kept:
        left.pop(one.snippet.key, None)
    return tuple(left.values())


def _sum(kept: Sequence[Kept]) -> int:
    return sum(one.tokens for one in kept)
