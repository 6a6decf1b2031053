"""Which GPUs a machine has, asked of the system: llama.cpp tells only of those it was built for.

May import the standard library.
"""

from __future__ import annotations

import platform
import shutil
import sys
from contextlib import suppress
from pathlib import Path

__all__ = ["gpus_present"]

#: PCI vendors of GPUs that models run well on, and the backend for them.
_VENDORS = {"0x10de": ("an NVIDIA GPU", "cuda"), "0x1002": ("an AMD GPU", "vulkan")}


def gpus_present(system: Path = Path("/")) -> list[tuple[str, str]]:
    """Return a name and the fitting backend for each GPU that the system knows.

    Args:
        system: The root of the file system.
    """
    if sys.platform == "darwin":
        return [("Apple silicon", "metal")] if platform.machine() == "arm64" else []
    found: list[tuple[str, str]] = []
    for vendor in sorted(system.glob("sys/class/drm/card[0-9]*/device/vendor")):
        with suppress(OSError, KeyError):
            found.append(_VENDORS[vendor.read_text(encoding="ascii").strip()])
    # Containers see the driver, but not the device's place on the bus.
    driver = any(system.glob("proc/driver/nvidia/gpus/*")) or shutil.which("nvidia-smi")
    if driver and not any(backend == "cuda" for _, backend in found):
        found.insert(0, _VENDORS["0x10de"])
    return found
