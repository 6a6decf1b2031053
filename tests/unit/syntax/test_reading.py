"""Texts are handed to parsers in pieces, by as many threads as there are."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sidecar.syntax import Languages
from sidecar.syntax.parse import Grammar
from sidecar.syntax.reading import PIECE, Reader

#: Two threads of a front as they are: keys on one, completed texts on the other.
THREADS = """
from concurrent.futures import ThreadPoolExecutor
from sidecar.syntax import Languages, Trees
from sidecar.syntax.repair import completed
from sidecar.text import Buffer
import sys

sys.setswitchinterval(1e-5)
python = Languages.load().find("python")
text = "".join(f"def f{n}(a, b):\\n    return a + {n}\\n" for n in range(60))
half = len(text) // 2
broken = text[:half] + "\\nclass A:\\n    def m(self):\\n        self.\\n" + text[half:]
other = Trees().parse("b", python, Buffer.of(broken))
trees, buffer = Trees(), Buffer.of(text)
with ThreadPoolExecutor(1) as reader:
    for key in range(30):
        job = reader.submit(completed, other, broken.index("self.\\n") + 5)
        while True:
            buffer = buffer.edit(half, half, "x")
            tree = trees.parse("a", python, buffer).tree
            assert str(tree.root_node) == str(Trees().parse("c", python, buffer).tree.root_node)
            if job.done():
                break
        assert job.result() is not None
print("done")
"""


@given(st.binary(max_size=3 * PIECE), st.data())
def test_a_text_is_read_in_pieces(source: bytes, data: st.DataObject) -> None:
    reader = Reader()
    read = reader.of(source)
    for at in data.draw(st.lists(st.integers(0, len(source)), max_size=5)):
        pieces = []
        start = at
        while piece := bytes(read(start, None)):
            pieces.append(piece)
            start += len(piece)
            # No character is cut off where a piece begins with it.
            assert len(piece) >= 4 or start == len(source)
        assert b"".join(pieces) == source[at:]
    # The same for the next text, in the same memory.
    assert bytes(reader.of(b"ab")(1, None)) == b"b"


def test_few_views_are_made_of_texts_of_all_lengths() -> None:
    """They are never let go, so one for each length would be some for every key."""
    reader = Reader()
    texts = [b"x" * length for length in range(3 * PIECE)]
    views = {id(reader.of(text)(at, None)) for text in texts for at in (0, len(text) // 2)}
    assert len(views) < 150


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("python", "name = f('é😀', [1])\n"),
        ("typescript", "const né = { a: `😀` };\n"),
        ("go", "// é\nvar a = []int{1}\n"),
    ],
)
@settings(max_examples=10, deadline=None)
@given(shift=st.integers(0, 60), cut=st.integers(0, 400))
def test_a_text_that_is_read_in_pieces_has_the_tree_of_all_of_it(
    name: str, line: str, shift: int, cut: int
) -> None:
    language = Languages.load().find(name)
    grammar = Grammar.of(language) if language else None
    assert grammar is not None
    # Characters of several bytes stand across the borders of pieces at some shift.
    source = (" " * shift + line * (2 * PIECE // len(line)))[cut:].encode()
    parsed = grammar.parse_within(60.0, source)
    assert parsed is not None
    assert str(parsed.root_node) == str(grammar.parser.parse(source).root_node)


def test_threads_do_not_share_a_parser() -> None:
    """What two do with one parser ends the process, so it is tried in another."""
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", THREADS],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr[-2000:]
