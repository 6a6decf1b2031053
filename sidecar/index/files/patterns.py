"""One file of ignore patterns as git reads it: which pattern says the last word about a path.

Follows git's `wildmatch.c` and `dir.c` byte for byte, quirks included, because a file that git
tracks must not be missing here, and one that it ignores must not appear. Paths and patterns are
text of Latin-1, in which every byte is one character: `native` makes it, and for ASCII it is the
same string. pathspec is not used: it follows git's manual where git itself differs (character
classes, trailing spaces, what a directory's pattern says about what lies below), and costs ten
times as much for a path.
Reads no file. May import nothing of sidecar.
"""

from __future__ import annotations

import functools
import os
import re

__all__ = ["Matcher", "Table", "compile_patterns", "native"]

#: In a line that holds none of these, the pattern is a plain name.
_SPECIAL = re.compile(r"[*?\[\\]")
#: What may follow `*` in a pattern that only looks at how a name ends.
_ENDS_WITH = re.compile(r"\*[^*?\[\\]*\Z")
#: Patterns with special characters that are kept of one file, the last ones. Nobody writes as many,
#: and a file made to keep the index busy could hold a hundred times more.
_MOST_GLOBS = 1_000
#: POSIX character classes, for bytes in the C locale.
_CLASSES = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "blank": r"\ \t",
    "cntrl": r"\x00-\x1f\x7f",
    "digit": "0-9",
    "graph": r"\x21-\x7e",
    "lower": "a-z",
    "print": r"\x20-\x7e",
    "punct": r"\x21-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e",
    "space": r"\ \t\n\r\x0b\x0c",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}


class _Never(Exception):
    """The pattern is malformed in a way that lets it match nothing."""


def native(path: str) -> str:
    """Return the bytes of a path as Latin-1 text."""
    return path if path.isascii() else os.fsencode(path).decode("latin-1")


class _Globs:
    """Patterns that need an expression each, tried in one go because nearly none ever matches."""

    __slots__ = ("_any", "_each", "_flags")

    def __init__(self, globs: list[tuple[str, int]], flags: int) -> None:
        self._flags = flags
        self._each = globs[: -_MOST_GLOBS - 1 : -1]
        whole = "|".join(text for text, _ in self._each)
        self._any = re.compile(rf"(?:{whole})\Z", flags).match

    def last(self, text: str) -> int:
        """Return the number of the last pattern that matches, or zero."""
        if self._any(text) is None:
            return 0
        # Only what is left out comes here, and `re` remembers these expressions.
        for expression, number in self._each:
            if re.match(rf"(?:{expression})\Z", text, self._flags) is not None:
                return number
        return 0


class Table:
    """The patterns of one file that concern files, or those that concern folders.

    A pattern is known by its number from 1, the last one being the highest; it is negative for a
    pattern that takes back (`!name`), so that zero can say that nothing matched.
    """

    __slots__ = ("_ends", "_globs", "_names", "_path_globs", "_paths", "_suffixes")

    def __init__(self, patterns: list[tuple[int, str]], ignore_case: bool) -> None:
        names: dict[str, int] = {}
        paths: dict[str, int] = {}
        ends: list[tuple[str, int]] = []
        globs: list[tuple[str, int]] = []
        path_globs: list[tuple[str, int]] = []
        for number, pattern in patterns:
            anchored = "/" in pattern
            pattern = pattern.removeprefix("/")
            if not ignore_case and _SPECIAL.search(pattern) is None:
                (paths if anchored else names)[pattern] = number
            elif not ignore_case and not anchored and _ENDS_WITH.match(pattern):
                ends.append((pattern[1:], number))
            else:
                try:
                    expression = _path_glob(pattern) if anchored else _name_glob(pattern)
                except _Never:
                    continue
                (path_globs if anchored else globs).append((expression, number))
        flags = re.DOTALL | (re.IGNORECASE | re.ASCII if ignore_case else 0)
        self._names = names
        self._paths = paths
        # The strongest first.
        self._ends = ends[::-1]
        self._suffixes = tuple(end for end, _ in ends)
        self._globs = _Globs(globs, flags) if globs else None
        self._path_globs = _Globs(path_globs, flags) if path_globs else None

    def verdict(self, name: str, path: str, start: int, prefix: str) -> int:
        """Return the number of the last pattern that matches, negative if it takes back.

        Args:
            name: The last part of the path.
            path: The path, of which the first `start` characters are left out and `prefix` is put
                before the rest, to make it relative to the folder of the patterns.
            start: See `path`; only patterns with a `/` need that string to be made.
            prefix: See `path`.
        """
        best = self._names.get(name, 0)
        if self._suffixes and name.endswith(self._suffixes):
            number = next(number for end, number in self._ends if name.endswith(end))
            best = max(best, number, key=abs)
        if self._globs is not None and (number := self._globs.last(name)):
            best = max(best, number, key=abs)
        if self._paths or self._path_globs is not None:
            path = prefix + path[start:]
            if number := self._paths.get(path, 0):
                best = max(best, number, key=abs)
            if self._path_globs is not None and (number := self._path_globs.last(path)):
                best = max(best, number, key=abs)
        return best


class Matcher:
    """The patterns of one file; see `Table`.

    Attributes:
        files: For paths of files, and of whatever else is no folder.
        folders: For paths of folders.
    """

    __slots__ = ("files", "folders")

    def __init__(self, patterns: list[tuple[int, str]], ignore_case: bool) -> None:
        for_files = [(number, text) for number, text in patterns if not text.endswith("/")]
        for_folders = [(number, text.removesuffix("/")) for number, text in patterns]
        self.files = Table(for_files, ignore_case)
        self.folders = Table(for_folders, ignore_case)


