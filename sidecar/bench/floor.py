"""What reading a tree costs at the least: a bare parse of the same files, and ctags where it is.

`python -m sidecar.bench.floor` parses the files that are named on standard input, one a line, and
does nothing with their trees. May import `syntax`.
"""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from sidecar.syntax.languages import Languages
from sidecar.syntax.parse import Grammar

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["bare_parse_seconds", "ctags_seconds", "main"]

_LONGEST_SECONDS = 600.0


def bare_parse_seconds(files: Sequence[Path], processes: int) -> float:
    """Return what it takes to spawn processes that read and parse files, until the last ends."""
    command = [sys.executable, "-m", "sidecar.bench.floor"]
    return _run([command] * processes, _shares(files, processes))


def ctags_seconds(files: Sequence[Path], processes: int) -> float | None:
    """Return the same for Universal Ctags; None where it is not installed."""
    program = shutil.which("ctags")
    if program is None:
        return None
    told = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    if "Universal Ctags" not in told.stdout:
        return None
    with tempfile.TemporaryDirectory() as folder:
        commands = [
            [program, "--fields=+neKS", "--extras=+q", "-f", f"{folder}/{n}", "-L", "-"]
            for n in range(processes)
        ]
        return _run(commands, _shares(files, processes))


def main() -> int:
    """Parse the files that standard input names."""
    languages = Languages.load()
    for line in sys.stdin.buffer.read().splitlines():
        path = line.decode("utf-8", "surrogateescape")
        language = languages.find("", path)
        grammar = None if language is None else Grammar.of(language)
        with contextlib.suppress(OSError):
            data = Path(path).read_bytes()
            if grammar is not None:
                grammar.parser.parse(data)
    return 0


def _shares(files: Sequence[Path], processes: int) -> list[bytes]:
    """Deal files out so that each process has about as many bytes."""
    sized = sorted(((path.stat().st_size, path) for path in files), reverse=True)
    shares: list[list[Path]] = [[] for _ in range(processes)]
    loads = [0] * processes
    for size, path in sized:
        lightest = loads.index(min(loads))
        shares[lightest].append(path)
        loads[lightest] += size
    return [
        "".join(f"{path}\n" for path in share).encode("utf-8", "surrogateescape")
        for share in shares
    ]


def _run(commands: Sequence[Sequence[str]], inputs: Sequence[bytes]) -> float:
    started = perf_counter()
    running = []
    for command, data in zip(commands, inputs, strict=True):
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        assert process.stdin is not None
        process.stdin.write(data)
        process.stdin.close()
        running.append(process)
    for process in running:
        process.wait(_LONGEST_SECONDS)
    return perf_counter() - started


if __name__ == "__main__":
    sys.exit(main())
