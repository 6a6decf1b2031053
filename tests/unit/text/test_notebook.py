"""Which cells make a notebook's text, and what is no notebook."""

from __future__ import annotations

import json
from typing import Any

import pytest
from notebook_samples import OUTPUT, cell, notebook

from sidecar.text.notebook import (
    NotebookError,
    is_notebook,
    is_raw,
    kernel_language,
    main_language,
    of_kernel,
    read_notebook,
)


@pytest.mark.parametrize(
    ("cells", "text"),
    [
        ((), ""),
        (("a = 1",), "a = 1"),
        (("a = 1", "b = 2"), "a = 1\n\nb = 2"),
        (("a = 1\n", "", "b"), "a = 1\n\n\n\n\nb"),
        (("a", cell("# Title", "markdown"), cell("x", "raw"), "b"), "a\n\nb"),
        (("%matplotlib inline\na", "!ls", "%%bash\nls"), "%matplotlib inline\na\n\n!ls"),
        (("%%time\na", "\n%%html\n<b>", "%%!\nls", "%%capture\nb"), "%%time\na\n\n%%capture\nb"),
        (("a", cell("select 1", vscode={"languageId": "sql"}), "b"), "a\n\nb"),
        (("a\r", "b"), "a\n\n\nb"),
        (("a\r\n\r\r", "b\r\n"), "a\r\n\n\n\n\nb\r\n"),
    ],
)
def test_code_cells_make_one_text(cells: tuple[Any, ...], text: str) -> None:
    made = notebook(*cells)
    assert not cells or "ipynb" not in made
    found = read_notebook(made)
    assert (found.language, found.text) == ("python", text)
    assert OUTPUT not in found.text


def test_older_formats_and_sources_in_one_piece() -> None:
    old = {"cell_type": "code", "input": ["a\n", "b"], "language": "python", "outputs": []}
    assert read_notebook(json.dumps({"worksheets": [{"cells": [old]}]})).text == "a\nb"
    whole = {"cells": [{"cell_type": "code", "source": "a\nb"}, {"cell_type": "code"}, 7, None]}
    assert read_notebook("\ufeff" + json.dumps(whole)).text == "a\nb\n\n"
    assert read_notebook(notebook("x <- 1", language="R")).language == "r"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "not JSON"),
        ('{"cells": [', "not JSON"),
        ("[" * 100_000, "nested"),
        ("{}", "no cells"),
        ("[]", "no cells"),
        ('{"cells": {}}', "no cells"),
    ],
)
def test_what_is_no_notebook(text: str, why: str) -> None:
    with pytest.raises(NotebookError, match=why):
        read_notebook(text)


@pytest.mark.parametrize(
    ("metadata", "language"),
    [
        (None, ""),
        ({}, ""),
        ({"language_info": {"name": "Julia"}}, "julia"),
        ({"kernelspec": {"language": "python"}}, "python"),
        ({"metadata": {"language_info": {"name": "python"}}}, "python"),
        ({"custom": {"metadata": {"kernelspec": {"language": "R"}}}}, "r"),
        ({"language_info": {"name": 3}, "kernelspec": []}, ""),
    ],
)
def test_the_kernels_language(metadata: object, language: str) -> None:
    assert kernel_language(metadata) == language


@pytest.mark.parametrize(
    ("kernel", "cells", "language"),
    [
        ("python", ["sql", "sql", "python"], "python"),
        ("", ["sql", "python", "python"], "python"),
        ("c#", ["csharp", "fsharp"], "csharp"),
        ("python", [], "python"),
        ("", [], ""),
    ],
)
def test_the_language_of_a_document(kernel: str, cells: list[str], language: str) -> None:
    assert main_language(kernel, cells) == language


def test_cell_magics() -> None:
    assert all(map(of_kernel, ["", "a = 1", "%time f()", "%%timeit -n 3\nf()", "a %% b", "!ls"]))
    assert not any(map(of_kernel, ["%%bash", "\n  %%javascript\nx", "%%writefile a.py\na", "%%!"]))


def test_a_notebooks_file_is_no_code() -> None:
    text = notebook("a = 1")
    assert is_raw("/w/n.ipynb", text) and is_raw("N.IPYNB", text)
    assert not is_raw("/w/n.json", text)
    assert not is_raw("/w/n.ipynb", "{'cells': 1}") and not is_raw("/w/n.ipynb", "import os\n")
    assert is_notebook("/w/n.ipynb") and not is_notebook("/w/n.py")