@functools.lru_cache(maxsize=256)
def compile_patterns(text: bytes, ignore_case: bool) -> Matcher | None:
    """Return what a file of patterns says, or None if it says nothing.

    Args:
        text: What stands in the file.
        ignore_case: Whether `A` in a pattern is also `a` in a name (git's `core.ignoreCase`).
    """
    patterns: list[tuple[int, str]] = []
    for raw in text.removeprefix(b"\xef\xbb\xbf").decode("latin-1").split("\n"):
        if raw.startswith("#"):
            continue
        line = _without_trailing_spaces(raw.removesuffix("\r").split("\0", 1)[0])
        taken_back = line.startswith("!")
        line = line.removeprefix("!")
        if line.removesuffix("/"):
            number = len(patterns) + 1
            patterns.append((-number if taken_back else number, line))
    return Matcher(patterns, ignore_case) if patterns else None


def _path_glob(pattern: str) -> str:
    """Return the expression for a pattern with `/` in it.

    Up to the first special character git compares text, and hands only the rest to its matcher,
    for which `**` then stands at a beginning: `a**/b` matches `ab` and `a/x/b`.
    """
    first = _SPECIAL.search(pattern)
    cut = first.start() if first else len(pattern)
    return re.escape(pattern[:cut]) + _translate(pattern[cut:], any_folder=True)


def _name_glob(pattern: str) -> str:
    return _translate(pattern, any_folder=False)


def _without_trailing_spaces(line: str) -> str:
    """Cut spaces off the end, as far as no backslash keeps them."""
    bare = line.rstrip(" ")
    if bare == line:
        return line
    backslashes = len(bare) - len(bare.rstrip("\\"))
    return line[: len(bare) + backslashes % 2]


def _translate(pattern: str, *, any_folder: bool) -> str:
    """Translate what git's matcher would be given.

    Between two stars stands text of a fixed length, so the first place where it fits is as good
    as any later one: all but the last star are atomic groups, and no pattern takes more than
    polynomial time. That holds for `**` and what follows it up to the next `**` as well.

    Args:
        pattern: The pattern.
        any_folder: Whether `**` between slashes means any number of folders, or just `*`.
    """
    # Parts stand between two `**`, pieces between two `*`; each part but the first has an opening.
    parts: list[tuple[str, list[str]]] = [("", [""])]
    at, end = 0, len(pattern)
    while at < end:
        character = pattern[at]
        pieces = parts[-1][1]
        if character == "*":
            after = at
            while after < end and pattern[after] == "*":
                after += 1
            follows = pattern[after : after + 2]
            alone = (at == 0 or pattern[at - 1] == "/") and (
                not follows or follows[0] == "/" or follows == "\\/"
            )
            if any_folder and after - at > 1 and alone:
                if follows[:1] == "/":
                    after += 1
                    parts.append(("(?:.*?/)??", [""]))
                else:
                    parts.append((".*?", [""]))
            else:
                pieces.append("")
            at = after
            continue
        if character == "?":
            piece, at = "[^/]", at + 1
        elif character == "[":
            piece, at = _bracket(pattern, at + 1)
        elif character == "\\":
            if at + 1 == end:
                raise _Never
            piece, at = re.escape(pattern[at + 1]), at + 2
        else:
            piece, at = re.escape(character), at + 1
        pieces[-1] += piece
    last = len(parts) - 1
    whole = ""
    for number, (opening, pieces) in enumerate(parts):
        text = pieces[0]
        for index, piece in enumerate(pieces[1:], 1):
            final = number == last and index == len(pieces) - 1
            text += f"[^/]*{piece}" if final else f"(?>[^/]*?{piece})"
        if number < last:
            whole += f"(?>{opening}{text})"
        else:
            whole += f"{opening}{text}"
    return whole


def _bracket(pattern: str, at: int) -> tuple[str, int]:
    """Translate `[...]`, of which `at` is the first character inside, as git reads it."""
    end = len(pattern)
    negated = at < end and pattern[at] in "!^"
    at += negated
    inside = ""
    previous = ""
    first = True
    while True:
        if at >= end:
            raise _Never
        character = pattern[at]
        if character == "]" and not first:
            break
        first = False
        if character == "\\":
            at += 1
            if at >= end:
                raise _Never
            previous = pattern[at]
            inside += re.escape(previous)
        elif character == "-" and previous and at + 1 < end and pattern[at + 1] != "]":
            at += 1
            if pattern[at] == "\\":
                at += 1
                if at >= end:
                    raise _Never
            if previous <= pattern[at]:
                inside += f"{re.escape(previous)}-{re.escape(pattern[at])}"
            previous = ""
        elif pattern.startswith("[:", at):
            close = pattern.find("]", at + 2)
            if close < 0:
                raise _Never
            if close == at + 2 or pattern[close - 1] != ":":
                # No class after all, but a bracket like any other character.
                inside += r"\["
                previous = "["
            else:
                if pattern[at + 2 : close - 1] not in _CLASSES:
                    raise _Never
                inside += _CLASSES[pattern[at + 2 : close - 1]]
                at = close
                previous = ""
        else:
            inside += re.escape(character)
            previous = character
        at += 1
    if not inside:
        # Only ranges that run backwards: nothing is in them.
        return ("[^/]" if negated else "(?!)"), at + 1
    return (f"(?!/)[^{inside}]" if negated else f"(?!/)[{inside}]"), at + 1
