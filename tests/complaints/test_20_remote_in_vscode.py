"""Complaint 20: nothing over Remote-SSH or in WSL, because the server is on the other side.

The extension runs where the code is, and speaks with its server over pipes: there is no address
that could mean another machine.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

EXTENSION = Path(__file__).parents[2] / "extension" / "vscode"


def test_the_extension_runs_where_the_code_is() -> None:
    manifest = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
    assert manifest["extensionKind"] == ["workspace"]


def test_it_knows_no_address_of_a_server() -> None:
    sources = "".join(path.read_text(encoding="utf-8") for path in EXTENSION.glob("src/**/*.ts"))
    assert '["--stdio"]' in sources
    assert not re.search(r"localhost|127\.0\.0\.1|--tcp", sources)
