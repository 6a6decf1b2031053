"""Anchors and finished suggestions under whatever an editor and a model may come up with."""

from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st
from keyboard import STEP, STOP, TEXT, act, document_of

from sidecar.completion.anchor import AnchorLimits, choose, extend
from sidecar.completion.closers import closers_after
from sidecar.completion.finish import finish
from sidecar.completion.suggestion import Suggestion
from sidecar.context import Tokens, WindowLimits, lines_needed
from sidecar.engine.stream import TextStream
from sidecar.syntax import Bodies, Languages, Trees
from sidecar.text import Buffer, Document, to_lf
from sidecar.text.blocks import Around


def is_subsequence(part: str, whole: str) -> bool:
    rest = iter(whole)
    return all(character in rest for character in part)


@settings(max_examples=400, deadline=None)
@given(TEXT, st.floats(0, 1), TEXT, STOP, st.booleans())
def test_a_suggestion_can_be_shown_and_never_eats_text(text, place, raw, stop, multiline):
    document, offset = document_of(text, place)
    buffer = document.buffer
    closers = closers_after(buffer, offset)
    found = finish(to_lf(raw), document, offset, closers, stop=stop, multiline=multiline)
    assert found == finish(to_lf(raw), document, offset, closers, stop=stop, multiline=multiline)
    if not isinstance(found, Suggestion):
        assert found.reason.replace("_", "").isalpha()
        return
    line = buffer.line_at(offset)
    assert found.start == buffer.line_start(line)
    assert offset <= found.end <= buffer.line_end(line), "the range stays on the cursor's line"
    assert found.end - offset <= closers
    # VS Code shows ghost text only if the replaced text survives in what replaces it.
    assert is_subsequence(buffer.slice(found.start, found.end), found.insert)
    assert found.typed == buffer.slice(found.start, offset)
    assert found.insert == found.typed + found.shown
    assert len(found.shown.strip()) > 1
    assert multiline or not any(c in found.shown for c in "\r\n")
    if buffer.newline == "\r\n":
        assert "\n" not in found.shown.replace("\r\n", "")


@settings(max_examples=250, deadline=None)
@example("        é😀😀😀", 14, 1.0, [])
@given(TEXT, st.integers(1, 30), st.floats(0, 1), st.lists(STEP, max_size=25))
def test_an_anchor_always_tells_the_truth(text, times, place, steps):
    document, offset = document_of(text * times, place)
    bodies = Bodies(Languages.load(), Trees())
    window = WindowLimits(before_lines=40, after_lines=10, before_tokens=120, after_tokens=40)
    limits = AnchorLimits(lines=4, tokens=80, bytes=300)
    buffer = document.buffer
    anchor = None
    for step in [("jump", place), *steps]:
        buffer, offset = act(buffer, offset, step)
        if buffer.slice(offset - 1, offset + 1) == "\r\n":
            offset -= 1
        document = Document("file:///a.py", "/a.py", "python", 1, buffer)
        found = extend(anchor, document, offset, limits) if anchor else None
        if found is None:
            body = bodies.find(document, offset)
            assert body is None or body.start <= len(buffer)
            tokens = Tokens(dict.fromkeys(lines_needed(buffer, offset, window), 2))
            found = choose(
                document, offset, body, tokens=tokens, limits=limits, window=window, previous=anchor
            )
            again = extend(found.anchor, document, offset, limits)
            assert again == found, "an anchor serves at the cursor it was chosen for"
        anchor = found.anchor
        assert anchor.window_start >= 0
        assert buffer.slice(anchor.window_start, anchor.offset) == anchor.prefix
        assert buffer.slice(anchor.offset, offset) == found.typed
        after = offset + found.closers
        assert buffer.slice(after, after + len(anchor.suffix)) == anchor.suffix
        assert len(found.typed.encode("utf-8", "surrogatepass")) <= limits.bytes


LINE = st.builds(
    lambda depth, code: " " * depth + code,
    st.sampled_from([0, 4, 8]),
    st.sampled_from(["a = b(c)", "if a:", "else:", ")", "}", "foo(", "x", "return total", "a,"]),
)


@settings(max_examples=400, deadline=None)
@given(
    above=st.lists(LINE, max_size=3),
    before=st.sampled_from(["    ", "    if a", "    foo(", "        x", "def f():", "x = {"]),
    raw=st.lists(LINE, min_size=1, max_size=5),
    below=st.one_of(st.just(""), LINE),
)
def test_where_the_engine_stops_nothing_is_lost(above, before, raw, below):
    """What it would have gone on to say is cut."""
    head = "".join(line + "\n" for line in above) + before
    document = Document("file:///a.py", "/a.py", "python", 1, Buffer.of(f"{head}\n{below}\n"))
    text = "\n".join([raw[0].lstrip(), *raw[1:]])
    stream = TextStream(b"", multiline=True, around=Around(before, below))
    for character in text:
        stream.feed(character.encode())
        if stream.ended:
            break
    whole = finish(text, document, len(head), multiline=True)
    if stream.ended:
        assert finish(stream.text, document, len(head), multiline=True) == whole
