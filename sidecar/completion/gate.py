"""Whether to suggest anything at all: the first and cheapest question of a keystroke.

Its reasons are words to count and to show, never code. Reads no file, and asks the file system
for nothing but where links lead. May import `text`.
"""

from __future__ import annotations

import fnmatch
import functools
import os
import re
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

    from sidecar.text import Document

__all__ = ["GateLimits", "gate", "is_secret"]

#: Names of files that hold secrets; nothing of them may reach a prompt.
_SECRET_NAMES = (
    *(".env", ".env.*", "*.env", ".envrc", "*.pem", "*.key", "*.p12", "*.pfx", "*.jks"),
    *("*.keystore", "*.kdbx", "*.ppk", "*.asc", "*.gpg", "id_rsa*", "id_dsa*", "id_ecdsa*"),
    *("id_ed25519*", ".netrc", "_netrc", ".npmrc", ".pypirc", ".pgpass", ".my.cnf"),
    *(".htpasswd", ".git-credentials", ".dockercfg", "credentials", "credentials.*"),
    *("credentials-*", "*credentials.json", "secrets.*", "secret.*", "*.secret", "*.secrets"),
    *("*.tfvars", "*.tfvars.*", "*.tfstate", "*.tfstate.*", "kubeconfig", "auth.json"),
    *("service-account*.json", "token.json", "*secrets*.yaml", "*secrets*.yml"),
    *("*secrets*.json", "*secrets*.toml", "*.env.*", "*.env~", ".yarnrc.yml"),
)
#: Source code about credentials is not a secret; only `secrets` is often both.
_CODE = frozenset({".py", ".pyi", ".js", ".ts", ".tsx", ".jsx", ".go", ".rs", ".java", ".rb", ".c"})
#: Before these a line of its own may be missing, such as the last item of a list.
_BRACKETS = ")]}"
#: Folders in which everything is a secret.
_SECRET_FOLDERS = frozenset({".ssh", ".gnupg", ".aws", ".azure", ".kube", ".password-store"})
#: Files that hold secrets only in a folder of this name.
_SECRET_PLACES = frozenset({(".docker", "config.json")})
_SECRET = re.compile("|".join(fnmatch.translate(name) for name in _SECRET_NAMES))
#: These say what a secret file should hold, without holding it.
_SAMPLES = (".example", ".sample", ".template", ".dist")


@dataclass(frozen=True, slots=True)
class GateLimits:
    """Sizes beyond which a file is data rather than code that somebody writes.

    Args:
        characters: Most characters of a document.
        line_characters: Most characters of the cursor's line; minified files have such lines.
    """

    characters: int = 2_000_000
    line_characters: int = 2_000


_LIMITS = GateLimits()


def gate(
    document: Document,
    offset: int,
    *,
    disabled: Collection[str] = (),
    limits: GateLimits = _LIMITS,
) -> str | None:
    """Return why nothing should be suggested, or None to go on.

    Args:
        document: The document.
        offset: The cursor.
        disabled: Language identifiers for which the user wants nothing.
        limits: Sizes of files that are served.
    """
    if document.language in disabled:
        return "language_disabled"
    if is_secret(document.path):
        return "secret_file"
    buffer = document.buffer
    if len(buffer) > limits.characters:
        return "file_too_large"
    line = buffer.line_at(offset)
    if buffer.line_end(line) - buffer.line_start(line) > limits.line_characters:
        return "line_too_long"
    after = buffer.slice(offset, offset + 1)
    if after.isalnum() or after == "_":
        return "middle_of_word"
    rest = buffer.slice(offset, buffer.line_end(line)).strip()
    # A whole line is suggested there, and the one that follows would be glued to its end.
    before = buffer.slice(buffer.line_start(line), offset)
    if rest and rest[0] not in _BRACKETS and not before.strip():
        return "before_code"
    return None


def is_secret(path: str) -> bool:
    """Tell by its name whether a file holds secrets, or by the name of what it is a link to."""
    try:
        return _names_secret(path) or _names_secret(os.path.realpath(path))
    except (OSError, ValueError):
        return False  # No file has such a name.


@functools.lru_cache(maxsize=512)
def _names_secret(path: str) -> bool:
    pure = PurePath(path.replace("\\", "/").lower())
    if any(folder in _SECRET_FOLDERS for folder in pure.parts[:-1]):
        return True
    if pure.parts[-2:] in _SECRET_PLACES:
        return True
    name = pure.name
    if name.endswith(_SAMPLES) or (pure.stem != "secrets" and pure.suffix in _CODE):
        return False
    return _SECRET.match(name) is not None
