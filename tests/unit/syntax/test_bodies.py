from __future__ import annotations

import pytest

from sidecar.syntax import Bodies, Languages, Trees
from sidecar.syntax.bodies import body_by_indentation
from sidecar.text import Buffer, Document

LANGUAGES = Languages.load()

CLASS = '''\
class A:
    def first(self, x):
        """Tell.

        More.
        """
^       if x:
            y = 1|
        return y

    def second(self):
^       return [
            1,
        |

def third(
    a,
    b,
):
^   a = 1
    # note|
'''


def check(language: str, fixture: str, by_indentation: bool = True) -> None:
    """Ask for the body of each `|`; it must begin at the line of the last `^` above.

    A `-` in the first column says instead that there is no body.
    """
    lines = fixture.split("\n")
    for number, line in enumerate(lines):
        if "|" not in line:
            continue
        marks = [i for i in range(number + 1) if lines[i][:1] in ("^", "-")]
        expected = marks[-1] if marks and lines[marks[-1]][0] == "^" else None
        clean = [
            text[1:] if text[:1] == "-" else text.replace("^", " " if text[1:2] == " " else "")
            for text in lines
        ]
        text = "\n".join(t.replace("|", "") for t in clean[:number])
        before = (text + "\n" if number else "") + clean[number].split("|")[0]
        text = "\n".join(t.replace("|", "") for t in clean)
        document = Document("file:///a", "/a", language, 1, Buffer.of(text))
        body = Bodies(LANGUAGES, Trees()).find(document, len(before))
        assert (body.line if body else None) == expected, (number, line, body)
        if body:
            assert body.start == document.buffer.line_start(body.line)
        if by_indentation:
            found = body_by_indentation(document.buffer, len(before), LANGUAGES.find(language, ""))
            assert (found.line if found else None) == expected, ("indentation", number, line)


def test_python_bodies_begin_after_the_docstring():
    check("python", CLASS)


def test_one_line_docstrings_and_nested_functions():
    check(
        "python",
        '''\
async def outer():
    r"""One line."""
^   x = 1
    def inner():
^       pass
        |
''',
    )
    check(
        "python",
        """\
def outer():
    def inner():
        pass

^   x = 1|
""".replace("^   x", "    x").replace("    def inner", "^   def inner"),
    )


def test_outside_of_functions_there_is_no_body():
    check("python", "import os\n|\n")
    check("python", "def f():\n    pass\n\n\n-x = 1|\n")
    check("python", "class A:\n    x = 1\n    |\n")


def test_the_head_of_a_function_is_not_its_body():
    check("python", "def f(a, |\n    pass\n")
    check("javascript", "function f(a, |) {\n  return 1;\n}\n")


@pytest.mark.parametrize(
    "broken",
    [
        "y = foo(|",
        "y = [1, {'a': |",
        "for x in |",
        "y = 'abc|",
        "if x|",
        "return self.|",
        "with open(name) as |",
        "@|",
    ],
)
def test_broken_code_at_the_cursor_keeps_its_function(broken):
    check(
        "python",
        f"""\
class A:
    def first(self):
        pass

    def second(self, x):
^       y = 1
        {broken}

    def third(self):
        return {{}}
""",
        by_indentation=True,
    )


def test_broken_code_above_does_not_swallow_the_next_function():
    check(
        "python",
        """\
class A:
    def first(self):
        y = [

    def second(self):
^       x = 1
        |
""",
    )


JAVASCRIPT = """\
function first(a) {
^  if (a) {
    return 1;
  } else {
    |
  }
}

class A {
  method(x) {
^   const f = (y) => {
^     return y;|
    };
  }
}
const g = async function () {
^ a;|
};
-|
"""


@pytest.mark.parametrize("language", ["javascript", "typescript", "typescriptreact"])
def test_javascript_and_typescript_bodies(language):
    check(language, JAVASCRIPT.replace("^  if", "^ if"), by_indentation=False)


def test_go_bodies():
    check(
        "go",
        """\
package main

func (a *A) First(x int) error {
^ if x > 1 {
    return nil
    |
  }
  run(func() {
^   x = 2|
  })
}
-|
""".replace("\n^ ", "\n^ "),
    )


@pytest.mark.parametrize("language", ["rust", "java", "unknown", "c"])
def test_other_languages_go_by_indentation(language):
    head = {"rust": "pub fn first(a: u8) -> u8 {", "unknown": "function first(a)"}.get(
        language, "static int first(int a) {"
    )
    check(
        language,
        f"""\
{head}
^   if (a) {{
        b(a);
        |
    }} else {{
        c(a);|
    }}
}}
""",
    )


def test_surrogates_and_carriage_returns_do_not_shift_bodies():
    text = "s = '\ud83d 😀 é'\r\ndef f():\r\n    '''Doc.'''\r\n    x = '\u2028'\r\n    y"
    document = Document("u", "/a.py", "", 1, Buffer.of(text))
    body = Bodies(LANGUAGES, Trees()).find(document, len(document.buffer))
    assert body and (body.line, body.source) == (3, "syntax")
