"""What queries of the index answer with. Values only; may import `syntax`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from sidecar.syntax.symbols import Place, Symbol

__all__ = ["Counts", "Definition", "Imported", "Reference", "Related"]


class Definition(NamedTuple):
    """A declaration and where it stands.

    Args:
        path: Its file: relative to the workspace, or absolute if it lies outside.
        language: The file's language.
        symbol: What is declared.
        place: Where.
        container: Name of the declaration around it, or of the type that it belongs to.
    """

    path: str
    language: str
    symbol: Symbol
    place: Place
    container: str


class Imported(NamedTuple):
    """An import and where it leads.

    Args:
        module: As written.
        name: What is imported of it: nothing for the module itself, `*` for all.
        alias: What it is called here, if not by its own name.
        line: Counted from 0.
        target: The file that the module is, if it is known.
        definer: The file that declares the name, which may be another one.
    """

    module: str
    name: str
    alias: str
    line: int
    target: str | None
    definer: str | None

    @property
    def is_module(self) -> bool:
        """Whether the name means a file as such: `from . import shapes`."""
        file = (self.definer or "").split("/")
        return self.name in (file[-1].partition(".")[0], *file[-2:-1])


class Reference(NamedTuple):
    """How often a file refers to a name."""

    path: str
    calls: int
    attributes: int
    types: int


class Related(NamedTuple):
    """A file with how much it has to do with what was asked; more is better."""

    path: str
    score: float


@dataclass(frozen=True, slots=True)
class Counts:
    """The size of an index.

    Args:
        files: Indexed files of the workspace.
        external: Files outside of it that its open files led to; they count in nothing else.
        symbols: Declarations.
        references: Calls, attributes and types together.
        imports: Imported names.
        resolved: Those of them that lead to a file.
        source_bytes: Size of all files.
        database_bytes: Size of the database.
        languages: Files by language.
        errors: Files that did not parse in full, by language.
        skipped: Files that are not indexed, by reason.
    """

    files: int = 0
    external: int = 0
    symbols: int = 0
    references: int = 0
    imports: int = 0
    resolved: int = 0
    source_bytes: int = 0
    database_bytes: int = 0
    languages: dict[str, int] = field(default_factory=dict)
    errors: dict[str, int] = field(default_factory=dict)
    skipped: dict[str, int] = field(default_factory=dict)
