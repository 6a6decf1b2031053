"""Complaint 18: the server panics on "μ", where a byte offset is no character's boundary.

SilasMarvin/lsp-ai#50.
"""

from __future__ import annotations

import pytest

from sidecar.completion.anchor import choose, extend
from sidecar.completion.finish import finish
from sidecar.context import build
from sidecar.syntax import Bodies, Languages, Trees
from sidecar.text import Buffer, Change, Document, Position

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
