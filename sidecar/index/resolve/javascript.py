"""Find modules of JavaScript and TypeScript: relative, by tsconfig.json, by workspace package.

Pure functions of the tree. May import this package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sidecar.index.resolve.manifests import Package, TsConfig
from sidecar.index.resolve.paths import Answer, ancestors, file_key, folder_of, join, nearest
from sidecar.index.resolve.projects import JAVASCRIPT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sidecar.index.resolve.tree import Tree
    from sidecar.syntax.imports import Import

__all__ = ["JAVASCRIPT", "JavaScriptResolver", "candidates", "entries_of"]

_TYPESCRIPT = (".ts", ".tsx", ".mts", ".cts", ".d.ts", ".d.mts", ".d.cts")
_JAVASCRIPT = (".js", ".jsx", ".mjs", ".cjs")
#: What TypeScript takes a specifier with such an ending to mean.
_SWAPPED = {
    "js": (".ts", ".tsx", ".d.ts"),
    "jsx": (".tsx", ".d.ts"),
    "mjs": (".mts", ".d.mts"),
    "cjs": (".cts", ".d.cts"),
}
#: What a declaration file means by the name of the source that it was made from.
_DECLARED = {
    "ts": (".d.ts", ".d.mts", ".d.cts"),
    "tsx": (".d.ts",),
    "mts": (".d.mts",),
    "cts": (".d.cts",),
}
#: Where packages keep what they build; what it is built from is in the index.
_BUILT = frozenset({"dist", "lib", "build", "out", "es", "esm", "cjs", "types", "typings"})
_CONDITIONS = ("source", "types", "import", "module", "node", "browser", "require", "default")
#: Settings that extend each other further than this do so in a circle.
_MOST_EXTENDS = 16


class JavaScriptResolver:
    """Resolves specifiers as TypeScript does with `moduleResolution: bundler`."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._version = -1
        self._by_name: dict[str, list[Package]] = {}
        self._configs: dict[str, list[TsConfig]] = {}

    def answer(self, item: Import, importer: str) -> Answer:
        """Return where an import leads."""
        self._refresh()
        specifier = item.module.partition("?")[0]
        keys: set[str] = set()
        typed = importer.endswith(_TYPESCRIPT)
        for base in self._bases(specifier, importer):
            if found := self._load(base, keys, typed):
                return Answer((found,), frozenset(keys))
        return Answer((), frozenset(keys))

    def _refresh(self) -> None:
        projects = self._tree.projects
        if self._version != projects.version:
            self._version = projects.version
            self._configs.clear()
            self._by_name.clear()
            for package in projects.of(Package):
                if package.name:
                    self._by_name.setdefault(package.name, []).append(package)

    def _bases(self, specifier: str, importer: str) -> Iterator[str]:
        """Yield the paths, with or without an ending, that a specifier may mean."""
        folder = folder_of(importer)
        if specifier.startswith((".", "/")):
            base = join("" if specifier[0] == "/" else folder, specifier)
            if base is not None:
                yield base
            return
        if specifier.startswith("#"):
            yield from self._own_imports(specifier, folder)
        configs = self._configs_of(folder)
        for config in configs:
            if config.paths:
                yield from _mapped(config.paths, specifier)
        for config in configs:
            if config.base_url is not None:
                base = join(config.base_url, specifier)
                if base:
                    yield base
                break
        for package, inner in self._packages(specifier, importer):
            yield from entries_of(package, inner)

    def _own_imports(self, specifier: str, folder: str) -> Iterator[str]:
        for around in ancestors(folder):
            package = self._tree.projects.get(_in(around, "package.json"))
            if isinstance(package, Package):
                for target in _matching(package.imports, specifier):
                    base = join(package.folder, target)
                    if base:
                        yield base
                return

    def _packages(self, specifier: str, importer: str) -> Iterator[tuple[Package, str]]:
        parts = specifier.split("/")
        taken = 2 if specifier.startswith("@") else 1
        found = self._by_name.get("/".join(parts[:taken]))
        if found:
            by_path = {_in(package.folder, "package.json"): package for package in found}
            for path in nearest(by_path, importer):
                yield by_path[path], "/".join(parts[taken:])

    def _configs_of(self, folder: str) -> list[TsConfig]:
        """Return the nearest tsconfig.json, what it extends, and what it refers to, in order."""
        configs = self._configs.get(folder)
        if configs is None:
            configs = self._configs[folder] = []
            for around in ancestors(folder):
                for name in ("tsconfig.json", "jsconfig.json"):
                    path = _in(around, name)
                    if isinstance(self._tree.projects.get(path), TsConfig):
                        self._collect(path, configs)
                        return configs
        return configs

    def _collect(self, path: str, configs: list[TsConfig]) -> None:
        queue = [path]
        seen: set[str] = set()
        while queue and len(seen) < _MOST_EXTENDS:
            path = queue.pop(0)
            config = self._tree.projects.get(path)
            if path in seen or not isinstance(config, TsConfig):
                continue
            seen.add(path)
            configs.append(config)
            # Of several that are extended the last one counts most.
            extended = [self._config_path(e, config.folder) for e in reversed(config.extends)]
            referred = [join(config.folder, r) for r in config.references]
            queue[:0] = [e for e in extended if e]
            queue += [r if r.endswith(".json") else _in(r, "tsconfig.json") for r in referred if r]

    def _config_path(self, extends: str, folder: str) -> str | None:
        if not extends.endswith(".json"):
            name = extends.rpartition("/")[2]
            extends += ".json" if name.startswith(("tsconfig", "jsconfig")) else "/tsconfig.json"
        if extends.startswith("."):
            return join(folder, extends)
        for package, inner in self._packages(extends, _in(folder, "tsconfig.json")):
            return _in(package.folder, inner)
        return None

    def _load(self, base: str, keys: set[str], typed: bool) -> str | None:
        files = self._tree.files
        keys.update(_keys(base))
        for path in candidates(base, typed):
            if path in files:
                return path
        package = self._tree.projects.get(_in(base, "package.json"))
        if isinstance(package, Package):
            for entry in entries_of(package, ""):
                keys.update(_keys(entry))
                for path in candidates(entry, typed):
                    if path in files:
                        return path
        return None


