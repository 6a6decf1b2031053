"""What every test may use: the real model, and a runtime directory that is nobody else's.

Tests must never talk to an engine that a user's editor started, so the whole session gets its own
runtime directory, and every process that was started with it is ended when the session ends.
"""

from __future__ import annotations

import contextlib
import gc
import os
import shutil
import signal
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from neovim_client import Neovim

    from sidecar.engine.inference import Inference
    from sidecar.engine.spec import EngineSpec

_RUNTIME = pytest.StashKey[Path]()
_VARIABLE = "SIDECAR_RUNTIME_DIR"


# Nothing is asserted of times: a loaded machine may take any.
settings.register_profile("sidecar", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("sidecar")


def pytest_configure(config: pytest.Config) -> None:
    # Set before any test module is imported, and short: a Unix socket's path has room for about
    # 100 bytes, which the temporary directory of some systems nearly fills.
    base = min(
        (tempfile.gettempdir(), "/tmp"), key=lambda path: (not os.path.isdir(path), len(path))
    )
    runtime = Path(tempfile.mkdtemp(prefix="sc-", dir=base))
    config.stash[_RUNTIME] = runtime
    os.environ[_VARIABLE] = str(runtime)
    # Nor must they find what a session of the user has left, or leave something there.
    os.environ["SIDECAR_LANES_DIR"] = str(runtime / "lanes")
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # Shells start what runs in the background so, and no child would hear an interrupt.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    # For models in this process: set before libgomp is loaded, as `engine/launch.py` does.
    os.environ.setdefault("GOMP_SPINCOUNT", "2000")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Where only tests of the model are wanted, leave out files that have none.

    To import all of them takes as long as a dozen tests. Those in `engine/` are marked there.
    """
    path = collection_path
    if config.option.markexpr != "engine" or not path.match("test_*.py"):
        return None
    if path.parent == Path(__file__).parent / "engine" or b"mark.engine" in path.read_bytes():
        return None
    return True


def pytest_collection_finish() -> None:
    # Tests stay to the end: nothing of them has to be looked at whenever garbage is.
    gc.collect()
    gc.freeze()


def pytest_unconfigure(config: pytest.Config) -> None:
    runtime = config.stash.get(_RUNTIME, None)
    if runtime is None:
        return
    _end_processes_of(runtime)
    shutil.rmtree(runtime, ignore_errors=True)


def _end_processes_of(runtime: Path) -> None:
    """End the engines and fronts that tests left running: those that carry our directory."""
    left = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if process.pid != os.getpid() and process.environ().get(_VARIABLE) == str(runtime):
                process.terminate()
                left.append(process)
    for process in psutil.wait_procs(left, timeout=5)[1]:
        with contextlib.suppress(psutil.Error):
            process.kill()


@pytest.fixture(scope="session")
def runtime_dir(pytestconfig: pytest.Config) -> Path:
    """The runtime directory of this test session."""
    return pytestconfig.stash[_RUNTIME]


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """`tests/data`."""
    return Path(__file__).parent / "data"


@pytest.fixture(scope="session")
def model_path() -> Path:
    """The default model of this machine: real weights, or a failure that says what to do."""
    from sidecar.errors import ModelError
    from sidecar.models.store import resolve

    try:
        return resolve(None).path
    except ModelError as error:
        pytest.fail(f"the engine tests need the default model: {error} (scripts/setup pulls it)")


@pytest.fixture
def no_model(tmp_path: Path) -> dict[str, str]:
    """An environment for a child process in which no model is installed."""
    cache = tmp_path / "cache"
    cache.mkdir()
    return {"SIDECAR_CACHE_DIR": str(cache)}


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
def pieces(_inference: Inference) -> list[bytes]:
    """The bytes of every token of the model."""
    return _inference.model.pieces()


@pytest.fixture(scope="session")
def cold(engine_spec: EngineSpec) -> Iterator[Inference]:
    """A second engine on the same weights, to compare with; its users empty it before each use."""
    from sidecar.engine.inference import Inference

    inference = Inference(replace(engine_spec, lanes=1, context_tokens=2048))
    yield inference
    inference.close()


@pytest.fixture(scope="session")
def _neovim(model_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Neovim]:
    from neovim_client import Neovim, init

    with Neovim(init(), tmp_path_factory.mktemp("neovim")) as editor:
        yield editor


@pytest.fixture
def neovim(_neovim: Neovim) -> Neovim:
    """A Neovim with the plugin, the real server and the real model, and with no file open."""
    _neovim.reset()
    return _neovim
