"""`sidecar settings`: shows all settings, or the schema that every client's are generated from.

May import `settings`.
"""

from __future__ import annotations

import json
import shutil
import sys
import textwrap
from typing import TYPE_CHECKING

from sidecar.cli.output import emit
from sidecar.settings import json_schema

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

__all__ = ["EXAMPLE", "configure", "run"]

EXAMPLE = """sidecar settings                                       each with default and meaning
  sidecar settings --json-schema > sidecar.schema.json   for programs

They are set in your editor, under `sidecar`; commands have options instead."""

#: Where the meaning begins, below the name.
_INDENT = " " * 4


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument(
        "--json-schema", action="store_true", help="print the JSON schema of all settings"
    )


def run(args: argparse.Namespace) -> int:
    """Print the schema, or what it says for people."""
    if args.json_schema:
        emit(json.dumps(json_schema(), indent=2))
        return 0
    # A pipe has no width: there, each meaning is one line that can be searched.
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else 0
    for name, default, meaning in _rows():
        emit(f"{name} = {default}")
        lines = textwrap.wrap(meaning, max(width - len(_INDENT), 20)) if width else [meaning]
        for line in lines:
            emit(_INDENT + line)
    return 0


def _rows() -> Iterator[tuple[str, str, str]]:
    """Yield the name of each setting, its default as it is written in JSON, and its meaning."""
    for group, schema in json_schema()["properties"].items():
        for key, value in schema["properties"].items():
            yield f"sidecar.{group}.{key}", json.dumps(value["default"]), value["description"]
