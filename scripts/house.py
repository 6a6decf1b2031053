"""What the scripts share: where things lie, saying what happens, and building llama.cpp.

Runs before anything is installed, so it may import the standard library only. It must never
print a line that does not tell the person waiting what is happening or what to do.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import time
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

__all__ = [
    "BACKENDS",
    "ROOT",
    "STAMP",
    "VENV",
    "Trouble",
    "build_flags",
    "build_key",
    "cache_dir",
    "compiler",
    "fetch_source",
    "installed_build",
    "locked",
    "pinned",
    "run",
    "run_alive",
    "say",
    "stamp",
    "unpack",
]

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
#: What `scripts/setup` installed; inside the environment, so that it goes when that goes.
STAMP = VENV / "sidecar-setup.json"

#: CMake switches of each backend; every build leaves out the other two so that a laptop with a
#: stray toolkit does not get a backend that nobody asked for.
BACKENDS: dict[str, tuple[str, ...]] = {
    "cpu": ("-DGGML_CUDA=OFF", "-DGGML_METAL=OFF", "-DGGML_VULKAN=OFF"),
    "cuda": ("-DGGML_CUDA=ON", "-DGGML_METAL=OFF", "-DGGML_VULKAN=OFF"),
    "metal": ("-DGGML_CUDA=OFF", "-DGGML_METAL=ON", "-DGGML_VULKAN=OFF"),
    "vulkan": ("-DGGML_CUDA=OFF", "-DGGML_METAL=OFF", "-DGGML_VULKAN=ON"),
}

_WITHOUT_AMX = ("-mno-amx-int8", "-mno-amx-tile", "-mno-amx-bf16")
_STEP = re.compile(r"\[\s*(\d+)(?:%|/(\d+))\]")


class Trouble(Exception):
    """Something the person at the terminal has to know: what happened and what to do."""


def say(text: str) -> None:
    """Tell what happens now, on standard error, so that standard output stays the program's."""
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


def cache_dir() -> Path:
    """Return the user's cache folder of sidecar: the one that the program itself uses."""
    if given := os.environ.get("SIDECAR_CACHE_DIR"):
        return Path(given).expanduser()
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "sidecar"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "sidecar"


def stamp() -> dict[str, object]:
    """Return what earlier runs of `scripts/setup` installed."""
    try:
        known = json.loads(STAMP.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}


def installed_build() -> tuple[str, bool]:
    """Return the backend of the installed library, and whether it is for this very CPU."""
    known = stamp()
    return str(known.get("backend") or "cpu"), bool(known.get("native"))


def pinned(distribution: str) -> str:
    """Return the version that pyproject.toml pins for a direct dependency."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for requirement in project["dependencies"]:
        name, _, version = requirement.partition("==")
        if name == distribution:
            return version
    raise Trouble(f"pyproject.toml does not pin {distribution}; pin it there")


def run(
    command: Sequence[str | Path],
    *,
    env: Mapping[str, str] | None = None,
    cwd: str | Path | None = None,
) -> None:
    """Run a command that speaks for itself."""
    done = subprocess.run([str(part) for part in command], env=env, cwd=cwd, check=False)
    if done.returncode:
        raise Trouble(f"`{' '.join(map(str, command))}` ended with {done.returncode}; see above")


def run_alive(
    what: str, command: Sequence[str | Path], log: Path, *, env: Mapping[str, str] | None = None
) -> None:
    """Run a long command with its output in `log` and a sign of life on the terminal.

    The sign is the step that the build tool reports, and the seconds so far: rewritten in place
    on a terminal, a line every 20 seconds elsewhere.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    on_terminal = sys.stderr.isatty()
    pause = 1.0 if on_terminal else 20.0
    with log.open("wb") as out:
        process = subprocess.Popen(
            [str(part) for part in command],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            env=env,
        )
        try:
            while True:
                try:
                    process.wait(pause)
                    break
                except subprocess.TimeoutExpired:
                    _sign_of_life(what, log, time.monotonic() - started, on_terminal)
        except BaseException:
            process.terminate()
            process.wait()
            raise
    if on_terminal:
        sys.stderr.write("\r\033[K")
    if process.returncode:
        for line in _tail(log, 4000).splitlines()[-15:]:
            say(f"    {line}")
        raise Trouble(f"{what} failed; the whole log is {log}")
    say(f"  {what}: done in {time.monotonic() - started:.0f} s")


