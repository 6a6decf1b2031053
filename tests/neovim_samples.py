"""Half-written files in three languages, and where somebody goes on writing them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

    from neovim_client import Neovim

__all__ = ["COUNT_ASKED", "SAMPLES", "Sample", "begin", "show"]


class Sample(NamedTuple):
    """A file.

    Args:
        name: Its name.
        text: What stands in it.
        line: The line below which a new one is begun.
        typed: What is typed there.
        loop: The line of a loop without a body, in which several lines are to come.
    """

    name: str
    text: str
    line: int
    typed: str
    loop: int


SAMPLES = (
    Sample(
        "sums.py",
        "def add(first, second):\n    return first + second\n\n\n"
        "def subtract(first, second):\n\n\n"
        "def multiply(first, second):\n    return first * second\n\n\n"
        "def largest(numbers):\n    best = numbers[0]\n    for number in numbers:\n\n"
        "    return best\n",
        5,
        "return",
        14,
    ),
    Sample(
        "sums.lua",
        "local function add(first, second)\n    return first + second\nend\n\n"
        "local function subtract(first, second)\nend\n\n"
        "local function multiply(first, second)\n    return first * second\nend\n\n"
        "local function largest(numbers)\n    local best = numbers[1]\n"
        "    for _, number in ipairs(numbers) do\n    end\n    return best\nend\n",
        5,
        "return",
        14,
    ),
    Sample(
        "sums.go",
        "package sums\n\nfunc add(first int, second int) int {\n\treturn first + second\n}\n\n"
        "func subtract(first int, second int) int {\n}\n\n"
        "func multiply(first int, second int) int {\n\treturn first * second\n}\n\n"
        "func largest(numbers []int) int {\n\tbest := numbers[0]\n"
        "\tfor _, number := range numbers {\n\t}\n\treturn best\n}\n",
        7,
        "return",
        16,
    ),
)


def begin(neovim: Neovim, folder: Path, sample: Sample = SAMPLES[0]) -> str:
    """Open a file, begin its line as a person does, and return what is suggested there."""
    neovim.open(folder / sample.name, sample.text)
    neovim.keys(f"{sample.line}Go")
    neovim.type(sample.typed)
    return neovim.suggestion()


def show(neovim: Neovim, *rests: str) -> None:
    """Show texts at the cursor: where they are drawn does not depend on who thought of them."""
    neovim.lua(
        "local suggestion = require('sidecar.suggestion')\n"
        "local row, col = unpack(vim.api.nvim_win_get_cursor(0))\n"
        "local line = vim.api.nvim_get_current_line()\n"
        "local place = function(c) return { line = row - 1, character = c } end\n"
        "local range = { start = place(0), ['end'] = place(col) }\n"
        "local asked = { bufnr = vim.api.nvim_get_current_buf(), row = row - 1, col = col,\n"
        "  line = line, client_id = 0 }\n"
        "suggestion.set(vim.tbl_map(function(rest)\n"
        "  local item = { insertText = line:sub(1, col) .. rest, range = range }\n"
        "  return suggestion.of(item, asked, 'utf-8', false)\n"
        "end, { ... }))",
        *rests,
    )


#: Counts in `asked` how often the plugin asks for suggestions.
COUNT_ASKED = (
    "asked = 0\n"
    "local ask = require('sidecar.ask')\n"
    "local old = ask.ask\n"
    "ask.ask = function(...) asked = asked + 1; return old(...) end"
)
