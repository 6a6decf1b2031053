from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidecar.errors import ModelError
from sidecar.models.hardware import (
    Device,
    Fit,
    Overrides,
    check_memory,
    fit,
    gpu_bytes,
    merge,
    need,
    need_bytes,
    probe,
    usable_cores,
)
from sidecar.models.shape import ModelShape

GIB = 1 << 30

SMALL = ModelShape(491_400_064, 24, 12288, 32768, 151936, 64)
MIDDLE = ModelShape(1_117_320_768, 28, 28672, 32768, 151936, 128)
LARGE = ModelShape(4_680_000_000, 28, 57344, 32768, 152064, 128)
SHORT = ModelShape(2_130_000_000, 32, 327680, 2048, 49152, 80)


def device(name, backend, kind, total, free):
    return Device(name, backend, kind, int(total * GIB), int(free * GIB))


CPU = device("CPU", "CPU", "cpu", 32, 32)
# As llama.cpp lists them, with the memory that such machines report.
NONE = (CPU,)
CUDA_4 = (device("CUDA0", "CUDA", "gpu", 4, 3.6), CPU)
CUDA_8 = (device("CUDA0", "CUDA", "gpu", 8, 7.6), CPU)
CUDA_24 = (device("CUDA0", "CUDA", "gpu", 24, 23.2), CPU)
# Metal tells the recommended working set: two thirds or three quarters of the machine's memory.
METAL_8 = (device("Metal", "Metal", "gpu", 5.33, 5.33), CPU)
METAL_16 = (device("Metal", "Metal", "gpu", 10.67, 10.67), CPU)
METAL_64 = (device("Metal", "Metal", "gpu", 48, 48), CPU)
VULKAN_INSIDE = (device("Vulkan0", "Vulkan", "igpu", 16, 15), CPU)
VULKAN_BOTH = (
    device("Vulkan0", "Vulkan", "igpu", 16, 15),
    device("Vulkan1", "Vulkan", "gpu", 8, 7.5),
    CPU,
)


@pytest.mark.parametrize(
    ("devices", "free", "cores", "model", "expected"),
    [
        # Two cores and no GPU: both cores, nothing to offload.
        (NONE, 20, 2, SMALL, Fit(0, 8192, "f16", 2, 8)),
        (NONE, 20, 1, SMALL, Fit(0, 8192, "f16", 1, 8)),
        (NONE, 20, 8, MIDDLE, Fit(0, 8192, "f16", 7, 8)),
        # Less and less memory: first a shorter cache, then smaller values in it.
        (NONE, 5.8, 4, LARGE, Fit(0, 8192, "f16", 3, 8)),
        (NONE, 5.55, 4, LARGE, Fit(0, 4096, "f16", 3, 8)),
        (NONE, 5.45, 4, LARGE, Fit(0, 4096, "q8_0", 3, 8)),
        (NONE, 1, 4, LARGE, Fit(0, 2048, "q8_0", 3, 4)),
        # Never more context than the model was trained on; heads of 80 do not quantise.
        (NONE, 20, 4, SHORT, Fit(0, 2048, "f16", 3, 4)),
        (CUDA_8, 20, 8, SMALL, Fit(25, 8192, "f16", 7, 8)),
        (CUDA_8, 20, 8, LARGE, Fit(29, 8192, "f16", 7, 8)),
        (CUDA_24, 20, 8, LARGE, Fit(29, 8192, "f16", 7, 8)),
        # Half of it fits: that half goes there, and the rest stays with the processor.
        (CUDA_4, 20, 8, LARGE, Fit(16, 8192, "f16", 7, 8)),
        (METAL_8, 3.5, 8, SMALL, Fit(25, 8192, "f16", 7, 8)),
        # Shared memory is not divided: all of the model or nothing.
        (METAL_8, 3.5, 8, LARGE, Fit(0, 2048, "q8_0", 7, 4)),
        (METAL_16, 9, 8, LARGE, Fit(29, 8192, "f16", 7, 8)),
        (METAL_64, 50, 12, LARGE, Fit(29, 8192, "f16", 11, 8)),
        (VULKAN_INSIDE, 10, 4, MIDDLE, Fit(29, 8192, "f16", 3, 8)),
        # The machine's memory limits a GPU that shares it, whatever the GPU says.
        (VULKAN_INSIDE, 1.5, 4, MIDDLE, Fit(0, 2048, "q8_0", 3, 4)),
        (VULKAN_BOTH, 20, 8, LARGE, Fit(29, 8192, "f16", 7, 8)),
    ],
)
def test_fit(devices, free, cores, model, expected):
    assert fit(devices, int(free * GIB), cores, model) == expected


def test_a_gpu_of_its_own_comes_before_one_that_shares():
    assert gpu_bytes(VULKAN_BOTH, 20 * GIB) == int(7.5 * GIB) - GIB // 2
    assert gpu_bytes(VULKAN_INSIDE, 4 * GIB) == 4 * GIB - GIB // 2
    assert gpu_bytes(NONE, 4 * GIB) == 0


