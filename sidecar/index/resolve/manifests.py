"""Read one project file of each kind into the few facts that resolving needs.

Readers may raise ValueError, TypeError, AttributeError or KeyError on a text that is not what it
should be: `projects` counts it. Pure functions; may import `paths`.
"""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import dataclass, field
from typing import Any

from sidecar.index.resolve.paths import join

__all__ = [
    "Composer",
    "Crate",
    "GoModule",
    "Includes",
    "Package",
    "TsConfig",
    "read_composer",
    "read_crate",
    "read_flags",
    "read_go_module",
    "read_json",
    "read_package",
    "read_tsconfig",
]

# Strings are matched too, so that what looks like a comment inside one stays. A comment that
# never ends goes to the end of the text, which keeps this linear.
_COMMENT = re.compile(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)')
_COMMA = re.compile(r'("(?:\\.|[^"\\])*")|,(?=\s*[}\]])')
_GO_LINE = re.compile(r"^\s*(?:(module|replace|require|use|exclude|retract)\b)?\s*(.*?)\s*$")


@dataclass(frozen=True, slots=True)
class TsConfig:
    """A tsconfig.json or jsconfig.json; folders and targets are workspace-relative."""

    folder: str
    extends: tuple[str, ...]
    references: tuple[str, ...]
    base_url: str | None
    paths: dict[str, tuple[str, ...]] | None


@dataclass(frozen=True, slots=True)
class Package:
    """A package.json; `exports` and `imports` as they stand."""

    folder: str
    name: str
    mains: tuple[str, ...]
    exports: Any = None
    imports: Any = None


@dataclass(frozen=True, slots=True)
class GoModule:
    """A go.mod: the module's path, and the folders of the workspace that replace others."""

    folder: str
    module: str
    replaces: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Crate:
    """A Cargo.toml: the name that code imports it by, and the file that it begins with."""

    folder: str
    name: str
    root: str


@dataclass(frozen=True, slots=True)
class Composer:
    """A composer.json: namespace prefixes and their folders, longest prefix first."""

    folder: str
    prefixes: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Includes:
    """The include folders that compiler flags name, for the files below a folder."""

    folder: str
    folders: tuple[str, ...]


def read_json(text: str) -> dict[str, Any]:
    """Parse an object of JSON with comments and trailing commas."""
    try:
        found = json.loads(text)
    except ValueError:
        text = _COMMENT.sub(lambda match: match[1] or " ", text)
        found = json.loads(_COMMA.sub(lambda match: match[1] or "", text))
    if not isinstance(found, dict):
        raise TypeError("a project file holds an object")
    return found


def read_tsconfig(folder: str, text: str) -> TsConfig:
    """Read a tsconfig.json or jsconfig.json."""
    data = read_json(text)
    options = data.get("compilerOptions") or {}
    base = options.get("baseUrl")
    base_url = join(folder, base) if isinstance(base, str) else None
    origin = folder if base_url is None else base_url
    paths: dict[str, tuple[str, ...]] | None = None
    if isinstance(options.get("paths"), dict):
        paths = {
            pattern: tuple(found for target in _strings(targets) if (found := join(origin, target)))
            for pattern, targets in options["paths"].items()
        }
    references = [r["path"] for r in data.get("references") or () if "path" in r]
    return TsConfig(folder, _strings(data.get("extends")), _strings(references), base_url, paths)


def read_package(folder: str, text: str) -> Package:
    """Read a package.json."""
    data = read_json(text)
    name = data.get("name")
    mains = tuple(
        value
        for key in ("source", "types", "typings", "module", "main")
        if isinstance(value := data.get(key), str)
    )
    return Package(
        folder,
        name if isinstance(name, str) else "",
        mains,
        data.get("exports"),
        data.get("imports"),
    )


def read_go_module(folder: str, text: str) -> GoModule:
    """Read a go.mod."""
    module, block = "", ""
    replaces: dict[str, str] = {}
    for line in text.splitlines():
        match = _GO_LINE.match(line.partition("//")[0])
        verb, rest = (match[1] or block, match[2]) if match else ("", "")
        if rest == "(":
            block = verb
        elif rest == ")":
            block = ""
        elif verb == "module" and rest:
            module = rest.strip("\"'`")
        elif verb == "replace":
            old, _, new = rest.partition("=>")
            place = new.split()[:1]
            if old.split() and place and place[0].startswith("."):
                target = join(folder, place[0])
                if target is not None:
                    replaces[old.split()[0]] = target
    return GoModule(folder, module, replaces)


def read_crate(folder: str, text: str) -> Crate:
    """Read a Cargo.toml."""
    data = tomllib.loads(text)
    library = data.get("lib") or {}
    name = library.get("name") or (data.get("package") or {}).get("name") or ""
    root = join(folder, library.get("path") or "src/lib.rs")
    if not isinstance(name, str) or root is None:
        raise ValueError("a crate has a name and a place inside the workspace")
    return Crate(folder, name.replace("-", "_"), root)


def read_composer(folder: str, text: str) -> Composer:
    """Read a composer.json."""
    data = read_json(text)
    prefixes = []
    for section in ("autoload", "autoload-dev"):
        loaded = data.get(section) or {}
        for prefix, places in (loaded.get("psr-4") or {}).items():
            for place in _strings(places):
                found = join(folder, place)
                if found is not None:
                    prefixes.append((prefix.strip("\\"), found))
    return Composer(folder, tuple(sorted(prefixes, key=lambda p: (-len(p[0]), p))))


def read_flags(folder: str, text: str) -> Includes:
    """Read a compile_flags.txt: one flag a line."""
    return Includes(folder, _include_folders(folder, [line.strip() for line in text.splitlines()]))


def _include_folders(folder: str, flags: list[str]) -> tuple[str, ...]:
    """Return the folders inside the workspace that compiler flags name, in their order."""
    found: dict[str, None] = {}
    awaited = False
    for flag in flags:
        place = ""
        if awaited:
            place, awaited = flag, False
        elif flag in ("-I", "-iquote", "-isystem"):
            awaited = True
        elif flag.startswith(("-I", "-iquote", "-isystem")):
            place = flag.removeprefix("-iquote").removeprefix("-isystem").removeprefix("-I")
        # What is absolute leads out of the workspace, or names it by a place on one machine.
        if place and not place.startswith("/"):
            inside = join(folder, place)
            if inside is not None:
                found[inside] = None
    return tuple(found)


def _strings(value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    return tuple(v for v in value or () if isinstance(v, str))
