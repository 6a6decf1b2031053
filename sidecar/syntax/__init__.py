"""Languages, parse trees, and what anchors need to know of code.

May import `text`, and is the only package that imports tree_sitter and grammars.
"""

from __future__ import annotations

from sidecar.syntax.bodies import Bodies, Body
from sidecar.syntax.languages import Language, Languages
from sidecar.syntax.parse import Trees

__all__ = ["Bodies", "Body", "Language", "Languages", "Trees"]
