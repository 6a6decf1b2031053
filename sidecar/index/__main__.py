"""`python -m sidecar.index`: the indexer's process, which a front starts and which ends with it.

Messages of the front come on standard input, and go to it on standard output; when the input ends,
the front has. Nothing else may be written there.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
from contextlib import suppress
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

from sidecar.allocator import share_heap
from sidecar.errors import SidecarError
from sidecar.index.extract.pool import Pool
from sidecar.index.wire.frames import FrameError, read_frames
from sidecar.index.wire.messages import Logged, Stop, from_frame, to_frame
from sidecar.telemetry.logs import CodeFreeFormatter

if TYPE_CHECKING:
    from typing import BinaryIO

    from sidecar.index.wire.messages import FromIndexer

#: Above the front and the engine, below everything that is idle.
_NICE = 5


class _Pipe:
    """Standard output, on which several threads may say something."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._lock = threading.Lock()

    def send(self, message: FromIndexer) -> None:
        # Without a front there is nobody to tell; the end of the input ends us.
        with self._lock, suppress(OSError):
            self._file.write(to_frame(message))


class _ToFront(logging.Handler):
    """Sends what is logged to the front's log."""

    def __init__(self, pipe: _Pipe) -> None:
        super().__init__(logging.INFO)
        self._pipe = pipe
        self.setFormatter(CodeFreeFormatter("%(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        self._pipe.send(Logged(record.levelno, self.format(record)))


def main() -> int:
    """Serve the front until it ends."""
    share_heap()
    messages: BinaryIO = os.fdopen(os.dup(0), "rb", buffering=0)
    pipe = _Pipe(os.fdopen(os.dup(1), "wb", buffering=0))
    # Whatever a library prints must not reach the front.
    os.dup2(2, 1)
    with suppress(AttributeError, OSError):
        os.nice(_NICE)
    # The front decides when we end; an interrupt on its terminal is not meant for us.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    logging.getLogger().addHandler(_ToFront(pipe))
    logging.getLogger("sidecar").setLevel(logging.INFO)
    inbox: SimpleQueue[Any] = SimpleQueue()
    # Workers first: while they start, the rest of us is loaded.
    pool = Pool(inbox.put)

    def listen() -> None:
        try:
            for body in read_frames(messages):
                inbox.put(from_frame(body))
        except (FrameError, OSError) as error:
            logging.getLogger("sidecar.index").error("the front cannot be understood: %s", error)
        inbox.put(Stop())

    threading.Thread(target=listen, name="index-front", daemon=True).start()
    from sidecar.index.indexer import Indexer

    indexer = Indexer(pipe.send, inbox, pool)
    try:
        indexer.run()
    except SidecarError as error:
        # The last words on standard error are what the front tells the user.
        sys.stderr.write(f"{error}\n")
        return 1
    except Exception:
        logging.getLogger("sidecar.index").exception("the indexer ends")
        return 1
    finally:
        indexer.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
