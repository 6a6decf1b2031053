"""Complaint 15: a good answer is cut in the wrong place, or only its first line is shown.

continuedev/continue#3994, #5255, #7806, #6406.
"""

from __future__ import annotations

from cursor import at_cursor

from sidecar.completion.finish import finish
from sidecar.completion.suggestion import Suggestion

WHOLE = """
    for name in names:
        if not name:
            continue

        try:
            yield load(name)
        except KeyError:
            pass
    else:
        return ')'"""


def test_a_whole_block_stays_whole():
    document, offset = at_cursor("def work(names):|\n\n\ndef other():\n    pass\n")
    found = finish(WHOLE, document, offset, multiline=True)
    assert isinstance(found, Suggestion) and found.shown == WHOLE


def test_a_block_cut_by_the_limit_ends_with_a_whole_line():
    document, offset = at_cursor("def work(names):|\n\n\ndef other():\n    pass\n")
    found = finish(WHOLE[:-20], document, offset, stop="tokens", multiline=True)
    assert isinstance(found, Suggestion)
    assert WHOLE.startswith(found.shown + "\n") and found.shown.count("\n") >= 7


def test_a_block_in_braces_keeps_its_closing_lines():
    raw = " {\n  if (a) {\n    b();\n  } else {\n    c();\n  }\n}"
    document, offset = at_cursor("function f(a)|\n\nfunction g() {\n}\n")
    found = finish(raw, document, offset, multiline=True)
    assert isinstance(found, Suggestion) and found.shown == raw
