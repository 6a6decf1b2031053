"""`sidecar doctor`: looks at everything that completing needs, and says what to do about the rest.

Each check is by itself: one that fails hides no other. What llama.cpp says comes from a child
process. May import everything but `server` and `bench`.
"""

from __future__ import annotations

import asyncio
import os
import platform
import secrets
import socket
import sys
from contextlib import suppress
from dataclasses import asdict, dataclass
from importlib import metadata
from time import perf_counter
from typing import TYPE_CHECKING, Any

from sidecar import PRODUCT, __version__
from sidecar.cli.advice import fix_here
from sidecar.cli.arguments import MODEL, model_name, remote_address
from sidecar.cli.machine import gpus_present
from sidecar.cli.output import emit, emit_json, printable
from sidecar.errors import SidecarError
from sidecar.settings import load

if TYPE_CHECKING:
    import argparse
    from collections.abc import Awaitable, Callable

    from sidecar.completion.planning import EnginePlan
    from sidecar.settings import Settings

__all__ = ["EXAMPLE", "configure", "run"]

EXAMPLE = "sidecar doctor --json"


@dataclass(frozen=True, slots=True)
class Check:
    """What one look found.

    Args:
        name: What was looked at.
        ok: Whether completing works as far as this is concerned.
        detail: What was found.
        fix: What to do; also advice where it works but could do better.
    """

    name: str
    ok: bool
    detail: str
    fix: str = ""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--model",
        type=model_name,
        metavar=MODEL,
        help="look at this model instead of the default",
    )
    parser.add_argument(
        "--draft-model",
        type=model_name,
        metavar=MODEL,
        help="look at this smaller model as well, which would draft for the other",
    )
    parser.add_argument(
        "--remote",
        type=remote_address,
        metavar="URL",
        help="look at this llama-server or vLLM as well; its key comes from SIDECAR_REMOTE_KEY or"
        " the keyring, and only random words are sent there",
    )


def run(args: argparse.Namespace) -> int:
    """Run all checks; 1 if any failed."""
    engine = {"remote": args.remote, "draftModel": args.draft_model or ""}
    settings, _ = load({"model": {"name": args.model}, "engine": engine})
    checks = asyncio.run(_checks(settings, None if args.json else _print))
    ok = all(check.ok for check in checks)
    if args.json:
        emit_json({"ok": ok, "checks": [asdict(check) for check in checks]})
    else:
        emit("\neverything works" if ok else "\nsomething is wrong: see the lines above")
    return 0 if ok else 1


def _print(check: Check) -> None:
    emit(printable(f"{'ok  ' if check.ok else 'FAIL'}  {check.name}: {check.detail}"))
    if check.fix:
        emit(printable(f"      -> {check.fix}"))


async def _checks(settings: Settings, tell: Callable[[Check], None] | None) -> list[Check]:
    found: list[Check] = []

    def add(check: Check) -> Check:
        found.append(check)
        if tell is not None:
            tell(check)
        return check

    add(_python())
    add(_package())
    build: dict[str, Any] = {}
    if add(await _tried("llama.cpp", lambda: _llama_cpp(build))).ok:
        add(_devices(build))
    plans: list[EnginePlan] = []
    if add(await _tried("model", lambda: _model(settings, plans))).ok:
        if settings.engine.draft_model:
            add(_draft(plans[0]))
        add(await _tried("memory", lambda: _memory(plans[0])))
    add(await _tried("socket", lambda: _socket(plans)))
    add(await _tried("index", _index))
    if settings.engine.remote:
        add(await _tried("remote", lambda: _remote(settings)))
    if all(check.ok for check in found):
        add(await _tried("decode", lambda: _decode(settings)))
    return found


async def _tried(name: str, look: Callable[[], Awaitable[Check]]) -> Check:
    """Turn what a look raises into its finding."""
    try:
        return await look()
    except SidecarError as error:
        return Check(name, False, error.what, fix_here(error))
    except OSError as error:
        return Check(name, False, error.strerror or type(error).__name__, "see the message")


def _python() -> Check:
    return Check("Python", True, f"{platform.python_version()} at {sys.executable}")


def _package() -> Check:
    """Look for the other package called `sidecar`, whose files would lie among ours."""
    try:
        foreign = metadata.distribution("sidecar")
    except metadata.PackageNotFoundError:
        return Check("package", True, f"{PRODUCT} {__version__}")
    return Check(
        "package",
        False,
        f"another package called sidecar ({foreign.version}) is installed beside {PRODUCT}",
        f"run `pip uninstall sidecar`, then install {PRODUCT} again",
    )


async def _llama_cpp(build: dict[str, Any]) -> Check:
    from sidecar.completion.planning import describe_build

    build.update(await describe_build())
    features = [
        part.split("=")[0].strip()
        for part in str(build["system_info"]).replace("CPU :", "").split("|")
        if part.strip().endswith("= 1")
    ]
    return Check(
        "llama.cpp", True, f"llama-cpp-python {build['llama_cpp']}, built with {' '.join(features)}"
    )


