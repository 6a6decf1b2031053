"""Find the files of C# namespaces, which by convention are folders below a project.

Pure functions of the tree. May import this package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sidecar.index.resolve.paths import (
    MOST_TARGETS,
    NOWHERE,
    Answer,
    file_key,
    folder_key,
    folder_of,
    nearest,
)

if TYPE_CHECKING:
    from sidecar.index.resolve.tree import Tree
    from sidecar.syntax.imports import Import

__all__ = ["CSharpResolver"]


class CSharpResolver:
    """Resolves `using`: a namespace to the files of its folder, a type to its file.

    The namespace of a folder is its path below the project file, after the project's name. Where
    that gives nothing, a folder whose path ends like the namespace will do.
    """

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._version = -1
        self._projects: list[tuple[str, str]] = []

    def answer(self, item: Import, importer: str) -> Answer:
        """Return the files that a using directive makes visible."""
        projects = self._tree.projects
        if self._version != projects.version:
            self._version = projects.version
            self._projects = [
                (path.rpartition("/")[2].removesuffix(".csproj"), folder_of(path))
                for path in projects.csharp()
            ]
        # Only what has another name here may be generic: `using A = B.C<int>`.
        name = item.module.partition("<")[0].removeprefix("global::").strip(".")
        if item.name not in ("", "*"):
            name = f"{name}.{item.name}"
        if not name:
            return NOWHERE
        last = name.rpartition(".")[2]
        keys = {folder_key(last), file_key(last + ".cs")}
        for folder in self._project_folders(name, importer):
            keys.add(folder_key(folder))
            if files := self._sources(folder):
                return Answer(tuple(sorted(files)[:MOST_TARGETS]), frozenset(keys))
        files = []
        inner = "." + name
        for folder in self._tree.folders_named.get(folder_key(last), ()):
            if f".{folder.replace('/', '.')}".endswith(inner):
                files += self._sources(folder)
        if not files and "." in name:
            suffix = name.replace(".", "/") + ".cs"
            files = nearest(self._tree.ending(suffix), importer)[:1]
        return Answer(tuple(nearest(files, importer)[:MOST_TARGETS]), frozenset(keys))

    def _sources(self, folder: str) -> list[str]:
        return [path for path in self._tree.folders.get(folder, ()) if path.endswith(".cs")]

    def _project_folders(self, name: str, importer: str) -> list[str]:
        found = []
        for project, folder in self._projects:
            if name == project or name.startswith(project + "."):
                rest = name[len(project) :].strip(".").replace(".", "/")
                found.append("/".join(part for part in (folder, rest) if part))
        return nearest(found, importer)
