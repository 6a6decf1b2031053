"""Where a block begins in which nothing stands yet."""

from __future__ import annotations

import pytest
from cursor import at_cursor

from sidecar.syntax import Bodies, Languages, Trees


def begins(fixture: str, language: str) -> bool:
    document, offset = at_cursor(fixture, language, "")
    return Bodies(Languages.load(), Trees()).begins_block(document, offset)


@pytest.mark.parametrize(
    "fixture",
    [
        "def f(a):|",
        "def f(a):\n    |",
        "def f(a):\n|",
        "def f(a):\n\n    |\n\n\ndef g():\n    pass\n",
        "class A:\n    def f(a):\n        |\n\n    def g(a):\n        return 1\n",
        # The first line may be begun: what is shown of several lines stays while one types along.
        "def f(a):\n    ret|\n",
        "async def f(\n    a,\n) -> int:\n    |\n",
        'def f(a):\n    """What it does."""\n    |\n',
        'def f(a):\n    r"""What it does.\n\n    At length.\n    """\n\n    |\n',
        "def f(a):\n    # First of all.\n    |\n",
        "for x in y:\n    |\n",
        "if a:\n    b()\nelse:\n    |\nc()\n",
        "try:\n    |\nexcept E:\n    pass\n",
    ],
)
def test_a_block_without_code_wants_several_lines(fixture: str) -> None:
    assert begins(fixture, "python")


@pytest.mark.parametrize(
    "fixture",
    [
        "|",
        "x = 1\n|",
        "x = |",
        "def f(a):\n    x = 1\n    |\n",
        # It has a body already, or goes on behind the cursor.
        "def f(a):\n    |\n    return a\n",
        "def f(a):\n    x = | + 1\n",
        "def f(a):|  # why\n",
        # No block: another depth, a comment, a string, a value.
        "def f(a):\nx|",
        "x = a[1:|",
        "# if it is so:\n|",
        '"""\nif it is so:\n    |\n"""\n',
        "d = {\n    |\n}\n",
    ],
)
def test_elsewhere_one_line_is_wanted(fixture: str) -> None:
    assert not begins(fixture, "python")


@pytest.mark.parametrize(
    ("language", "fixture"),
    [
        ("javascript", "function f(a) {\n  |\n}\n"),
        ("javascript", "const f = (a) => {|}\n"),
        ("javascript", "export class A extends B {\n  |\n}\n"),
        ("typescript", "  f(a: number): string {\n    |\n"),
        ("typescript", "if (a) {\n  b();\n} else {\n  |\n}\n"),
        ("go", "func (s *S) F(a int) (int, error) {\n\t|\n}\n"),
        ("go", "for i := range x {\n\t|\n}\n"),
        ("rust", "impl A for B {\n    |\n}\n"),
        ("rust", "fn f(a: u8) -> Vec<u8> {\n    |\n}\n"),
        ("java", "class A {\n  void f() throws E {\n    |\n  }\n}\n"),
        ("csharp", "class A\n{\n    void F()\n    {\n        |\n    }\n}\n"),
        ("cpp", "int f() const {\n  |\n}\n"),
        ("kotlin", "fun f(a: Int): Int {\n    |\n}\n"),
        ("ruby", "def f(a)\n  |\nend\n"),
        ("ruby", "a.each do |x|\n  |\nend\n".replace("|x|", "‖x‖")),
        ("lua", "local function f(a)\n  |\nend\n"),
        ("shellscript", "if true; then\n  |\nfi\n"),
    ],
)
def test_blocks_of_other_languages(language: str, fixture: str) -> None:
    assert begins(fixture, language)


@pytest.mark.parametrize(
    ("language", "fixture"),
    [
        ("javascript", "const a = {\n  |\n};\n"),
        ("javascript", "// if (a) {\n|\n"),
        ("javascript", "const a = [\n  {\n    |\n  },\n];\n"),
        ("go", "x := T{\n\t|\n}\n"),
        ("rust", "use std::{\n    |\n};\n"),
        ("csharp", "var a = new int[] {\n    |\n};\n"),
        ("ruby", "return if a\n|\n"),
        ("markdown", "def f(a):\n    |\n"),
    ],
)
def test_what_is_no_block_in_other_languages(language: str, fixture: str) -> None:
    assert not begins(fixture, language)
