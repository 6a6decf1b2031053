"""Reads expressions such as `repo.find(1).lines[0]` as chains of steps, in whatever language.

An expression before a cursor is mostly part of a line that does not parse, so it is read as text:
what names, brackets and member operators mean is nearly the same everywhere. What is not understood
makes an empty chain. Takes linear time; must never do I/O. May import nothing of sidecar.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

__all__ = ["Chain", "Step", "expression_start", "member_operator", "read_chain"]

#: Longer expressions are not read.
MAX_CHARACTERS: Final = 2_000
#: Steps of one chain, and chains in brackets in it.
_MOST_STEPS: Final = 16
_DEEPEST: Final = 4

_OPERATOR: Final = (
    r"(?:\?\.|!!\.|!\.|&\.|\?->|->(?!\s)|::|(?<![.\w])\.(?!\.)|(?<=[\w)\]}>\"'\s])\.(?!\.))"
)
_AT_CURSOR: Final = re.compile(rf"({_OPERATOR})[ \t]*([^\W\d][\w$]*|)\Z")
_MEMBER: Final = re.compile(rf"\s*({_OPERATOR})\s*(?:(#?[^\W\d][\w$]*)|(\$[\w$]+)|(?=[<({{]))")
_NAME: Final = re.compile(r"(?:[@$]{1,2}|\\)?[^\W\d][\w$\\]*")
_WORD_END: Final = re.compile(r"(?:[@$]{1,2}|(?<=\.)#)?[^\W\d][\w$\\]*\Z")
_OPERATOR_END: Final = re.compile(r"(?:\?\.|!!\.|!\.|&\.|\?->|->(?!\s)|::|(?<!\.)\.)\s*\Z")
_COMMENT: Final = re.compile(r"(?:^|\s)(?:#|//|--|\*|/\*)", re.MULTILINE)
_NEW_END: Final = re.compile(r"(?<![.\w])new[ \t]+\Z")
_PREFIX: Final = re.compile(r"\s*(await\b|new\b|try[?!]?(?=\s)|yield\b(?=\s)|&mut\b|&|\*)\s*")
_TYPE: Final = re.compile(
    r"\s*[*&?]*[^\W\d][\w$.:\\]*(?:<[^()=]{0,200}>|\[[\w., ]{0,200}\])?[*&?]*\s*\Z"
)
_GENERICS: Final = re.compile(r"(?:::)?(<[^()=;{}]{0,200}>)(?=\s*(?:[({:.]|\Z))")
_CASTED: Final = re.compile(r"\s?(?!(?:if|or|and|as|in|is|unless|do)\b)[\w(@$]")
_UPPER: Final = re.compile(r"(?<![\w.:])(?:\w+(?:\.|::|\\))*[A-Z]")
_CAST: Final = re.compile(r"\s+(?:as[?!]?)\s+([\w$.:<>\[\]*&?, ]{1,100})\s*\Z")
#: What may follow a chain whose value may be the whole expression's.
_ELSE: Final = re.compile(r"\s*(?:\?\?|\?:|\|\||or\b|if\b|unless\b|as\b|;|,|#|//|\{|do\b|\Z)")
#: An argument without brackets behind a member, as Ruby has it.
_ARGUMENT: Final = re.compile(r"[ ](?!(?:and|in|is|not|instanceof|then|to|step)\b)[\w:\"'@\[]")
_CLOSING: Final = {")": "(", "]": "[", "}": "{"}
_OPENING: Final = {"(": ")", "[": "]", "{": "}"}
_QUOTES: Final = "\"'`"


class Step(NamedTuple):
    """One step of a chain.

    Args:
        kind: `name` (the first of a chain), `new` (of the type in `text`), `cast` (to the type in
            `text`), `member`, `call`, `index`, `await`, and those that tell what a bound name has
            to do with an expression: `each` (what one gets of it by iterating), `value` (what it
            maps to), `first` (of a tuple), `entered` (what a context gives), `instance` (of a
            class).
        name: The name of a `name` or `member`.
        text: The type of `new` and `cast`, what stands between the brackets of `call` and
            `index`, and the type arguments of `name` and `member`.
    """

    kind: str
    name: str = ""
    text: str = ""


Chain = tuple[Step, ...]


def member_operator(before: str) -> tuple[int, int] | None:
    """Find the member operator that a cursor stands behind, or behind a part of a member's name.

    Args:
        before: Text before the cursor, at least of its line.

    Returns:
        Where the operator starts, and where it ends.
    """
    found = _AT_CURSOR.search(before, max(len(before) - 200, 0))
    return None if found is None else found.span(1)


def expression_start(text: str, end: int) -> int:
    """Return where the expression starts that ends at a place, or the end if there is none.

    Args:
        text: Code before the place.
        end: The place: that of a member operator.
    """
    least = max(end - MAX_CHARACTERS, 0)
    at = end
    start = end
    while at > least:
        # An operand: closed brackets, with what is called or indexed before them, or a name.
        stop = at
        while stop > least and text[stop - 1].isspace():
            stop -= 1
        while stop > least and text[stop - 1] in "?!":
            stop -= 1
        while stop > least and text[stop - 1] in _CLOSING:
            opened = _opening(text, stop - 1, least)
            if opened < 0:
                return start if start < end else end
            stop = opened
            start = stop
            if text[stop : stop + 1] == "{":
                # A literal or a closure stands a space behind its name.
                while stop > least and text[stop - 1] == " ":
                    stop -= 1
        if stop > least and text[stop - 1] == ">" and text[stop - 2 : stop - 1] not in ("-", "="):
            opened = _generic(text, stop - 1, least)
            stop = stop if opened < 0 else opened
        word = _WORD_END.search(text, max(stop - 100, least), stop)
        if word is not None:
            start = stop = word.start()
        elif start > stop or start == end:
            return start
        operator = _OPERATOR_END.search(text, max(stop - 100, least), stop)
        if operator is not None and "\n" in operator[0]:
            line = text.rfind("\n", 0, operator.start()) + 1
            if _COMMENT.search(text, line, operator.start()):
                # A sentence that ends above the expression.
                operator = None
        if operator is None:
            new = _NEW_END.search(text, max(stop - 40, 0), stop)
            return new.start() if new else start
        at = operator.start()
    return end


def read_chain(text: str) -> Chain:
    """Read an expression as a chain; empty where it is none, or none that could be understood."""
    if len(text) > MAX_CHARACTERS:
        return ()
    chain, end = _operand(text, 0, _DEEPEST)
    if not chain:
        return ()
    if cast := _CAST.match(text, end):
        return (Step("cast", text=cast[1]),)
    if _ELSE.match(text, end):
        return chain
    if chain[-1].kind == "member" and _ARGUMENT.match(text, end):
        return (*chain, Step("call", text=text[end:].strip()))
    return ()


def _operand(text: str, at: int, depth: int) -> tuple[Chain, int]:
    after: list[Step] = []
    new = False
    while prefix := _PREFIX.match(text, at):
        at = prefix.end()
        if prefix[1] == "await":
            after.append(Step("await"))
        new = new or prefix[1] == "new"
    steps: list[Step] = []
    while at < len(text) and text[at].isspace():
        at += 1
    name = _NAME.match(text, at)
    if name is not None:
        at = name.end()
        if new:
            at = _new(text, name.start(), steps)
        else:
            steps.append(Step("name", name[0]))
    elif text[at : at + 1] == "(" and depth:
        close = _close(text, at)
        if close < 0:
            return (), at
        inner = text[at + 1 : close]
        at = close + 1
        if new:
            # What Go calls so.
            return (Step("new", text=inner), *reversed(after)), at
        if _CASTED.match(text, at) and _TYPE.match(inner) and _UPPER.search(inner):
            # The type in brackets before a value: `(Order) found`.
            _, at = _operand(text, at, depth - 1)
            return (Step("cast", text=inner), *reversed(after)), at
        steps.extend(read_chain(inner) if depth == _DEEPEST else _operand(inner, 0, depth - 1)[0])
    if not steps:
        return (), at
    at = _postfix(text, at, steps)
    return (*steps[:_MOST_STEPS], *reversed(after)), at


def _new(text: str, at: int, steps: list[Step]) -> int:
    """Read the type that is made anew, and the arguments behind it."""
    found = re.compile(r"[\w$.:\\]+(?:<[^()=;{}]{0,200}>)?").match(text, at)
    if found is None:
        return at
    at = found.end()
    steps.append(Step("new", text=found[0]))
    while text[at : at + 1] == " " and text[at + 1 : at + 2] in ("(", "{", "["):
        at += 1
    for _ in range(2):
        if text[at : at + 1] and text[at] in _OPENING:
            close = _close(text, at)
            if text[at] == "[":
                steps[-1] = Step("new", text=found[0] + "[]")
            at = len(text) if close < 0 else close + 1
    return at


def _postfix(text: str, at: int, steps: list[Step]) -> int:
    """Read what follows an operand: members, calls and indexes."""
    while at < len(text):
        char = text[at]
        if char in "([":
            close = _close(text, at)
            inner = text[at + 1 : len(text) if close < 0 else close]
            steps.append(Step("call" if char == "(" else "index", text=inner))
            at = len(text) if close < 0 else close + 1
        elif char == "{" or (char == " " and text[at + 1 : at + 2] == "{"):
            last = steps[-1]
            opened = at + (char == " ")
            close = _close(text, opened)
            if last.kind not in ("name", "member") or close < 0:
                return at
            if last.name[:1].isupper():
                steps.append(Step("instance"))
            else:
                steps.append(Step("call"))
            at = close + 1
        elif char in "?!" and text[at + 1 : at + 2] not in ("=", "?", ":", ".", "-"):
            at += 1
        elif char == "!" and text[at : at + 2] == "!!":
            at += 2
        elif (found := _GENERICS.match(text, at)) and steps[-1].kind in ("name", "member"):
            steps[-1] = steps[-1]._replace(text=found[1][1:-1])
            at = found.end()
        elif member := _MEMBER.match(text, at):
            name = member[2] or member[3]
            at = member.end()
            if name is None:
                # Type arguments, or a type in brackets, as Go asserts one.
                if text[at] == "(" and (close := _close(text, at)) > 0:
                    steps.append(Step("cast", text=text[at + 1 : close]))
                    at = close + 1
                elif text[at] != "<":
                    return at
                elif not _GENERICS.match(text, at):
                    return at
            elif name == "await":
                steps.append(Step("await"))
            else:
                steps.append(Step("member", name))
        else:
            return at
    return at


def _close(text: str, at: int) -> int:
    """Return where the bracket at a place is closed, or -1."""
    depth = 0
    quote = ""
    escaped = False
    for place in range(at, len(text)):
        char = text[place]
        if quote:
            if escaped:
                escaped = False
            elif char == "\\":
                escaped = True
            elif char == quote or char == "\n":
                quote = ""
        elif char in _QUOTES:
            # A lifetime or an apostrophe in a comment closes nothing.
            if text.find(char, place + 1, place + 400) > 0:
                quote = char
        elif char in _OPENING:
            depth += 1
        elif char in _CLOSING:
            depth -= 1
            if not depth:
                return place
    return -1


def _opening(text: str, at: int, least: int) -> int:
    """Return where the bracket that closes at a place was opened, or -1."""
    depth = 0
    quote = ""
    for place in range(at, least - 1, -1):
        char = text[place]
        if quote:
            if (char == quote and text[place - 1 : place] != "\\") or char == "\n":
                quote = ""
        elif char in _QUOTES:
            if text.rfind(char, max(least, place - 400), place) >= 0:
                quote = char
        elif char in _CLOSING:
            depth += 1
        elif char in _OPENING:
            depth -= 1
            if not depth:
                return place
    return -1


def _generic(text: str, at: int, least: int) -> int:
    depth = 0
    for place in range(at, max(least, at - 200) - 1, -1):
        char = text[place]
        if char == ">":
            depth += 1
        elif char == "<":
            depth -= 1
            if not depth:
                return place - 2 if text[max(place - 2, 0) : place] == "::" else place
        elif not (char.isalnum() or char in "_$.,:&?[] *'"):
            return -1
    return -1
