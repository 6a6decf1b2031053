"""A copy of a tree with files of our own in it, which a benchmark may edit as it likes.

The edited files are as long as the tree's own: each begins with the text of one of them. May import
`syntax`, `index` and `errors`.
"""

from __future__ import annotations

import shutil
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sidecar.errors import UsageError
from sidecar.index.files.walk import Walk
from sidecar.syntax.facts import extract
from sidecar.syntax.languages import Languages

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Dialect", "Probes", "copy_tree", "is_probe"]

_FOLDER = "sidecar_probe"
#: Where somebody's edits happen: files of a usual size, not the shortest and not the longest.
_USUAL_BYTES = range(4_000, 40_000)


@dataclass(frozen=True, slots=True)
class Dialect:
    """How probes are written in one language.

    Args:
        language: The editor's name of the language.
        ending: Of file names.
        marker: A file by which a folder can be imported, or nothing.
        inner: A function in the body of another one.
        outer: A function that others can import.
        imports: What imports a name of a file.
        passes_on: What imports a name of a file so that others can import it from here.
    """

    language: str
    ending: str
    marker: str
    inner: str
    outer: str
    imports: str
    passes_on: str


_PYTHON = Dialect(
    language="python",
    ending=".py",
    marker="__init__.py",
    inner="\n\ndef probe_around():\n    def {name}(value):\n        return value\n"
    "\n    return {name}\n",
    outer="\n\ndef {name}(value):\n    return value\n",
    imports=f"from {_FOLDER}.{{file}} import {{name}}\n",
    passes_on=f"from {_FOLDER}.{{file}} import {{name}}\n",
)


def _script(language: str, ending: str) -> Dialect:
    return Dialect(
        language=language,
        ending=ending,
        marker="",
        inner="\nfunction probeAround() {{\n  function {name}(value) {{ return value; }}\n"
        "  return {name};\n}}\n",
        outer="\nexport function {name}(value) {{ return value; }}\n",
        imports="import {{ {name} }} from './{file}';\n",
        passes_on="export {{ {name} }} from './{file}';\n",
    )


_DIALECTS = (_PYTHON, _script("typescript", ".ts"), _script("javascript", ".js"))


def copy_tree(source: Path, target: Path) -> int:
    """Copy the files of a tree that would be indexed, and return how many there are.

    Raises:
        UsageError: There are none.
    """
    files = 0
    for found in Walk(source).files():
        place = target / found.path
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source / found.path, place)
        files += 1
    if not files:
        raise UsageError(f"{source} holds no files to index", "name a folder of source code")
    return files


def is_probe(path: str) -> bool:
    """Tell whether a file of the copied tree is one of ours."""
    return path.startswith(f"{_FOLDER}/")


class Probes:
    """The files of ours in a copied tree.

    Args:
        root: The copy.
        paths: Its files.
        rounds: How many names the chain of imports can carry.
    """

    def __init__(self, root: Path, paths: Iterable[str], rounds: int) -> None:
        paths = list(paths)
        endings = Counter(Path(path).suffix for path in paths)
        self.dialect = max(_DIALECTS, key=lambda dialect: endings[dialect.ending])
        self._folder = root / _FOLDER
        self._text = self._usual_text(root, paths)
        self._rounds = rounds

    def write(self, editors: int) -> None:
        """Write one file for each editor, and a chain of three in which A imports B imports C."""
        self._folder.mkdir()
        if self.dialect.marker:
            (self._folder / self.dialect.marker).write_text("")
        for number in range(editors):
            self.edit(number).write_text(self.body_edit("probe_first"), "utf-8")
        names = [self.chained(number) for number in range(self._rounds)]
        for importer, imported, line in (
            ("probe_a", "probe_b", self.dialect.imports),
            ("probe_b", "probe_c", self.dialect.passes_on),
        ):
            text = "".join(line.format(file=imported, name=name) for name in names)
            self.file(importer).write_text(text, "utf-8")
        self.file("probe_c").write_text(self._text, "utf-8")

    def file(self, name: str) -> Path:
        """Return the file of a name."""
        return self._folder / f"{name}{self.dialect.ending}"

    def edit(self, number: int) -> Path:
        """Return the file of one editor."""
        return self.file(f"probe_edit_{number}")

    @staticmethod
    def chained(number: int) -> str:
        """Return a name that A imports from B, and B from C."""
        return f"probe_chained_{number}"

    def body_edit(self, name: str) -> str:
        """Return the text of a file in which only the body of a function is another one."""
        return self._text + self.dialect.inner.format(name=name)

    def interface_edit(self, names: Iterable[str]) -> str:
        """Return the text of a file that declares these functions besides."""
        return self._text + "".join(self.dialect.outer.format(name=name) for name in names)

    def _usual_text(self, root: Path, paths: Iterable[str]) -> str:
        """Return the text of the tree's file of middle size among those of usual size."""
        sizes = []
        for path in paths:
            if path.endswith(self.dialect.ending):
                size = (root / path).stat().st_size
                sizes.append((size not in _USUAL_BYTES, size, path))
        usual = sorted(size for size in sizes if not size[0]) or sorted(sizes)
        middle = len(usual) // 2
        for _, _, path in usual[middle:] + usual[:middle]:
            text = (root / path).read_text("utf-8", "replace")
            text = text if text.endswith("\n") else f"{text}\n"
            if self._shows_edits(text):
                return text
        return ""

    def _shows_edits(self, text: str) -> bool:
        """Tell whether what is added is found: a grammar may take the whole text for an error."""
        language = Languages.load().find("", f"any{self.dialect.ending}")
        assert language is not None
        for kind in (self.dialect.inner, self.dialect.outer):
            facts = extract(language, (text + kind.format(name="probe_found")).encode())
            if facts is None or all(symbol.name != "probe_found" for symbol in facts.symbols):
                return False
        return True
