"""A benchmark's engine is met in a directory that is gone afterwards."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sidecar.bench.isolation import own_runtime
from sidecar.settings import runtime_dir


def test_the_directory_is_ours_and_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    for before in ("/somewhere", None):
        if before is None:
            monkeypatch.delenv("SIDECAR_RUNTIME_DIR")
        else:
            monkeypatch.setenv("SIDECAR_RUNTIME_DIR", before)
        with pytest.raises(ZeroDivisionError), own_runtime() as folder:
            assert runtime_dir() == Path(folder)
            assert Path(folder).stat().st_mode & 0o077 == 0
            (Path(folder) / "x.sock").touch()
            raise ZeroDivisionError
        assert not Path(folder).exists()
        assert os.environ.get("SIDECAR_RUNTIME_DIR") == before
