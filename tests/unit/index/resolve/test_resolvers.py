"""Where imports lead, one small tree of files a case, in every language."""

from __future__ import annotations

import pytest

from sidecar.index.resolve import Resolvers, Tree
from sidecar.syntax.imports import Import


def check(
    language: str,
    importer: str,
    what: str,
    files: str,
    expected: str,
    configs: dict[str, str] | None = None,
) -> None:
    """Resolve `module name` as imported by a file; expect these targets, in order."""
    tree = Tree([importer, *files.split(), *(configs or {})])
    for path, text in (configs or {}).items():
        assert tree.configure(path, text), f"{path} was not understood"
    module, _, name = what.partition(" " if language != "bash" else "\n")
    found = Resolvers(tree).resolve(language, Import(module, name, "", 0), importer)
    assert found == tuple(expected.split())


@pytest.mark.parametrize(
    ("importer", "what", "files", "expected"),
    [
        # Absolute, from the root of the workspace.
        ("main.py", "a", "a.py", "a.py"),
        ("main.py", "a", "a/__init__.py a.py", "a/__init__.py"),
        ("main.py", "a.b", "a/__init__.py a/b.py", "a/b.py"),
        ("main.py", "a.b c", "a/b.py a/b/c.py", "a/b/c.py"),
        ("main.py", "a.b C", "a/__init__.py a/b.py", "a/b.py"),
        ("main.py", "a.b C", "a/b/__init__.py", "a/b/__init__.py"),
        ("main.py", "a.b *", "a/b.py", "a/b.py"),
        ("main.py", "requests", "", ""),
        # A stub serves where there is no source.
        ("main.py", "a", "a.pyi a.py", "a.py"),
        ("main.py", "a", "a.pyi", "a.pyi"),
        # Relative.
        ("a/b/c.py", ".d", "a/b/d.py", "a/b/d.py"),
        ("a/b/c.py", ". d", "a/b/d.py a/b/__init__.py", "a/b/d.py"),
        ("a/b/c.py", ". D", "a/b/__init__.py", "a/b/__init__.py"),
        ("a/b/c.py", "..x y", "a/x.py", "a/x.py"),
        ("a/b/__init__.py", ".c", "a/b/c.py", "a/b/c.py"),
        ("c.py", ". d", "d.py", "d.py"),
        ("c.py", "..d", "d.py", ""),
        # What stands beside a file of a package is not what an absolute import means.
        ("a/x.py", "json", "a/__init__.py a/json.py", ""),
        ("scripts/x.py", "helper", "scripts/helper.py", "scripts/helper.py"),
        # Layouts with src, many projects, and namespace packages.
        ("tests/test_a.py", "pkg.core", "src/pkg/core.py", "src/pkg/core.py"),
        (
            "libs/two/tests/test_a.py",
            "pkg.core",
            "libs/one/pkg/core.py libs/two/src/pkg/core.py",
            "libs/two/src/pkg/core.py",
        ),
        ("main.py", "ns.part X", "ns/part.py", "ns/part.py"),
        ("main.py", "ns part", "ns/part.py", "ns/part.py"),
        ("main.py", "ns", "ns/part.py", ""),
        # Elsewhere, by the name of the package, the nearest; never out of the middle of another.
        ("x/main.py", "pkg.core", "python/pkg/core.py", "python/pkg/core.py"),
        ("x/y/main.py", "pkg.a", "z/w/pkg/a.py x/w/v/pkg/a.py", "x/w/v/pkg/a.py"),
        ("main.py", "req", "pip/__init__.py pip/req/__init__.py", ""),
        ("main.py", "helper", "deep/down/helper.py", ""),
        # The standard library is only what Python itself is developed in.
        ("main.py", "json.decoder", "other/json/decoder.py", ""),
        ("Lib/os.py", "json.decoder", "Lib/json/__init__.py Lib/json/decoder.py",
         "Lib/json/decoder.py"),
    ],
)  # fmt: skip
def test_python(importer: str, what: str, files: str, expected: str) -> None:
    check("python", importer, what, files, expected)


