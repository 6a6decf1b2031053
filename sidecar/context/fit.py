"""Chooses the snippets that a prompt has room for, and keeps them where they were.

What gets room is decided in the order of `context/ranking.py`, greedily: core whole or cut at the
end, extended whole or as signatures, background whole or not at all. What was shown before has an
advantage, so the choice holds still while scores tremble, and the same candidates fitted to their
own result give that result. Where it stands is the business of `context/arrangement.py`.

Pure: the same values give the same result in any process. May import `context`'s values.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from sidecar.context.arrangement import Kept, arranged, same_place, unchanged_head
from sidecar.context.duplicates import NEARLY, nearly_in
from sidecar.context.entropy import condensed
from sidecar.context.forms import cut, forms_of, whole_of
from sidecar.context.ranking import KEEP, block_of, ranked
from sidecar.context.window import Tokens

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sidecar.context.forms import Form
    from sidecar.context.ranking import Ranked
    from sidecar.context.snapshot import Snippet

__all__ = ["Budget", "Dropped", "Fitted", "Kept", "fit", "texts_to_count"]

#: Candidates that are looked at, the best ones.
_MOST_CANDIDATES: Final = 128
#: Part of the budget that must stay free for a snippet to grow in front of others that hold still.
_PLENTY: Final = 0.25
#: What is shown already is allowed to be a little more like what the file shows than what is new,
#: so that it does not come and go while the window moves.
_SHOWN_NEARLY: Final = (1 + NEARLY) / 2
#: For texts that nobody counts.
_ESTIMATE: Final = Tokens()


@dataclass(frozen=True, slots=True)
class Budget:
    """The most that snippets may take.

    Args:
        tokens: Of all snippets together, with the lines that name their files.
        background_tokens: Of those of the tier `background`; 0 if they have no limit of their own.
    """

    tokens: int
    background_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Dropped:
    """A candidate that is not shown.

    Args:
        source: Its source.
        key: Its key.
        path: The file that it is from.
        reason: Why it is not shown; never code.
        tokens: What it would have taken as its source offered it.
    """

    source: str
    key: str
    path: str
    reason: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Fitted:
    """What is shown of the candidates.

    Args:
        kept: What is shown, in the order of the prompt.
        dropped: What is not, the best first.
        unchanged: How many of those kept, from the first on, are what they were before.
    """

    kept: tuple[Kept, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    unchanged: int = 0


def fit(
    candidates: Sequence[Snippet],
    budget: Budget,
    counts: Mapping[str, int],
    *,
    previous: Fitted | None = None,
    seen: Sequence[str] = (),
) -> Fitted:
    """Return what is shown of some candidates, in any order of them the same.

    Args:
        candidates: What sources offer, without secrets.
        budget: The most that it may take.
        counts: Tokens by text; what is missing is estimated.
        previous: What was shown before.
        seen: What the prompt shows of the current file.
    """
    before = previous.kept if previous else ()
    order, twice = ranked(candidates, {kept.snippet.key for kept in before})
    chooser = _Chooser(budget, Tokens(counts), before, seen)
    for one in order[:_MOST_CANDIDATES]:
        chooser.choose(one)
    kept = arranged(chooser.chosen, before)
    chooser.grow(kept, before)
    dropped = [
        *chooser.reasons(kept),
        *((one, "more candidates than are looked at") for one in order[_MOST_CANDIDATES:]),
    ]
    dropped.sort(key=lambda pair: _plain_order(pair[0]))
    return Fitted(
        chooser.counted(kept),
        tuple(
            [chooser.dropped(one.snippet, reason) for one, reason in dropped]
            + [chooser.dropped(snippet, "offered twice") for snippet in twice]
        ),
        unchanged_head(kept, before),
    )


def texts_to_count(candidates: Sequence[Snippet]) -> list[str]:
    """Return the texts, as they would be shown, whose tokens the engine should count for `fit`."""
    texts: dict[str, None] = {}
    for one in ranked(candidates)[0][:_MOST_CANDIDATES]:
        texts[condensed(one.snippet.text)] = None
        if one.snippet.short:
            texts[condensed(one.snippet.short)] = None
    texts.pop("", None)
    return list(texts)


def _plain_order(one: Ranked) -> tuple[int, float, str]:
    """Rank what is not shown as though nothing had been shown before."""
    return one.tier, one.worth if one.new else one.worth / KEEP, one.snippet.key


class _Chooser:
    """Gives room to candidates, one after the other."""

    def __init__(
        self, budget: Budget, tokens: Tokens, before: Sequence[Kept], seen: Sequence[str]
    ) -> None:
        self._budget = budget
        self._tokens = tokens
        self._before = {kept.snippet.key: kept for kept in before}
        self._runs = _runs(before)
        self._seen = seen
        #: What was told already of texts and the current file's part.
        self._told: dict[tuple[str, str], bool] = {}
        #: What is shown, and the part of it that was not shown before as it is.
        self._texts: list[str] = []
        self._fresh: list[str] = []
        self._left = budget.tokens
        self._background = budget.background_tokens or budget.tokens
        #: Runs of snippets of one file that have a line with its path already.
        self._headed: set[_Run] = set()
        #: What is shown, the best first, and what is not.
        self.chosen: list[Kept] = []
        self.refused: list[tuple[Ranked, list[Form]]] = []

    def choose(self, one: Ranked) -> None:
        """Show a candidate if there is room for it and it says something new."""
        snippet = one.snippet
        before = self._shown_as(snippet)
        run = self._runs.get(snippet.key) if before else None
        run = run or (-1, block_of(snippet.source), snippet.path)
        path = self._header(snippet.path)
        head = 0 if run in self._headed else path
        room = self._left - head
        if snippet.tier == "background":
            room = min(room, self._background - path)
        forms = forms_of(snippet, self._tokens, before)
        form = next((form for form in forms if form.tokens <= room), None)
        if form is None and forms and snippet.tier == "core":
            form = cut(forms[0], room)
        if form is None:
            self.refused.append((one, forms))
            return
        # Two that were shown beside each other stay so, whichever is the better one now.
        others = self._fresh if form.text == before else self._texts
        if self._in_file(snippet, form.text) or nearly_in(form.text, others) >= 0:
            self.refused.append((one, forms))
            return
        self._left -= form.tokens + head
        if snippet.tier == "background":
            self._background -= form.tokens + path
        self._headed.add(run)
        self._texts.append(form.text)
        if form.text != before:
            self._fresh.append(form.text)
        self.chosen.append(Kept(snippet, form.text, form.tokens, form.whole, form.note))

    def grow(self, kept: list[Kept], before: Sequence[Kept]) -> None:
        """Show whole what was cut down, where there is room now and nothing has to move for it."""
        still = unchanged_head(kept, before)
        places = {one.snippet.key: number for number, one in enumerate(kept)}
        for chosen in self.chosen:
            if chosen.whole or chosen.snippet.tier != "extended":
                continue
            number = places[chosen.snippet.key]
            whole = whole_of(chosen.snippet, self._tokens)
            more = whole.tokens - chosen.tokens
            plenty = int(self._budget.tokens * _PLENTY) if number < still else 0
            if self._left - plenty < more:
                continue
            others = [one.text for one in kept if one is not chosen]
            if self._in_file(chosen.snippet, whole.text) or nearly_in(whole.text, others) >= 0:
                continue
            self._left -= more
            kept[number] = Kept(chosen.snippet, whole.text, whole.tokens, True, whole.note)

    def reasons(self, kept: Sequence[Kept]) -> list[tuple[Ranked, str]]:
        """Return what is not shown, and why, by what is shown in the end."""
        texts = [one.text for one in kept]
        return [(one, self._reason(one.snippet, forms, kept, texts)) for one, forms in self.refused]

    def dropped(self, snippet: Snippet, reason: str) -> Dropped:
        """Return the account of a candidate that is not shown."""
        tokens = self._tokens.text(snippet.text) + self._header(snippet.path)
        return Dropped(snippet.source, snippet.key, snippet.path, reason, tokens)

    def counted(self, kept: Sequence[Kept]) -> tuple[Kept, ...]:
        """Return snippets with what they take, the line of a path at the first under it."""
        found = []
        path = None
        for one in kept:
            if one.snippet.path != path:
                path = one.snippet.path
                one = replace(one, tokens=one.tokens + self._header(path))
            found.append(one)
        return tuple(found)

    def _reason(
        self, snippet: Snippet, forms: list[Form], kept: Sequence[Kept], texts: Sequence[str]
    ) -> str:
        if not forms:
            return "holds nothing but data, a licence or blanks"
        for form in forms:
            if self._in_file(snippet, form.text):
                return "the current file's part shows nearly the same"
            known = nearly_in(form.text, texts)
            if known >= 0:
                return f"nearly the same as what is shown of {kept[known].snippet.path}"
        if snippet.tier == "background" and self._budget.background_tokens:
            return "no room in what the background may take"
        return "no room"

    def _header(self, path: str) -> int:
        """Return the tokens of the line that names a file, which nobody counts."""
        return _ESTIMATE.text(path + "\n")

    def _shown_as(self, snippet: Snippet) -> str:
        before = self._before.get(snippet.key)
        return before.text if before is not None and same_place(before.snippet, snippet) else ""

    def _in_file(self, snippet: Snippet, text: str) -> bool:
        """Tell whether the prompt shows nearly the same of the current file."""
        known = self._told.get((snippet.key, text))
        if known is None:
            part = _SHOWN_NEARLY if snippet.key in self._before else NEARLY
            known = nearly_in(text, self._seen, part) >= 0
            self._told[snippet.key, text] = known
        return known


#: Snippets that stand under one path: a number, a block and the path.
_Run = tuple[int, int, str]


def _runs(before: Sequence[Kept]) -> dict[str, _Run]:
    """Return by key the run in which each snippet stood; those of a run stay beside each other."""
    runs: dict[str, _Run] = {}
    last: _Run = (-1, -1, "")
    for number, kept in enumerate(before):
        block, path = block_of(kept.snippet.source), kept.snippet.path
        if last[1:] != (block, path):
            last = number, block, path
        runs[kept.snippet.key] = last
    return runs
