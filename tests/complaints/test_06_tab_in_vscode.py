"""Complaint 6: Tab inserts something, or accepts what was meant for something else.

VS Code decides itself, for all providers alike, when Tab accepts ghost text: not while the menu is
open, nor while one indents. An extension that binds Tab as well takes that decision away.
"""

from __future__ import annotations

import json
from pathlib import Path

MANIFEST = Path(__file__).parents[2] / "extension" / "vscode" / "package.json"


def test_the_extension_binds_no_tab_and_nothing_where_no_suggestion_is_seen() -> None:
    bindings = json.loads(MANIFEST.read_text(encoding="utf-8"))["contributes"]["keybindings"]
    assert bindings
    for binding in bindings:
        assert "tab" not in binding["key"]
        asked_for = binding["command"] == "sidecar.complete"
        assert asked_for or "inlineSuggestionVisible" in binding["when"]
