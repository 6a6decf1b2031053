"""`python -m sidecar.engine`: the engine's process, which fronts start.

`--spec JSON` serves a model; `--describe` prints what this build of llama.cpp can do.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from time import monotonic, sleep

from sidecar.engine.leftovers import remove_leftovers
from sidecar.engine.spec import EngineSpec, Meeting
from sidecar.errors import EngineError, SidecarError
from sidecar.locks import FileLock
from sidecar.settings.paths import runtime_dir

#: Between the end of its socket and that of its process an engine has little left to do.
_ENDING_SECONDS = 5.0


def main(arguments: list[str] | None = None) -> int:
    """Run the engine and return its exit code."""
    parser = argparse.ArgumentParser(prog="python -m sidecar.engine", description=__doc__)
    choice = parser.add_mutually_exclusive_group(required=True)
    choice.add_argument("--spec", help="serve the engine that this JSON describes")
    choice.add_argument("--describe", action="store_true", help="print build and devices as JSON")
    options = parser.parse_args(arguments)
    try:
        if options.describe:
            from sidecar.engine.model import describe

            sys.stdout.write(json.dumps(describe()) + "\n")
            return 0
        _serve(EngineSpec.from_json(options.spec))
    except SidecarError as error:
        sys.stderr.write(f"sidecar: {error}\n")
        return error.exit_code
    except KeyboardInterrupt:
        return 130
    return 0


def _serve(spec: EngineSpec) -> None:
    from sidecar.engine.host import serve

    meeting = Meeting(runtime_dir(), spec.key())
    lock = FileLock(meeting.life_lock)
    deadline = monotonic() + _ENDING_SECONDS
    while not lock.acquire():
        # Without a socket it is about to end.
        if meeting.socket.exists() or monotonic() > deadline:
            raise EngineError(
                "another engine already serves this model with these settings",
                f"connect to {meeting.socket}, or end that process first",
            )
        sleep(0.02)
    with lock:
        remove_leftovers(meeting)
        asyncio.run(serve(spec, meeting))


if __name__ == "__main__":
    sys.exit(main())
