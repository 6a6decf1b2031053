"""The files of ignore rules that hold for a folder, stacked: read, ordered, made relative.

From the strongest: the user's own `exclude` setting; then for each folder from the innermost its
`.sidecarignore` and its `.gitignore`; then the repository's `info/exclude` and the user's excludes.
A repository inside another starts anew, except for `.sidecarignore` and the setting: those are
about the index, not about what a repository tracks. Reads only such files. May import this
package.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from sidecar.index.files.patterns import compile_patterns, native
from sidecar.index.files.repository import git_folder, read_excludes, read_regular

if TYPE_CHECKING:
    from collections.abc import Collection

    from sidecar.index.files.patterns import Matcher

__all__ = ["MARKS", "MARKS_IN_GIT", "Folder", "Layer", "Rules", "WalkSettings", "is_rule_file"]

#: Names that change what holds for the folder they lie in.
MARKS = frozenset({".git", ".gitignore", ".sidecarignore", "CACHEDIR.TAG", "pyvenv.cfg"})
#: Files inside `.git` that change what holds for the folder around it.
MARKS_IN_GIT = (".git/info/exclude", ".git/config")
_CACHE_TAG = b"Signature: 8a477f597d28d172789f06886806bc55"
#: The weaker first.
_RULE_FILES = (".gitignore", ".sidecarignore")


@dataclass(frozen=True, slots=True)
class WalkSettings:
    """What a user may say about walking.

    Attributes:
        exclude: Patterns as in a `.sidecarignore` at the root, stronger than any file's.
        kept_skips: How many skipped paths are remembered by name; all of them are counted.
        environment: The variables that say where git's files are.
    """

    exclude: tuple[str, ...] = ()
    kept_skips: int = 10_000
    environment: dict[str, str] = field(default_factory=lambda: dict(os.environ))


class Layer(NamedTuple):
    """The patterns of one file, and how a path becomes relative to where they hold.

    Attributes:
        matcher: The patterns.
        start: How many characters of a path (as `native` text) to leave out.
        prefix: What to put before the rest.
        lasting: Whether repositories inside obey it as well.
    """

    matcher: Matcher
    start: int
    prefix: str
    lasting: bool


class Folder(NamedTuple):
    """What holds for the entries of one folder.

    Attributes:
        layers: The files of patterns, the strongest first.
        ignore_case: Whether the repository's patterns are blind to case.
    """

    layers: tuple[Layer, ...]
    ignore_case: bool


def is_rule_file(path: str) -> bool:
    """Tell whether a change of this path can change what is left out besides itself."""
    return path.rpartition("/")[2] in MARKS or path.endswith((*MARKS_IN_GIT, ".git/HEAD"))


class Rules:
    """Reads the rules of a workspace.

    Args:
        root: The workspace, as an absolute path.
        settings: What the user said.
    """

    def __init__(self, root: str, settings: WalkSettings) -> None:
        self._root = root
        self._environment = settings.environment
        text = os.fsencode("\n".join(settings.exclude))
        matcher = compile_patterns(text, False)
        #: The layer of the setting; it stays at the front of every stack.
        self._always = () if matcher is None else (Layer(matcher, 0, "", True),)

    def outside(self) -> Folder:
        """Return what holds for the root because of where it lies.

        A root inside a repository obeys that one's rules, unless they leave out the root itself:
        who opens an ignored folder wants to see it.
        """
        if git_folder(self._root) is not None:
            return Folder(self._always, False)
        top = os.path.dirname(self._root)
        while (git := git_folder(top)) is None and top != os.path.dirname(top):
            top = os.path.dirname(top)
        if git is not None and (around := self._around(git, top)) is not None:
            return around
        return self._repository(None, self._root, self._always, 0, "")

    def enter(self, parent: Folder, path: str, marks: Collection[str]) -> Folder | str:
        """Return what holds inside a folder, or why all of it is left out.

        Args:
            parent: What holds for the folder that it lies in.
            path: Its path, relative to the root; empty for the root.
            marks: Which of `MARKS` lie in it.
        """
        if not marks:
            return parent
        whole = f"{self._root}/{path}" if path else self._root
        if path and _is_derived(whole, marks):
            return "ignored"
        start = len(native(path)) + 1 if path else 0
        if ".git" in marks and (git := git_folder(whole)) is not None:
            lasting = tuple(layer for layer in parent.layers if layer.lasting)
            parent = self._repository(git, whole, lasting, start, "")
        layers, ignore_case = parent
        first = len(self._always)
        for name in _RULE_FILES:
            matcher = _read(f"{whole}/{name}", ignore_case) if name in marks else None
            if matcher is not None:
                layer = Layer(matcher, start, "", name == ".sidecarignore")
                layers = (*layers[:first], layer, *layers[first:])
        return Folder(layers, ignore_case)

    def _around(self, git: str, top: str) -> Folder | None:
        """What the repository around the root says, or None if it leaves out the root."""
        names = os.path.relpath(self._root, top).split(os.sep)
        prefix = native("/".join(names)) + "/"
        layers, ignore_case = self._repository(git, top, (), 0, prefix)
        above = 0  # Characters of `prefix` that lead to the folder whose rules are read.
        for depth, name in enumerate(names):
            folder = os.path.join(top, *names[:depth])
            for file in _RULE_FILES:
                if (matcher := _read(os.path.join(folder, file), ignore_case)) is not None:
                    layer = Layer(matcher, 0, prefix[above:], file == ".sidecarignore")
                    layers = (layer, *layers)
            above += len(native(name)) + 1
            below = len(prefix) - above
            for layer in layers:
                path = layer.prefix[: len(layer.prefix) - below].removesuffix("/")
                number = layer.matcher.folders.verdict(native(name), path, 0, "")
                if number > 0:
                    return None
                if number:
                    break
        return Folder(self._always + layers, ignore_case)

    def _repository(
        self, git: str | None, top: str, layers: tuple[Layer, ...], start: int, prefix: str
    ) -> Folder:
        """What holds below all `.gitignore` files, put behind the layers that there are."""
        excludes = read_excludes(git, top, self._environment)
        for text in excludes.texts:
            if (matcher := compile_patterns(text, excludes.ignore_case)) is not None:
                layers = (*layers, Layer(matcher, start, prefix, False))
        return Folder(layers, excludes.ignore_case)


def _read(path: str, ignore_case: bool) -> Matcher | None:
    text = read_regular(path)
    return compile_patterns(text, ignore_case) if text is not None else None


def _is_derived(whole: str, marks: Collection[str]) -> bool:
    """Whether a folder says itself that it is a cache or a virtual environment."""
    if "CACHEDIR.TAG" in marks:
        tag = read_regular(f"{whole}/CACHEDIR.TAG")
        if tag is not None and tag.startswith(_CACHE_TAG):
            return True
    return "pyvenv.cfg" in marks and read_regular(f"{whole}/pyvenv.cfg") is not None
