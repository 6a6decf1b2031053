"""Logs go where they should, and hold no source code."""

from __future__ import annotations

import logging
import os
import stat
from typing import TYPE_CHECKING

import pytest

from sidecar.errors import ModelError, UsageError
from sidecar.telemetry import LogSettings, configure_logging

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CODE = "def secret_function(): ..."


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "sidecar.log"
    handler = configure_logging(LogSettings("debug", path))
    yield path
    logging.getLogger().removeHandler(handler)
    handler.close()
    logging.getLogger("sidecar").setLevel(logging.NOTSET)


def test_a_log_file_is_its_users_alone(log: Path) -> None:
    logging.getLogger("sidecar.server").debug("started on %s", "stdio")
    assert "DEBUG sidecar.server: started on stdio" in log.read_text()
    if os.name == "posix":
        assert stat.S_IMODE(log.stat().st_mode) == 0o600


def test_libraries_cannot_log_what_they_were_given(log: Path) -> None:
    pygls = logging.getLogger("pygls.protocol.json_rpc")
    pygls.info("Sending data: %s", CODE)
    pygls.error("Failed to handle notification %r: %s", "textDocument/didChange", CODE)
    pygls.error("Unable to deserialize message\n%s", CODE)
    text = log.read_text()
    assert "Failed to handle notification …: …\n" in text
    assert text.endswith("Unable to deserialize message\n")
    assert "%" not in text
    assert "Sending data" not in text
    assert CODE not in text


def test_exceptions_are_logged_by_type_and_place(log: Path) -> None:
    logger = logging.getLogger("sidecar.server")
    try:
        raise ValueError(CODE)
    except ValueError:
        logger.exception("a handler failed")
    try:
        raise ModelError("no model is installed", "run `sidecar models pull`")
    except ModelError:
        logger.exception("no model")
    text = log.read_text()
    assert "ValueError\n  test_logs.py:" in text
    assert "ModelError: no model is installed; run `sidecar models pull`" in text
    assert CODE not in text


def test_a_log_file_that_cannot_be_opened_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        configure_logging(LogSettings("info", tmp_path / "missing" / "log"))
