"""Complaint 25: an unknown model name, and the provider silently does nothing.

zed-industries/zed#59092, #47393, #52585.
"""

from __future__ import annotations

import subprocess
import sys

import pytest
from lsp_client import LspClient

pytestmark = pytest.mark.lsp


async def test_an_unknown_model_is_named_with_the_next_step(no_model: dict[str, str]) -> None:
    async with LspClient(environment=no_model) as client:
        options = {"settings": {"model": {"name": "qwen3-coder-900b"}}}
        await client.initialize(initializationOptions=options)
        message = (await client.seen("window/showMessage"))["message"]
        assert "'qwen3-coder-900b'" in message
        assert "sidecar models list" in message
        status = await client.seen("didChangeStatus", lambda s: s["kind"] == "Error")
        assert "qwen3-coder-900b" in status["message"]


async def test_an_unknown_template_is_named_as_well(no_model: dict[str, str], model_path) -> None:
    async with LspClient(environment=no_model) as client:
        model = {"path": str(model_path), "template": "no-such-template"}
        await client.initialize(initializationOptions={"settings": {"model": model}})
        message = (await client.seen("window/showMessage"))["message"]
        assert "'no-such-template'" in message and "model.template" in message


def test_the_command_line_says_the_same(tmp_path) -> None:
    source = tmp_path / "a.py"
    source.write_text("x = \n")
    done = subprocess.run(
        [sys.executable, "-m", "sidecar", "complete", f"{source}:1:5", "--model", "qwen3-900b"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "'qwen3-900b'" in done.stderr and "sidecar models list" in done.stderr