@pytest.mark.parametrize(
    ("importer", "what", "files", "expected"),
    [
        ("src/a.ts", "./b", "src/b.ts src/b.js", "src/b.ts"),
        ("src/a.js", "./b", "src/b.ts src/b.js", "src/b.js"),
        ("src/a.ts", "./b", "src/b.tsx", "src/b.tsx"),
        ("src/a.ts", "./b", "src/b.d.ts", "src/b.d.ts"),
        ("src/a.ts", "./b.js", "src/b.ts", "src/b.ts"),
        ("src/a.ts", "./b.mjs", "src/b.mts", "src/b.mts"),
        ("src/a.ts", "./b.js", "src/b.js", "src/b.js"),
        ("src/a.d.ts", "./b.ts", "src/b.d.ts", "src/b.d.ts"),
        ("src/a.d.cts", "./b.ts", "src/b.d.cts", "src/b.d.cts"),
        ("src/a.ts", "./b.service", "src/b.service.ts", "src/b.service.ts"),
        ("src/a.ts", "./b", "src/b/index.ts", "src/b/index.ts"),
        ("src/a.ts", "./b", "src/b.ts src/b/index.ts", "src/b.ts"),
        ("src/x/a.ts", "..", "src/index.ts", "src/index.ts"),
        ("src/x/a.ts", "../../c", "c.ts", "c.ts"),
        ("a.ts", "../c", "c.ts", ""),
        ("a.ts", ".", "index.ts", "index.ts"),
        ("src/a.ts", "./style.css?inline", "src/style.css", "src/style.css"),
        ("src/a.ts", "react", "react.ts", ""),
    ],
)
def test_relative_modules_of_javascript(
    importer: str, what: str, files: str, expected: str
) -> None:
    check("typescript", importer, what, files, expected)


@pytest.mark.parametrize(
    ("what", "files", "expected", "configs"),
    [
        (
            "@/lib/x",
            "app/src/lib/x.ts",
            "app/src/lib/x.ts",
            {"app/tsconfig.json": '{"compilerOptions": {"paths": {"@/*": ["./src/*"]}}}'},
        ),
        (
            "lib/x",
            "app/src/lib/x.ts",
            "app/src/lib/x.ts",
            {"app/tsconfig.json": '{"compilerOptions": {"baseUrl": "src"}}'},
        ),
        (  # The pattern with the longest beginning wins, and the first target that exists.
            "@/ui/button",
            "app/kit/button.tsx app/src/ui/button.tsx",
            "app/kit/button.tsx",
            {
                "app/tsconfig.json": '{"compilerOptions": {"baseUrl": ".", "paths": {'
                '"@/*": ["src/*"], "@/ui/*": ["none/*", "kit/*"]}}}'
            },
        ),
        (  # Comments, a trailing comma, a byte order mark; and settings that extend others.
            "~x",
            "shared/x.ts",
            "shared/x.ts",
            {
                "app/tsconfig.json": '\ufeff{ // "extends": 3\n"extends": "../base/tsconfig",}',
                "base/tsconfig.json": '{/* */"compilerOptions":{"paths":{"~x":["../shared/x"]}}}',
            },
        ),
        (  # Vite's template keeps the paths in a file that is referred to.
            "@/x",
            "app/src/x.ts",
            "app/src/x.ts",
            {
                "app/tsconfig.json": '{"references": [{"path": "./tsconfig.app.json"}]}',
                "app/tsconfig.app.json": '{"compilerOptions": {"paths": {"@/*": ["src/*"]}}}',
            },
        ),
        (  # Settings that extend each other in a circle end.
            "@/x",
            "",
            "",
            {
                "app/tsconfig.json": '{"extends": "./tsconfig.b.json"}',
                "app/tsconfig.b.json": '{"extends": "./tsconfig.json"}',
            },
        ),
        (
            "@acme/ui",
            "packages/ui/src/index.ts",
            "packages/ui/src/index.ts",
            {"packages/ui/package.json": '{"name": "@acme/ui", "main": "dist/index.js"}'},
        ),
        (
            "@acme/ui",
            "packages/ui/src/main.ts packages/ui/src/index.ts",
            "packages/ui/src/main.ts",
            {
                "packages/ui/package.json": '{"name": "@acme/ui", "exports": {'
                '".": {"import": {"default": "./dist/main.js"}}}}'
            },
        ),
        (
            "@acme/ui/forms/input",
            "packages/ui/src/forms/input.tsx",
            "packages/ui/src/forms/input.tsx",
            {
                "packages/ui/package.json": '{"name": "@acme/ui", "exports": {'
                '"./forms/*": "./src/forms/*.tsx", "./*": "./none/*.ts"}}'
            },
        ),
        (
            "util/deep",
            "packages/util/deep.js",
            "packages/util/deep.js",
            {"packages/util/package.json": '{"name": "util"}'},
        ),
        (
            "#db",
            "app/src/db.ts",
            "app/src/db.ts",
            {"app/package.json": '{"name": "app", "imports": {"#db": "./src/db.js"}}'},
        ),
        (
            "./part",
            "app/src/part/entry.js",
            "app/src/part/entry.js",
            {"app/src/part/package.json": '{"main": "entry.js"}'},
        ),
    ],
)
def test_configured_modules_of_typescript(
    what: str, files: str, expected: str, configs: dict[str, str]
) -> None:
    check("tsx", "app/src/page.tsx", what, files, expected, configs)


