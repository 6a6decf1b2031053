"""The recording for the README, and the measurement of keys: both run what they are about."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest
from neovim_client import ROOT, Neovim
from neovim_recording import Recording

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.lsp


def test_frames_of_a_screen_become_a_cast_and_a_picture(tmp_path: Path) -> None:
    recording = Recording(40, 6)
    with Neovim("", tmp_path / "home", columns=40, rows=6) as neovim:
        neovim.screen.on_flush = recording.take
        neovim.keys("i")
        for character in "a < b & c":
            neovim.type(character)
            neovim.settle(0.05)
    recording.write_cast(tmp_path / "demo.cast")
    head, *frames = map(json.loads, (tmp_path / "demo.cast").read_text().splitlines())
    assert (head["version"], head["width"], head["height"]) == (2, 40, 6)
    assert len(frames) > 3
    assert "a < b & c" in frames[-1][2]
    assert [frame[0] for frame in frames] == sorted(frame[0] for frame in frames)
    recording.write_svg(tmp_path / "demo.svg")
    # Written by ourselves a moment ago.
    picture = ElementTree.fromstring((tmp_path / "demo.svg").read_text())
    texts = ["".join(element.itertext()).strip() for element in picture.iter()]
    assert "a < b & c" in texts


@pytest.mark.engine
def test_keys_are_measured(tmp_path: Path, model_path: Path) -> None:
    code = "def add(first, second):\n    return first + second\n"
    path = tmp_path / "sums.py"
    path.write_text(code)
    command = [sys.executable, ROOT / "scripts" / "bench-neovim", path, "--keys", "4", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=110)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["first_key"]["n"] == 1 and report["later_keys"]["n"] == 3
    for group in report.values():
        assert group["drawn"] <= group["n"]
        assert group["own_ms"]["p50"] > 0
