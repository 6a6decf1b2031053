"""Complaint 17: completions are worse, or broken, with CRLF.

TabbyML/tabby#3279.
"""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

from context_samples import case_at
from cursor import at_cursor

from sidecar.completion.anchor import choose
from sidecar.completion.finish import finish
from sidecar.completion.suggestion import Suggestion
from sidecar.context import build
from sidecar.context.gathering import gather
from sidecar.settings.schema import SourceName
from sidecar.syntax import Bodies, Languages, Trees
from sidecar.text import to_lf

ALL = frozenset(get_args(SourceName))

CODE = (
    "import os\n\n\ndef f(a):\n    '''Doc.'''\n"
    + "".join(f"    x{n} = {n}\n" for n in range(9))
    + "    if a:|\n    return a\n"
)


def test_the_prompt_of_a_crlf_file_is_that_of_an_lf_file():
    prompts = []
    for text in (CODE, CODE.replace("\n", "\r\n")):
        document, offset = at_cursor(text)
        body = Bodies(Languages.load(), Trees()).find(document, offset)
        found = choose(document, offset, body)
        assert found.anchor.reason == "body"
        prompts.append(build(found.anchor.prefix, found.anchor.suffix, found.typed))
    assert prompts[0] == prompts[1]


def test_the_answer_for_a_crlf_file_leaves_no_other_ending():
    document, offset = at_cursor(CODE.replace("\n", "\r\n"))
    raw = "\n        a = 1\n        b = 2\n    return a\n"
    found = finish(raw, document, offset, multiline=True)
    assert isinstance(found, Suggestion)
    after = document.buffer.edit(found.start, found.end, found.insert)
    assert after.text.replace("\r\n", "").count("\n") == 0
    assert after.text.count("return a") == 1
    assert found.shown == "\r\n        a = 1\r\n        b = 2"


def test_what_is_shown_of_other_files_is_the_same_with_either_ending(tmp_path):
    other = "class Order:\n    total: int\n\n    def ship(self):\n        return self.total\n"
    here = "from orders import Order\n\n\ndef view(order: Order):\n    order.ship()\n    order.|\n"
    offered = []
    for ending in ("\n", "\r\n"):
        folder = tmp_path / str(len(offered))
        (folder / "root").mkdir(parents=True)
        files = {"orders.py": other, "app.py": here}
        files = {path: text.replace("\n", ending) for path, text in files.items()}
        texts = {path: to_lf(text.replace("|", "")) for path, text in files.items()}
        with case_at(folder, files) as (place, known):
            # Texts have LF breaks: `completion/snapshots.py`.
            known = replace(known, text=texts.get)
            offered.append(gather(place, known, ALL))
    assert offered[0].snippets
    assert offered[0].snippets == offered[1].snippets
    assert offered[0].outline == offered[1].outline
