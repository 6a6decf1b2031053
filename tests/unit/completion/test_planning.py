"""From settings to the engine that is wanted."""

from __future__ import annotations

import socket
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from sidecar.completion.planning import plan_engine
from sidecar.engine.spec import Meeting
from sidecar.errors import ModelError
from sidecar.models import hardware
from sidecar.models.hardware import Device, Machine, need
from sidecar.settings import lanes_dir, load, runtime_dir

if TYPE_CHECKING:
    from pathlib import Path

    from sidecar.completion.planning import EnginePlan

GIB = 1 << 30


def plan(machine: Machine, *devices: Device, **settings: dict[str, object]) -> EnginePlan:
    """Plan for a machine with the settings of the given groups."""
    loaded, problems = load(settings)
    assert problems == []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hardware, "probe", lambda: machine)
        return plan_engine(loaded, devices)


ROOMY = Machine(cores=8, total_bytes=32 * GIB, free_bytes=30 * GIB)


def test_settings_override_what_suits_the_machine(model_path: Path) -> None:
    found = plan(ROOMY).spec
    assert (found.context_tokens, found.lanes, found.gpu_layers) == (8192, 8, 0)
    set_by_user = plan(
        ROOMY,
        engine={"contextTokens": 2048, "lanes": 2, "threads": 3, "kvType": "q8_0"},
    ).spec
    assert set_by_user.context_tokens == 2048
    assert (set_by_user.lanes, set_by_user.threads, set_by_user.kv_type) == (2, 3, "q8_0")
    assert plan(ROOMY, engine={"contextTokens": 1}).spec.context_tokens == 512


def test_fronts_want_the_same_engine_whatever_is_free_at_the_moment(model_path: Path) -> None:
    """The first front's engine takes memory; the second must not want a smaller one for that."""
    busy = Machine(cores=8, total_bytes=32 * GIB, free_bytes=3 * GIB)
    assert plan(ROOMY).spec.key() == plan(busy).spec.key()


def test_when_that_does_not_fit_what_is_free_decides(model_path: Path) -> None:
    full = Machine(cores=8, total_bytes=32 * GIB, free_bytes=900 * 2**20)
    small = plan(full).spec
    assert small.context_tokens < plan(ROOMY).spec.context_tokens
    with pytest.raises(ModelError):
        plan(Machine(cores=8, total_bytes=32 * GIB, free_bytes=0)).check()


def test_more_context_than_fits_gets_smaller_values_before_it_is_refused(model_path: Path) -> None:
    shape = plan(ROOMY).model.shape
    wanted = {"contextTokens": 16384}
    whole = need(shape, plan(ROOMY, engine=wanted).fit).host_bytes
    tight = Machine(cores=8, total_bytes=32 * GIB, free_bytes=whole - 2**20)
    found = plan(tight, engine=wanted)
    assert (found.spec.context_tokens, found.spec.kv_type) == (16384, "q8_0")
    found.check()
    with pytest.raises(ModelError, match=r"set engine\.contextTokens to \d+"):
        plan(tight, engine={**wanted, "kvType": "f16"}).check()


def test_lanes_are_kept_where_only_the_user_can_read_them(model_path: Path) -> None:
    spec = plan(ROOMY).spec
    assert spec.lanes_folder == lanes_dir()
    assert lanes_dir().stat().st_mode & 0o077 == 0
    assert spec.lanes_bytes == 512 << 20
    assert plan(ROOMY, engine={"keepLanesMb": 0}).spec.lanes_bytes == 0


def test_a_gpu_is_used_unless_the_user_forbids_it(model_path: Path) -> None:
    gpu = Device("CUDA0", "CUDA", "gpu", 24 * GIB, 23 * GIB, "a GPU")
    assert plan(ROOMY, gpu, model={"path": str(model_path)}).spec.gpu_layers > 20
    assert (
        plan(ROOMY, gpu, engine={"gpuLayers": 0}, model={"path": str(model_path)}).spec.gpu_layers
        == 0
    )


def test_a_template_is_looked_up_by_name(model_path: Path) -> None:
    spec = plan(ROOMY, model={"path": str(model_path), "template": "starcoder2"}).spec
    assert spec.template is not None
    assert spec.template["prefix"] == "<fim_prefix>"
    assert spec.key() != plan(ROOMY).spec.key()
    with pytest.raises(ModelError):
        plan(ROOMY, model={"path": str(model_path), "template": "none"})


def test_a_draft_model_is_part_of_the_engine(model_path: Path) -> None:
    found = plan(ROOMY, engine={"draftModel": str(model_path)})
    assert found.draft.problem is None
    assert found.spec.draft_path == model_path
    assert found.spec.draft_identity == found.model.identity
    assert found.spec.draft_gpu_layers == 0
    assert found.spec.key() != plan(ROOMY).spec.key()
    gpu = Device("CUDA0", "CUDA", "gpu", 24 * GIB, 23 * GIB, "a GPU")
    assert plan(ROOMY, gpu, engine={"draftModel": str(model_path)}).spec.draft_gpu_layers > 20


def test_what_speaks_against_a_draft_model_is_told_and_stops_nothing(
    model_path: Path, tmp_path: Path
) -> None:
    for wanted in ("no-such-model", str(tmp_path / "none.gguf")):
        found = plan(ROOMY, engine={"draftModel": wanted})
        assert found.draft.problem is not None
        assert found.draft.problem.fix
        assert found.spec.draft_path is None
        assert found.spec.key() == plan(ROOMY).spec.key()


def test_a_draft_model_is_left_out_where_there_is_memory_for_one_only(model_path: Path) -> None:
    whole = plan(ROOMY, engine={"draftModel": str(model_path)})
    alone = need(whole.model.shape, whole.fit).host_bytes
    tight = Machine(cores=8, total_bytes=32 * GIB, free_bytes=alone + 2**20)
    found = plan(tight, engine={"draftModel": str(model_path)})
    assert found.draft.problem is not None
    assert "memory" in found.draft.problem.what
    assert found.spec.key() == plan(ROOMY).spec.key()
    roomy = replace(tight, free_bytes=alone + whole.draft.bytes)
    assert plan(roomy, engine={"draftModel": str(model_path)}).spec.draft_path == model_path


def test_an_engine_that_runs_without_a_draft_model_is_shared(model_path: Path) -> None:
    """It holds memory, so that for the second front there seems to be too little for any."""
    wanted = {"draftModel": str(model_path)}
    whole = plan(ROOMY, engine=wanted)
    alone = need(whole.model.shape, whole.fit).host_bytes
    tight = Machine(cores=8, total_bytes=32 * GIB, free_bytes=alone + 2**20)
    first = plan(tight, engine=wanted)
    assert first.spec.draft_path is None
    path = Meeting(runtime_dir(), first.spec.key()).socket
    less = replace(tight, free_bytes=alone // 2)
    with socket.socket(socket.AF_UNIX) as engine:
        engine.bind(str(path))
        engine.listen()
        second = plan(less, engine=wanted)
    assert second.spec.key() == first.spec.key()
    assert second.draft.problem is not None
    # The file of one that was killed stays, and holds no memory.
    try:
        assert path.exists()
        assert plan(less, engine=wanted).spec.key() != first.spec.key()
    finally:
        path.unlink()
