"""`sidecar settings`: shows the schema that every client's settings are generated from."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from sidecar.errors import UsageError

if TYPE_CHECKING:
    import argparse

__all__ = ["EXAMPLE", "configure", "run"]

EXAMPLE = "sidecar settings --json-schema > sidecar.schema.json"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument(
        "--json-schema", action="store_true", help="print the JSON schema of all settings"
    )


def run(args: argparse.Namespace) -> int:
    """Print the schema."""
    from sidecar.settings import json_schema

    if not args.json_schema:
        raise UsageError("nothing was asked for", "run `sidecar settings --json-schema`")
    sys.stdout.write(json.dumps(json_schema(), indent=2) + "\n")
    return 0
