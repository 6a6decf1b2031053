from __future__ import annotations

import subprocess
import sys

import pytest

from sidecar.syntax import Languages
from sidecar.syntax.parse import Grammar


@pytest.mark.parametrize(
    ("language_id", "path", "name"),
    [
        ("python", "", "python"),
        ("javascriptreact", "/a.jsx", "javascript"),
        ("typescriptreact", "", "tsx"),
        ("", "/a/b.TSX", "tsx"),
        ("plaintext", "/a/b.go", "go"),
        ("go", "/a/b.py", "go"),
        ("", "/a/Rakefile", "ruby"),
        ("", "/a/README", None),
    ],
)
def test_languages_are_found_by_identifier_and_by_name(language_id, path, name):
    found = Languages.load().find(language_id, path)
    assert (found.name if found else None) == name


@pytest.mark.parametrize("name", ["python", "javascript", "typescript", "tsx", "go"])
def test_grammars_load_with_their_queries(name):
    language = next(one for one in Languages.load().all if one.name == name)
    grammar = Grammar.of(language)
    assert grammar is not None and grammar.scopes is not None


def test_every_language_has_a_way_to_be_recognised():
    for language in Languages.load().all:
        assert language.ids and language.extensions, language.name
        assert language.module or language.pack, language.name


def test_knowing_languages_imports_no_grammar():
    code = (
        "import sys; from sidecar.syntax import Languages, Trees, Bodies; Languages.load();"
        "print([m for m in sys.modules if m.startswith('tree_sitter')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "[]"