def _in(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def candidates(base: str, typed: bool) -> Iterator[str]:
    """Yield the files that a path without a certain ending may mean, best first."""
    stem, dot, ending = base.rpartition(".")
    swapped = _SWAPPED.get(ending, ()) if dot else ()
    if dot and not typed:
        yield base
    for other in swapped:
        yield stem + other
    if dot and typed:
        yield base
        for other in _DECLARED.get(ending, ()):
            yield stem + other
    order = _TYPESCRIPT + _JAVASCRIPT if typed else _JAVASCRIPT + _TYPESCRIPT
    if base:
        for other in order:
            yield base + other
    index = _in(base, "index")
    for other in order:
        yield index + other


def _keys(base: str) -> tuple[str, str, str]:
    """Return the keys of all candidates: the path as it is, with an ending, and as a folder."""
    return file_key(base), file_key(base + ".ts"), file_key(_in(base, "index.ts"))


def _mapped(paths: dict[str, tuple[str, ...]], specifier: str) -> Iterator[str]:
    """Yield the targets of the pattern of `paths` that fits best: exact, or the longest."""
    if specifier in paths:
        yield from paths[specifier]
        return
    best, captured = "", ""
    for pattern in paths:
        before, star, after = pattern.partition("*")
        fits = star and specifier.startswith(before) and specifier.endswith(after)
        if fits and len(before) + len(after) <= len(specifier):
            if not best or len(before) > best.index("*"):
                best = pattern
                captured = specifier[len(before) : len(specifier) - len(after)]
    if best:
        for target in paths[best]:
            yield target.replace("*", captured, 1)


def entries_of(package: Package, inner: str) -> Iterator[str]:
    """Yield what a package may mean by a path inside it, or by its name alone."""
    targets = list(_matching(package.exports, f"./{inner}" if inner else "."))
    if inner:
        targets += [inner, f"src/{inner}"]
    else:
        targets += [*package.mains, "src/index", "index", "src/main", "lib/index"]
    seen: set[str] = set()
    for target in targets:
        base = join(package.folder, target)
        if base is None or base in seen:
            continue
        seen.add(base)
        yield base
        inside = base[len(package.folder) :].strip("/").split("/")
        if inside[0] in _BUILT:
            # "dist/esm/a.js" is built from "src/a.ts", if only by custom.
            while len(inside) > 1 and inside[0] in _BUILT:
                del inside[0]
            source = _in(package.folder, "/".join(["src", *inside]))
            for ending in (".d.ts", ".d.mts", ".d.cts"):
                source = source.removesuffix(ending)
            if source not in seen:
                seen.add(source)
                yield source


def _matching(exports: Any, wanted: str) -> Iterator[str]:
    """Yield the targets that an `exports` or `imports` object has for a path, best first."""
    if isinstance(exports, dict) and any(str(key).startswith((".", "#")) for key in exports):
        if wanted in exports:
            yield from _targets(exports[wanted], "", 0)
            return
        best, captured = "", ""
        for key in exports:
            before, star, after = str(key).partition("*")
            if star and wanted.startswith(before) and wanted.endswith(after):
                if len(before) + len(after) <= len(wanted) and len(key) > len(best):
                    best, captured = key, wanted[len(before) : len(wanted) - len(after)]
        if best:
            yield from _targets(exports[best], captured, 0)
    elif wanted == ".":
        yield from _targets(exports, "", 0)


def _targets(value: Any, captured: str, depth: int) -> Iterator[str]:
    """Yield the targets of nested conditions, those first that lead to types and source."""
    if isinstance(value, str):
        yield value.replace("*", captured)
    elif depth > 8:
        return
    elif isinstance(value, list):
        for one in value:
            yield from _targets(one, captured, depth + 1)
    elif isinstance(value, dict):
        for condition in (*_CONDITIONS, *(key for key in value if key not in _CONDITIONS)):
            if condition in value:
                yield from _targets(value[condition], captured, depth + 1)
