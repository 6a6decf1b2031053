"""Reads types as they are written: `Optional[Order]`, `*models.Order`, `Map<String, List<Line>>`.

Takes types of all languages alike, since they hardly contradict each other. Must never do I/O. May
import nothing of sidecar.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

__all__ = ["TypeText", "read_type", "split"]

#: Longer types are not read.
_LONGEST: Final = 400
#: What may stand around the name of a type without changing what members it has.
_BEFORE: Final = re.compile(
    r"(?:[\s*&?!:]+|(?:const|mut|readonly|final|dyn|impl|in|out|inout|ref|struct|class|enum|typename"
    r"|volatile|unowned|weak|some|any|unsigned|static|inline|constexpr|keyof|asserts|sealed|suspend"
    r"|params|vararg|ownership|lateinit|override|public|private|protected|extern)\s+"
    r"|'\w+\s+|@\w+(?:\([^()]*\))?\s+|->\s*)+"
)
_AFTER: Final = re.compile(r"(?:[\s*&?!]|\.\.\.|\bconst)+\Z")
_NAME: Final = re.compile(r"\\?(?:[^\W\d][\w$]*(?:\.|::|\\|->))*([^\W\d][\w$]*)")
_ARRAY_AFTER: Final = re.compile(r"\[[^\[\],]*\]\Z")
_ARRAY_BEFORE: Final = re.compile(r"\[\s*(?:\d+|\.\.\.|[A-Z_]+)?\s*\](?=[\w*\[&(])")
_NOTHING: Final = frozenset({"None", "null", "undefined", "nil", "false", "void", "NULL"})
_OPENING: Final = "([{<"
_CLOSING: Final = ")]}>"


class TypeText(NamedTuple):
    """A type.

    Args:
        name: Its last name; `list`, `map` and `tuple` where brackets say that it is one.
        args: Its type arguments, or the types of what it holds.
        qualified: Its name as written.
    """

    name: str
    args: tuple[str, ...] = ()
    qualified: str = ""


def split(text: str, separator: str = ",") -> list[str]:
    """Split a text at a character, where it stands outside of brackets."""
    parts = []
    depth = start = 0
    for place, char in enumerate(text):
        if char in _OPENING:
            depth += 1
        elif char in _CLOSING:
            # The arrow of a function closes nothing.
            depth -= char != ">" or text[place - 1 : place] not in ("-", "=")
        elif char == separator and depth <= 0:
            parts.append(text[start:place].strip())
            start = place + 1
    parts.append(text[start:].strip())
    return parts


def read_type(text: str) -> TypeText | None:
    """Return what a type is, without what says that it may be missing or is referred to."""
    if len(text) > _LONGEST:
        return None
    text = text.strip()
    for _ in range(8):
        before = text
        if len(text) > 1 and text[0] in "\"'" and text[-1] == text[0]:
            text = text[1:-1]
        if found := _BEFORE.match(text):
            text = text[found.end() :]
        text = _AFTER.sub("", text)
        for separator in "|&":
            if separator in text:
                parts = [part for part in split(text, separator) if part not in ("", *_NOTHING)]
                text = parts[0] if parts else ""
        if text[:1] == "(" and text[-1:] == ")" and len(split(text[1:-1])) == 1:
            text = text[1:-1].strip()
        if text == before:
            break
    if not text or text in _NOTHING or "=>" in text or ") ->" in text:
        return None
    return _bracketed(text) or _named(text)


def _bracketed(text: str) -> TypeText | None:
    if found := _ARRAY_BEFORE.match(text):
        return TypeText("list", (text[found.end() :],))
    if text.startswith("map[") and "]" in text:
        key, value = _until(text, 3)
        return TypeText("map", (key, value))
    if text[0] == "[" and text[-1] == "]":
        inner = text[1:-1].strip()
        pair = split(inner, ":")
        if len(pair) == 2:
            return TypeText("map", (pair[0], pair[1]))
        sized = split(inner, ";")
        parts = split(inner)
        return TypeText("list", (sized[0],)) if len(parts) == 1 else TypeText("tuple", tuple(parts))
    if (text[0] == "(" or _NAME.match(text)) and (found := _ARRAY_AFTER.search(text)):
        inner = text[found.start() + 1 : -1].strip()
        if not inner or inner.isdigit():
            return TypeText("list", (text[: found.start()],))
    if text[0] == "(":
        parts = [part for part in split(text[1:-1]) if part]
        return TypeText("tuple", tuple(parts)) if len(parts) > 1 and text[-1] == ")" else None
    return None


def _named(text: str) -> TypeText | None:
    found = _NAME.match(text)
    if found is None:
        return None
    args: tuple[str, ...] = ()
    rest = text[found.end() :].lstrip()
    if rest[:2] == "::":
        rest = rest[2:]
    if rest[:1] in ("<", "["):
        inner, after = _until(rest, 0)
        args = tuple(part for part in split(inner) if part)
        if qualified := _NAME.match(after.removeprefix("::").removeprefix(".")):
            # `A<B>::C`: a type in another.
            return TypeText(qualified[1], (), text)
    return TypeText(found[1], args, found[0])


def _until(text: str, at: int) -> tuple[str, str]:
    """Return what stands between the bracket at a place and its end, and what follows."""
    depth = 0
    for place in range(at, len(text)):
        if text[place] in _OPENING:
            depth += 1
        elif text[place] in _CLOSING and text[place - 1 : place + 1] not in ("->", "=>"):
            depth -= 1
            if not depth:
                return text[at + 1 : place].strip(), text[place + 1 :].strip()
    return text[at + 1 :].strip(), ""
