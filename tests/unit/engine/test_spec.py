"""Fronts meet at the same engine exactly when they want the same one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sidecar.engine.lanes import common_prefix
from sidecar.engine.spec import EngineSpec, Meeting
from sidecar.errors import EngineError

SPEC = EngineSpec(Path("/models/a.gguf"), "sha256:1")


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (replace(SPEC, model_path=Path("/elsewhere/a.gguf")), True),
        (replace(SPEC, idle_seconds=1.0), True),
        (replace(SPEC, identity="sha256:2"), False),
        (replace(SPEC, context_tokens=4096), False),
        (replace(SPEC, kv_type="q8_0"), False),
        (replace(SPEC, template={"order": "spm"}), False),
        (replace(SPEC, lanes_folder=Path("/elsewhere")), True),
        (replace(SPEC, lanes_bytes=1), False),
        (replace(SPEC, draft_path=Path("/elsewhere/a.gguf")), True),
        (replace(SPEC, draft_identity="sha256:2"), False),
    ],
)
def test_key(other: EngineSpec, same: bool) -> None:
    assert (other.key() == SPEC.key()) is same


def test_json_keeps_everything() -> None:
    spec = replace(SPEC, template={"order": "spm", "suffix": "<s>"}, threads=3)
    assert EngineSpec.from_json(spec.to_json()) == spec
    spec = replace(spec, lanes_folder=Path("/cache/lanes"), lanes_bytes=1 << 20)
    spec = replace(spec, draft_path=Path("/models/b.gguf"), draft_identity="sha256:2")
    assert EngineSpec.from_json(spec.to_json()) == spec


def test_a_long_socket_path_is_refused() -> None:
    with pytest.raises(EngineError, match="SIDECAR_RUNTIME_DIR"):
        _ = Meeting(Path("/" + "x" * 100), "key").socket


@pytest.mark.parametrize(
    ("left", "right", "shared"),
    [
        ([], [], 0),
        ([1, 2, 3], [1, 2, 3], 3),
        ([1, 2, 3], [1, 2], 2),
        ([1, 2, 3], [1, 2, 4, 5], 2),
        ([9], [1], 0),
        ([1, 1, 1, 1, 2], [1, 1, 1, 1, 1, 1], 4),
    ],
)
def test_common_prefix(left: list[int], right: list[int], shared: int) -> None:
    assert common_prefix(left, right) == shared
