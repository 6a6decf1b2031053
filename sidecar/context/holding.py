"""Holds what is shown of other files while one moves about in a file.

What was chosen when one came to the file is settled and stays. What only a later place asks for
has what room is left behind it, and changes as one goes on. Where what a place asks for is hardly
shown, time and again, all is chosen anew. Pure. May import `context`'s values.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from sidecar.context.arrangement import Kept
from sidecar.context.fit import Budget, Dropped, Fitted, fit
from sidecar.context.window import Tokens

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sidecar.context.gathering import Gathered
    from sidecar.context.snapshot import Snippet

__all__ = ["Held", "hold"]

#: The part of the room that is given when one comes to a file.
_SETTLED: Final = 0.85
#: A place is missed where less than this part of what would be chosen there is shown, with all that
#: there is room for behind what is settled; after so many in a row all is chosen anew.
_COVERED: Final = 0.34
_MOST_MISSES: Final = 3


@dataclass(frozen=True, slots=True)
class Held:
    """What is shown of other files.

    Args:
        settled: What is shown since one came to the file.
        later: What was asked for later.
        versions: By path, what the files of these held then.
        misses: How many places in a row were missed.
    """

    settled: Fitted = field(default_factory=Fitted)
    later: Fitted = field(default_factory=Fitted)
    versions: Mapping[str, bytes | None] = field(default_factory=dict)
    misses: int = 0

    @property
    def kept(self) -> tuple[Kept, ...]:
        """What is shown, in the order of the prompt."""
        return self.settled.kept + self.later.kept

    @property
    def dropped(self) -> tuple[Dropped, ...]:
        """What is not, each once."""
        shown = {kept.snippet.key for kept in self.kept}
        dropped = {
            item.key: item
            for item in (*self.settled.dropped, *self.later.dropped)
            if item.key not in shown
        }
        return tuple(dropped.values())


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
    core = _core(offered, counts)
    # What must not be cut may have what is kept free for later.
    share = min(max(int(room * _SETTLED), sum(core.values())), room)
    fresh = fit(offered, Budget(share), counts, seen=seen)
    if previous is None or not previous.kept:
        return Held(fresh, Fitted(), versions)
    known = {kept.snippet.key for kept in previous.kept}
    new = sum(tokens for key, tokens in core.items() if key not in known)
    share = max(min(max(share, _sum(previous.settled.kept)), room - new), 0)
    stay = _still(previous, previous.settled.kept, gathered)
    settled = _as_it_was(previous.settled, stay, share, counts)
    if settled is None:
        settled = fit(stay, Budget(share), counts, previous=previous.settled)
    taken = {kept.snippet.key for kept in settled.kept}
    others = {snippet.key: snippet for snippet in _still(previous, previous.later.kept, gathered)}
    candidates = [
        snippet for snippet in offered if snippet.key not in taken and snippet.key not in others
    ]
    candidates += [snippet for key, snippet in others.items() if key not in taken]
    later = fit(
        candidates,
        Budget(max(room - _sum(settled.kept), 0)),
        counts,
        previous=previous.later,
        seen=(*seen, *(kept.text for kept in settled.kept)),
    )
    misses = previous.misses + 1 if _misses(fresh, settled.kept + later.kept) else 0
    if misses >= _MOST_MISSES:
        return Held(fresh, Fitted(), versions)
    return Held(settled, later, versions, misses)


def _core(offered: Sequence[Snippet], counts: Mapping[str, int]) -> dict[str, int]:
    """Return the tokens of what must not be cut, by key."""
    tokens = Tokens(counts)
    return {
        snippet.key: tokens.text(snippet.text) + tokens.text(snippet.path + "\n")
        for snippet in offered
        if snippet.tier == "core"
    }


def _still(previous: Held, kept: Sequence[Kept], gathered: Gathered) -> list[Snippet]:
    """Return what was shown as it is offered now, or as it was if its file has not changed."""
    offered: dict[str, Snippet] = {}
    for snippet in gathered.snippets:
        # Several sources may offer one declaration.
        offered.setdefault(snippet.key, snippet)
    found = []
    for one in kept:
        snippet, path = one.snippet, one.snippet.path
        version = gathered.versions.get(path)
        now = offered.get(snippet.key)
        if now is not None:
            # Whichever source offers it now, it stands where it stood.
            same = now.path == path and now.source != snippet.source
            found.append(replace(now, source=snippet.source) if same else now)
        elif version is not None and version == previous.versions.get(path):
            found.append(snippet)
    return found


def _as_it_was(
    before: Fitted, stay: Sequence[Snippet], room: int, counts: Mapping[str, int]
) -> Fitted | None:
    """Return what was settled if all of it is offered as it was and has room, or None.

    What its pieces are worth beside each other depends on what else is offered, and must not
    decide again which of them is cut.
    """
    if len(stay) != len(before.kept) or _sum(before.kept) > room:
        return None
    kept = []
    for one, now in zip(before.kept, stay, strict=True):
        if _shown(one.snippet) != _shown(now) or counts.get(one.text, 0) > one.tokens:
            return None
        kept.append(Kept(now, one.text, one.tokens, one.whole, one.note))
    return Fitted(tuple(kept), (), len(kept))


def _shown(snippet: Snippet) -> tuple[str, str, str, str, str, str]:
    """Return what decides how a snippet is shown, and where."""
    return (
        snippet.key,
        snippet.source,
        snippet.path,
        snippet.text,
        snippet.short,
        snippet.tier,
    )


def _misses(fresh: Fitted, kept: Sequence[Kept]) -> bool:
    """Tell whether little is shown of what would be chosen now."""
    shown = {kept.snippet.key for kept in kept}
    known = sum(kept.tokens for kept in fresh.kept if kept.snippet.key in shown)
    return known < _COVERED * _sum(fresh.kept)


def _sum(kept: Sequence[Kept]) -> int:
    return sum(one.tokens for one in kept)
