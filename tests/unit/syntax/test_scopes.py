from __future__ import annotations

import pytest
from cursor import at_cursor

from sidecar.syntax import Bodies, Languages, Trees


@pytest.mark.parametrize(
    ("language", "path", "fixture", "scope"),
    [
        ("python", "a.py", "x = 1  # one|\ny = 2\n", "comments"),
        ("python", "a.py", "# one\n|\ny = 2\n", "code"),
        ("python", "a.py", "x = |1\n", "code"),
        ("python", "a.py", "x = 'a|b'\n", "strings"),
        ("python", "a.py", "x = 'ab|'\n", "strings"),
        ("python", "a.py", "x = 'ab'|\n", "code"),
        ("python", "a.py", "x = |'ab'\n", "code"),
        ("python", "a.py", "x = ('a' | 'b')\n", "code"),
        ("python", "a.py", 'x = f"a {b|} c"\n', "code"),
        ("python", "a.py", 'x = f"a {b} c|"\n', "strings"),
        ("python", "a.py", 'def f():\n    """Tells |.\n\n    More.\n    """\n', "strings"),
        ("typescript", "a.ts", "let x: string| = y;\n", "code"),
        ("typescript", "a.ts", "let x = `a ${y|} b`;\n", "code"),
        ("typescript", "a.ts", "let x = `a ${y} b|`;\n", "strings"),
        ("typescript", "a.ts", "/* one| */ let x = 1;\n", "comments"),
        ("typescript", "a.ts", "/* one */| let x = 1;\n", "code"),
        ("typescript", "a.ts", "/**\n * |\n */\nlet x = 1;\n", "comments"),
        ("rust", "a.rs", "/// Tells|\nfn f() {}\n", "comments"),
        ("rust", "a.rs", "/// Tells\n|fn f() {}\n", "code"),
        ("rust", "a.rs", "fn f<'a>(x: &'a| str) {}\n", "code"),
        ("go", "a.go", 'package a\n\nvar x = "a|"\n', "strings"),
        ("go", "a.go", "package a\n\nvar x = `a|\nb`\n", "strings"),
        ("java", "A.java", 'class A { String s = "a|"; }\n', "strings"),
        ("c", "a.c", "int x; // one|\n", "comments"),
        ("lua", "a.lua", "-- one|\nlocal x = 1\n", "comments"),
        ("ruby", "a.rb", 'x = "a #{b|}"\n', "code"),
        ("shellscript", "a.sh", 'x="a $(b| c)"\n', "code"),
        ("shellscript", "a.sh", 'x="a| b"\n', "strings"),
        ("python", "a.py", 'x = f("ab|\n', "strings"),
        ("python", "a.py", 'def f():\n    """Tells |\n    return 1\n', "strings"),
        ("typescript", "a.ts", "let x = 'ab|\nlet y = 2;\n", "strings"),
        ("rust", "a.rs", 'fn f() { let x = "ab|\n}\n', "strings"),
        ("rust", "a.rs", 'fn f() { let x = "ab" + |\n}\n', "code"),
        ("plaintext", "a.txt", "# one|\n", "code"),
    ],
)
def test_a_place_is_in_code_or_a_comment_or_a_string(language, path, fixture, scope):
    document, offset = at_cursor(fixture, language, f"/w/{path}")
    assert Bodies(Languages.load(), Trees()).scope(document, offset) == scope
