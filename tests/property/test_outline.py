"""Outlines and pruned files of real code, and of what is left of it after random edits."""

from __future__ import annotations

import re
from pathlib import Path

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sidecar.context import Keep, outline_of, pruned
from sidecar.syntax import Folding, Grammar, Language, Languages, folding_of
from sidecar.syntax.parse import Parsed
from sidecar.text import Buffer, Document, to_lf

DATA = Path(__file__).resolve().parents[1] / "data"


def samples() -> list[tuple[Language, str]]:
    """Real files, and those whose outlines were written by hand."""
    found = []
    for language in Languages.load().all:
        folder = DATA / "symbols" / language.name
        paths = sorted(folder.iterdir()) if folder.is_dir() else []
        texts = [path.read_text("utf-8") for path in paths if path.suffix in language.extensions]
        text = (DATA / "outlines" / f"{language.name}.txt").read_text("utf-8")
        cases = [case.partition("\n")[2] for case in text.split("=== ")[1:]]
        texts += [case.partition("\n----\n")[0] + "\n" for case in cases]
        found += [(language, text) for text in texts]
    return found


def with_grammar(sample: tuple[Language, str]) -> tuple[Grammar, str]:
    # Made when it is needed: whoever only collects tests would wait for all of them.
    grammar = Grammar.of(sample[0])
    assert grammar is not None
    return grammar, sample[1]


SAMPLE = st.sampled_from(samples()).map(with_grammar)
PLACE = st.floats(0, 1, exclude_max=True)
PIECES = st.sampled_from(
    (
        *("", "", "{", "}", "(", ")", '"', "'", "/*", "*/", "#", "//", "\n", "\r\n", "\n\n\n", "é"),
        *("😀", "end", "def f(", "class A", "x = ", "    ", "\t", "\0", "`", "<?php", ":"),
    )
)
EDITS = st.lists(st.tuples(PLACE, st.integers(0, 40), PIECES), max_size=6)
KEEP = st.builds(
    Keep,
    function_lines=st.integers(0, 60),
    loose_lines=st.integers(0, 60),
    sibling_lines=st.integers(0, 20),
)


def parse(grammar: Grammar, text: str) -> Parsed:
    source = text.encode("utf-8", "replace")
    tree = grammar.parse(source)
    assert tree is not None
    return Parsed(source, tree, grammar)


def edited(text: str, edits: list[tuple[float, int, str]]) -> str:
    for place, removed, inserted in edits:
        at = int(place * len(text))
        text = text[:at] + inserted + text[at + removed :]
    return text


def outermost(found: Folding) -> list[tuple[int, int]]:
    ranges: list[tuple[int, int]] = []
    for fold in found.folds:
        if not ranges or fold.start >= ranges[-1][1]:
            ranges.append((fold.start, fold.end))
    return ranges


@settings(max_examples=150, deadline=None)
@given(SAMPLE, EDITS)
def test_any_text_has_an_outline_that_is_no_longer_than_it(sample, edits):
    grammar, text = sample
    text = edited(text, edits)
    parsed = parse(grammar, text)
    found = outline_of(parsed)
    assert found is not None
    assert found == outline_of(parse(grammar, text))
    assert len(found.text.encode()) <= len(parsed.source) + 1
    assert "\r" not in found.text
    assert not found.text.startswith("\n")
    assert found.text == "" or (found.text.endswith("\n") and not found.text.endswith("\n\n"))


@settings(max_examples=100, deadline=None)
@given(SAMPLE, EDITS)
def test_folds_are_ranges_that_lie_beside_or_in_each_other(sample, edits):
    parsed = parse(sample[0], edited(sample[1], edits))
    found = folding_of(parsed)
    assert found is not None
    open_: list[int] = []
    for fold in found.folds:
        assert 0 <= fold.start < fold.end <= len(parsed.source)
        assert len(fold.text) <= fold.end - fold.start
        while open_ and open_[-1] <= fold.start:
            open_.pop()
        assert not open_ or fold.end <= open_[-1], (fold, parsed.source[fold.start : fold.end])
        open_.append(fold.end)