def _devices(build: dict[str, Any]) -> Check:
    usable = [found for found in build["devices"] if found["kind"] != "cpu"]
    if usable:
        names = ", ".join(
            f"{found['description'] or found['name']} "
            f"({found['free_bytes'] / 2**30:.1f} of {found['total_bytes'] / 2**30:.1f} GiB free)"
            for found in usable
        )
        return Check("devices", True, names)
    offload = "can" if build["gpu_offload"] else "cannot"
    detail = f"CPU only; this build {offload} use a GPU"
    present = gpus_present()
    if not present:
        return Check("devices", True, detail)
    name, backend = present[0]
    return Check(
        "devices",
        True,
        f"{detail}, though there is one ({name})",
        f"run `scripts/setup --backend {backend}` to use it",
    )


async def _model(settings: Settings, plans: list[EnginePlan]) -> Check:
    from sidecar.completion.planning import list_devices, plan_engine

    plan = plan_engine(settings, await list_devices(settings))
    plans.append(plan)
    size = plan.model.path.stat().st_size / 1e6
    detail = f"{plan.model.name}, {size:,.0f} MB, {plan.model.identity[:19]}… at {plan.model.path}"
    if plan.model.identity.startswith("quick:") and plan.model.entry is not None:
        return Check(
            "model", True, detail, f"run `sidecar models verify {plan.model.name}` to check it"
        )
    return Check("model", True, detail)


def _draft(plan: EnginePlan) -> Check:
    """Look at the draft model, without which completing works as well."""
    draft = plan.draft
    if draft.model is None:
        problem = draft.problem
        detail, fix = (problem.what, fix_here(problem)) if problem else ("none", "")
        return Check("draft model", True, f"not used: {detail}", fix)
    return Check(
        "draft model",
        True,
        f"{draft.model.name} at {draft.model.path}, {draft.bytes / 2**30:.1f} GiB of memory",
    )


async def _memory(plan: EnginePlan) -> Check:
    from sidecar.engine.spec import Meeting
    from sidecar.models.hardware import need, probe
    from sidecar.settings import runtime_dir

    fit = plan.fit
    needed = need(plan.model.shape, fit).host_bytes / 2**30
    detail = (
        f"{needed:.1f} GiB needed, {probe().free_bytes / 2**30:.1f} GiB free; "
        f"{fit.context_tokens:,} tokens of context ({fit.kv_type}), {fit.lanes} lanes, "
        f"{fit.threads} threads, {fit.gpu_layers} layers on a GPU"
    )
    if not Meeting(runtime_dir(), plan.spec.key()).socket.exists():
        # An engine that runs has its memory already.
        plan.check()
    return Check("memory", True, detail)


async def _socket(plans: list[EnginePlan]) -> Check:
    from sidecar.engine.spec import Meeting
    from sidecar.settings import runtime_dir

    folder = runtime_dir()
    key = plans[0].spec.key() if plans else "0" * 12
    path = Meeting(folder, key).socket
    if hasattr(socket, "AF_UNIX"):
        probe = folder / f"{secrets.token_hex(6)}.sock"
        with socket.socket(socket.AF_UNIX) as tried:
            try:
                tried.bind(str(probe))
            except OSError as error:
                return Check(
                    "socket",
                    False,
                    f"no socket can be made in {folder} ({error.strerror})",
                    "set SIDECAR_RUNTIME_DIR to a directory on a local disk",
                )
            finally:
                with suppress(OSError):
                    os.unlink(probe)
    return Check("socket", True, f"{path}{' (an engine runs)' if path.exists() else ''}")


async def _index() -> Check:
    from sidecar.index.checkup import check_index

    return Check("index", True, check_index(os.getcwd()))


async def _remote(settings: Settings) -> Check:
    """Meet the server, which measures it with a prompt of random words."""
    from sidecar.cli.running import running_here_or_there

    async with running_here_or_there(settings, False) as engines:
        info = engines.client.state.info
        assert info is not None, "it was met"
        detail = (
            f"{info.description}: {info.context_tokens:,} tokens of context,"
            f" {info.prompt_tokens_per_s:,.0f} tokens of a prompt in a second,"
            f" {info.one_token_ms:,.1f} ms for each that is generated"
        )
        if info.layout == "none":
            fix = "give it a model for filling in the middle, or set sidecar.model.template"
            return Check("remote", False, f"{detail}; no template of its model is known", fix)
    return Check("remote", True, detail)


async def _decode(settings: Settings) -> Check:
    from sidecar.cli.running import running_engine
    from sidecar.engine.messages import Request, Segment

    started = perf_counter()
    async with running_engine(settings, False) as engines:
        loaded = perf_counter()
        completion = await engines.client.complete(
            Request(
                document=f"doctor:{secrets.token_hex(4)}",
                segments=(
                    Segment("prefix", "def add(a, b):\n"),
                    Segment("suffix", ""),
                    Segment("typed", "    return"),
                ),
                max_tokens=1,
            )
        )
        status = await engines.client.status()
    done = perf_counter()
    return Check(
        "decode",
        completion.stats.generated == 1,
        f"ready after {(loaded - started) * 1000:,.0f} ms, one token after "
        f"{(done - loaded) * 1000:,.0f} ms, engine process {status.get('pid', '?')}",
        "" if completion.stats.generated == 1 else "look into the engine's log beside its socket",
    )
