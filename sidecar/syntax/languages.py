"""Which language a document is in, read from `grammars/languages.toml`.

Must never import a grammar: knowing a language's name costs nothing. The folder of grammars lies
inside the package in a wheel, and beside it in an editable install. May import this package.
"""

from __future__ import annotations

import functools
import os
import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

from sidecar.syntax.forms import Form, form_of

__all__ = ["GENERIC_BEGINS", "GENERIC_HEADER", "Language", "Languages", "grammars_folder"]

#: What opens a function in most languages: a keyword, or a call-like head that ends in a brace.
GENERIC_HEADER = re.compile(
    r"\b(def|function|func|fn|fun|sub|proc)\b"
    r"|^(?!\s*(if|for|while|switch|catch|else|do|try|return|with|using|lock)\b).*\)[^;]*\{\s*$"
)
#: What opens a block in languages with braces.
GENERIC_BEGINS = re.compile(
    r"^\s*\{\s*$"
    r"|(?:\)|[=-]>|\b(?:else|try|finally|do|loop|unsafe|static|init|get|set|companion\s+object))\s*\{\s*$"
    r"|^\s*\}?\s*(?:(?:export|default|public|private|protected|internal|abstract|final|sealed|static"
    r"|open|data|pub|async|partial|readonly|inline|override|suspend|mutating|typedef|pub\([a-z]+\))\s+)*"
    r"(?:class|struct|interface|enum|trait|impl|namespace|module|object|record|extension|protocol"
    r"|union|mod|func|fn|fun|function|if|else\s+if|for|while|switch|match|when|select|catch|guard)\b"
    r"[^;{}]*\{\s*$"
    r"|\)\s*(?:->|:|(?:throws|const|noexcept|override)\b)[^;{}()]*\{\s*$"
)


@dataclass(frozen=True, slots=True)
class Language:
    """One language, and where its grammar comes from.

    Args:
        name: Its name here, which is also its folder of queries.
        ids: LSP language identifiers.
        extensions: File name endings.
        names: Whole file names.
        module: Python module of the grammar, or nothing.
        function: Function of that module which returns the language.
        queries: Folders of queries that it uses.
        pack: The grammar's name in the optional language pack, or nothing.
        header: Finds the first line of a function where no parse tree serves.
        begins: Finds lines, up to the cursor, behind which a block begins.
        comments: What a line of comment begins with.
        block_comments: Whether comments stand between `/*` and `*/`.
        decorators: What lines between a comment and its declaration begin with.
        ellipsis: What stands in place of a body that has no brackets.
        blank: Each finds words that the grammar cannot know, such as macros, in its group.
        instead: The language of files in which `instead_if` finds something.
        instead_if: Finds what only the other language has.
        form: How it writes declarations without bodies.
    """

    name: str
    ids: tuple[str, ...] = ()
    extensions: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    module: str = ""
    function: str = "language"
    queries: tuple[str, ...] = ()
    pack: str = ""
    header: re.Pattern[str] = GENERIC_HEADER
    begins: re.Pattern[str] = GENERIC_BEGINS
    comments: tuple[bytes, ...] = (b"//",)
    block_comments: bool = True
    decorators: tuple[bytes, ...] = ()
    ellipsis: str = " ..."
    blank: tuple[re.Pattern[bytes], ...] = ()
    instead: str = ""
    instead_if: re.Pattern[bytes] | None = None
    form: Form = field(default_factory=Form)

    def blanked(self, source: bytes) -> bytes:
        """Return a file with spaces in place of words that would keep it from being parsed."""
        for pattern in self.blank:
            source = pattern.sub(_spaces, source)
        return source

    def query(self, name: str) -> str | None:
        """Return the text of one of the language's queries, or None where it has none."""
        paths = [grammars_folder() / folder / f"{name}.scm" for folder in self.queries]
        texts = [path.read_text("utf-8") for path in paths if path.is_file()]
        return "\n".join(texts) if texts else None


class Languages:
    """All languages of the data file, found by identifier or by file name."""

    def __init__(self, languages: tuple[Language, ...]) -> None:
        self.all = languages
        self._by_own_name = {language.name: language for language in languages}
        self._by_id = {key: language for language in languages for key in language.ids}
        self._by_ending = {key: language for language in languages for key in language.extensions}
        self._by_name = {key: language for language in languages for key in language.names}

    @classmethod
    @functools.cache
    def load(cls) -> Languages:
        """Read the data file; once a process, since it ships with the code."""
        data = tomllib.loads((grammars_folder() / "languages.toml").read_text("utf-8"))
        return cls(tuple(_language(name, entry) for name, entry in data.items()))

    def of_source(self, language: Language, source: bytes) -> Language:
        """Return the language that a file is in, where its name leaves two of them."""
        if language.instead_if is None or not language.instead_if.search(source):
            return language
        return next(other for other in self.all if other.name == language.instead)

    def named(self, name: str) -> Language | None:
        """Return the language that has this name here."""
        return self._by_own_name.get(name)

    def of_kernel(self, name: str) -> Language | None:
        """Return the language that a notebook's kernel names, in small letters."""
        return self._by_id.get(name) or self._by_own_name.get(name)

    def find(self, language_id: str, path: str = "") -> Language | None:
        """Return a document's language: the editor's word first, then the file's name."""
        if found := self._by_id.get(language_id):
            return found
        name = os.path.basename(path)
        ending = os.path.splitext(name)[1]
        return self._by_name.get(name) or self._by_ending.get(ending.lower())


@functools.cache
def grammars_folder() -> Path:
    """Return the folder of grammar data, in a wheel or in a checkout."""
    package = Path(__file__).resolve().parents[1]
    packed = package / "grammars"
    return packed if packed.is_dir() else package.parent / "grammars"


def _language(name: str, entry: dict[str, object]) -> Language:
    values: dict[str, object] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()
    }
    for key in ("comments", "decorators"):
        if key in values:
            values[key] = tuple(str(mark).encode() for mark in values[key])  # type: ignore[attr-defined]
    if "blank" in values:
        values["blank"] = tuple(map(_verbose, values["blank"]))  # type: ignore[call-overload]
    if "instead_if" in values:
        values["instead_if"] = _verbose(str(values["instead_if"]))
    if isinstance(form := entry.get("form"), dict):
        values["form"] = form_of(form)
    values.setdefault("queries", (name,))
    for key in ("header", "begins"):
        if key in values:
            values[key] = re.compile(str(values[key]))
    return Language(name=name, **values)  # type: ignore[arg-type]


def _verbose(pattern: str) -> re.Pattern[bytes]:
    return re.compile(pattern.encode(), re.MULTILINE | re.VERBOSE)


def _spaces(match: re.Match[bytes]) -> bytes:
    number = match.lastindex or 0
    start, end = (at - match.start() for at in match.span(number))
    text = match[0]
    # Lines stay lines, so that whatever is found stands where it stood.
    return text[:start] + re.sub(rb"[^\r\n]", b" ", text[start:end]) + text[end:]
