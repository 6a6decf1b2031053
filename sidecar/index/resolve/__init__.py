"""Where imports lead: from what a file imports to the files of the workspace that are meant.

Pure functions of a `Tree` of known paths; no I/O, nothing raised. What cannot be resolved stays a
name. An import's module is taken as written, without quotes, and its name behind the module or as
a part of it, as a language's query finds it: `com.acme.B` or `com.acme` and `B`, `a::b::C` or
`a::b` and `C`; Rust's `mod x;` is the module `x`. May import `syntax` (for the form of an import)
and this package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from sidecar.index.resolve.c import CResolver
from sidecar.index.resolve.csharp import CSharpResolver
from sidecar.index.resolve.go import GoResolver
from sidecar.index.resolve.javascript import JAVASCRIPT, JavaScriptResolver
from sidecar.index.resolve.jvm import JvmResolver
from sidecar.index.resolve.paths import NOWHERE, Answer, folder_of, keys_of_path
from sidecar.index.resolve.php import PhpResolver
from sidecar.index.resolve.projects import Projects, languages_of
from sidecar.index.resolve.python import PythonResolver
from sidecar.index.resolve.ruby import RubyResolver
from sidecar.index.resolve.rust import RustResolver
from sidecar.index.resolve.scripts import BashResolver, LuaResolver
from sidecar.index.resolve.tree import Tree

if TYPE_CHECKING:
    from sidecar.syntax.imports import Import

__all__ = ["Answer", "Projects", "Resolvers", "Tree", "affected", "keys_of_path"]

#: Answers that are kept. They are shared within a folder, whose files are resolved together.
_MOST_ANSWERS = 8_192
#: No path is longer; a longer module is data, or the work of somebody who wants us to be slow.
_MOST_CHARACTERS = 1_024


def affected(path: str) -> tuple[frozenset[str], str]:
    """Return whose imports a path concerns beyond its keys, and below which folder.

    That is so for project files, when they come, go or change, and for what makes a folder of
    Python a package, when it comes or goes. For all other paths there are no such languages.
    """
    folder, _, name = path.rpartition("/")
    if name == "__init__.py" or name == "__init__.pyi":
        return frozenset({"python"}), folder
    return languages_of(path), ""


class _Resolver(Protocol):
    def answer(self, item: Import, importer: str) -> Answer: ...


class Resolvers:
    """The resolver of each language, and the answers that they gave since the last change."""

    def __init__(self, tree: Tree) -> None:
        javascript, c, jvm = JavaScriptResolver(tree), CResolver(tree), JvmResolver(tree)
        self._tree = tree
        self._by_language: dict[str, _Resolver] = {
            "python": PythonResolver(tree),
            **dict.fromkeys(sorted(JAVASCRIPT), javascript),
            "go": GoResolver(tree),
            "rust": RustResolver(tree),
            "java": jvm,
            "kotlin": jvm,
            "c": c,
            "cpp": c,
            "csharp": CSharpResolver(tree),
            "ruby": RubyResolver(tree),
            "php": PhpResolver(tree),
            "lua": LuaResolver(tree),
            "bash": BashResolver(tree),
        }
        self._answers: dict[tuple[str, str, str, str], Answer] = {}
        self._version = -1

    def answer(self, language: str, item: Import, importer: str) -> Answer:
        """Return where an import leads, and the keys of what could change that."""
        if self._version != self._tree.version or len(self._answers) > _MOST_ANSWERS:
            self._version = self._tree.version
            self._answers.clear()
        # The files of a folder share their answers, except where a file is a folder of modules.
        place = importer if language == "rust" else folder_of(importer)
        key = (language, item.module, item.name, place)
        answer = self._answers.get(key)
        if answer is None:
            resolver = self._by_language.get(language)
            if resolver is None or len(item.module) + len(item.name) > _MOST_CHARACTERS:
                answer = NOWHERE
            else:
                answer = resolver.answer(item, importer)
            self._answers[key] = answer
        return answer

    def resolve(self, language: str, item: Import, importer: str) -> tuple[str, ...]:
        """Return the files that an import means, best first; none where it stays a name."""
        return self.answer(language, item, importer).targets

    def keys(self, language: str, item: Import, importer: str) -> frozenset[str]:
        """Return the keys of all paths whose creation or deletion could change `resolve`."""
        return self.answer(language, item, importer).keys

    def forget_answers(self) -> None:
        """Free what is remembered, at the end of a pass over many files."""
        self._answers.clear()
