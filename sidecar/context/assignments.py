"""Finds values that are given to names such as `password`, in whatever way a language has for it.

Pure; a name costs a bounded number of steps. May import `context/credentials.py` and
`context/bare.py`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sidecar.context.bare import SCHEMES, bare_value
from sidecar.context.credentials import KEY_OWNERS, NOT_A_SECRET, is_credential

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sidecar.context.credentials import Strength

__all__ = ["named_values"]

_MARKS = (b"pass", b"pw", b"secret", b"token", b"key", b"credential", b"auth", b"mnemonic")
_PASSWORD = re.compile(rb"pass(?:word|wd|phrase|code|wort)?|pwd?")
#: Names in which these are a word of their own though nothing sets them apart.
_GLUED = (b"db", b"user", b"smtp", b"ftp", b"my", b"root", b"admin", b"mail", b"http", b"ssh")
_TAIL = re.compile(r"[\w-]{0,48}")
_TAIL_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
#: What may follow a name in front of a value.
_FOLLOWS = frozenset(b"\\\"'`])[ \t\r\n=:,(<|?>!")
_PREFIX = r"(?:[\w.:!&\[\]]{1,40}+\([ \t\r\n]{0,20}+){0,2}[rbfuRBFU@$L&]{0,2}(?:\(\s{0,40}+)?"
_QUOTE = r"(?P<quote>\\{0,2}(?:\"\"\"|\'\'\'|[\"'`]))"
#: What closes a name in quotes or brackets.
_CLOSED = re.compile(r"\\{0,2}[\"'`]?(?:\[\w{0,8}\])?[\])]{0,2}[ \t\r\n]{0,20}+")
#: What gives a name a value in quotes, by its first character.
_OPERATORS = {
    first: re.compile(rf"{operator}\s{{0,40}}+(?:\\\r?\n\s{{0,40}}+)?{_PREFIX}{_QUOTE}")
    for first, operator in {
        "=": r"(?:=>|={1,3})",
        "!": r"!(?:={1,2}|:[ ]?[\w.<>\[\]&*|?' ]{1,60}=(?!=))",
        ":": r"::?(?:=|[ ]?(?:[\w.<>\[\]&*|?' ]{1,60}|Annotated\[[^\n\"']{1,80}\][ ]?"
        r"|[\"'][\w.\[\]| ]{1,60}[\"'][ ]?)=(?!=))?",
        "?": r"\?(?:\?=?|:|:[ ]?[\w.<>\[\]&*|?' ]{1,60}=(?!=))",
        "|": r"\|\|=?",
        ",": r",(?:\s{0,20}[\"']?value[\"']?\s?[=:]>?)?",
        "(": r"\(",
        "<": r"<-",
        ">": r">",
        ".": r"\.equals\(",
        '"': r"",
        "'": r"",
    }.items()
}
#: The same where a word comes first: `or "..."`, `value="..."`, or a type, `string = "..."`.
_WORD_OPERATOR = re.compile(
    rf"(?:or\b|value\s?[=:]|(?:\w{{1,20}}[ \t]{{1,4}}){{1,2}}=(?!=))\s{{0,40}}+{_PREFIX}{_QUOTE}"
)
_VALUES = {quote: re.compile(rf"(?:[^{quote}\\\n]|\\.){{0,4096}}+") for quote in ('"', "'", "`")}
_ESCAPED_VALUE = re.compile(r"[^\\\"'\n]{0,4096}+")
#: A string that goes on in another one, inside of parentheses without an operator.
_MORE = re.compile(rf"[ \t]{{0,20}}+(?:[+.\\&]\s{{0,40}}+)?[rbfu]?{_QUOTE}")
_MORE_INSIDE = re.compile(rf"\s{{0,40}}+[+.\\&]?\s{{0,40}}+[rbfu]?{_QUOTE}")
#: What is taken if there is nothing under a name.
_FALLBACK = re.compile(
    rf"\\?[\"'`][\])]{{0,3}}\s{{0,20}}(?:\|\||\?\?|\?:|:|or\b|,|if\b[^\n\"'`]{{1,60}}\belse\b)"
    rf"\s{{0,20}}{_PREFIX}{_QUOTE}"
)
#: What is taken if an expression in front gives nothing, or a condition does not hold.
_OTHERWISE = re.compile(
    rf"\s{{0,4}}+(?::[ ]?[\w.|?\[\] ]{{1,40}}+)?=[^\n\"'`;,{{}}=]{{1,60}}?"
    rf"(?:\bor|\belse|\|\||\?\??|:)\s{{1,4}}{_PREFIX}{_QUOTE}"
)
#: What a declaration of an option, a field or a setting says further on.
_DEFAULT = re.compile(
    rf"(?:default(?:_?value)?[\"']?(?:\s?[=:]>?|\()|default_factory\s?=\s?lambda\s?:"
    rf"|unwrap_or(?:_else)?\((?:\|_?\|)?)\s{{0,20}}+{_PREFIX}{_QUOTE}",
    re.IGNORECASE,
)
_DEFAULT_REACH = 160
_SEVERAL = frozenset((b"passwords", b"passwds", b"secrets", b"tokens", b"keys", b"credentials"))
#: Several of a kind: the first of a list or a mapping, and what follows it.
_LIST = re.compile(
    rf"[\"']?\s{{0,4}}+(?::[ ]?[\w.<>\[\] ]{{1,40}}+)?[=:]\s{{0,4}}+(?:new\s)?"
    rf"[\w\[\]!]{{0,20}}\s?[\[{{(]\s{{0,40}}+"
    rf"(?:[\"']?[\w-]{{1,40}}+[\"']?\s?(?::|=>)\s{{0,4}}+)?[rbfu]?{_QUOTE}"
)
_NEXT = re.compile(
    rf"[\"'`],\s{{0,40}}+(?:[\"']?[\w-]{{1,40}}+[\"']?\s?(?::|=>)\s{{0,4}}+)?[rbfu]?{_QUOTE}"
)
#: What stands in front of a token in a header.
_SCHEME = re.compile(rf"{SCHEMES}\s+")


def named_values(text: str, low: bytes) -> Iterator[tuple[str, int, int]]:
    """Yield kind, start and end of values that are secrets by their names.

    Args:
        text: The text.
        low: The same in lower case with one ASCII byte for each character.
    """
    for mark in _MARKS:
        place = low.find(mark)
        while place >= 0:
            named = _name(text, low, mark, place)
            place += len(mark)
            if named is not None:
                strength, start, end = named
                yield from _values(text, low, strength, start, end)
            place = low.find(mark, place)


def _name(text: str, low: bytes, mark: bytes, place: int) -> tuple[Strength, int, int] | None:
    """Return how telling a name is that holds a mark, and where it begins and ends."""
    end = place + len(mark)
    strength: Strength = "token"
    if mark in (b"pass", b"pw"):
        word = _PASSWORD.match(low, place)
        end = word.end() if word else end
        if end - place <= 4 and not _begins(text, low, place):
            return None
        strength = "password"
    elif mark == b"key":
        if not low[max(place - 16, 0) : place].rstrip(b"_-. ").endswith(KEY_OWNERS):
            return None
    elif mark == b"secret":
        strength = "secret"
    elif mark == b"auth":
        if low.startswith(b"orization", end):
            end += 9
        elif not _begins(text, low, place):
            return None
    elif mark == b"credential" and low.startswith(b"s", end):
        end += 1
    elif mark == b"mnemonic":
        strength = "password"
    if mark not in (b"auth", b"mnemonic") and low.startswith(b"s", end):
        # Several of them.
        end += end + 1 == len(low) or low[end + 1] in _FOLLOWS
    if end < len(low) and low[end] not in _FOLLOWS:
        first = text[end]
        if first.isalpha() and not (first.isupper() and text[end - 1].islower()):
            return None
        tail = _TAIL.match(text, end)
        if tail is None or not tail[0]:
            return None
        words = [word.lower() for word in _TAIL_WORD.findall(tail[0])]
        if mark == b"auth" or not NOT_A_SECRET.isdisjoint(words):
            return None
        end = tail.end()
    return strength, place, end


def _begins(text: str, low: bytes, place: int) -> bool:
    """Tell whether a word begins at a place inside of a name."""
    if not place or not text[place - 1].isalnum():
        return True
    if text[place].isupper() and text[place - 1].islower():
        return True
    return low[max(place - 8, 0) : place].endswith(_GLUED)


def _values(
    text: str, low: bytes, strength: Strength, start: int, end: int
) -> Iterator[tuple[str, int, int]]:
    kind = "password" if strength == "password" else "secret" if strength == "secret" else "token"
    several = low[start:end] in _SEVERAL
    opened = _opened(text, end, words=not several)
    if several and (first := _LIST.match(text, end)):
        for span in _listed(text, strength, first):
            yield kind, *span
        return
    found = False
    if opened is not None:
        for span in _strings(text, strength, opened):
            found = True
            yield kind, *span
    elif bare := bare_value(text, low, strength, start, end):
        found = True
        yield kind, *bare
    if not found and (later := _OTHERWISE.match(text, end) or _default(text, low, end)):
        for span in _strings(text, strength, later):
            yield kind, *span


def _default(text: str, low: bytes, end: int) -> re.Match[str] | None:
    """Find the quote that opens the default of an option, a field or a setting."""
    for mark in (b"default", b"unwrap_or"):
        place = low.find(mark, end, end + _DEFAULT_REACH)
        if place >= 0 and ")\n" not in (between := text[end:place]) and ";" not in between:
            return _DEFAULT.match(text, place)
    return None


def _listed(text: str, strength: Strength, opened: re.Match[str]) -> Iterator[tuple[int, int]]:
    """Yield the strings of a list that are secrets."""
    for _ in range(50):
        start, stop = _string(text, opened)
        if is_credential(text[start:stop], strength, quoted=True):
            yield start, stop
        following = _NEXT.match(text, stop)
        if following is None:
            return
        opened = following


def _opened(text: str, end: int, *, words: bool) -> re.Match[str] | None:
    """Find the quote after a name that opens what may be its value, perhaps behind other words."""
    closed = _CLOSED.match(text, end)
    place = closed.end() if closed else end
    first = text[place : place + 1]
    if first in "\"'" and not text[place - 1].isspace():
        return None
    operator = _OPERATORS.get(first)
    if operator is None and words and place > end and first.isalpha():
        operator = _WORD_OPERATOR
    return operator.match(text, place) if operator else None


def _strings(text: str, strength: Strength, opened: re.Match[str]) -> Iterator[tuple[int, int]]:
    """Yield the strings that hold a secret, from the one that opens."""
    for _ in range(3):
        start, stop = _string(text, opened)
        scheme = _SCHEME.match(text, start, stop)
        start = scheme.end() if scheme else start
        value = text[start:stop]
        if is_credential(value, strength, quoted=True) or is_credential(
            value + _following(text, stop, opened["quote"]), strength, quoted=True
        ):
            yield start, stop
            break
        fallback = _FALLBACK.match(text, stop)
        if fallback is None:
            return
        opened = fallback
    else:
        return
    # The rest of a secret in pieces; ten pieces of anything are more than enough.
    pattern = _MORE_INSIDE if "(" in opened[0] else _MORE
    for _ in range(10):
        stop += len(opened["quote"])
        more = pattern.match(text, stop)
        if more is None:
            return
        start, stop = _string(text, more)
        if text[stop + 1 : stop + 2] == ":" or stop - start < 4:
            return
        yield start, stop
        opened = more


def _following(text: str, stop: int, quote: str) -> str:
    """Return the strings that a program joins to one that ends at a place."""
    pieces = []
    for _ in range(4):
        more = _MORE_INSIDE.match(text, stop + len(quote))
        if more is None or more["quote"] != quote or len(quote) > 1:
            break
        start, stop = _string(text, more)
        pieces.append(text[start:stop])
    return "".join(pieces)


def _string(text: str, opened: re.Match[str]) -> tuple[int, int]:
    """Return the inside of a string, to the end of the line if it does not end there."""
    quote = opened["quote"]
    start = opened.end()
    pattern = _ESCAPED_VALUE if quote[0] == "\\" else _VALUES[quote[0]]
    inside = pattern.match(text, start)
    stop = inside.end() if inside else start
    if len(quote) == 3 and quote[0] != "\\" and not text[start:stop].strip("\r"):
        # What is in three quotes begins on the next line.
        start = stop + 1 if text[stop : stop + 1] == "\n" else start
        inside = pattern.match(text, start)
        stop = inside.end() if inside else start
    if text[stop : stop + 1] == "\r":
        stop -= 1
    while start < stop and text[start] == " ":
        start += 1
    return start, stop
