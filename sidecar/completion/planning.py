"""From settings and machine to the engine that is wanted: which model, and how it is run.

Fronts share an engine when they want the same, so a plan is made from what the machine has, not
from what happens to be free; only when that does not fit, what is free decides. The libraries'
view of the devices comes from a child process: the front never loads llama.cpp.
May import `settings`, `models`, `drafting`, the front's side of `engine`, and `remote`.
"""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import dataclass, replace
from importlib import metadata, util
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sidecar.completion.drafting import DraftPlan, find_draft
from sidecar.engine.launch import is_listening
from sidecar.engine.spec import EngineSpec, Meeting
from sidecar.errors import EngineError, ModelError, SidecarError
from sidecar.models import hardware
from sidecar.models.hardware import Device, Fit, Overrides
from sidecar.models.store import default_store
from sidecar.settings import cache_dir, lanes_dir, runtime_dir

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sidecar.models.catalogue import FimTemplate
    from sidecar.models.store import ResolvedModel
    from sidecar.remote.spec import RemoteSpec
    from sidecar.settings import Settings

__all__ = ["EnginePlan", "describe_build", "list_devices", "plan_engine", "plan_remote"]

_DESCRIBE_SECONDS = 30.0
_LEAST_CONTEXT = 512
_KEY_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class EnginePlan:
    """The engine that is wanted.

    Args:
        model: The model file.
        spec: What the engine is started with.
        fit: How the model is run.
        check: Raises when the machine has no memory for it now.
        draft: What becomes of the wish for a draft model.
    """

    model: ResolvedModel
    spec: EngineSpec
    fit: Fit
    check: Callable[[], None]
    draft: DraftPlan = DraftPlan()  # noqa: RUF009 - it is frozen


def plan_engine(settings: Settings, devices: Sequence[Device] = ()) -> EnginePlan:
    """Choose a model and how to run it.

    Args:
        settings: What the user set.
        devices: What llama.cpp lists, without CPUs.

    Raises:
        ModelError: There is no such model, or it is damaged or unsuitable.
    """
    machine = hardware.probe()
    store = default_store()
    path = settings.model.path
    wanted = Path(path).expanduser() if path else settings.model.name
    model = store.resolve(wanted, machine=machine, devices=devices)
    template = model.entry.template if model.entry else None
    if settings.model.template:
        template = store.catalogue.template(settings.model.template)
    overrides = _overrides(settings)
    draft = find_draft(settings.engine.draft_model, store, model)
    others = [
        (entry.name, entry.min_memory_mib << 20) for entry in store.catalogue if entry.default
    ]

    def plan(found: Fit) -> EnginePlan:
        chosen = hardware.merge(found, overrides)
        # Where the weights lie on a GPU, free memory of the host says little about them.
        room = hardware.probe().free_bytes
        beside = draft.beside(model, chosen, empty)
        return EnginePlan(
            model,
            _spec(settings, model, chosen, template, beside),
            chosen,
            lambda: hardware.check_memory(model.name, model.shape, chosen, room, others),
            beside,
        )

    empty = [replace(device, free_bytes=device.total_bytes) for device in devices]
    usual = plan(hardware.fit(empty, machine.total_bytes, machine.cores, model.shape))
    # One that runs holds the memory that it needs, also one that had none for a draft model.
    for running in (usual, _lighter(usual)):
        if is_listening(Meeting(runtime_dir(), running.spec.key()).socket):
            return running
    try:
        usual.check()
        return _lighter(usual)
    except ModelError:
        found = hardware.fit(devices, machine.free_bytes, machine.cores, model.shape)
        small = plan(found)
    try:
        small.check()
    except ModelError:
        # The user wants more context than fits, or nothing fits and starting it will tell.
        return _lighter(plan(hardware.quantised(found, model.shape)))
    return _lighter(small)


def _lighter(plan: EnginePlan) -> EnginePlan:
    """Return a plan without its draft model, if there is no memory for that."""
    draft = plan.draft.if_room(plan.model, plan.fit, hardware.probe().free_bytes)
    return replace(plan, draft=draft, spec=_with_draft(plan.spec, draft))


