"""Notebooks as Jupyter writes them, made of cells that are given as text."""

from __future__ import annotations

import json
from typing import Any

__all__ = ["OUTPUT", "cell", "notebook"]

#: What every code cell of these has put out; no prompt may hold it.
OUTPUT = "output_of_a_cell_31415"


def cell(text: str, kind: str = "code", **more: Any) -> dict[str, Any]:
    """Make one cell; `more` goes into its metadata."""
    made: dict[str, Any] = {
        "cell_type": kind,
        "metadata": more,
        "source": text.splitlines(keepends=True),
    }
    if kind == "code":
        made["execution_count"] = 1
        made["outputs"] = [
            {"output_type": "stream", "name": "stdout", "text": [f"{OUTPUT}\n"]},
            {"output_type": "display_data", "data": {"text/plain": f"{OUTPUT} = 1"}},
        ]
    return made


def notebook(*cells: str | dict[str, Any], language: str = "python", version: int = 4) -> str:
    """Make the file of a notebook; a text is a code cell."""
    made = [cell(item) if isinstance(item, str) else item for item in cells]
    metadata = {"kernelspec": {"name": "python3"}, "language_info": {"name": language}}
    return json.dumps(
        {"cells": made, "metadata": metadata, "nbformat": version, "nbformat_minor": 5}, indent=1
    )
