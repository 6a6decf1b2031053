"""Cuts what says little for its length: encoded data, long literals, tables, licence headers.

What is cut leaves `...`, which is no comment, so that it reads the same in every language. Whether
a run of characters is data and not words is told by its entropy: text in words has about 4 bits a
character, Base64 more than 4.6, padding less than 2.5. Pure; linear in the text. May import nothing
of sidecar.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from math import log2
from typing import Final

__all__ = ["condensed", "entropy"]

#: Bits a character below and above which a run is data.
_LEAST_BITS: Final = 2.5
_MOST_BITS: Final = 4.6
#: Characters of data, and of a literal, that are left to show what it is.
_DATA_SHOWN: Final = 8
_LITERAL_SHOWN: Final = 48
#: Rows in a row that make a table, and how many of them are shown.
_TABLE_ROWS: Final = 8
_ROWS_SHOWN: Final = 3
#: Lines of comment that a licence has at least.
_LICENCE_LINES: Final = 3

_DATA: Final = re.compile(r"[A-Za-z0-9+/=_\\-]{64,}+")
_HEX: Final = re.compile(r"[0-9a-fA-F]+")
#: Literals on one line. One that does not end goes to the end of the line, so that no character is
#: looked at twice; a quote behind a letter is an apostrophe.
_LITERALS: Final = re.compile(
    r"""(?<!\w)(?:[bBrRuUfF]{1,2})?(?:"(?:[^"\\]|\\.)*+(?:"|\\?$)|'(?:[^'\\]|\\.)*+(?:'|\\?$)"""
    r"""|`(?:[^`\\]|\\.)*+(?:`|\\?$))"""
)
#: A literal is long with so many characters.
_LONG_LITERAL: Final = 160
_NUMBERS: Final = re.compile(r"(?<![\w.])(?:-?[0-9][\w.]*+,[ \t]*+){24,}+")
_FIRST_NUMBERS: Final = re.compile(r"(?:-?[0-9][\w.]*+,[ \t]*+){3}")
#: A line of literals and what stands between them; data that was cut counts as one.
_ROW: Final = re.compile(
    r"""[\s\[\](){},;:=>|+*/&-]*+
    (?:(?:[bru]?"(?:[^"\\]|\\.)*+"|'(?:[^'\\]|\\.)*+'|-?[0-9][\w.]*+|[\w+/=\\-]{1,8}\.\.\.
       |(?:true|false|null|nil|None|True|False)\b)
    [\s\[\](){},;:=>|+*/&-]*+)++""",
    re.VERBOSE,
)
#: How such a line begins, to pass by texts without tables.
_ROW_HEAD: Final = re.compile(
    r"""^[ \t]*+(?:[bru]?["']|[\[\](){},;:=>|+*/&\d-]|[\w+/=\\-]{1,8}\.\.\."""
    r"""|(?:true|false|null|nil|None|True|False)\b)""",
    re.MULTILINE,
)
#: What may stand between rows.
_BRACKETS: Final = re.compile(r"[\s\[\](){},;]*+")
_COMMENT: Final = re.compile(r"\s*(?:#(?!!|include|define|if|pragma)|//|/\*|\*|--|;|%|<!--)")
_LICENCE: Final = re.compile(
    r"copyright|licen[cs]e|SPDX-|all rights reserved|warranty|permission is hereby", re.IGNORECASE
)


def entropy(text: str) -> float:
    """Return the bits that a character of a text holds."""
    size = len(text)
    return -sum(n / size * log2(n / size) for n in Counter(text).values()) if size else 0.0


@lru_cache(maxsize=2_048)
def condensed(text: str) -> str:
    """Return a text without what says little, ending in one line feed; empty if nothing is left."""
    text = text.strip("\n")
    lines = text.split("\n")
    lines = _without_licence(lines)
    if len(text) >= 64:
        lines = [_without_data(line) if len(line) >= 64 else line for line in lines]
    shorter = "\n".join(lines)
    if len(lines) > _TABLE_ROWS <= len(_ROW_HEAD.findall(shorter)):
        shorter = "\n".join(_without_tables(lines))
    shorter = shorter.rstrip()
    text = shorter if len(shorter) < len(text) else text.rstrip()
    return text + "\n" if text and text != "..." else ""


def _without_licence(lines: list[str]) -> list[str]:
    """Cut comments at the head that are a licence."""
    if not _COMMENT.match(lines[0]):
        return lines
    end = 0
    block = False
    for line in lines:
        bare = line.strip()
        if not block and not _COMMENT.match(line):
            break
        block = (block or bare.startswith("/*")) and "*/" not in bare
        end += 1
    if end < _LICENCE_LINES or not _LICENCE.search("\n".join(lines[:end])):
        return lines
    return ["...", *lines[end:]]


def _without_data(line: str) -> str:
    """Cut the runs of a line that are encoded data, and its long literals."""
    line = _DATA.sub(_data, line)
    if len(line) >= _LONG_LITERAL:
        line = _LITERALS.sub(_literal, line)
    return _NUMBERS.sub(_numbers, line).rstrip() if len(line) >= 48 else line


def _data(found: re.Match[str]) -> str:
    run = found[0]
    if run.strip(run[0]) == "" and not run[0].isalnum():
        # A rule across the page, which is one token or two.
        return run
    if _LEAST_BITS < entropy(run) < _MOST_BITS and not _HEX.fullmatch(run):
        return run
    return run[:_DATA_SHOWN].rstrip("\\") + "..."


def _literal(found: re.Match[str]) -> str:
    literal = found[0]
    quote = literal[-1]
    if len(literal) < _LONG_LITERAL or quote not in literal[:3] or quote not in "\"'`":
        return literal
    # An escape is left whole: what stands before the cut has no lone backslash at its end.
    return literal[:_LITERAL_SHOWN].rstrip("\\") + "..." + quote


def _numbers(found: re.Match[str]) -> str:
    first = _FIRST_NUMBERS.match(found[0])
    return (first[0] if first else "") + "..., "


def _without_tables(lines: list[str]) -> list[str]:
    """Cut rows of literals after the first of them."""
    kept: list[str] = []
    at = 0
    while at < len(lines):
        # Rows from here on, and the line after the last of them that is no bracket.
        rows, end = [], at
        for number in range(at, len(lines)):
            line = lines[number]
            if _ROW.fullmatch(line):
                rows.append(number)
                end = number + 1
            elif not rows or not _BRACKETS.fullmatch(line):
                break
        if len(rows) < _TABLE_ROWS:
            stop = max(end, at + 1)
            kept += lines[at:stop]
        else:
            shown = rows[_ROWS_SHOWN - 1]
            line = lines[rows[0]]
            kept += lines[at : shown + 1]
            kept.append(line[: len(line) - len(line.lstrip())] + "...")
            stop = end
        at = stop
    return kept