def _sign_of_life(what: str, log: Path, seconds: float, on_terminal: bool) -> None:
    steps = _STEP.findall(_tail(log, 8000))
    where = ""
    if steps:
        done, of = steps[-1]
        where = f", step {done} of {of}" if of else f", {done} %"
    text = f"  {what}: {seconds:.0f} s{where}"
    sys.stderr.write(f"\r{text}\033[K" if on_terminal else f"{text}\n")
    sys.stderr.flush()


def _tail(path: Path, size: int) -> str:
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - size))
        return file.read().decode("utf-8", "replace")


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold a lock file, so that two scripts started at once do not build the same thing twice."""
    import fcntl

    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(f"  waiting for another build to finish ({path})")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def compiler() -> tuple[str, str, int]:
    """Return the C++ compiler: its path, its own name for itself, and its major version.

    Raises:
        Trouble: There is none.
    """
    for name in (os.environ.get("CXX"), "c++", "g++", "clang++"):
        if name and (path := shutil.which(name)):
            told = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
            first = told.stdout.splitlines()[0] if told.stdout else name
            major = subprocess.run([path, "-dumpversion"], capture_output=True, text=True)
            number = major.stdout.strip().split(".")[0]
            return path, first, int(number) if number.isdigit() else 0
    raise Trouble("no C++ compiler was found; install g++ or clang (macOS: xcode-select --install)")


def build_flags(backend: str, native: bool) -> tuple[list[str], dict[str, str]]:
    """Return the CMake arguments and the environment of a llama.cpp build.

    Args:
        backend: One of `BACKENDS`.
        native: Build for this very CPU instead of any x86-64-v3 or ARMv8 one.
    """
    flags = [f"-DGGML_NATIVE={'ON' if native else 'OFF'}", *BACKENDS[backend]]
    environment: dict[str, str] = {}
    if backend == "cuda" and shutil.which("nvidia-smi"):
        # Otherwise ggml builds for every architecture it knows, which takes the better part of
        # an hour; a machine without the GPU (a container build) still gets that.
        flags.append("-DCMAKE_CUDA_ARCHITECTURES=native")
    if native and platform.machine() in ("x86_64", "AMD64"):
        _, name, major = compiler()
        if "clang" not in name.lower() and 11 <= major < 13:
            # The AMX code of gcc 11 and 12 crashes at the first decode: their intrinsic that
            # loads the tile configuration tells the optimiser that only 8 of its bytes are read.
            for variable in ("CFLAGS", "CXXFLAGS"):
                given = os.environ.get(variable, "")
                environment[variable] = " ".join((given, *_WITHOUT_AMX)).strip()
    return flags, environment


def fetch_source() -> Path:
    """Return the source archive of the pinned llama-cpp-python, downloaded once per user.

    It carries the llama.cpp that both our build and the peer of the benchmarks are made of.
    """
    version = pinned("llama-cpp-python")
    folder = cache_dir() / "sources"
    archive = folder / f"llama_cpp_python-{version}.tar.gz"
    if archive.is_file():
        return archive
    say(f"Downloading the source of llama-cpp-python {version} (77 MB, once per user)")
    folder.mkdir(parents=True, exist_ok=True)
    partial = folder / f"partial-{os.getpid()}"
    try:
        run_alive(
            "download",
            [
                VENV / "bin" / "python", "-m", "pip", "download", "--no-deps",
                "--no-binary", "llama-cpp-python",
                "--dest", partial, f"llama-cpp-python=={version}",
            ],
            folder / "download.log",
        )  # fmt: skip
        (partial / archive.name).replace(archive)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return archive


def unpack(archive: Path, folder: Path) -> Path:
    """Unpack a source archive into `folder` and return its top directory."""
    with tarfile.open(archive) as tar:
        if hasattr(tarfile, "data_filter"):
            tar.extractall(folder, filter="data")
        else:
            tar.extractall(folder)
    return folder / archive.name.removesuffix(".tar.gz")


def build_key(parts: Sequence[str], native: bool) -> str:
    """Return a short name for everything that a built library depends on."""
    known = [*parts, platform.system(), platform.machine(), platform.libc_ver()[1]]
    if native:
        with contextlib.suppress(OSError):
            lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
            known += [line for line in lines if line.startswith(("flags", "Features"))][:1]
    return hashlib.sha256("\0".join(known).encode()).hexdigest()[:16]
