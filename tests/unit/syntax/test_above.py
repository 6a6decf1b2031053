from __future__ import annotations

import pytest

from sidecar.syntax import Bodies, Grammar, Languages, Trees
from sidecar.syntax.above import above
from sidecar.syntax.parse import Parsed
from sidecar.text import Buffer, Document

LANGUAGES = Languages.load()

PYTHON = '''\
"""What it is for."""
from __future__ import annotations

import os
from .a import (
    first,
    second,
)

if TYPE_CHECKING:
    from .b import Third

LIMIT = 3


@decorated(
    "x",
)
class Order(Base):
    """An order."""

    def total(self) -> int:
        return 1

    @cached
    async def price(
        self,
        factor: float,
    ) -> int:
        """Say it."""
        import json
        # A note.
|        for line in self.lines:
            yield line
'''


def check(name: str, fixture: str, expected: str) -> None:
    """Ask what is shown above a window that starts at `|`."""
    language = LANGUAGES.find(name, "")
    assert language is not None
    grammar = Grammar.of(language)
    assert grammar is not None
    before, after = fixture.split("|")
    source = (before + after).encode()
    tree = grammar.parse(source)
    assert tree is not None
    assert above(Parsed(source, tree, grammar), len(before.encode())) == expected
    if len(source) > 2000:
        return
    # The same of a document, with the breaks of Windows.
    text = (before + after).replace("\n", "\r\n")
    document = Document("file:///a", "/a", name, 1, Buffer.of(text))
    start = len(before.replace("\n", "\r\n"))
    assert Bodies(LANGUAGES, Trees()).above(document, start) == expected


def test_imports_and_the_heads_of_what_is_around() -> None:
    check(
        "python",
        PYTHON,
        """\
from __future__ import annotations
import os
from .a import (
    first,
    second,
)
if TYPE_CHECKING:
    from .b import Third

@decorated(
    "x",
)
class Order(Base):
    @cached
    async def price(
        self,
        factor: float,
    ) -> int:
        ...
""",
    )


@pytest.mark.parametrize(
    ("name", "fixture", "expected"),
    [
        pytest.param("python", "import a\n|x = 1\n", "import a\n", id="nothing between"),
        pytest.param("python", "import a\nb = 1\n|x = 1\n", "import a\n...\n", id="a gap"),
        pytest.param("python", "b = 1\n|x = 1\n", "", id="nothing to tell"),
        pytest.param("python", "def f(\n|    a,\n):\n    pass\n", "def f(\n", id="inside a head"),
        pytest.param(
            "python",
            "def f(a):\n    # a note\n|    b = 1\n    c = 2\n",
            "def f(a):\n    # a note\n",
            id="a comment is no statement",
        ),
        pytest.param(
            "python",
            "class A:\n    def f(self):\n        a = 1\n|        b = 2\n",
            "class A:\n    def f(self):\n        ...\n",
            id="the first method of a class",
        ),
        pytest.param(
            "python",
            "def f():\n    import a\n    b = 1\n|    c = 2\n",
            "def f():\n    ...\n",
            id="imports of a function are its own",
        ),
        pytest.param(
            "typescript",
            "import { a } from './a'\n\nexport class Cart<T> extends Base {\n  n = 1\n"
            "  add(item: T): void {\n    a()\n|    b()\n  }\n}\n",
            "import { a } from './a'\n\nexport class Cart<T> extends Base {\n"
            "  add(item: T): void {\n    ...\n",
            id="typescript",
        ),
        pytest.param(
            "javascript",
            "const a = require('a')\nconst b = 1\n"
            "export const go = async (x) => {\n  a()\n|  b()\n}\n",
            "const a = require('a')\n\nexport const go = async (x) => {\n  ...\n",
            id="javascript",
        ),
        pytest.param(
            "go",
            'package a\n\nimport (\n\t"fmt"\n\tb "x/b"\n)\n\nvar n = 1\n\n'
            "func (c *Cart) Add(i Item) error {\n\tn++\n|\treturn nil\n}\n",
            'import (\n\t"fmt"\n\tb "x/b"\n)\n\nfunc (c *Cart) Add(i Item) error {\n\t...\n',
            id="go",
        ),
        pytest.param(
            "rust",
            "use std::fmt;\n\nimpl Cart {\n    fn a(&self) {}\n\n"
            "    pub fn add(&mut self, i: Item) {\n"
            "        self.n += 1;\n|        self.m += 1;\n    }\n}\n",
            "use std::fmt;\n\nimpl Cart {\n    pub fn add(&mut self, i: Item) {\n        ...\n",
            id="rust",
        ),
        pytest.param(
            "java",
            "package a;\n\nimport b.C;\nimport static b.D.*;\n\n"
            "public class Cart extends C {\n  int n;\n\n  @Override\n"
            "  public int add(Item i) {\n    n++;\n|    return n;\n  }\n}\n",
            "import b.C;\nimport static b.D.*;\n\npublic class Cart extends C {\n"
            "  @Override\n  public int add(Item i) {\n    ...\n",
            id="java",
        ),
        pytest.param(
            "cpp",
            '#include <vector>\n#include "a.h"\n\nnamespace shop {\nint n;\n'
            "void Cart::add(int i) {\n  n += i;\n|  n++;\n}\n}\n",
            '#include <vector>\n#include "a.h"\n\nnamespace shop {\n'
            "void Cart::add(int i) {\n  ...\n",
            id="c++",
        ),
        pytest.param(
            "ruby",
            "require 'a'\n\nclass Cart < Base\n  attr_reader :n\n  def add(item)\n    @n = 1\n"
            "|    @m = 2\n  end\nend\n",
            "require 'a'\n\nclass Cart < Base\n  def add(item)\n    ...\n",
            id="ruby",
        ),
        pytest.param(
            "php",
            "<?php\nuse A\\B;\n\nclass Cart extends B {\n  public $n;\n  function add($i) {\n"
            "    $this->n = 1;\n|    return $i;\n  }\n}\n",
            "use A\\B;\n\nclass Cart extends B {\n  function add($i) {\n    ...\n",
            id="php",
        ),
    ],
)
def test_languages(name: str, fixture: str, expected: str) -> None:
    check(name, fixture, expected)


def test_the_last_imports_and_the_first_lines_of_a_head_stay() -> None:
    imports = "".join(f"import module_number_{n}\n" for n in range(99))
    parameters = "".join(f"    parameter_number_{n},\n" for n in range(99))
    check(
        "python",
        f"{imports}\ndef f(\n{parameters}):\n    a = 1\n|    b = 2\n",
        "".join(imports.splitlines(keepends=True)[-41:])
        + "\ndef f(\n"
        + "".join(parameters.splitlines(keepends=True)[:20])
        + "    ...\n",
    )
