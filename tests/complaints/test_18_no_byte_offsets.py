"""Complaint 18: the server panics on "μ", where a byte offset is no character's boundary.

SilasMarvin/lsp-ai#50.
"""

from __future__ import annotations

from typing import get_args

import pytest
from context_samples import case_at

from sidecar.completion.anchor import choose, extend
from sidecar.completion.finish import finish
from sidecar.context import build
from sidecar.context.gathering import gather
from sidecar.settings.schema import SourceName
from sidecar.syntax import Bodies, Languages, Trees
from sidecar.text import Buffer, Change, Document, Position

ALL = frozenset(get_args(SourceName))
CODE = "def μ(😀):\n    '''Größe…'''\n" + "    ñ = 'μ' + '日本'\n" * 12 + "    return \ud83d"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_every_cursor_of_every_encoding_is_served(encoding):
    buffer = Buffer.of(CODE)
    bodies = Bodies(Languages.load(), Trees())
    for line in (0, 1, 5, buffer.line_count - 1):
        for column in range(40):
            change = Change(Position(line, column), Position(line, column + 1), "μ")
            edited = buffer.apply([change], encoding)
            document = Document("a", "a.py", "python", 1, edited)
            offset = edited.offset(Position(line, column), encoding)
            found = choose(document, offset, bodies.find(document, offset))
            assert extend(found.anchor, document, offset) == found
            for segment in build(found.anchor.prefix, found.anchor.suffix, found.typed).segments:
                segment.text.encode()
            finish("μ = 1", document, offset, found.closers)


def test_what_other_files_hold_is_cut_between_characters(tmp_path):
    other = (
        "# 日本語のモジュール 😀\nclass Größe:\n    '''Die Größe, μ. 😀'''\n    μ: float = 1.0\n\n"
        "    def länge(self, ñ: 'μ' = 'é😀') -> 'Größe':\n"
        "        '''Länge μ.'''\n        return self\n"
    )
    here = "from maße import Größe\n\n# 😀😀\ndef f(größe: Größe):\n    größe.länge('μ😀').|\n"
    with case_at(tmp_path, {"maße.py": other, "app.py": here}) as (place, known):
        found = gather(place, known, ALL)
    texts = {snippet.source: snippet.text for snippet in found.snippets}
    assert "def länge(self, ñ: 'μ' = 'é😀') -> 'Größe': ...\n" in texts["members"]
    assert "    μ: float = 1.0\n" in texts["members"]
    assert '    """Die Größe, μ. 😀"""\n' in texts["definitions"]
    assert "def f(größe: Größe):" in found.outline
