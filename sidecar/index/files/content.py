"""What is read of a file, or why nothing of it is indexed: the one place that opens source files.

Whatever lies at the path by now, reading ends: nothing but a regular file is opened, no link is
followed, no more than the limit is read. May import nothing of sidecar: workers wait for it.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import time
from typing import NamedTuple

from xxhash import xxh3_128_digest

__all__ = [
    "MAX_BYTES",
    "Skip",
    "Source",
    "digest",
    "error_reason",
    "generated_name",
    "read_source",
    "size_limit",
]

#: Files beyond this are data or generated; people do not write a megabyte of source.
MAX_BYTES = 1_000_000
#: Most of a notebook is what its cells have put out, which nobody writes either.
_NOTEBOOK = ".ipynb"
_NOTEBOOK_BYTES = 10
#: Minified files have lines of this many bytes, and little else.
_LONG_LINE = 5_000
#: Bytes of a line on average, in a file of more than `_LONG_LINE`, that nobody writes by hand.
_LONG_AVERAGE = 500
#: Where the notice of a generator is looked for: behind a licence, but at the head.
_HEAD = 2_000
#: The share of bytes that may be no UTF-8, as in sources of older encodings; more is no text.
_MOST_INVALID = 0.2
#: A file modified so shortly before it was read may change again without a new time.
_TICK_NS = 50_000_000
#: The same for file systems that count whole seconds, some of them every second one.
_COARSE_TICK_NS = 2_500_000_000

#: For a path at which something else may lie by now; what a system does not know is left out.
_FLAGS = os.O_RDONLY | sum(
    getattr(os, name, 0)
    for name in ("O_NONBLOCK", "O_NOFOLLOW", "O_CLOEXEC", "O_NOCTTY", "O_BINARY")
)
_UTF_16_OR_32 = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")
_WEB = (".js", ".mjs", ".cjs", ".css", ".jsx", ".ts", ".tsx")
_MINIFIED_NAMES = (".min.js", ".min.mjs", ".min.cjs", ".min.css", "-min.js", "-min.css")
_GENERATED_NAMES = (
    *("_pb2.py", "_pb2.pyi", "_pb2_grpc.py", ".pb.go", ".pb.gw.go", ".pb.cc", ".pb.h", ".pb.swift"),
    *("_pb.js", "_pb.d.ts", "_pb.rb", ".g.cs", ".designer.cs", ".js.map", ".css.map"),
)
_LOCK_FILES = frozenset(
    "package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock cargo.lock "
    "poetry.lock pdm.lock uv.lock pipfile.lock composer.lock gemfile.lock go.sum mix.lock "
    "packages.lock.json podfile.lock package.resolved flake.lock".split()
)
#: Notices stand in a comment; a program about generators has the words in its text.
_NOTICE = re.compile(
    rb"""^[ \t]*(?://|/?\*|\#|--|;|<!--|%|'''|\"\"\")[^\n]*?
    (?:@generated\b | DO[ ]NOT[ ]EDIT\b | <auto-?generated
    |  [Cc]ode[ ]generated[ ]by\b | [Tt]his[ ]file[ ](?:is|was)[ ]auto(?:matically[ ]|-?)generated)
    """,
    re.MULTILINE | re.VERBOSE,
)


class Source(NamedTuple):
    """A file of source code as it was read.

    Attributes:
        data: Its bytes; a small share of them may be no UTF-8.
        size: How many there are.
        mtime_ns: When the file was modified.
        digest: The XXH3 hash of the bytes, 16 of them.
        settled: Whether a later change would show in `mtime_ns`. If not, the time must not be
            relied upon: whoever keeps it should compare the content once more.
    """

    data: bytes
    size: int
    mtime_ns: int
    digest: bytes
    settled: bool


class Skip(NamedTuple):
    """Why nothing of a file is indexed.

    Attributes:
        reason: A word to count: those of `ignore` for what is no readable file, `too_large`,
            `binary`, `encoding` (UTF-16 or 32), `minified`, `generated`; and `changing` if the
            file was written while it was read, which is to be tried again.
        size: Its bytes, or -1 if there is no file.
        mtime_ns: When it was modified, or -1.
    """

    reason: str
    size: int = -1
    mtime_ns: int = -1


def digest(content: bytes) -> bytes:
    """Return the 16 bytes that tell whether a file's content is what it was."""
    return xxh3_128_digest(content)


def read_source(
    root: str | os.PathLike[str],
    path: str,
    max_bytes: int = MAX_BYTES,
    *,
    generated: bool = False,
) -> Source | Skip:
    """Read a file of source code.

    Args:
        root: The workspace.
        path: The file, relative to it.
        max_bytes: The largest file that is read, but for notebooks.
        generated: Whether what a tool wrote is read as well.
    """
    whole = f"{os.fspath(root)}/{path}"
    try:
        # Before opening: that alone does something to a device or to who writes into a pipe.
        before = os.lstat(whole)
        size, mtime_ns = before.st_size, before.st_mtime_ns
        if not stat.S_ISREG(before.st_mode):
            return Skip("link" if stat.S_ISLNK(before.st_mode) else "not_a_file")
        if (reason := _skip_by_name(path)) is not None and not (
            generated and reason == "generated"
        ):
            return Skip(reason, size, mtime_ns)
        if size > size_limit(path, max_bytes):
            return Skip("too_large", size, mtime_ns)
        data, after = _read(whole, size)
    except OSError as error:
        if error.errno in (errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EINTR, errno.ESTALE):
            return Skip("changing")
        return Skip(error_reason(error))
    except ValueError:
        return Skip("odd_name")
    if len(data) != size or _state(before) != _state(after):
        return Skip("changing", after.st_size, after.st_mtime_ns)
    reason = _skip_by_content(path, data)
    if reason is not None and not (generated and reason == "generated"):
        return Skip(reason, size, mtime_ns)
    coarse = mtime_ns % 1_000_000_000 == 0
    settled = time.time_ns() - mtime_ns > (_COARSE_TICK_NS if coarse else _TICK_NS)
    return Source(data, size, mtime_ns, digest(data), settled)


def size_limit(path: str, max_bytes: int) -> int:
    """Return how large a file may be, where a file of source code may have so many bytes."""
    return max_bytes * _NOTEBOOK_BYTES if path.endswith(_NOTEBOOK) else max_bytes


def generated_name(path: str) -> bool:
    """Tell by its name whether a file is written by a tool."""
    name = path[path.rfind("/") + 1 :].lower()
    return name.endswith(_GENERATED_NAMES) or name in _LOCK_FILES


def _read(whole: str, size: int) -> tuple[bytes, os.stat_result]:
    """Read a little more than the size, and the state of what was opened, after that."""
    handle = os.open(whole, _FLAGS)
    try:
        data = os.read(handle, size + 1)
        while len(data) < size and (more := os.read(handle, size + 1 - len(data))):
            data += more  # Network file systems may give less than was asked for.
        return data, os.fstat(handle)
    finally:
        os.close(handle)


def _state(found: os.stat_result) -> tuple[int, ...]:
    return found.st_mode, found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def _skip_by_name(path: str) -> str | None:
    if path.lower().endswith(_MINIFIED_NAMES):
        return "minified"
    return "generated" if generated_name(path) else None


def _skip_by_content(path: str, data: bytes) -> str | None:
    if data.startswith(_UTF_16_OR_32):
        return "encoding"
    if b"\0" in data or (not data.isascii() and _is_no_text(data)):
        return "binary"
    if len(data) > _LONG_LINE and not path.endswith(_NOTEBOOK) and _is_minified(path, data):
        return "minified"
    head = data[:_HEAD]
    if (b"enerated" in head or b"DO NOT EDIT" in head) and _NOTICE.search(head) is not None:
        return "generated"
    return None


def _is_no_text(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        # Every byte that is no UTF-8 is dropped, and no other.
        invalid = len(data) - len(data.decode("utf-8", "ignore").encode("utf-8"))
        return invalid > _MOST_INVALID * len(data)
    return False


def _is_minified(path: str, data: bytes) -> bool:
    if len(data) > _LONG_AVERAGE * (data.count(b"\n") + 1):
        return True
    if not path.lower().endswith(_WEB):
        return False
    # From the start of a line to the last line break within the length of a long one: lines that
    # are shorter are jumped over together.
    long = at = 0
    while len(data) - at > _LONG_LINE:
        last = data.rfind(b"\n", at, at + _LONG_LINE)
        if last < 0:
            end = data.find(b"\n", at + _LONG_LINE)
            end = len(data) if end < 0 else end
            long += end - at
            last = end
        at = last + 1
    return 2 * long > len(data)


def error_reason(error: OSError | ValueError) -> str:
    """Return the reason that counts for an error of the operating system."""
    if isinstance(error, ValueError):
        return "odd_name"
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return "vanished"
    return {errno.ELOOP: "symlink_loop", errno.ENAMETOOLONG: "too_deep"}.get(
        error.errno or 0, "unreadable"
    )
