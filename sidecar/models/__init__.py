"""Models: what there is, how it is fetched, what is installed, and how it fits this machine.

Must never import llama_cpp: a front that only wants a path must not load a library for it. Nothing
here opens a network connection except `hub` and `pieces`, which only `download` calls, on a command
of the user. May import `errors` and `settings`, and huggingface_hub and psutil.
"""

from __future__ import annotations

from sidecar.models.catalogue import Catalogue, FimTemplate, ModelEntry, load_catalogue
from sidecar.models.hardware import Device, Fit, Machine, Overrides, check_memory, fit, merge, probe
from sidecar.models.shape import ModelShape
from sidecar.models.store import ResolvedModel, Store, default_store, resolve

__all__ = [
    "Catalogue",
    "Device",
    "FimTemplate",
    "Fit",
    "Machine",
    "ModelEntry",
    "ModelShape",
    "Overrides",
    "ResolvedModel",
    "Store",
    "check_memory",
    "default_store",
    "fit",
    "load_catalogue",
    "merge",
    "probe",
    "resolve",
]
