"""The plugin's pure functions, run where they are used: in Neovim's Lua."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from neovim_client import EXTENSION, Neovim

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.lsp

TEXT = st.text(st.sampled_from("ab_ .()é長😀\t"), max_size=20)


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Neovim]:
    """A Neovim with the plugin in its path, and no server."""
    start = f"vim.opt.runtimepath:prepend('{EXTENSION}')\n"
    with Neovim(start, tmp_path_factory.mktemp("text")) as neovim:
        yield neovim


def call(editor: Neovim, name: str, *arguments: Any) -> Any:
    return editor.lua(f"return require('sidecar.text').{name}(...)", *arguments)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        (" first - second", " first"),
        ("first_one(x)", "first_one"),
        ("(x)", "("),
        ("  += 1", "  +="),
        ("\n    return größe", "\n    return"),
        ("größe + 1", "größe"),
        ("   ", "   "),
    ],
)
def test_word(editor: Neovim, text: str, word: str) -> None:
    assert call(editor, "word", text) == word


@pytest.mark.parametrize(
    ("text", "line"),
    [("a\nb\nc", "a"), ("\nb\nc", "\nb"), ("a", "a"), ("\n\nc", "\n"), ("\n", "\n")],
)
def test_line(editor: Neovim, text: str, line: str) -> None:
    assert call(editor, "line", text) == line


@pytest.mark.parametrize(
    ("part", "whole", "places"),
    [
        (")", "b)", [2]),
        ("))", "f(b))", [4, 5]),
        (")", "f(a)(b)", [7]),
        ("", "x", []),
        ("]", "b)", None),
        (")(", "()", None),
    ],
)
def test_contained(editor: Neovim, part: str, whole: str, places: list[int] | None) -> None:
    assert call(editor, "contained", part, whole) == places


@pytest.mark.parametrize(
    ("text", "column", "drawn"),
    [
        ("\tx", 0, "        x"),
        ("\tx", 3, "     x"),
        ("a\tb", 0, "a       b"),
        ("長\tx", 0, "長      x"),
    ],
)
def test_tabs_are_drawn_as_wide_as_they_are(
    editor: Neovim, text: str, column: int, drawn: str
) -> None:
    assert call(editor, "drawn", text, column, 8) == drawn


def test_long_lines_are_split_between_characters(editor: Neovim) -> None:
    assert call(editor, "wrapped", "abcdef", 4) == ["abcd", "ef"]
    assert call(editor, "wrapped", "長長長", 4) == ["長長", "長"]
    assert call(editor, "wrapped", "", 4) == [""]


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(line=TEXT, place=st.integers(0, 20), encoding=st.sampled_from(["utf-8", "utf-16", "utf-32"]))
def test_columns_are_counted_as_python_counts_them(
    editor: Neovim, line: str, place: int, encoding: str
) -> None:
    before = line[:place]
    size = {"utf-8": 1, "utf-16": 2, "utf-32": 4}[encoding]
    codec = encoding if encoding == "utf-8" else f"{encoding}-le"
    units, byte = len(before.encode(codec)) // size, len(before.encode())
    assert call(editor, "units_of", line, byte, encoding) == units
    assert call(editor, "byte_of", line, units, encoding) == byte
    assert call(editor, "byte_of", line, 1000, encoding) == len(line.encode())


def test_every_module_can_be_loaded_alone(editor: Neovim) -> None:
    for path in sorted((EXTENSION / "lua" / "sidecar").glob("*.lua")):
        name = "sidecar" if path.stem == "init" else f"sidecar.{path.stem}"
        editor.lua(
            "for k in pairs(package.loaded) do"
            " if k:find('^sidecar') then package.loaded[k] = nil end end\n"
            "return type(require(...))",
            name,
        )
