"""The installed models: where they lie, what is recorded of them, and which one to use.

Must never open a network connection, and never change a model file except to remove it. May import
`errors`, `settings`, and `catalogue`, `files`, `gguf`, `hardware` and `shape` of this package.
"""

from __future__ import annotations

import contextlib
import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from sidecar.errors import DownloadError, ModelError
from sidecar.models.catalogue import load_catalogue
from sidecar.models.files import at_home, digest, is_path, locked, quick_identity, write_atomically
from sidecar.models.gguf import DamagedError, read_header
from sidecar.models.hardware import MIB, gpu_bytes, probe
from sidecar.models.shape import ModelShape, refuse_unsuitable, shape_of
from sidecar.settings.paths import cache_dir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sidecar.models.catalogue import Catalogue, ModelEntry
    from sidecar.models.gguf import Header
    from sidecar.models.hardware import Device, Machine

__all__ = ["SOURCES", "Record", "ResolvedModel", "Store", "default_store", "resolve"]

#: Where a model can be pulled from, in the order in which they are tried.
SOURCES = ("hub", "pieces")


@dataclass(frozen=True, slots=True)
class Record:
    """What was true of a model file when its digest was last computed.

    Attributes:
        name: The model's name in the catalogue.
        sha256: The digest of the whole file.
        bytes: Its size.
        mtime_ns: When it was last changed; a file changed since is not the one described.
        source: `hub`, `pieces`, or `local` for a file that was put there by hand.
        revision: The revision of the repository, where it came from the hub.
        checked: Whether the digest was compared with one that the source or the catalogue told.
    """

    name: str
    sha256: str
    bytes: int
    mtime_ns: int
    source: str
    revision: str = ""
    checked: bool = True


@dataclass(frozen=True, slots=True)
class ResolvedModel:
    """A model file that is whole and can complete text.

    Attributes:
        path: The file.
        identity: What names its content: `sha256:…` if the whole file was read once, else
            `quick:…` of its size and both ends.
        entry: The catalogue's entry, if the file is one of the catalogue's.
        shape: Its sizes, for `hardware.fit`.
    """

    path: Path
    identity: str
    entry: ModelEntry | None
    shape: ModelShape

    @property
    def name(self) -> str:
        """What to call it: its name in the catalogue, or its file's."""
        return self.entry.name if self.entry else self.path.name


