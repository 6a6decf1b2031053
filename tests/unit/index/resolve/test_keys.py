"""Whatever file comes or goes: each import whose answer changes is found by the file's keys.

This is what lets an index that re-resolves only those imports equal one built from scratch.
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sidecar.index.resolve import Resolvers, Tree, affected, keys_of_path
from sidecar.syntax.imports import Import

FOLDERS = st.lists(
    st.sampled_from("a b src lib include index __init__ a.b tests".split()), max_size=3
).map("/".join)


def paths(names: str) -> st.SearchStrategy[str]:
    return st.tuples(FOLDERS, st.sampled_from(names.split())).map(
        lambda parts: "/".join(part for part in parts if part)
    )


#: Names of files, modules, names, and project files with their texts, by language.
CASES: dict[str, tuple[str, str, str, dict[str, str]]] = {
    "python": (
        "a.py b.py __init__.py __init__.pyi index.py a.pyi src.py",
        "a a.b b a.b.a . .a ..a .. ...b src.a __init__ .__init__ a.__init__ lib json json.a",
        "a b * __init__",
        {},
    ),
    "typescript": (
        "a.ts a.js index.ts index.js b.d.ts a.b.ts index index.css index.js.ts package.json",
        "./a ./b ../a .. . ./index ./a/index ./index.js ./a.b @/a @/index a/b pkg pkg/a #a ./a.js",
        "a",
        {
            "tsconfig.json": '{"compilerOptions": {"paths": {"@/*": ["a/*", "b/*"]}}}',
            "a/tsconfig.json": '{"compilerOptions": {"baseUrl": "."}}',
            "a/package.json": '{"name": "pkg", "main": "b/index.js"}',
            "package.json": '{"name": "b", "imports": {"#a": "./a/b.js"}}',
        },
    ),
    "go": (
        "a.go b.go a_test.go",
        "m m/a m/a/b m/src m/a.b n/a ./a x.y/a",
        "a",
        {"go.mod": "module m\nreplace n => ./b", "a/go.mod": "module m/a"},
    ),
    "rust": (
        "a.rs b.rs mod.rs lib.rs main.rs",
        "a a::b crate crate::a crate::a::b self::a super super::a super::super::b c::a src",
        "a b * self",
        {"a/Cargo.toml": '[package]\nname = "c"'},
    ),
    "java": ("a.java b.java a.kt index.java", "a a.b a.b.a src.a.b index.a", "a b *", {}),
    "kotlin": ("a.java b.java a.kt index.kt", "a a.b a.b.a src.a.b index", "a b *", {}),
    "cpp": (
        "a.h b.h index.h index.js a.b.h",
        "a.h b.h a/a.h src/a.h index.h ../a.h ./b.h index.js a.b.h",
        "",
        {"compile_flags.txt": "-Ia/b"},
    ),
    "csharp": ("a.cs b.cs a.csproj a.b.csproj", "a a.b a.b.a src.a b.a.b", "a", {}),
    "ruby": ("a.rb b.rb json.rb index.rb", "a a/b ./a ../b lib/a json index", "", {}),
    "php": (
        "a.php b.php index.php",
        "a a\\b a\\b\\a P\\a P\\a\\b /a.php ../b.php a.php index.php",
        "a",
        {"composer.json": '{"autoload": {"psr-4": {"P\\\\": "a/", "": "lib"}}}'},
    ),
    "lua": ("a.lua b.lua init.lua", "a a.b b.a src.a init a.init lua", "", {}),
    "bash": ("a.sh b.sh a", "a.sh ./a.sh ../b.sh a/b.sh $X/a.sh a", "", {}),
}  # fmt: skip


@pytest.mark.parametrize("language", CASES)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_a_change_of_an_answer_is_told_by_the_keys(language: str, data: st.DataObject) -> None:
    names, modules, imported, configs = CASES[language]
    places = paths(names)
    files = data.draw(st.sets(places, max_size=12), label="files")
    importers = data.draw(st.lists(places, min_size=1, max_size=3, unique=True), label="importers")
    changed = data.draw(st.lists(places, min_size=1, max_size=4), label="changed")
    tree = Tree([*files, *importers])
    for path, text in configs.items():
        tree.add(path)
        assert tree.configure(path, text)
    resolvers = Resolvers(tree)
    items = [
        (Import(module, name, "", 0), importer)
        for module in modules.split()
        for name in ["", *imported.split()]
        for importer in importers
    ]
    before = {each: resolvers.answer(language, *each) for each in items}
    for path in changed:
        if path in tree.files:
            tree.remove(path)
        else:
            tree.add(path)
        keys = set(keys_of_path(path))
        languages, folder = affected(path)
        for item, importer in items:
            answer = resolvers.answer(language, item, importer)
            known = before[item, importer]
            below = not folder or importer.startswith(folder + "/")
            told = keys & known.keys or (language in languages and below)
            if not told:
                # Nobody would look again, so the keys must hold from now on as well.
                assert answer == known, (path, item, importer)
            before[item, importer] = answer
    # What is asked of a new tree agrees with what was asked along the way.
    fresh = Tree(tree.files)
    for path, text in configs.items():
        if path in tree.files:
            known = tree.projects.get(path)
            if known is not None:
                fresh.configure(path, text)
    again = Resolvers(fresh)
    assert before == {each: again.answer(language, *each) for each in items}


def test_a_package_found_anywhere_is_told_of_what_is_put_around_it() -> None:
    # Too seldom in random trees: the file that comes is neither the target nor around the importer.
    tree = Tree(["main.py", "x/pkg/core.py", "y/z/pkg/core.py"])
    resolvers = Resolvers(tree)
    item = Import("pkg.core", "", "", 0)
    before = resolvers.answer("python", item, "main.py")
    assert before.targets == ("x/pkg/core.py",)
    tree.add("x/__init__.py")
    assert resolvers.resolve("python", item, "main.py") == ("y/z/pkg/core.py",)
    assert set(keys_of_path("x/__init__.py")) & before.keys