@given(
    free=st.integers(0, 64 * GIB),
    gpu_free=st.integers(0, 48 * GIB),
    kind=st.sampled_from(["gpu", "igpu"]),
    cores=st.integers(1, 128),
    model=st.sampled_from([SMALL, MIDDLE, LARGE, SHORT]),
)
def test_a_fit_never_takes_more_than_there_is(free, gpu_free, kind, cores, model):
    devices = (Device("X0", "Vulkan", kind, 48 * GIB, gpu_free),)
    found = fit(devices, free, cores, model)
    needed = need(model, found)
    assert needed.device_bytes <= gpu_bytes(devices, free)
    assert 1 <= found.threads <= cores
    assert found.lanes * 512 <= found.context_tokens <= model.context_tokens
    if needed.host_bytes > free:
        # Nothing would fit: then it is the smallest there is, and is refused.
        assert found.context_tokens == 2048 or needed.device_bytes
        with pytest.raises(ModelError):
            check_memory("it", model, found, free)


def test_settings_replace_what_was_chosen():
    found = Fit(29, 8192, "f16", 7, 4)
    assert merge(found, Overrides()) == found
    assert merge(found, Overrides(gpu_layers=0)) == Fit(0, 8192, "f16", 7, 4)
    every = Overrides(gpu_layers=3, context_tokens=1024, kv_type="q4_0", threads=1, lanes=2)
    assert merge(found, every) == Fit(3, 1024, "q4_0", 1, 2)


def test_need_counts_weights_cache_and_buffers():
    plain = Fit(0, 8192, "f16", 2, 4)
    needed = need(SMALL, plain)
    # llama.cpp reports 96 MiB of cache and 300 MiB of compute buffer for this model.
    assert needed.device_bytes == 0
    assert needed.host_bytes - SMALL.bytes == pytest.approx((96 + 300 + 128) << 20, rel=0.02)
    assert need_bytes(SMALL, plain) == needed.host_bytes
    small_cache = Fit(0, 8192, "q8_0", 2, 4)
    saved = needed.host_bytes - need(SMALL, small_cache).host_bytes
    assert saved == pytest.approx(8192 * 12288 * (1 - 34 / 64))
    assert need(SMALL, Fit(25, 8192, "f16", 2, 4)).host_bytes == 128 << 20
    # More layers than there are is a way to say all.
    assert need(SMALL, Fit(999, 8192, "f16", 2, 4)) == need(SMALL, Fit(25, 8192, "f16", 2, 4))


def test_a_model_that_does_not_fit_is_told_with_numbers():
    chosen = Fit(0, 8192, "f16", 2, 4)
    check_memory("it", SMALL, chosen, 2 * GIB)
    with pytest.raises(ModelError) as caught:
        check_memory("qwen2.5-coder-7b", LARGE, chosen, 3 * GIB)
    text = str(caught.value)
    assert "qwen2.5-coder-7b needs 5.2 GiB" in text
    assert "3.0 GiB is free" in text
    assert "choose a smaller model (`sidecar models list`)" in text


@pytest.mark.parametrize(
    ("model", "chosen", "free", "others", "fix"),
    [
        # What the user asked for is more than fits.
        (LARGE, Fit(0, 32768, "f16", 2, 4), 5.4, (), "set engine.contextTokens to 8192"),
        (LARGE, Fit(0, 8192, "f16", 2, 4), 5.0, (), "set engine.contextTokens to 4096"),
        (
            LARGE,
            Fit(0, 8192, "f16", 2, 4),
            4.9,
            (),
            "set engine.contextTokens to 4096 and engine.kvType to q8_0",
        ),
        (LARGE, Fit(0, 8192, "q4_0", 2, 4), 4.84, (), "set engine.contextTokens to 4096"),
        (SHORT, Fit(0, 2048, "f16", 2, 2), 2, (), "choose a smaller model"),
        # No context is small enough.
        (
            LARGE,
            Fit(0, 8192, "f16", 2, 4),
            2,
            (("a", GIB // 2), ("b", GIB), ("c", 3 * GIB)),
            "set model.name to b (`sidecar models pull b` fetches it)",
        ),
        # What needs as much as this one is no help.
        (SMALL, Fit(0, 2048, "q8_0", 2, 2), 0.5, (("c", GIB),), "choose a smaller model"),
    ],
)
def test_what_would_fit_is_proposed(model, chosen, free, others, fix):
    with pytest.raises(ModelError) as caught:
        check_memory("it", model, chosen, int(free * GIB), others)
    assert caught.value.fix.startswith(f"close other programs, or {fix}")
    tokens = re.search(r"contextTokens to (\d+)", caught.value.fix)
    if tokens:
        kv_type = "q8_0" if "q8_0" in caught.value.fix else chosen.kv_type
        smaller = replace(chosen, context_tokens=int(tokens[1]), kv_type=kv_type)
        check_memory("it", model, smaller, int(free * GIB), others)


@pytest.mark.parametrize(
    ("logical", "physical", "usable", "expected"),
    [
        (2, 2, 2, 2),
        (2, 1, 2, 2),
        (1, 1, 1, 1),
        (16, 8, 16, 8),
        (16, 8, 4, 2),
        (16, 8, 8, 4),
        (8, 8, 3, 3),
        (64, 32, 2, 2),
        (12, 8, 12, 8),
    ],
)
def test_cores(logical, physical, usable, expected):
    assert usable_cores(logical, physical, usable) == expected


def test_probe_of_this_machine():
    machine = probe()
    assert machine.cores >= 1
    assert 0 < machine.free_bytes <= machine.total_bytes
