"""What is answered from the cache is what the model's text comes to, and never out of date."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import given, settings
from hypothesis import strategies as st
from keyboard import PIECES, STEP, STOP, TEXT, act, document_of

from sidecar.completion.anchor import MAX_CLOSERS, AnchorLimits, choose
from sidecar.completion.anchored import Anchored
from sidecar.completion.cache import Cache, Known, Terms
from sidecar.completion.closers import CLOSERS
from sidecar.completion.finish import finish
from sidecar.completion.suggestion import Suggestion
from sidecar.context import WindowLimits
from sidecar.context.head import Head
from sidecar.text import Buffer, Document, from_lf, scrub, to_lf

HEAD = Head()
MOST_TYPED = AnchorLimits().bytes

ACTION = st.one_of(
    STEP,
    st.tuples(
        st.just("ask"),
        st.lists(st.sampled_from(PIECES), min_size=2, max_size=12).map("".join),
        STOP,
    ),
    st.tuples(st.just("agree"), st.integers(1, 4)),
    st.tuples(st.just("undo"), st.integers(1, 9)),
)
#: A few keys along what was said, and then anything.
ACTIONS = st.lists(
    st.tuples(ACTION, st.integers(0, 3)).map(lambda pair: [pair[0], *[("agree", 1)] * pair[1]]),
    max_size=12,
).map(lambda groups: [action for group in groups for action in group])


@dataclass(frozen=True)
class Asked:
    """One answer, and all the text that it was given for."""

    prefix: str
    typed: str
    suffix: str
    to_end: bool
    raw: str
    stop: str
    terms: Terms

    def rests(self, text: str, offset: int) -> set[tuple[str, int]]:
        """Say what it has to offer at a cursor, and behind how many closers, by looking at all."""
        after = text[offset:]
        counts = [
            count
            for count in range(min(MAX_CLOSERS, len(after)) + 1)
            if all(c in CLOSERS for c in after[:count])
            and (
                after[count:] == self.suffix
                if self.to_end
                else after.startswith(self.suffix, count)
            )
        ]
        found = set()
        for place in range(max(offset - MOST_TYPED, 0), offset + 1):
            if not text[:place].endswith(self.prefix):
                continue
            typed = to_lf(scrub(text[place:offset]))
            whole = self.typed + self.raw
            if typed.startswith(self.typed) and whole.startswith(typed):
                found |= {(whole[len(typed) :], count) for count in counts}
        return found


def finished(rest: str, document: Document, offset: int, closers: int, asked: Asked, terms: Terms):
    return finish(rest, document, offset, closers, stop=asked.stop, multiline=terms.multiline)


@settings(max_examples=300, deadline=None)
@given(TEXT, st.integers(1, 4), st.floats(0, 1), st.booleans(), ACTIONS)
def test_a_hit_is_what_the_model_said_for_the_text_that_is_there(
    text, times, place, multiline, actions
):
    document, offset = document_of(text * times, place)
    buffer = document.buffer
    window = WindowLimits(before_lines=20, after_lines=4, before_tokens=60, after_tokens=20)
    terms = Terms(multiline, 48)
    cache = Cache()
    everything: list[Asked] = []
    #: The newest answer for each text and cursor.
    newest: dict[tuple[str, int], Asked] = {}
    history = [(buffer, offset)]
    words = ""
    for action in [("ask", "foo(x)\n    y", "eog"), *actions]:
        if action[0] == "ask":
            found = choose(document, offset, window=window)
            anchor = found.anchor
            raw = to_lf(scrub(action[1]))
            asked = Asked(
                anchor.prefix,
                to_lf(scrub(found.typed)),
                anchor.suffix,
                anchor.to_end,
                raw,
                action[2],
                terms,
            )
            everything.append(asked)
            newest[buffer.text, offset] = asked
            cache.add(document, Anchored(found, HEAD), Known(asked.typed, raw, asked.stop, terms))
            words = raw
        elif action[0] == "agree":
            agreed, words = words[: action[1]], words[action[1] :]
            for key in agreed:
                if buffer.slice(offset - 1, offset + 1) != "\r\n":
                    buffer, offset = act(buffer, offset, ("type", key))
        elif action[0] == "undo":
            buffer, offset = history[-min(action[1], len(history))]
        else:
            buffer, offset = act(buffer, offset, action)
        if not 0 <= offset <= len(buffer) or buffer.slice(offset - 1, offset + 1) == "\r\n":
            offset = max(min(offset, len(buffer)) - 1, 0)
        history.append((buffer, offset))
        document = Document(document.uri, document.path, "python", len(history), buffer)

        hit = cache.find(document, offset, terms)
        exact = newest.get((buffer.text, offset))
        if exact is not None:
            assert hit is not None or exact.stop == "time", "undo and typing again find it"
        if hit is None:
            continue
        possible = [
            (asked, rest, closers)
            for asked in everything
            for rest, closers in asked.rests(buffer.text, offset)
        ]
        assert any(
            hit.finished == finished(rest, document, offset, closers, asked, terms)
            for asked, rest, closers in possible
        ), "it is what the finish step gives for the same text of the model at that cursor"
        if isinstance(hit.finished, Suggestion):
            made = hit.finished
            assert made.start <= offset <= made.end <= len(buffer)
        extension = hit.anchored.extension
        assert buffer.slice(extension.anchor.offset, offset) == extension.typed


@settings(max_examples=200, deadline=None)
@given(TEXT, st.floats(0, 1), st.lists(st.sampled_from(PIECES), max_size=8), STOP)
def test_typing_along_is_answered_while_there_is_something_to_offer(text, place, pieces, stop):
    document, offset = document_of(text, place)
    raw = to_lf(scrub("".join(pieces)))
    found = choose(document, offset)
    terms = Terms(multiline=True, max_tokens=48)
    cache = Cache()
    cache.add(document, Anchored(found, HEAD), Known(to_lf(scrub(found.typed)), raw, stop, terms))
    newline = document.buffer.newline
    for size in range(len(raw) + 1):
        ahead = from_lf(raw[:size], newline)
        buffer = document.buffer.edit(offset, offset, ahead)
        cursor = offset + len(ahead)
        if (
            len(buffer) != len(document.buffer) + len(ahead)
            or buffer.slice(cursor - 1, cursor + 1) == "\r\n"
        ):
            continue
        there = Document(document.uri, document.path, "python", size, buffer)
        hit = cache.find(there, cursor, terms)
        expected = finish(raw[size:], there, cursor, found.closers, stop=stop, multiline=True)
        if isinstance(expected, Suggestion) and not _moves(found.anchor, there, cursor):
            assert hit is not None and hit.finished == expected
        elif hit is not None:
            assert size == 0 or isinstance(hit.finished, Suggestion)
        # Of several lines the first is what one line would have been.
        one = cache.find(there, cursor, Terms(multiline=False, max_tokens=48))
        if one is not None:
            assert one.finished == finish(
                raw[size:], there, cursor, one.anchored.extension.closers, stop=stop
            )
        assert cache.find(there, cursor, Terms(multiline=True, max_tokens=9)) is None


def _moves(anchor, document, offset):
    from sidecar.completion.anchor import extend

    return extend(anchor, document, offset) is None


@given(st.integers(1, 400), st.integers(0, 3))
@settings(max_examples=10, deadline=None)
def test_what_is_kept_is_bounded_and_the_newest_is_there(count, documents):
    cache = Cache()
    terms = Terms(multiline=False, max_tokens=8)
    for number in range(count):
        uri = f"file:///{number % (documents + 1)}.py"
        buffer = Buffer.of(f"value_{number} = \nnext_{number} = 2\n")
        document = Document(uri, uri[7:], "python", 1, buffer)
        cursor = buffer.line_end(0)
        extension = choose(document, cursor)
        known = Known(to_lf(extension.typed), f"call({number})", "eog", terms)
        cache.add(document, Anchored(extension, HEAD), known)
        hit = cache.find(document, cursor, terms)
        assert hit is not None and hit.known == known
    assert len(cache) <= min(count, 24 * (documents + 1), 128)
