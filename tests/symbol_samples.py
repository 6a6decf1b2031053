"""Compares what is extracted from real code with expectations that were written by hand."""

from __future__ import annotations

import re
from pathlib import Path

from sidecar.syntax.facts import Facts, extract
from sidecar.syntax.languages import Languages

__all__ = ["check", "facts_of_text"]

_DATA = Path(__file__).parent / "data" / "symbols"


def check(
    name: str,
    symbols: str,
    *,
    imports: list[tuple[str, str, str, int]],
    docs: dict[str, str],
    bases: dict[str, tuple[str, ...]],
    types: dict[str, str],
    parameters: dict[str, tuple[tuple[str, str], ...]],
    references: dict[str, tuple[int, int, int]],
) -> None:
    """Extract a file of tests/data/symbols and compare.

    Args:
        name: The file.
        symbols: All of them, in the order of the text: `line kind owner.name | signature` on a
            line each, which may be wrapped, with lines counted from 1, and without the owner where
            there is none.
        imports: All of them: module, name, alias and line, counted from 1.
        docs: Of all symbols that have one: what their documentation begins with.
        bases: Of all symbols that have some.
        types: What functions return, and what types values have; of all where it is written.
        parameters: Of all symbols that have some with types.
        references: Some names, and how often each is called, read as a member and used as a type.
    """
    language = Languages.load().find("", name)
    assert language is not None
    facts = extract(language, (_DATA / name).read_bytes())
    assert facts is not None
    assert facts.errors == 0
    expected = [" ".join(entry.split()) for entry in re.split(r"\n(?=\s*\d+ )", symbols.strip())]
    unwrapped = [e.replace("( ", "(").replace(" )", ")").replace(",)", ")") for e in expected]
    assert _lines(facts) == unwrapped
    assert [(*item[:3], item.line + 1) for item in facts.imports] == imports
    named = [(f"{s.owner}.{s.name}" if s.owner else s.name, s) for s in facts.symbols]
    assert {n: s.doc for n, s in named if s.doc} == docs
    assert {n: s.bases for n, s in named if s.bases} == bases
    assert {n: s.type for n, s in named if s.type} == types
    assert {n: s.parameters for n, s in named if s.parameters} == parameters
    assert {name: facts.references.get(name) for name in references} == references


def facts_of_text(name: str, text: str) -> tuple[Facts, list[str]]:
    """Return the facts of code that no sample has, and its symbols as `check` takes them."""
    language = Languages.load().find("", name)
    assert language is not None
    facts = extract(language, text.encode())
    assert facts is not None
    return facts, _lines(facts)


def _lines(facts: Facts) -> list[str]:
    return [
        f"{place.line + 1} {s.kind} {s.owner + '.' if s.owner else ''}{s.name} | {s.signature}"
        for s, place in zip(facts.symbols, facts.places, strict=True)
    ]