GO = {
    "go.mod": "module example.com/m // the root\n\nrequire (\n\tgolang.org/x/net v0.1.0\n)\n"
    "replace example.com/old => ./forks/old\n",
    "tools/go.mod": "module example.com/m/tools\n",
}


@pytest.mark.parametrize(
    ("what", "files", "expected"),
    [
        (
            "example.com/m/pkg",
            "pkg/b.go pkg/a.go pkg/a_test.go pkg/doc.md pkg/in/c.go",
            "pkg/a.go pkg/b.go",
        ),
        ("example.com/m", "root.go", "main.go root.go"),
        ("example.com/m/tools/gen", "tools/gen/g.go", "tools/gen/g.go"),
        ("example.com/old/x", "forks/old/x/x.go", "forks/old/x/x.go"),
        ("golang.org/x/net", "vendor/golang.org/x/net/n.go", "vendor/golang.org/x/net/n.go"),
        ("fmt", "fmt/fmt.go", ""),
        ("example.com/more", "more/a.go", ""),
        ("C", "C/a.go", ""),
    ],
)
def test_go(what: str, files: str, expected: str) -> None:
    check("go", "main.go", what, files, expected, GO)


def test_go_before_modules() -> None:
    check("go", "x/src/h.io/a/b/b.go", "h.io/c/d", "x/src/h.io/c/d/d.go", "x/src/h.io/c/d/d.go")


RUST = {
    "app/Cargo.toml": '[package]\nname = "app"\n',
    "crates/my-core/Cargo.toml": '[package]\nname = "my-core"\n',
    "Cargo.toml": '[workspace]\nmembers = ["app", "crates/*"]\n',
}


@pytest.mark.parametrize(
    ("importer", "what", "files", "expected"),
    [
        ("app/src/lib.rs", "net", "app/src/net.rs", "app/src/net.rs"),
        ("app/src/net.rs", "tcp", "app/src/net/tcp.rs", "app/src/net/tcp.rs"),
        ("app/src/net/mod.rs", "tcp", "app/src/net/tcp/mod.rs", "app/src/net/tcp/mod.rs"),
        ("app/src/a.rs", "crate::net::tcp Stream", "app/src/net/tcp.rs", "app/src/net/tcp.rs"),
        ("app/src/a.rs", "crate::net::tcp::Stream", "app/src/net.rs", "app/src/net.rs"),
        ("app/src/a.rs", "crate Root", "app/src/main.rs", "app/src/main.rs"),
        ("app/src/a/b.rs", "super C", "app/src/a.rs", "app/src/a.rs"),
        ("app/src/a/b.rs", "super::c C", "app/src/a/c.rs", "app/src/a/c.rs"),
        ("app/src/a/b.rs", "super::super::d *", "app/src/d.rs", "app/src/d.rs"),
        ("app/src/a.rs", "self::b C", "app/src/a/b.rs", "app/src/a/b.rs"),
        ("app/src/a.rs", "my_core::x X", "crates/my-core/src/x.rs", "crates/my-core/src/x.rs"),
        ("app/src/a.rs", "my_core X", "crates/my-core/src/lib.rs", "crates/my-core/src/lib.rs"),
        ("app/tests/t.rs", "app::net N", "app/src/net.rs", "app/src/net.rs"),
        ("app/tests/t.rs", "common", "app/tests/common/mod.rs", "app/tests/common/mod.rs"),
        ("app/src/a.rs", "std::net X", "app/src/net.rs", ""),
        ("app/src/a.rs", "serde Serialize", "", ""),
    ],
)
def test_rust(importer: str, what: str, files: str, expected: str) -> None:
    check("rust", importer, what, files, expected, RUST)


