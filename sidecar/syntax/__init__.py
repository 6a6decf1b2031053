"""Languages, parse trees, what a file declares, and what anchors need to know of code.

May import `text`, and is the only package that imports tree_sitter and grammars.
"""

from __future__ import annotations

from sidecar.syntax.bodies import Bodies, Body
from sidecar.syntax.facts import Facts, extract, facts_of
from sidecar.syntax.folding import Folding, folding_of
from sidecar.syntax.folds import Fold
from sidecar.syntax.imports import Import
from sidecar.syntax.languages import Language, Languages
from sidecar.syntax.parse import Grammar
from sidecar.syntax.symbols import Place, Symbol
from sidecar.syntax.trees import Trees

__all__ = [
    "Bodies",
    "Body",
    "Facts",
    "Fold",
    "Folding",
    "Grammar",
    "Import",
    "Language",
    "Languages",
    "Place",
    "Symbol",
    "Trees",
    "extract",
    "facts_of",
    "folding_of",
]
