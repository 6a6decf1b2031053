"""The devices of this machine as ggml sees them, whose functions llama_cpp does not bind.

May import nothing but ctypes.
"""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["list_devices"]


def list_devices(folder: Path) -> list[dict[str, Any]]:
    """List the devices that ggml can compute on, with their memory in bytes.

    Args:
        folder: Where llama-cpp-python keeps its shared libraries.
    """
    library = _ggml(folder)
    if library is None:
        return []
    devices = []
    for index in range(library.ggml_backend_dev_count()):
        device = library.ggml_backend_dev_get(index)
        free, total = ctypes.c_size_t(), ctypes.c_size_t()
        library.ggml_backend_dev_memory(device, ctypes.byref(free), ctypes.byref(total))
        kind = library.ggml_backend_dev_type(device)
        devices.append(
            {
                "name": library.ggml_backend_dev_name(device).decode(),
                "description": library.ggml_backend_dev_description(device).decode(),
                "kind": {0: "cpu", 1: "gpu", 2: "igpu"}.get(kind, "accelerator"),
                "total_bytes": total.value,
                "free_bytes": free.value,
            }
        )
    return devices


def _ggml(folder: Path) -> Any:
    for name in ("libggml-base.so", "libggml-base.dylib", "ggml-base.dll"):
        if (folder / name).exists():
            base: Any = ctypes.CDLL(str(folder / name))
            break
    else:
        return None
    registry = next(
        (p for p in folder.glob("*ggml.*") if p.suffix in {".so", ".dylib", ".dll"}), None
    )
    if registry is None:
        return None
    library: Any = ctypes.CDLL(str(registry))
    pointer = ctypes.c_void_p
    library.ggml_backend_dev_count.restype = ctypes.c_size_t
    library.ggml_backend_dev_get.argtypes = [ctypes.c_size_t]
    library.ggml_backend_dev_get.restype = pointer
    for name in ("ggml_backend_dev_name", "ggml_backend_dev_description", "ggml_backend_dev_type"):
        function = getattr(base, name)
        function.argtypes = [pointer]
        function.restype = ctypes.c_int if name.endswith("type") else ctypes.c_char_p
        setattr(library, name, function)
    base.ggml_backend_dev_memory.argtypes = [pointer, pointer, pointer]
    library.ggml_backend_dev_memory = base.ggml_backend_dev_memory
    return library
