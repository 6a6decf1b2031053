"""`python -m sidecar.index.extract.worker`: reads and extracts files for an indexer, one by one.

A process of its own, so that a file which hangs or crashes a parser takes nothing else with it.
Each result goes out as soon as it is there: when the process dies, its indexer knows at which
file. Must never write anything but results. May import `index.wire`, and this package.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from sidecar.index.extract.extraction import Extraction
from sidecar.index.wire.frames import pack, read_frames, unpack

if TYPE_CHECKING:
    from typing import BinaryIO

__all__ = ["MOST_BYTES", "SECONDS_PER_FILE", "main"]

#: Processor time, not time on the clock: beside a busy model a worker may hardly run.
SECONDS_PER_FILE = 2.0

#: Memory that a worker may have. Trees of usual code take some 50 times its length; those of a
#: megabyte of brackets or casts take half of this, and there are as many workers as processors.
#: What asks for more ends the worker, as a crash does. Only Linux holds a process to it.
MOST_BYTES = 1 << 30

#: Extraction makes many objects and no cycles to speak of; looking for some is left to pauses.
_FILES_PER_COLLECTION = 256


def main(arguments: list[str] | None = None) -> int:
    """Serve requests from standard input until it ends."""
    arguments = sys.argv[1:] if arguments is None else arguments
    _prepare(idle="--idle" in arguments)
    requests: BinaryIO = os.fdopen(os.dup(0), "rb", buffering=0)
    results: BinaryIO = os.fdopen(os.dup(1), "wb", buffering=0)
    # Whatever a library prints must not reach the results.
    os.dup2(2, 1)
    gc.freeze()
    gc.disable()
    with suppress(BrokenPipeError, KeyboardInterrupt):
        _serve(requests, results)
    return 0


def _serve(requests: BinaryIO, results: BinaryIO) -> None:
    served = 0
    results.write(pack((0, None)))
    for body in read_frames(requests):
        number, root, max_bytes, outside, files = unpack(body)
        extraction = Extraction(root, max_bytes, outside=outside)
        for path, digest in files:
            extraction.prepare(path)
            if digest is None:
                # Nobody waits for it yet.
                continue
            _limit(SECONDS_PER_FILE)
            made = extraction.run(path, digest)
            _limit(0.0)
            results.write(pack((number, made)))
            served += 1
            if served % _FILES_PER_COLLECTION == 0:
                gc.collect()


def _limit(seconds: float) -> None:
    # The signal of this timer ends the process, and the interpreter has no say in it.
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, seconds)


def _prepare(*, idle: bool) -> None:
    """Give way to everything else, and leave no traces when a parser crashes."""
    # An interrupt on the terminal is for the process that started us.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
        # Somebody may have set less.
        set_already = [held for held in (soft, hard) if held != resource.RLIM_INFINITY]
        resource.setrlimit(resource.RLIMIT_DATA, (min([MOST_BYTES, *set_already]), hard))
    if idle:
        with suppress(AttributeError, OSError):
            os.nice(19)
        with suppress(AttributeError, OSError):
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


if __name__ == "__main__":
    sys.exit(main())