JAVA = "core/src/main/java/com/acme"


@pytest.mark.parametrize(
    ("language", "importer", "what", "files", "expected"),
    [
        ("java", "A.java", "com.acme.B", f"{JAVA}/B.java", f"{JAVA}/B.java"),
        ("java", "A.java", "com.acme B", f"{JAVA}/B.java", f"{JAVA}/B.java"),
        ("java", "A.java", "com.acme.B.Inner", f"{JAVA}/B.java", f"{JAVA}/B.java"),
        ("java", "A.java", "com.acme.B.method", f"{JAVA}/B.java", f"{JAVA}/B.java"),
        ("java", "A.java", "com.acme.B *", f"{JAVA}/B.java", f"{JAVA}/B.java"),
        (
            "java", "A.java", "com.acme *", f"{JAVA}/B.java {JAVA}/A.java {JAVA}/in/C.java",
            f"{JAVA}/A.java {JAVA}/B.java",
        ),
        ("java", "y/A.java", "p.B", "x/p/B.java y/p/B.java", "y/p/B.java"),
        ("java", "A.java", "java.util.List", "util/List.java", ""),
        ("kotlin", "A.kt", "p.B", "src/p/B.java", "src/p/B.java"),
        ("kotlin", "A.kt", "p.q.parse", "s/p/q/Util.kt s/p/q/J.java", "s/p/q/Util.kt"),
        ("java", "A.java", "p.q.parse", "s/p/q/Util.kt", ""),
    ],
)  # fmt: skip
def test_java_and_kotlin(
    language: str, importer: str, what: str, files: str, expected: str
) -> None:
    check(language, importer, what, files, expected)


@pytest.mark.parametrize(
    ("importer", "what", "files", "expected"),
    [
        ("src/a.c", "a.h", "src/a.h include/a.h", "src/a.h"),
        ("src/a.c", "lib/a.h", "include/lib/a.h", "include/lib/a.h"),
        ("p/src/x/a.cc", "p/a.h", "p/a.h", "p/a.h"),
        ("p/tests/a.cc", "a.h", "p/src/a.h q/src/a.h", "p/src/a.h"),
        ("src/a.c", "../b/b.h", "b/b.h", "b/b.h"),
        ("src/a.c", "deep/b.h", "x/y/deep/b.h", "x/y/deep/b.h"),
        ("src/a.c", "string.h", "compat/string.h", ""),
        ("src/a.cc", "vector", "x/y/vector", ""),
        ("src/a.c", "/usr/a.h", "usr/a.h", ""),
    ],
)
def test_c(importer: str, what: str, files: str, expected: str) -> None:
    check("cpp", importer, what, files, expected)


def test_c_with_compiler_flags() -> None:
    flags = {"compile_flags.txt": "-xc++\n-Ithird/api\n-isystem\nvendor/inc\n-I/usr/include\n"}
    check("c", "src/a.c", "z.h", "third/api/z.h vendor/inc/z.h", "third/api/z.h", flags)
    check("c", "src/a.c", "z.h", "vendor/inc/z.h", "vendor/inc/z.h", flags)


