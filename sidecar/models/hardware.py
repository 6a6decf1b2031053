"""Fits a model to a machine: layers on the GPU, context, cache types, threads, lanes.

`fit`, `merge` and `need` are pure functions of numbers, so that machines nobody here owns can be
tested from recorded device lists; `probe` alone looks at this machine. Must never import llama_cpp:
the engine lists the devices. May import psutil, and `errors`, `shape` and `cgroup`.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Literal

import psutil

from sidecar.errors import ModelError
from sidecar.models import cgroup

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sidecar.models.shape import ModelShape

__all__ = [
    "Device",
    "Fit",
    "Machine",
    "Need",
    "Overrides",
    "check_memory",
    "fit",
    "gpu_bytes",
    "merge",
    "need",
    "need_bytes",
    "probe",
    "quantised",
]

MIB = 1 << 20
KvType = Literal["f16", "q8_0", "q4_0"]

#: Bytes of a cache type, as a share of 16-bit values: blocks of 32 values in 34 and 18 bytes.
_KV_SHARE = {"f16": 1.0, "q8_0": 34 / 64, "q4_0": 18 / 64}
#: What is tried in this order until it fits. 16-bit first, since shifted and restored states lose
#: nothing there; 4,096 tokens still hold the prompts of four places, of 1,000 tokens each.
_PLANS: tuple[tuple[int, KvType], ...] = (
    (8192, "f16"),
    (4096, "f16"),
    (4096, "q8_0"),
    (2048, "q8_0"),
)
#: Tokens that one lane should have room for. A place where somebody types may take two: a short
#: prompt of 100 tokens, which answers first, and the whole one of 1,000.
_LANE_TOKENS = 512
_LANES = 8
#: Tokens computed at once; llama.cpp reserves a row of the whole vocabulary (32-bit) for each.
_BATCH = 512
#: Python, the library and small buffers. Measured: 100 MiB, and 28 MiB of repacked weights (0.5B).
_PROCESS = 128 * MIB
#: Left free for the rest of the machine, and for the rest of a GPU that also draws a desktop.
_HOST_RESERVE = 512 * MIB
_GPU_RESERVE = 512 * MIB


@dataclass(frozen=True, slots=True)
class Device:
    """One device as llama.cpp lists it.

    Attributes:
        name: For example `CUDA0` or `Metal`.
        backend: `CUDA`, `Metal`, `Vulkan`, `CPU`, …
        kind: `gpu` has memory of its own, `igpu` shares the machine's.
        total_bytes: Its memory.
        free_bytes: What of it is free now.
        description: The name that its maker gave it.
    """

    name: str
    backend: str
    kind: Literal["cpu", "gpu", "igpu", "accel"]
    total_bytes: int
    free_bytes: int
    description: str = ""

    @property
    def unified(self) -> bool:
        """Whether its memory is the machine's own (Apple's GPUs are listed as `gpu`)."""
        return self.kind == "igpu" or self.backend.lower() in ("metal", "mtl")


@dataclass(frozen=True, slots=True)
class Machine:
    """What this process may use of the machine.

    Attributes:
        cores: Physical cores, within affinity and the container's limit.
        total_bytes: Memory, within the container's limit.
        free_bytes: What of it is free now, counting what the system can drop.
    """

    cores: int
    total_bytes: int
    free_bytes: int


@dataclass(frozen=True, slots=True)
class Fit:
    """How to run a model.

    Attributes:
        gpu_layers: Layers on the GPU, counting the output layer as one; 0 is none.
        context_tokens: Tokens of the KV cache, shared by all lanes.
        kv_type: Type of its values; the quantised ones need flash attention.
        threads: Threads for computing.
        lanes: Sequences kept at once.
    """

    gpu_layers: int
    context_tokens: int
    kv_type: KvType
    threads: int
    lanes: int


@dataclass(frozen=True, slots=True)
class Overrides:
    """What the user set: every field that is not None replaces the one of the `Fit`."""

    gpu_layers: int | None = None
    context_tokens: int | None = None
    kv_type: KvType | None = None
    threads: int | None = None
    lanes: int | None = None


@dataclass(frozen=True, slots=True)
class Need:
    """Bytes that a model takes when run as a `Fit` says."""

    host_bytes: int
    device_bytes: int


def fit(devices: Sequence[Device], free_memory_bytes: int, cores: int, model: ModelShape) -> Fit:
    """Choose how to run a model on a machine.

    All of it goes to the GPU if it fits there, with less context if need be. A GPU with memory of
    its own that holds at least a quarter of the layers gets as many as fit; below that the copies
    between the two cost more than they save. A GPU that shares the machine's memory gets all or
    nothing: there is no second memory to divide the weights over.

    Args:
        devices: What llama.cpp lists; CPUs among them are ignored.
        free_memory_bytes: Free memory of the machine.
        cores: Physical cores that may be used.
        model: The model's sizes.

    Returns:
        The settings. If nothing fits, the smallest: `check_memory` then says so.
    """
    plans = [_plan(cores, model, tokens, kv) for tokens, kv in _PLANS]
    chosen = _gpu_devices(devices)
    budget = gpu_bytes(devices, free_memory_bytes)
    if chosen:
        for plan in plans:
            whole = replace(plan, gpu_layers=model.layers + 1)
            if need(model, whole).device_bytes <= budget:
                return whole
    host = free_memory_bytes - _HOST_RESERVE
    divided = bool(chosen) and not any(device.unified for device in chosen)
    for plan in plans:
        some = _most_layers(plan, model, budget) if divided else plan
        if need(model, some).host_bytes <= host:
            return some
    return plans[-1]


def quantised(found: Fit, model: ModelShape) -> Fit:
    """Return a fit with smaller values in its cache, where the model allows that."""
    return replace(found, kv_type="q8_0") if _quantises(model) else found


def merge(found: Fit, overrides: Overrides) -> Fit:
    """Return `found` with what the user set in its place."""
    values = {
        field.name: value
        for field in fields(overrides)
        if (value := getattr(overrides, field.name)) is not None
    }
    return replace(found, **values)


def need(model: ModelShape, chosen: Fit) -> Need:
    """Return the bytes that a model takes on the host and on the devices."""
    kv = int(chosen.context_tokens * model.kv_bytes_per_token * _KV_SHARE[chosen.kv_type])
    compute = _BATCH * model.vocabulary * 4
    share = min(1.0, chosen.gpu_layers / (model.layers + 1))
    on_device = int((model.bytes + kv) * share) + (compute if share else 0)
    on_host = int((model.bytes + kv) * (1 - share)) + (0 if share == 1.0 else compute) + _PROCESS
    return Need(host_bytes=on_host, device_bytes=on_device)


def need_bytes(model: ModelShape, chosen: Fit) -> int:
    """Return all the bytes that a model takes, wherever they lie."""
    needed = need(model, chosen)
    return needed.host_bytes + needed.device_bytes


def check_memory(
    name: str,
    model: ModelShape,
    chosen: Fit,
    free_memory_bytes: int,
    others: Sequence[tuple[str, int]] = (),
) -> None:
    """Raise if a model does not fit into the machine's free memory, and say what would.

    The system ends a process that takes more, or moves the editor's memory to the disk.

    Args:
        name: What to call the model in the message.
        model: Its sizes.
        chosen: How it would be run.
        free_memory_bytes: Free memory of the machine.
        others: Names of other models, and the bytes that each needs.

    Raises:
        ModelError: It does not fit.
    """
    needed = need(model, chosen).host_bytes
    if needed <= free_memory_bytes:
        return
    fix = _smaller_context(model, chosen, free_memory_bytes) or _smaller_model(
        others, min(needed - 1, free_memory_bytes)
    )
    raise ModelError(
        f"{name} needs {_gib(needed)} of memory with {chosen.context_tokens:,} tokens of context, "
        f"and {_gib(free_memory_bytes)} is free",
        f"close other programs, or {fix}",
    )


def gpu_bytes(devices: Sequence[Device], free_memory_bytes: int) -> int:
    """Return how many bytes of model and cache the GPUs can take."""
    chosen = _gpu_devices(devices)
    room = sum(max(0, device.free_bytes - _GPU_RESERVE) for device in chosen)
    if any(device.unified for device in chosen):
        room = min(room, max(0, free_memory_bytes - _HOST_RESERVE))
    return room


def probe() -> Machine:
    """Look at this machine: cores within affinity and quota, memory within the container's."""
    memory = psutil.virtual_memory()
    total, free = int(memory.total), int(memory.available)
    limit = cgroup.memory_limit()
    if limit is not None and limit.limit_bytes < total:
        total, free = limit.limit_bytes, min(free, limit.free_bytes)
    return Machine(cores=_cores(), total_bytes=total, free_bytes=free)


