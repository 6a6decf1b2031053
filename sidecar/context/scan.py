"""Finds credentials in text: where they begin and end, and of what kind they are.

Searches for fixed marks first, which costs microseconds, and looks closer only where one stands.
Each look reads a bounded piece of text, or text that no later look reads again, so the time is
linear whatever the text. Pure. May import `context/credentials.py` and what looks for one kind of
secret beside it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from sidecar.context.assignments import named_values
from sidecar.context.credentials import (
    KIND_OF_MARK,
    SHAPES,
    is_credential,
    is_sample,
    is_template,
    looks_random,
    password_in,
)
from sidecar.context.joined import joined_strings
from sidecar.context.private_keys import key_bodies

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Secret", "secrets_in"]


class Secret(NamedTuple):
    """Where a secret stands in a text, end exclusive, and what it is: a word, never the text."""

    kind: str
    start: int
    end: int


#: All characters of tokens become one, so that a search for a run of them is a search for text.
_RUNS = bytes(
    ord("a") if c < 128 and (chr(c).isalnum() or chr(c) in "_-") else ord(" ") for c in range(256)
)
#: No shape is shorter.
_SHORTEST = 20
_LONG_RUN = b"a" * _SHORTEST
_MARKS = re.compile(
    "|".join(rf"{re.escape(mark)}(?<![A-Za-z0-9]{re.escape(mark)})" for mark, _ in KIND_OF_MARK)
)
_REST = re.compile(r"[\w=-]*")
#: The other half of a pair of which the first says what it is.
_AWS_SECRET = re.compile(r"(?<![A-Za-z0-9/+=])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])")
_TWILIO_TOKEN = re.compile(r"(?<![A-Za-z0-9])[0-9a-f]{32}(?![A-Za-z0-9])")
_PAIR_REACH = 300

_USER = re.compile(r"([^\s/?#:@\"'`<>\\]{0,128}+)(?::([^\s/?#\"'`<>\\]{1,256}))?@")
#: The same behind an address as a name: `me@host.com:password@`.
_ADDRESS = re.compile(r"[\w.-]{1,128}+:([^\s/?#\"'`<>\\]{1,256})@")
_ORACLE = re.compile(r":\w{1,20}:\w{1,64}+/([^\s@\"']{4,128})@")
_QUERY = re.compile(r"([A-Za-z0-9_-]{20,})")
_SECURE_STRING = re.compile(r"(?:\s{1,4}-String)?\s{1,4}[\"']([^\"'\n]{4,128})[\"']", re.I)
#: Calls that take a key by its place, by the words that they begin with.
_KEYED = {
    b"hmac": re.compile(
        r"(?:\.new\(|\([\"']\w{1,20}[\"'],)\s{0,20}b?([\"'])([^\"'\n]{8,256})\1", re.I
    ),
    b"jwt.": re.compile(
        r"(?:sign|verify|encode|decode)\(\s{0,20}[^\"'`\n()]{1,60},\s{0,20}b?([\"'])([^\"'\n]{8,256})\1"
    ),
    b"fernet(": re.compile(r"\s{0,20}b?([\"'])([\w-]{43}=)\1"),
}
_BEARER = re.compile(r"\s*[:=]?\s*(?:\\?[\"'`]\s*[+.,]\s*\\?[\"'`])?([A-Za-z0-9._~+/=-]{8,})", re.I)
_BASIC = re.compile(r"\s+(?:\\?[\"'`]\s*[+.,]\s*\\?[\"'`])?([A-Za-z0-9+/_-]{6,}={0,2})")
_USER_OPTION = re.compile(
    r"(?:ser)?(?:[ =]|\s\\?\n\s{0,20})[\"']?([\w.@+-]{1,64}):([^\s\"'`]{4,128})"
)
_TUPLE = re.compile(
    r"\w{0,20}\s{0,4}(?:[=:]\s{0,4})?[(\[]\s{0,20}[rbu]?([\"'])[^\"'\n]{1,64}\1\s{0,4},\s{0,20}"
    r"[rbu]?([\"'])([^\"'\n]{4,128})\2"
)
#: Commands whose option `-p` is a password.
_ASKS = re.compile(r"\b(?:mysql\w*|mariadb\w*|sshpass|mongo\w*|(?:docker|podman|oc) login)\b")
_PASSWORD_OPTION = re.compile(r" ?[\"']?([^\s\"'`]{4,128})")
_IDENTIFIED = re.compile(r"\s{1,20}[\"']([^\"'\s]{4,128})[\"']")
_SIGNATURE = re.compile(r"(?:nature)?=([A-Za-z0-9%+/_-]{30,})")
#: Paths of chats' incoming web hooks, which whoever knows them may write to.
_HOOK = re.compile(
    r"hooks\.slack\.com/(?:services|workflows|triggers)/([\w/-]{20,})"
    r"|(?:discord|discordapp)\.com/api/webhooks/([\w/-]{40,})"
    r"|api\.telegram\.org/bot([\w:-]{30,})"
)
_TELEGRAM = re.compile(r"\d{8,10}:AA[\w-]{32,34}(?![\w-])")
_AZURE = re.compile(r"[\w.~-]{3}\dQ~[\w.~-]{31,34}(?![\w.~-])")
_MAILCHIMP = ("mailchimp key", re.compile(r"[0-9a-f]{32}-us\d{1,2}(?![\w-])"))
_DISCORD = ("discord token", re.compile(r"[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,38}(?![\w-])"))
#: Shapes without a mark at their start, by the length of the run that they begin with.
_ODD_RUNS = {
    **dict.fromkeys(range(24, 29), (_DISCORD,)),
    **dict.fromkeys((36, 37), (_MAILCHIMP,)),
}


def secrets_in(text: str, *, cut: tuple[bool, bool] = (True, True)) -> tuple[Secret, ...]:
    """Return the secrets of a text in order, none overlapping another.

    Args:
        text: The text.
        cut: Whether it goes on before its start and behind its end, where a private key may be
            in half.
    """
    # One byte for each character, so that places are the same; lower case of ASCII only, since
    # that of other letters may have another length.
    raw = text.encode("ascii", "replace")
    low = raw.lower()
    found = [Secret("private key", *body) for body in key_bodies(text, raw, cut)]
    found += _shaped(text, raw)
    found += _in_urls(text, raw)
    found += _in_headers(text, low)
    found += _other(text, raw, low)
    found += [Secret(*value) for value in named_values(text, low)]
    found += _in_pieces(text)
    return _merged(found)


def _shaped(text: str, raw: bytes) -> Iterator[Secret]:
    """Find what is recognised by its own shape, in runs of letters that are long enough."""
    runs = raw.translate(_RUNS)
    done = 0
    place = runs.find(_LONG_RUN)
    while place >= 0:
        stop = runs.find(b" ", place)
        stop = len(runs) if stop < 0 else stop
        start = max(runs.rfind(b" ", max(place - 8, 0), place - 1) + 1, place - 8, done)
        if odd := _ODD_RUNS.get(stop - place):
            yield from (Secret(kind, *m.span()) for kind, p in odd if (m := p.match(text, place)))
        before = raw[place - 1 : place]
        if before in (b":", b"~"):
            yield from _after_mark(text, raw, place)
        if before != b".":
            start = max(place, done)
        while (mark := _MARKS.search(text, start, stop)) is not None:
            start = mark.end()
            shape = SHAPES.match(text, mark.start())
            if shape is None or len(set(shape[0][mark.end() - mark.start() :].lower())) < 3:
                continue
            kind = next(kind for m, kind in KIND_OF_MARK if m == mark[0])
            rest = _REST.match(text, shape.end())
            start = done = rest.end() if rest else shape.end()
            yield Secret(kind, mark.start(), done)
            yield from _partner(text, kind, mark[0], done)
        place = runs.find(_LONG_RUN, max(stop, done))


def _in_pieces(text: str) -> Iterator[Secret]:
    """Find what has a shape of its own only once its strings are joined."""
    for pieces in joined_strings(text):
        whole = "".join(text[start:stop] for start, stop in pieces)
        for mark in _MARKS.finditer(whole):
            shape = SHAPES.match(whole, mark.start())
            if shape is None:
                continue
            kind = next(kind for m, kind in KIND_OF_MARK if m == mark[0])
            place = 0
            for start, stop in pieces:
                first, place = place, place + stop - start
                if first < shape.end() and mark.start() < place:
                    yield Secret(kind, max(start, start + mark.start() - first), stop)


def _after_mark(text: str, raw: bytes, place: int) -> Iterator[Secret]:
    """Find the two shapes that have their marks in the middle."""
    number = max(raw.rfind(c, max(place - 12, 0), place) for c in (b" ", b"'", b'"', b"=", b"t"))
    if telegram := _TELEGRAM.match(text, number + 1):
        yield Secret("telegram token", *telegram.span())
    if azure := _AZURE.match(text, max(place - 6, 0)):
        yield Secret("azure secret", *azure.span())


def _partner(text: str, kind: str, mark: str, end: int) -> Iterator[Secret]:
    """Find the secret that belongs to a public half: keys and tokens come in pairs."""
    pattern = _AWS_SECRET if kind == "aws key" else _TWILIO_TOKEN if mark == "AC" else None
    other = pattern and pattern.search(text, end, end + _PAIR_REACH)
    if other and looks_random(other[0]):
        yield Secret(kind, *other.span())


def _in_urls(text: str, raw: bytes) -> Iterator[Secret]:
    """Find passwords in `scheme://user:password@host`."""
    for place in _places(raw, b"://"):
        hook = _HOOK.match(text, place + 3)
        if hook and hook.lastindex and looks_random(hook[hook.lastindex]):
            yield Secret("web hook", *hook.span(hook.lastindex))
        user = _USER.match(text, place + 3)
        if user is None:
            continue
        name, password = user[1], user[2]
        if password is None and (address := _ADDRESS.match(text, user.end())):
            if not is_template(address[1]) and not is_sample(address[1]):
                yield Secret("password in a url", *address.span(1))
            continue
        if password is None:
            # A key instead of a name, as error trackers and git hosts have it.
            if len(name) >= 20 and looks_random(name) and not is_sample(name):
                yield Secret("password in a url", *user.span(1))
        elif not is_template(password) and not is_sample(password) and password != name:
            yield Secret("password in a url", *user.span(2))
            if len(name) >= 20 and looks_random(name):
                yield Secret("password in a url", *user.span(1))


def _in_headers(text: str, low: bytes) -> Iterator[Secret]:
    """Find what follows `Bearer` and `Basic`."""
    for place in _places(low, b"bearer"):
        value = _BEARER.match(text, place + 6)
        if value and looks_random(value[1].rstrip("=")) and not is_sample(value[1]):
            yield Secret("bearer token", *value.span(1))
    for place in _places(low, b"basic"):
        value = _BASIC.match(text, place + 5)
        password = password_in(value[1]) if value else None
        if value and password and not is_sample(password):
            yield Secret("password", *value.span(1))


def _other(text: str, raw: bytes, low: bytes) -> Iterator[Secret]:
    """Find what neither a name nor a usual shape gives away."""
    for place in _places(raw, b"-u"):
        pair = _USER_OPTION.match(text, place + 2)
        if pair and is_credential(pair[2], "password", quoted=True):
            yield Secret("password", *pair.span(2))
    for place in _places(raw, b" -p"):
        if password := _PASSWORD_OPTION.match(text, place + 3):
            line = text[max(text.rfind("\n", max(place - 200, 0), place), place - 200, 0) : place]
            if _ASKS.search(line) and is_credential(password[1], "password", quoted=True):
                yield Secret("password", *password.span(1))
    for place in _places(low, b"identified by"):
        if (password := _IDENTIFIED.match(text, place + 13)) and not is_sample(password[1]):
            yield Secret("password", *password.span(1))
    for mark in (b"auth", b"login"):
        for place in _places(low, mark):
            pair = _TUPLE.match(text, place + len(mark))
            if pair and is_credential(pair[3], "password", quoted=True):
                yield Secret("password", *pair.span(3))
    for place in _places(low, b"jdbc:oracle"):
        password = _ORACLE.match(text, place + 11)
        if password and not is_template(password[1]) and not is_sample(password[1]):
            yield Secret("password in a url", *password.span(1))
    for mark in (b"?key=", b"&key="):
        for place in _places(low, mark):
            value = _QUERY.match(text, place + 5)
            if value and looks_random(value[1]) and not is_sample(value[1]):
                yield Secret("api key", *value.span(1))
    for place in _places(low, b"securestring"):
        password = _SECURE_STRING.match(text, place + 12)
        if password and is_credential(password[1], "password", quoted=True):
            yield Secret("password", *password.span(1))
    for mark, pattern in _KEYED.items():
        for place in _places(low, mark):
            value = pattern.match(text, place + len(mark))
            if value and is_credential(value[2], "secret", quoted=True):
                yield Secret("secret", *value.span(2))
    for place in _places(low, b"sig"):
        value = _SIGNATURE.match(text, place + 3)
        if value and looks_random(value[1]) and not is_sample(value[1]):
            yield Secret("signature", *value.span(1))


def _places(raw: bytes, mark: bytes) -> Iterator[int]:
    place = raw.find(mark)
    while place >= 0:
        yield place
        place = raw.find(mark, place + len(mark))


def _merged(found: list[Secret]) -> tuple[Secret, ...]:
    merged: list[Secret] = []
    # The longest of those that begin together gives its kind to all that it covers.
    for secret in sorted(found, key=lambda s: (s.start, -s.end, s.kind)):
        if merged and secret.start < merged[-1].end:
            if merged[-1].end < secret.end:
                merged[-1] = merged[-1]._replace(end=secret.end)
        elif secret.start < secret.end:
            merged.append(secret)
    return tuple(merged)
