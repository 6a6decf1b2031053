"""The tree of known paths, and project files of every odd shape."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidecar.index.resolve import Projects, Resolvers, Tree, affected, keys_of_path
from sidecar.syntax.imports import Import


def test_a_path_comes_and_goes_without_a_trace() -> None:
    tree = Tree()
    empty = (dict(tree.named), dict(tree.folders), dict(tree.folders_named))
    for path in ("a/b/c.py", "a/b/d.py", "e.py", "a/b/c.py"):
        tree.add(path)
    assert tree.folders["a/b"] == {"a/b/c.py", "a/b/d.py"}
    for path in ("a/b/c.py", "e.py", "a/b/d.py", "none.py"):
        tree.remove(path)
    assert (tree.named, tree.folders, tree.folders_named) == empty
    assert not tree.files


@pytest.mark.parametrize(
    ("path", "keys"),
    [
        ("a/b/c.py", ("c", "b/")),
        ("a/b/__init__.py", ("b", "b/")),
        ("__init__.py", ("__init__", "/")),
        ("a/index.d.ts", ("a", "a/")),
        ("a/x.service.ts", ("x", "a/")),
        ("a/.hidden.js", (".hidden", "a/")),
        ("src/lib.rs", ("src", "src/")),
        ("My.App.Core/A.cs", ("A", "Core/")),
    ],
)
def test_keys(path: str, keys: tuple[str, str]) -> None:
    assert keys_of_path(path) == keys


@pytest.mark.parametrize(
    ("path", "languages", "folder"),
    [
        ("a/__init__.py", {"python"}, "a"),
        ("a/tsconfig.build.json", {"javascript", "typescript", "tsx"}, ""),
        ("a/go.mod", {"go"}, ""),
        ("a/b.csproj", {"csharp"}, ""),
        ("a/b.py", set(), ""),
    ],
)
def test_whom_a_path_concerns(path: str, languages: set[str], folder: str) -> None:
    found, below = affected(path)
    assert found == languages
    assert not languages or below == folder


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("package.json", ""),
        ("package.json", "[]"),
        ("package.json", "[" * 100_000),
        ("package.json", '{"name": "x"'),
        ("package.json", "/*" * 100_000),
        ("tsconfig.json", '{"compilerOptions": 3}'),
        ("tsconfig.json", '{"compilerOptions": {"paths": {"a": 3}}}'),
        ("Cargo.toml", "[package"),
        ("Cargo.toml", "package = 3"),
        ("composer.json", '{"autoload": []}' * 2),
        ("composer.json", '{"autoload": {"psr-4": ["x"]}}'),
        ("package.json", " " * 5_000_000 + "{}"),
    ],
)
def test_a_bad_project_file_is_counted_and_says_nothing(path: str, text: str) -> None:
    tree = Tree([path])
    assert not tree.configure(path, text)
    assert tree.projects.bad == {path}
    assert tree.projects.get(path) is None
    tree.remove(path)
    assert not tree.projects.bad


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("package.json", '{"name": 3, "main": ["x"], "exports": [{"a": {"b": [3, null]}}]}'),
        ("package.json", '{"name": "x", "exports": {".": {"import": null}, "./*": 7}}'),
        ("tsconfig.json", '{"references": ["a"]}'),
        ("tsconfig.json", '{"extends": [3, "./none"], "compilerOptions": {"baseUrl": ".."}}'),
        ("tsconfig.json", '{"compilerOptions": {"paths": {"*": ["../../*"], "**": ["*"]}}}'),
        ("go.mod", "module\nreplace => \nreplace x =>\n)\n(\n"),
        ("Cargo.toml", '[lib]\npath = "x.rs"'),
    ],
)
def test_an_odd_project_file_leads_nowhere_but_breaks_nothing(path: str, text: str) -> None:
    tree = Tree([path, "src/a.ts"])
    assert tree.configure(path, text)
    resolvers = Resolvers(tree)
    for language in ("typescript", "go", "rust"):
        for module in ("x", "x/y", "./z", "", "@", "@/", "#", "..", "/", "*", "::", "."):
            resolvers.resolve(language, Import(module, "", "", 0), "src/b.ts")


def test_only_project_files_are_wanted() -> None:
    assert Projects.wants("a/tsconfig.base.json") and Projects.wants("go.mod")
    assert not Projects.wants("a/data.json") and not Projects.wants("b.csproj")


def test_answers_follow_changes() -> None:
    tree = Tree(["a.ts"])
    resolvers = Resolvers(tree)
    item = Import("@/b", "", "", 0)
    assert resolvers.resolve("typescript", item, "a.ts") == ()
    tree.add("src/b.ts")
    tree.add("tsconfig.json")
    tree.configure("tsconfig.json", '{"compilerOptions": {"paths": {"@/*": ["src/*"]}}}')
    assert resolvers.resolve("typescript", item, "a.ts") == ("src/b.ts",)
    tree.forget("tsconfig.json")
    assert resolvers.resolve("typescript", item, "a.ts") == ()


LANGUAGES = "python typescript go rust java kotlin cpp csharp ruby php lua bash swift".split()
PIECES = st.sampled_from([*"ab.-/\\:*@#?$ \0\n", "::", "..", "../", "index", "super"])


@given(st.lists(PIECES, max_size=8).map("".join), st.lists(PIECES, max_size=3).map("".join))
def test_nothing_that_can_be_written_as_an_import_is_raised(module: str, name: str) -> None:
    tree = Tree(["a/b.py", "a/index.ts", "b.rs", "a/a.kt", "tsconfig.json", "go.mod"])
    tree.configure("tsconfig.json", '{"compilerOptions": {"baseUrl": ".", "paths": {"@*": ["*"]}}}')
    tree.configure("go.mod", "module a")
    resolvers = Resolvers(tree)
    for language in LANGUAGES:
        for importer in ("x", "a/b/x.kt"):
            answer = resolvers.answer(language, Import(module, name, "", 0), importer)
            assert tree.files.issuperset(answer.targets)


def test_endless_modules_and_depths_are_cut() -> None:
    deep = "/".join("a" * 2000) + "/x.lua"
    tree = Tree([deep, "b.lua"])
    resolvers = Resolvers(tree)
    for language in LANGUAGES:
        for module in ("a." * 100_000, "a::" * 100_000, "." * 100_000, "../" * 100_000):
            assert resolvers.resolve(language, Import(module, "x", "", 0), deep) == ()
    assert resolvers.resolve("lua", Import("b", "", "", 0), deep) == ("b.lua",)