class Store:
    """The directory of the models that were pulled.

    Args:
        root: The directory; it need not exist.
        catalogue: The models that may lie in it.
    """

    def __init__(self, root: Path, catalogue: Catalogue) -> None:
        self.root = root
        self.catalogue = catalogue

    def path(self, entry: ModelEntry) -> Path:
        """Return where a model's file lies, or would lie."""
        return self.root / entry.file

    def partial(self, entry: ModelEntry, source: str) -> Path:
        """Return where the bytes of an unfinished pull lie: each source has its own."""
        return self.root / f"{entry.file}.{source}.partial"

    def partial_state(self, entry: ModelEntry, source: str) -> Path:
        """Return where it is written what a partial file is."""
        return self.root / f"{entry.file}.{source}.partial.json"

    def installed(self, entry: ModelEntry) -> bool:
        """Return whether a model's file is there; its content is not looked at."""
        return self.path(entry).is_file()

    def record(self, entry: ModelEntry) -> Record | None:
        """Return what is recorded of a model's file, unless the file has changed since."""
        try:
            raw = json.loads(self._record_path(entry).read_text(encoding="utf-8"))
            record = Record(**raw)
            found = self.path(entry).stat()
        except (OSError, ValueError, TypeError):
            return None
        same = (record.bytes, record.mtime_ns) == (found.st_size, found.st_mtime_ns)
        return record if same else None

    def write_record(
        self, entry: ModelEntry, sha256: str, source: str, revision: str = "", checked: bool = True
    ) -> Record:
        """Record the digest of a model's file as it lies there now, and return the record."""
        found = self.path(entry).stat()
        record = Record(
            name=entry.name,
            sha256=sha256,
            bytes=found.st_size,
            mtime_ns=found.st_mtime_ns,
            source=source,
            revision=revision,
            checked=checked,
        )
        with self._writing():
            write_atomically(self._record_path(entry), json.dumps(asdict(record), indent=1) + "\n")
        return record

    def verify(
        self, entry: ModelEntry, on_bytes: Callable[[int, int], None] | None = None
    ) -> Record:
        """Read a whole model file and compare its digest with the one that is known.

        A file whose digest nobody told is recorded as it is, with `checked` false.

        Raises:
            ModelError: It is not installed, not whole, or not the file that was published.
        """
        path = self._require(entry)
        refuse_unsuitable(path, self._header(path))
        size = path.stat().st_size
        found = digest(path, on_bytes and (lambda done: on_bytes(done, size)))
        before = self._raw_record(entry)
        known = entry.sha256 or (before.sha256 if before and before.checked else None)
        if known is not None and found != known:
            raise ModelError(
                f"{path} is not the file that was published: its digest is {found[:12]}…, "
                f"not {known[:12]}…",
                _again(entry),
            )
        source, revision = (before.source, before.revision) if before else ("local", "")
        return self.write_record(entry, found, source, revision, checked=known is not None)

    def remove(self, entry: ModelEntry) -> int:
        """Remove a model and everything that was kept of it; return the bytes freed.

        Raises:
            ModelError: Nothing of it is there.
            DownloadError: It is being pulled right now.
        """
        paths = [self.path(entry), self._record_path(entry)]
        for source in SOURCES:
            paths += [self.partial(entry, source), self.partial_state(entry, source)]
        if not any(path.exists() for path in paths):
            raise ModelError(
                f"{entry.name} is not installed", "`sidecar models list` shows what is"
            )
        freed = 0
        lock = self.root / f"{entry.file}.lock"
        with self._writing(), locked(lock, pulled_elsewhere(entry)):
            for path in paths:
                with contextlib.suppress(FileNotFoundError):
                    freed += path.stat().st_size
                    path.unlink()
        return freed

    def default_entry(self, machine: Machine, devices: Sequence[Device] = ()) -> ModelEntry:
        """Return the model that suits a machine: the largest that is fast enough on it.

        Depends on what the machine has, never on what is free at the moment, so that the answer is
        the same at every start.
        """
        # A GPU inside the processor is no faster than its cores when it comes to memory.
        gpus = [_empty(device) for device in devices if device.kind == "gpu"]
        gpu = gpu_bytes(gpus, machine.total_bytes)
        suited = [
            entry
            for entry in self.catalogue
            if entry.default is not None
            and (
                _reaches(machine.cores, entry.default.min_cores)
                or _reaches(gpu // MIB, entry.default.min_gpu_mib)
            )
            and machine.total_bytes >= 2 * entry.min_memory_mib * MIB
        ]
        smallest = min(
            (entry for entry in self.catalogue if entry.default is not None),
            key=lambda entry: entry.min_memory_mib,
        )
        return max(suited, key=lambda entry: entry.min_memory_mib, default=smallest)

    def resolve(
        self,
        name_or_path: str | Path | None = None,
        *,
        machine: Machine | None = None,
        devices: Sequence[Device] = (),
    ) -> ResolvedModel:
        """Find a model file and check that it is one that can complete text.

        Args:
            name_or_path: A name in the catalogue, the path of any GGUF file, or None (or empty)
                for the one that suits the machine; if that is not installed, the most capable one
                that is.
            machine: What the machine has; looked up if not given.
            devices: What llama.cpp lists.

        Raises:
            ModelError: There is none, or it is damaged or unsuitable.
        """
        if name_or_path is None or name_or_path == "":
            best = self._default_installed(machine or probe(), devices)
            return self._described(self.path(best), best)
        path = at_home(Path(name_or_path))
        if isinstance(name_or_path, str) and not is_path(name_or_path):
            named = self.catalogue.require(name_or_path, error=ModelError)
            return self._described(self._require(named), named)
        # A file of the catalogue that lies elsewhere keeps its template and its anchor.
        return self._described(path, self.catalogue.by_file(path.name))

    def _described(self, path: Path, entry: ModelEntry | None) -> ResolvedModel:
        header = self._header(path)
        refuse_unsuitable(path, header)
        record = self.record(entry) if entry and path == self.path(entry) else None
        identity = f"sha256:{record.sha256}" if record else quick_identity(path)
        return ResolvedModel(path, identity, entry, shape_of(header))

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        """Tell in words that the models' directory cannot be changed."""
        try:
            yield
        except OSError as error:
            raise ModelError(
                f"the directory {self.root} cannot be changed ({error.strerror})",
                "make it writable for this user, or set SIDECAR_CACHE_DIR to another",
            ) from error

    def _header(self, path: Path) -> Header:
        """Read a header; of a damaged file that is ours to fetch, say how it is fetched again."""
        try:
            return read_header(path)
        except DamagedError as error:
            entry = self.catalogue.by_file(path.name)
            if entry is None or path != self.path(entry):
                raise
            raise ModelError(error.what, _again(entry)) from error

    def _default_installed(self, machine: Machine, devices: Sequence[Device]) -> ModelEntry:
        wanted = self.default_entry(machine, devices)
        if self.installed(wanted):
            return wanted
        there = [entry for entry in self.catalogue if self.installed(entry)]
        fits = [entry for entry in there if entry.min_memory_mib * MIB <= machine.total_bytes]
        if not fits:
            raise ModelError(
                "no model is installed",
                f"run `sidecar models pull` (it fetches {wanted.name}, {size_text(wanted.size)}), "
                "or set sidecar.model.path to a GGUF file of your own",
            )
        # Too slow is worse than not so clever: the one nearest to what the machine is made for.
        return min(fits, key=lambda entry: abs(entry.min_memory_mib - wanted.min_memory_mib))

    def _require(self, entry: ModelEntry) -> Path:
        if not self.installed(entry):
            raise ModelError(
                f"{entry.name} is not installed", f"run `sidecar models pull {entry.name}`"
            )
        return self.path(entry)

    def _record_path(self, entry: ModelEntry) -> Path:
        return self.root / f"{entry.file}.json"

    def _raw_record(self, entry: ModelEntry) -> Record | None:
        """Return what was recorded, even if the file has changed since."""
        try:
            return Record(**json.loads(self._record_path(entry).read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return None


def default_store() -> Store:
    """Return the store in this user's cache, with the catalogue of this package."""
    return Store(cache_dir() / "models", load_catalogue())


def resolve(
    name_or_path: str | Path | None = None,
    *,
    machine: Machine | None = None,
    devices: Sequence[Device] = (),
) -> ResolvedModel:
    """Find a model in this user's cache, or check a GGUF file: see `Store.resolve`."""
    return default_store().resolve(name_or_path, machine=machine, devices=devices)


def pulled_elsewhere(entry: ModelEntry) -> DownloadError:
    """Return the error for a model that another process is pulling."""
    return DownloadError(
        f"{entry.name} is being pulled by another process", "wait until that has ended"
    )


def _again(entry: ModelEntry) -> str:
    return f"run `sidecar models remove {entry.name}` and `sidecar models pull {entry.name}`"


def size_text(count: int) -> str:
    """Return a number of bytes as people write it."""
    return f"{count / 1e9:.1f} GB" if count >= 1_000_000_000 else f"{count / 1e6:,.0f} MB"


def _reaches(have: int, least: int | None) -> bool:
    return least is not None and have >= least


def _empty(device: Device) -> Device:
    """Return a device as if nothing else used it."""
    return replace(device, free_bytes=device.total_bytes)
