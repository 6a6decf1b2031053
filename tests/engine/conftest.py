"""The real model, loaded once in this process for the whole session."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

# Set before libgomp is loaded, as `engine/launch.py` does for the engine's own process.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sidecar.engine.inference import Inference
    from sidecar.engine.spec import EngineSpec


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.engine)


@pytest.fixture(scope="session")
def engine_spec(model_path: Path) -> EngineSpec:
    from sidecar.engine.spec import EngineSpec

    return EngineSpec(model_path, "tests", context_tokens=4096, lanes=4, threads=2)


@pytest.fixture(scope="session")
def _inference(engine_spec: EngineSpec) -> Iterator[Inference]:
    from sidecar.engine.inference import Inference

    inference = Inference(engine_spec)
    yield inference
    inference.close()


@pytest.fixture
def inference(_inference: Inference) -> Inference:
    """An engine with empty lanes."""
    for lane in _inference.lanes.all:
        _inference.lanes.clear(lane)
    return _inference


@pytest.fixture(scope="session")
def cold(engine_spec: EngineSpec) -> Iterator[Inference]:
    """A second engine on the same weights, to compare with; its users empty it before each use."""
    from dataclasses import replace

    from sidecar.engine.inference import Inference

    inference = Inference(replace(engine_spec, lanes=1, context_tokens=2048))
    yield inference
    inference.close()
