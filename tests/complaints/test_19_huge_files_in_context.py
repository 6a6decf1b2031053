"""Complaint 19, of context: huge files beside the one that is edited cost nothing and show little.

TabbyML/tabby#4326, #3715, #1753.
"""

from __future__ import annotations

from typing import get_args

from context_samples import case_at

from sidecar.context.gathering import gather
from sidecar.context.head import head_of
from sidecar.settings.schema import SourceName

ALL = frozenset(get_args(SourceName))
HERE = "from table import ROWS, Row, find\n\n\ndef view(row: Row):\n    find(row)\n    row.|\n"


def test_a_head_is_small_whatever_stands_in_other_files(tmp_path):
    methods = "".join(f"    def method_{n}(self, row: 'Row') -> 'Row': ...\n" for n in range(900))
    files = {
        "table.py": f"ROWS = [{'1, ' * 20_000}]\n\n\nclass Row:\n    number: int\n{methods}\n\n"
        f"def find(row: Row, default={'x' * 30_000!r}) -> Row: ...\n",
        "long.py": f"def find_row(row):\n    find(row)\n    return {'row + ' * 30_000}row\n",
        "app.py": HERE,
    }
    with case_at(tmp_path, files) as (place, known):
        found = gather(place, known, ALL)
    assert {"definitions", "members"} <= {snippet.source for snippet in found.snippets}
    assert max(len(snippet.text) for snippet in found.snippets) < 40_000
    for budget in (64, 512, 2048):
        head = head_of(found, budget, {})
        shown = "".join(segment.text for segment in head.segments)
        assert len(shown.encode()) / 2.5 <= budget
        assert "1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1" not in shown
    assert "class Row" in shown