def _cores() -> int:
    logical = psutil.cpu_count() or os.cpu_count() or 1
    physical = psutil.cpu_count(logical=False) or logical
    if hasattr(os, "sched_getaffinity"):
        usable = len(os.sched_getaffinity(0))
    else:
        usable = logical
    quota = cgroup.cpu_quota()
    if quota is not None:
        usable = min(usable, max(1, int(quota)))
    return usable_cores(logical, physical, usable)


def usable_cores(logical: int, physical: int, usable: int) -> int:
    """Return the physical cores behind `usable` of the machine's logical processors.

    Two hyperthreads of one core add little to matrix multiplication and steal from each other, so
    they count as one; with only two processors both are used, since virtual machines call their
    processors hyperthreads no matter what they are.
    """
    if usable <= 2:
        return max(1, usable)
    return max(2, min(physical, usable * physical // max(1, logical)))


def _plan(cores: int, model: ModelShape, tokens: int, kv_type: KvType) -> Fit:
    context = min(tokens, model.context_tokens)
    return Fit(
        gpu_layers=0,
        context_tokens=context,
        kv_type=kv_type if _quantises(model) else "f16",
        # The editor needs a core to stay responsive; with two there is none to spare.
        threads=cores - 1 if cores > 2 else max(1, cores),
        lanes=max(1, min(_LANES, context // _LANE_TOKENS)),
    )


def _quantises(model: ModelShape) -> bool:
    # A block of 32 values may not reach over the end of a head.
    return model.head % 32 == 0


def _gpu_devices(devices: Sequence[Device]) -> list[Device]:
    """Return the devices to put layers on: GPUs of their own memory before those that share."""
    discrete = [device for device in devices if device.kind == "gpu"]
    return discrete or [device for device in devices if device.kind == "igpu"]


def _most_layers(plan: Fit, model: ModelShape, budget: int) -> Fit:
    for layers in range(model.layers, model.layers // 4, -1):
        some = replace(plan, gpu_layers=layers)
        if need(model, some).device_bytes <= budget:
            return some
    return plan


def _gib(count: int) -> str:
    return f"{max(0, count) / (1 << 30):.1f} GiB"


def _smaller_context(model: ModelShape, chosen: Fit, free_memory_bytes: int) -> str:
    """Say how to set the largest context that fits, and is smaller than the one chosen."""
    for tokens, kv_type in _PLANS:
        # Values as small as the user has chosen them stay so.
        kept = min(kv_type, chosen.kv_type, key=lambda name: _KV_SHARE[name])
        smaller = replace(
            chosen,
            context_tokens=min(tokens, chosen.context_tokens, model.context_tokens),
            kv_type=kept if _quantises(model) else chosen.kv_type,
        )
        if need(model, smaller).host_bytes > free_memory_bytes:
            continue
        changes = [f"set engine.contextTokens to {smaller.context_tokens}"]
        if smaller.kv_type != chosen.kv_type:
            changes.append(f"engine.kvType to {smaller.kv_type}")
        return " and ".join(changes)
    return ""


def _smaller_model(others: Sequence[tuple[str, int]], most_bytes: int) -> str:
    """Say how to choose the largest model that fits."""
    fitting = [(size, name) for name, size in others if size <= most_bytes]
    if not fitting:
        return "choose a smaller model (`sidecar models list`)"
    name = max(fitting)[1]
    return f"set model.name to {name} (`sidecar models pull {name}` fetches it)"