@pytest.mark.parametrize(
    ("what", "files", "expected"),
    [
        ("Shop.Models", "Models/User.cs Models/Sub/X.cs", "Models/User.cs"),
        ("Shop.Api.Models", "src/Shop.Api/Models/B.cs src/Shop.Api/Models/A.cs",
         "src/Shop.Api/Models/A.cs src/Shop.Api/Models/B.cs"),
        ("Other.Deep.Space", "x/Other/Deep/Space/A.cs", "x/Other/Deep/Space/A.cs"),
        ("Other.Deep.Thing", "x/Other/Deep/Thing.cs", "x/Other/Deep/Thing.cs"),
        ("Other.Deep.Thing<A.B>", "x/Other/Deep/Thing.cs", "x/Other/Deep/Thing.cs"),
        ("System.Linq", "Linq/A.cs", ""),
    ],
)  # fmt: skip
def test_csharp(what: str, files: str, expected: str) -> None:
    check(
        "csharp", "Program.cs", what, f"Shop.csproj src/Shop.Api/Shop.Api.csproj {files}", expected
    )


@pytest.mark.parametrize(
    ("importer", "what", "files", "expected"),
    [
        ("lib/g/a.rb", "g/b", "lib/g/b.rb", "lib/g/b.rb"),
        ("lib/g/a.rb", "./b", "lib/g/b.rb", "lib/g/b.rb"),
        ("lib/g/a.rb", "../c", "lib/c.rb", "lib/c.rb"),
        ("test/t.rb", "helper", "test/helper.rb", "test/helper.rb"),
        ("test/t.rb", "g", "lib/g.rb", "lib/g.rb"),
        ("x/test/t.rb", "g/b", "y/lib/g/b.rb", "y/lib/g/b.rb"),
        ("lib/g/a.rb", "json", "lib/g/json.rb", ""),
    ],
)
def test_ruby(importer: str, what: str, files: str, expected: str) -> None:
    check("ruby", importer, what, files, expected)


COMPOSER = {
    "composer.json": '{"autoload": {"psr-4": {"App\\\\": "src/", "App\\\\Api\\\\": ["api/"]}},'
    ' "autoload-dev": {"psr-4": {"Tests\\\\": "tests/"}}}'
}


@pytest.mark.parametrize(
    ("what", "files", "expected"),
    [
        ("App\\Model\\User", "src/Model/User.php", "src/Model/User.php"),
        ("App\\Model User", "src/Model/User.php", "src/Model/User.php"),
        ("App\\Api\\Login", "src/Api/Login.php api/Login.php", "api/Login.php"),
        ("\\Tests\\Case", "tests/Case.php", "tests/Case.php"),
        ("Vendor\\Some\\Thing", "deep/Some/Thing.php", "deep/Some/Thing.php"),
        ("Thing", "deep/Thing.php", ""),
        ("/inc/a.php", "src/inc/a.php", "src/inc/a.php"),
        ("inc/a.php", "inc/a.php", "inc/a.php"),
        ("../inc/a.php", "inc/a.php", "inc/a.php"),
    ],
)
def test_php(what: str, files: str, expected: str) -> None:
    check("php", "src/index.php", what, files, expected, COMPOSER)


@pytest.mark.parametrize(
    ("language", "importer", "what", "files", "expected"),
    [
        ("lua", "main.lua", "a.b", "a/b.lua", "a/b.lua"),
        ("lua", "main.lua", "a", "a/init.lua", "a/init.lua"),
        ("lua", "p/plugin/x.lua", "p.core", "p/lua/p/core.lua", "p/lua/p/core.lua"),
        ("bash", "bin/a.sh", "./lib.sh", "bin/lib.sh", "bin/lib.sh"),
        ("bash", "bin/a.sh", '$(dirname "$0")/../lib/x.sh', "lib/x.sh", "lib/x.sh"),
        ("bash", "bin/a.sh", "${BASH_SOURCE%/*}/x.sh", "bin/x.sh", "bin/x.sh"),
        ("bash", "bin/a.sh", "$HERE/x.sh", "bin/x.sh", "bin/x.sh"),
        ("bash", "bin/a.sh", "/etc/profile", "etc/profile", ""),
        ("swift", "a.swift", "UIKit", "UIKit.swift", ""),
    ],
)
def test_scripts_and_languages_without_files(
    language: str, importer: str, what: str, files: str, expected: str
) -> None:
    check(language, importer, what, files, expected)
