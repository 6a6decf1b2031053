"""Complaint 3: a failure leaves "thinking..." for ever, and its reason is hidden.

ggml-org/llama.vscode#217, #181.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from lsp_client import LspClient

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.lsp


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b"def f(): ...\n" * 100, "not a GGUF model"),
        (b"GGUF\x03\0\0\0", "cut"),
        (None, "there is no file"),
    ],
)
async def test_whatever_is_wrong_is_said_and_nothing_stays_busy(
    no_model: dict[str, str], tmp_path: Path, content: bytes | None, words: str
) -> None:
    path = tmp_path / "model.gguf"
    if content is not None:
        path.write_bytes(content)
    async with LspClient(environment=no_model) as client:
        options = {"settings": {"model": {"path": str(path)}}}
        await client.initialize(initializationOptions=options)
        message = (await client.seen("window/showMessage"))["message"]
        assert message.startswith("sidecar: ") and words in message and "; " in message
        status = await client.seen("didChangeStatus", lambda s: s["kind"] == "Error")
        assert status["busy"] is False
        assert status["message"] in message
        assert client.notifications["didChangeStatus"][-1] == status
