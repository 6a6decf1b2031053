"""The pages of editors show settings that are taken as they stand."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from sidecar.server.handshake import answer, client_of
from sidecar.settings import load

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGES = Path(__file__).parents[3] / "extension"
READERS = {"json": json.loads, "toml": tomllib.loads}
BLOCK = re.compile(r"^```(json|toml)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def options_in(value: Any) -> Iterator[dict[str, Any]]:
    """Find what is sent to the server: objects with our settings."""
    if isinstance(value, dict):
        settings = value.get("sidecar")
        # A server of this name has other keys.
        if isinstance(settings, dict) and not {"command", "config"} & set(settings):
            yield value
        for part in value.values():
            yield from options_in(part)


@pytest.mark.parametrize("editor", ["helix", "sublime", "jetbrains"])
def test_settings_on_a_page_are_taken(editor: str) -> None:
    text = (PAGES / editor / "README.md").read_text(encoding="utf-8")
    found = 0
    for kind, block in BLOCK.findall(text):
        for options in options_in(READERS[kind](block)):
            found += 1
            client = client_of({"initializationOptions": options})
            settings, problems = load(client.settings)
            assert problems == []
            offers_menu = "completionProvider" in answer(client)["capabilities"]
            assert offers_menu == settings.completion.fallback
    assert found