async def plan_remote(settings: Settings) -> RemoteSpec | None:
    """Return the server that the user named instead of an engine on this machine, if any.

    Raises:
        SidecarError: The address is no good, or there is no such template.
    """
    engine = settings.engine
    if not engine.remote:
        return None
    from sidecar.remote.secret import key_for
    from sidecar.remote.spec import RemoteSpec, base_of

    url = base_of(engine.remote)
    try:
        async with asyncio.timeout(_KEY_SECONDS):
            # A keyring may ask the user for its own password.
            key = await asyncio.to_thread(key_for, url)
    except TimeoutError:
        raise EngineError(
            "the keyring did not answer",
            "unlock it, or put the key into the environment as SIDECAR_REMOTE_KEY",
        ) from None
    texts = None
    if settings.model.template:
        texts = default_store().catalogue.template(settings.model.template).texts()
    return RemoteSpec(url, engine.remote_model, key, texts, engine.remote_timeout_ms / 1000.0)


async def list_devices(settings: Settings) -> list[Device]:
    """List the GPUs that llama.cpp can use, asking a child process only when there may be some."""
    if settings.engine.gpu_layers == 0 or _known_without_gpu():
        return []
    build = await describe_build()
    _remember(build)
    return [_device(found) for found in build["devices"] if found["kind"] != "cpu"]


async def describe_build() -> dict[str, Any]:
    """Return what the installed llama.cpp says of itself and of the devices.

    Raises:
        EngineError: It cannot be loaded.
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "sidecar.engine",
        "--describe",
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(_DESCRIBE_SECONDS):
            out, err = await process.communicate()
        build: dict[str, Any] = json.loads(out)
    except (TimeoutError, ValueError):
        if process.returncode is None:
            process.kill()
            await process.wait()
            err = b"it did not answer"
        lines = err.decode(errors="replace").strip().splitlines() or ["no reason given"]
        raise EngineError(
            f"llama.cpp cannot be loaded: {lines[-1]}", "run scripts/setup again"
        ) from None
    return build


def _overrides(settings: Settings) -> Overrides:
    engine = settings.engine
    return Overrides(
        gpu_layers=None if engine.gpu_layers < 0 else engine.gpu_layers,
        context_tokens=max(engine.context_tokens, _LEAST_CONTEXT)
        if engine.context_tokens
        else None,
        kv_type=None if engine.kv_type == "auto" else engine.kv_type,
        threads=engine.threads or None,
        lanes=engine.lanes or None,
    )


def _spec(
    settings: Settings,
    model: ResolvedModel,
    chosen: Fit,
    template: FimTemplate | None,
    draft: DraftPlan,
) -> EngineSpec:
    spec = EngineSpec(
        model_path=model.path,
        identity=model.identity,
        context_tokens=chosen.context_tokens,
        lanes=chosen.lanes,
        threads=chosen.threads,
        gpu_layers=chosen.gpu_layers,
        kv_type=chosen.kv_type,
        chunk_ms=float(settings.engine.chunk_ms),
        idle_seconds=float(settings.engine.idle_seconds),
        template=template.texts() if template else None,
        lanes_folder=_lanes_folder(),
        lanes_bytes=settings.engine.keep_lanes_mb << 20,
    )
    return _with_draft(spec, draft)


def _with_draft(spec: EngineSpec, draft: DraftPlan) -> EngineSpec:
    model = draft.model
    return replace(
        spec,
        draft_path=model.path if model else None,
        draft_identity=model.identity if model else "",
        draft_gpu_layers=draft.gpu_layers,
    )


def _lanes_folder() -> Path | None:
    """Return where lanes are kept; where that cannot be, they are not."""
    try:
        return lanes_dir()
    except SidecarError:
        return None


def _device(found: dict[str, Any]) -> Device:
    name = str(found["name"])
    return Device(
        name=name,
        backend=name.rstrip("0123456789"),
        kind=found["kind"] if found["kind"] in ("gpu", "igpu") else "accel",
        total_bytes=found["total_bytes"],
        free_bytes=found["free_bytes"],
        description=found["description"],
    )


def _build_name() -> str:
    """Name the installed build without loading it: version, place, and when it was put there."""
    found = util.find_spec("llama_cpp")
    origin = found.origin if found else None
    if origin is None:
        return ""
    built = max((p.stat().st_mtime_ns for p in Path(origin).parent.glob("lib/*")), default=0)
    return f"{metadata.version('llama-cpp-python')} {origin} {built}"


def _known_without_gpu() -> bool:
    try:
        return bool(_note().read_text(encoding="utf-8") == _build_name() != "")
    except (OSError, metadata.PackageNotFoundError):
        return False


def _remember(build: dict[str, Any]) -> None:
    """Note that this build can use no GPU: that needs not be asked at every start."""
    if not build["gpu_offload"]:
        try:
            _note().write_text(_build_name(), encoding="utf-8")
        except (OSError, metadata.PackageNotFoundError):
            return


def _note() -> Path:
    return cache_dir() / "build-without-gpu"
