"""Finds values that are given to names such as `password`, in whatever way a language has for it.

Pure; a name costs a bounded number of steps. May import `context/credentials.py`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

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
_PREFIX = r"(?:[\w.:!&\[\]]{1,40}+\([ \t\r\n]{0,20}+){0,2}[rbfuRBFU@$L&]{0,2}\(?"
_QUOTE = r"(?P<quote>\\{0,2}(?:\"\"\"|\'\'\'|[\"'`]))"
#: What closes a name in quotes or brackets.
_CLOSED = re.compile(r"\\{0,2}[\"'`]?(?:\[\w{0,8}\])?[\])]{0,2}[ \t\r\n]{0,20}+")
#: What gives a name a value in quotes, by its first character.
_OPERATORS = {
    first: re.compile(rf"{operator}\s{{0,40}}+{_PREFIX}{_QUOTE}")
    for first, operator in {
        "=": r"(?:=>|={1,3})",
        "!": r"!={1,2}",
        ":": r"::?(?:=|[ ]?[\w.<>\[\]&*|?' ]{1,60}=(?!=))?",
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
    rf"\\?[\"'`][\])]{{0,3}}\s{{0,20}}(?:\|\||\?\?|\?:|or\b|,)\s{{0,20}}{_PREFIX}{_QUOTE}"
)
#: What stands in front of a token in a header.
_SCHEMES = r"(?i:bearer|basic|token|apikey|api-key|key|digest|oauth)"
_SCHEME = re.compile(rf"{_SCHEMES}\s+")

_CLOSE = r"[\"'\]]{0,2}"
_INLINE = re.compile(r"[^\s\"'`,;&|<>()\[\]{}\\]{4,256}(?=[;&\"'`\\<\s]|\Z)")
#: Without quotes: `NAME=value`, `name: value`, `--name value`, `<name>value<`, `${NAME:-value}`.
_BARE = re.compile(
    rf"""
    {_CLOSE}
    (?: =(?P<tight>[^\s"'`=]\S{{3,255}})
    |   [ \t]{{0,20}}+(?:=>?|:)[ \t]{{1,20}}+(?:{_SCHEMES}[ ])?
        (?P<loose>[^\s"'`\#][^\s"'`]{{3,255}})
    |   (?:\s{{1,4}}[\w:]{{1,20}}=["'][^"'<>]{{0,40}}["']){{0,4}}>(?P<element>[^<>\s]{{4,256}})</
    |   \s{{1,40}}value:[ ]{{1,4}}(?P<item>[^\s"'`]{{4,256}})
    |   :[-=]?(?P<default>[^\s"'`}}$]{{4,256}})\}}
    |   [ \t]{{1,20}}+(?P<spaced>[^\s"'`-][^\s"'`]{{3,255}})
    )""",
    re.VERBOSE,
)
_LINE_END = re.compile(r"[ \t]{0,40}(?:\r?\n|[#]|//|\Z|[\"'`\\])")
_LINE_START = re.compile(
    r"[ \t]*(?:(?:export|set|setx|env|ENV|ARG|local|readonly|declare|-e|--env|-D|-|#|//|\*|;)"
    r"[ \t]*){0,3}"
    r"[\"']?[\w.:/$-]{0,160}\Z|[ \t]*(?:#|//|\*|--|/\*).{0,160}\Z"
)
#: Longest way back from a name to the start of its line.
_BACK = 200


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
    opened = _opened(text, end)
    if opened is not None:
        for span in _strings(text, strength, opened):
            yield kind, *span
        return
    bare = _bare(text, low, strength, start, end)
    if bare is not None:
        yield kind, *bare


def _opened(text: str, end: int) -> re.Match[str] | None:
    """Find the quote after a name that opens what may be its value."""
    closed = _CLOSED.match(text, end)
    place = closed.end() if closed else end
    first = text[place : place + 1]
    if first in "\"'" and not text[place - 1].isspace():
        return None
    operator = _OPERATORS.get(first)
    if operator is None and place > end and first.isalpha():
        operator = _WORD_OPERATOR
    return operator.match(text, place) if operator else None


def _strings(text: str, strength: Strength, opened: re.Match[str]) -> Iterator[tuple[int, int]]:
    """Yield the strings that hold a secret, from the one that opens."""
    for _ in range(3):
        start, stop = _string(text, opened)
        scheme = _SCHEME.match(text, start, stop)
        start = scheme.end() if scheme else start
        value = text[start:stop]
        if is_credential(value, strength, quoted=True):
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


def _string(text: str, opened: re.Match[str]) -> tuple[int, int]:
    """Return the inside of a string, to the end of the line if it does not end there."""
    quote = opened["quote"]
    start = opened.end()
    pattern = _ESCAPED_VALUE if quote[0] == "\\" else _VALUES[quote[0]]
    inside = pattern.match(text, start)
    stop = inside.end() if inside else start
    if len(quote) == 3 and quote[0] != "\\" and stop == start and text[start : start + 1] == "\n":
        inside = pattern.match(text, start + 1)
        stop = inside.end() if inside else start
        start += 1
    if text[stop : stop + 1] == "\r":
        stop -= 1
    while start < stop and text[start] == " ":
        start += 1
    return start, stop


def _bare(
    text: str, low: bytes, strength: Strength, start: int, end: int
) -> tuple[int, int] | None:
    """Find a value without quotes: environment, YAML, INI, connection strings, options."""
    value = _BARE.match(text, end)
    if value is None:
        return None
    way = value.lastgroup or ""
    first, last = value.span(way)
    line = max(text.rfind("\n", max(start - _BACK, 0), start) + 1, start - _BACK, 0)
    if way == "spaced" and not _is_option(text, low, line, start):
        return None
    if way in ("tight", "loose"):
        leads = _LINE_START.match(text, line, start) is not None
        ends = _LINE_END.match(text, last) is not None
        if way == "tight" and not (leads and ends):
            inline = _INLINE.match(text, first)
            if inline is None:
                return None
            last = inline.end()
        elif way == "loose" and not (ends and (leads or text[last : last + 1] in "\"'`\\")):
            return None
    return _checked(text, strength, first, last, inline=way == "loose")


def _checked(
    text: str, strength: Strength, first: int, last: int, *, inline: bool
) -> tuple[int, int] | None:
    value = text[first:last]
    if inline and value[-1] in ",;({[":
        return None
    whole = value.rstrip(";,")
    if not is_credential(whole, strength, quoted=False):
        return None
    return first, first + len(whole)


def _is_option(text: str, low: bytes, line: int, start: int) -> bool:
    """Tell whether a value follows its name after a blank: options, .netrc, Dockerfiles."""
    before = text[line:start]
    if (
        before.rstrip("abcdefghijklmnopqrstuvwxyz-").endswith((" ", "\t", ""))
        and "--" in before[-24:]
    ):
        return True
    return (
        low.find(b"login ", max(start - 150, 0), start) >= 0
        or re.match(r"\s*(?:ENV|ARG|setx)\s", before) is not None
    )
