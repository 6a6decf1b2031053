"""Finds values that stand without quotes behind a telling name: environment, YAML, INI, prose.

Pure; a name costs a bounded number of steps. May import `context/credentials.py`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sidecar.context.credentials import is_credential, is_sample, looks_random

if TYPE_CHECKING:
    from sidecar.context.credentials import Strength

__all__ = ["SCHEMES", "bare_value"]

#: What stands in front of a token in a header.
SCHEMES = r"(?i:bearer|basic|token|apikey|api-key|key|digest|oauth)"
_CLOSE = r"[\"'\]*]{0,2}"
_INLINE = re.compile(r"[^\s\"'`,;&|<>()\[\]{}\\]{4,256}(?=[;&\"'`\\<\s]|\Z)")
#: Without quotes: `NAME=value`, `name: value`, `--name value`, `<name>value<`, `${NAME:-value}`.
_BARE = re.compile(
    rf"""
    {_CLOSE}
    (?: [ ]{{0,4}}=[ ]{{0,4}}(?:\[\[|%[qQ]?[(\[{{])(?P<long>[^\s\[\](){{}}]{{4,256}})
    |   [ ]{{0,4}}:[ ]{{0,4}}%[qQ]?[(\[{{](?P<word>[^\s\[\](){{}}]{{4,256}})
    |   =(?P<tight>[^\s"'`=]\S{{3,255}})
    |   [ \t]{{0,20}}+(?:=>?|:[*]{{0,2}})[ \t]{{1,20}}+(?:{SCHEMES}[ ])?
        (?:(?:&|!!?)[\w-]{{1,20}}[ ]|[|>][+-]?[ ]?\r?\n[ \t]{{1,20}}+)?
        (?P<loose>[^\s"'`\#][^\s"'`]{{3,255}})
    |   (?:\s{{1,4}}[\w:]{{1,20}}=["'][^"'<>]{{0,40}}["']){{0,4}}>(?P<element>[^<>\s]{{4,256}})</
    |   (?:</\w{{1,10}}>\s{{0,40}}+<\w{{1,20}}>|>\s{{0,40}}+<value>|><!\[CDATA\[)
        (?P<tagged>[^<>\s\]]{{4,256}})[<\]]
    |   [ ]{{1,40}}[|][ ]{{1,4}}`?(?P<cell>[^\s|`]{{4,256}})`?[ ]{{1,40}}[|]
    |   [ ](?:is|was):?[ ]["'`]?(?P<told>[^\s"'`]{{6,256}})
    |   \s{{1,40}}value:[ ]{{1,4}}(?P<item>[^\s"'`]{{4,256}})
    |   :[-=]?(?P<default>[^\s"'`}}$]{{4,256}})\}}
    |   [ \t]{{1,20}}+(?P<spaced>[^\s"'`-][^\s"'`]{{3,255}})
    )""",
    re.VERBOSE,
)
_LINE_END = re.compile(r"[ \t]{0,40}(?:\r?\n|[#]|//|[*]/|-->|\Z|[\"'`\\])")
_LINE_START = re.compile(
    r"[ \t]*(?:(?:export|set|setx|env|ENV|ARG|local|readonly|declare|-e|--env|-D|-|#|//|\*|;)"
    r"[ \t]*){0,3}"
    r"[\"']?[\w.:/$-]{0,160}\Z|[ \t]*(?:#|//|\*|--|/\*|[-+>] |\d{1,2}[.)] ).{0,160}\Z"
)
#: A value that prose may give without any sign of its own.
_SAID = re.compile(r"[\w!@#$%^&*+/=~-]+")
_LONG_SAID = {"password": 12, "secret": 16, "token": 20}
#: Longest way back from a name to the start of its line.
_BACK = 200


def bare_value(
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
        return _said(text, first, last, least=_LONG_SAID[strength])
    if way == "told":
        return _said(text, first, last, least=8)
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


def _said(text: str, first: int, last: int, least: int) -> tuple[int, int] | None:
    """Find a value in prose, where only what nobody would say is one."""
    value = text[first:last].rstrip(".,;:!?)*")
    digits = sum(c.isdigit() for c in value)
    if len(value) < least or not _SAID.fullmatch(value) or digits < 2 or digits == len(value):
        return None
    return (first, first + len(value)) if looks_random(value) and not is_sample(value) else None


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
