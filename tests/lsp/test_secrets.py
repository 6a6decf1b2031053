"""Secrets in a file of code, end to end: not in the card, not in a log, not in an answer.

One cold prompt of some 500 tokens is evaluated.
"""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

import pytest
from lsp_client import LspClient
from secret_samples import planted

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.engine, pytest.mark.lsp]

URI = "file:///w/deploy.py"


def logged(file: Path, folder: Path) -> str:
    """Return the text of a front's log and of those that engines left."""
    logs = [file, *(path for path in folder.rglob("*log*") if path.is_file())]
    return "".join(path.read_text(errors="replace") for path in logs)


async def test_neither_card_nor_log_nor_answer_holds_a_secret(
    model_path: Path, runtime_dir: Path, tmp_path: Path
) -> None:
    names = ("aws pair in code", "pem EC ", "url of a database", "python or", "openai", "django")
    cases = [case for case in planted() if case.name in names]
    secrets = [secret for case in cases for secret in case.secrets]
    above = "\n".join(case.text for case in cases)
    text = (
        f'{above}\n\ndef load(name):\n    """Read a setting."""\n    return \n\n\n{cases[0].text}'
    )
    file = tmp_path / "sidecar.log"
    async with LspClient("--log-level", "debug", "--log-file", str(file)) as client:
        await client.initialize()
        await client.ready()
        client.open(URI, text)
        line = text[: text.index("    return ")].count("\n")
        _, answer = client.complete(URI, line, len("    return "))
        answered = await asyncio.wait_for(answer, 60)
        where = {"textDocument": {"uri": URI}, "position": {"line": line, "character": 11}}
        card = await client.request("sidecar/contextCard", where)
        stats = await client.request("sidecar/stats")
        assert await client.shutdown() == 0
        told = json.dumps([answered, card, stats, client.notifications])
    assert card["stats"]["segment_tokens"]["prefix"] > 30
    (note,) = card["notes"]
    assert note.startswith("hidden from the model: ") and "aws key" in note
    told += logged(file, runtime_dir) + client.stderr.decode(errors="replace")
    assert not [secret for secret in secrets if secret in told]
