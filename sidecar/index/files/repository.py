"""What git's own files say about ignoring: where a repository begins, its excludes, its settings.

Reads git's configuration itself, so that nothing depends on a git that is installed; of what
configuration may hold, `core.excludesFile`, `core.ignoreCase` and plain `include.path` matter here,
and `includeIf` is not followed. Never writes, never runs a program. May import nothing of sidecar.
"""

from __future__ import annotations

import os
import re
import stat
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["Excludes", "git_folder", "parse_config", "read_excludes", "read_regular"]

#: Configuration and ignore files are read up to here; nobody writes more by hand, and a folder of
#: a stranger must not keep the index busy with compiling patterns.
_MOST_BYTES = 256 * 1024
#: Files that include each other end here, as in git.
_MOST_INCLUDES = 10
_SECTION = re.compile(r"\[\s*([\w.-]+)\s*(?:\"((?:[^\"\\]|\\.)*)\")?\s*\]")
_ESCAPES = {"n": "\n", "t": "\t", "b": "\b"}


class Excludes(NamedTuple):
    """What holds for a whole repository, below all of its `.gitignore` files.

    Attributes:
        ignore_case: Whether patterns are blind to case.
        texts: What stands in `info/exclude` and in the user's own excludes, the stronger first.
    """

    ignore_case: bool
    texts: tuple[bytes, ...]


def git_folder(folder: str) -> str | None:
    """Return where the repository whose top is this folder keeps its data, or None if it is none.

    As in git, an empty `.git` folder or a `.git` file that leads nowhere makes no repository.
    """
    inside = os.path.join(folder, ".git")
    if not os.path.isdir(inside):
        text = read_regular(inside)
        if text is None or not text.startswith(b"gitdir:"):
            return None
        inside = os.path.join(folder, os.fsdecode(text[len(b"gitdir:") :].strip()))
    if not os.path.lexists(os.path.join(inside, "HEAD")):
        return None
    common = _common(inside)
    if all(os.path.isdir(os.path.join(common, part)) for part in ("objects", "refs")):
        return common
    return None


def read_excludes(git: str | None, top: str, environment: Mapping[str, str]) -> Excludes:
    """Return what holds for a repository below its `.gitignore` files.

    Args:
        git: What `git_folder` returned, or None for a folder that is in no repository.
        top: The folder at its top.
        environment: The variables that say where the user's files are.
    """
    settings: dict[str, str] = {}
    for path in _config_files(git, environment):
        settings.update(_read_config(path, environment, _MOST_INCLUDES))
    ignore_case = settings.get("core.ignorecase", "").lower() in ("true", "yes", "on", "1")
    user = settings.get("core.excludesfile")
    path = _user_file("ignore", environment) if user is None else _expanded(user, environment)
    texts = []
    if git is not None:
        texts.append(read_regular(os.path.join(git, "info", "exclude"), follow=True))
    if path:
        texts.append(read_regular(os.path.join(top, path), follow=True))
    return Excludes(ignore_case, tuple(text for text in texts if text))


def read_regular(path: str, *, follow: bool = False) -> bytes | None:
    """Return the start of a regular file, or None if it is missing, something else, or closed.

    Args:
        path: The file.
        follow: Whether a link is followed; git does not for ignore files in the working tree.
    """
    try:
        if not stat.S_ISREG((os.stat if follow else os.lstat)(path).st_mode):
            return None
        with open(path, "rb") as file:
            text = file.read(_MOST_BYTES + 1)
    except (OSError, ValueError):
        return None
    # Half a line would be another rule, and `*.log` without its end leaves out everything.
    return text if len(text) <= _MOST_BYTES else text[: text.rfind(b"\n", 0, _MOST_BYTES) + 1]


def parse_config(text: str) -> Iterator[tuple[str, str]]:
    """Yield the settings of a git configuration file, such as ("core.ignorecase", "true")."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\\\n", "")
    section = ""
    for line in text.split("\n"):
        rest = line.strip()
        if (head := _SECTION.match(rest)) is not None:
            section = head[1].lower() + (f".{head[2]}" if head[2] is not None else "")
            rest = rest[head.end() :].strip()
        if not rest or rest[0] in "#;[":
            continue
        name, equals, value = rest.partition("=")
        # A name alone says "true".
        yield f"{section}.{name.strip().lower()}", _value(value.strip()) if equals else "true"


def _value(text: str) -> str:
    """Take quotes, escapes and a comment out of the text behind `=`."""
    value = ""
    kept = 0  # Characters that are no trailing space outside quotes.
    quoted = False
    characters = iter(text)
    for character in characters:
        if character == '"':
            quoted = not quoted
        elif character == "\\":
            escaped = next(characters, "")
            value += _ESCAPES.get(escaped, escaped)
            kept = len(value)
        elif character in "#;" and not quoted:
            break
        else:
            value += character
            if quoted or not character.isspace():
                kept = len(value)
    return value[:kept]


def _read_config(path: str, environment: Mapping[str, str], depth: int) -> dict[str, str]:
    text = read_regular(path, follow=True)
    settings: dict[str, str] = {}
    for name, value in parse_config(os.fsdecode(text or b"")):
        if name == "include.path" and depth:
            included = os.path.join(os.path.dirname(path), _expanded(value, environment))
            settings.update(_read_config(included, environment, depth - 1))
        else:
            settings[name] = value
    return settings


def _config_files(git: str | None, environment: Mapping[str, str]) -> list[str]:
    """The files of configuration, the weakest first."""
    files = []
    if environment.get("GIT_CONFIG_NOSYSTEM", "").lower() not in ("1", "true", "yes", "on"):
        files.append(environment.get("GIT_CONFIG_SYSTEM", "/etc/gitconfig"))
    if (own := environment.get("GIT_CONFIG_GLOBAL")) is not None:
        files.append(own)
    else:
        files.append(_user_file("config", environment))
        files.append(_expanded("~/.gitconfig", environment))
    if git is not None:
        files.append(os.path.join(git, "config"))
    return [file for file in files if file]


def _user_file(name: str, environment: Mapping[str, str]) -> str:
    base = environment.get("XDG_CONFIG_HOME") or _expanded("~/.config", environment)
    return os.path.join(base, "git", name) if base else ""


def _expanded(path: str, environment: Mapping[str, str]) -> str:
    """Replace `~/` by the home of the environment, and `~name/` by that of a user."""
    home = environment.get("HOME")
    if path.startswith("~/") and home is not None:
        return os.path.join(home, path[2:])
    path = os.path.expanduser(path)
    return "" if path.startswith("~") else path


def _common(inside: str) -> str:
    """The folder that a linked working tree shares with its repository."""
    text = read_regular(os.path.join(inside, "commondir"))
    return inside if text is None else os.path.join(inside, os.fsdecode(text.strip()))