@settings(max_examples=60, deadline=None)
@given(SAMPLE)
def test_an_outline_is_made_of_the_words_of_its_file_in_their_order(sample):
    grammar, text = sample
    parsed = parse(grammar, text)
    found, folded = outline_of(parsed), folding_of(parsed)
    assert found is not None
    assert folded is not None
    # What is outside of all folds stands there, word by word.
    kept, at = [], 0
    for start, end in [*outermost(folded), (len(parsed.source), len(parsed.source))]:
        kept += re.findall(rb"\w+", parsed.source[at:start])
        at = max(at, end)
    words = iter(re.findall(rb"\w+", found.text.encode()))
    assert all(word in words for word in kept)


@settings(max_examples=200, deadline=None)
@given(SAMPLE, st.data())
def test_an_edit_in_a_body_leaves_the_outline_as_it_is(sample, data):
    grammar, text = sample
    parsed = parse(grammar, text)
    folded = folding_of(parsed)
    assert folded is not None
    whole = [fold for fold in folded.folds if (fold.start, fold.end) in outermost(folded)]
    bodies = [fold for fold in whole if fold.kind == "body" and fold.end - fold.start > 30]
    assume(bodies and not parsed.tree.root_node.has_error)
    body = data.draw(st.sampled_from(bodies))
    inside = parsed.source[body.start : body.end]
    # A word becomes longer, or a line of comment is added.
    spots = [match.end() for match in re.finditer(rb"[a-z]+_[a-z_]+\b|\b[A-Z][a-z]+\b", inside)]
    lines = list(re.finditer(rb"(?<=\n)[^\n]*\n", inside))
    assume(spots)
    if lines and data.draw(st.booleans()):
        line = data.draw(st.sampled_from(lines))
        comment = re.match(rb"[ \t]*", line[0])[0] + grammar.comment_marks[0] + b" one { more\n"
        inside = inside[: line.start()] + comment + inside[line.start() :]
    else:
        at = data.draw(st.sampled_from(spots))
        inside = inside[:at] + b"x" + inside[at:]
    source = parsed.source[: body.start] + inside + parsed.source[body.end :]
    again = parse(grammar, source.decode())
    assume(not again.tree.root_node.has_error)
    assert outline_of(again) == outline_of(parsed)


@settings(max_examples=200, deadline=None)
@given(SAMPLE, EDITS, PLACE, PLACE, KEEP)
def test_a_pruned_file_is_the_file_at_the_cursor(sample, edits, place, length, keep):
    grammar, text = sample
    text = edited(text, edits)
    buffer = Buffer.of(text)
    cursor = int(place * len(text))
    anchor = max(cursor - int(length * 300), 0)
    if text[anchor - 1 : anchor + 1] == "\r\n" or text[cursor - 1 : cursor + 1] == "\r\n":
        return
    document = Document("file:///a", "/a", grammar.language.name, 1, buffer)
    parsed = parse(grammar, text)
    found = pruned(document, parsed, anchor, cursor, keep)
    assert found is not None
    assert found == pruned(document, parse(grammar, text), anchor, cursor, keep)
    before, after = to_lf(text[:anchor]), to_lf(text[cursor:])
    assert len(found.before) <= len(before) + 1
    assert len(found.after) <= len(after) + 1
    # The lines at either edge are whole.
    assert found.before.endswith(before[before.rfind("\n") + 1 :])
    assert found.after.startswith(after[: after.find("\n") + 1 or len(after)])


@settings(max_examples=100, deadline=None)
@given(SAMPLE, PLACE, st.data())
def test_the_function_around_a_cursor_is_whole(sample, place, data):
    grammar, text = sample
    parsed = parse(grammar, text)
    folded = folding_of(parsed)
    assert folded is not None
    bodies = [fold for fold in folded.folds if fold.kind == "body"]
    assume(bodies and text.isascii())
    body = data.draw(st.sampled_from(bodies))
    cursor = body.start + int(place * (body.end - body.start))
    document = Document("file:///a", "/a", grammar.language.name, 1, Buffer.of(text))
    found = pruned(document, parsed, cursor, cursor)
    assert found is not None
    assert found.before.endswith(text[body.start : cursor])
    assert found.after.startswith(text[cursor : body.end])
