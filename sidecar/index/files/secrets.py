"""The names of files that hold secrets: nothing of them is indexed, and nothing reaches a prompt.

The one list of them; the gate of completions and the walk of a workspace both ask here. Reads no
file, and asks the file system for nothing but where links lead. May import nothing of sidecar.
"""

from __future__ import annotations

import functools
import os
import re

__all__ = ["is_secret", "is_secret_folder", "is_secret_name"]

#: Folders in which everything is a secret.
_FOLDERS = frozenset({".ssh", ".gnupg", ".aws", ".azure", ".kube", ".password-store"})
#: Source code about credentials is not a secret; only `secrets` is often both. Shell and PHP are
#: not here: people do keep passwords in `credentials.sh` and `secret.php`.
_CODE = frozenset(
    "py pyi js mjs cjs ts mts cts tsx jsx go rs java rb c h cc cpp cxx hh hpp cs kt kts swift "
    "lua".split()
)
#: These say what a secret file should hold, without holding it.
_SAMPLES = "example|sample|template|dist"
#: One expression for a whole name in lower case.
_NAME = re.compile(
    rf"""
    (?!.*\.(?:{_SAMPLES})\Z)
    (?: \.env(?:rc|\..*)?
    |   .*\.env(?:~|\..*)?
    |   .*\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk|asc|gpg|secrets?|tfvars|tfstate)
    |   .*\.(?:tfvars|tfstate)\..*
    |   id_(?:rsa|dsa|ecdsa|ed25519).*
    |   [._]netrc | \.npmrc | \.pypirc | \.pgpass | \.my\.cnf | \.htpasswd | \.git-credentials
    |   \.dockercfg | \.yarnrc\.yml | kubeconfig
    |   credentials(?:[.-].*)?
    |   .*credentials\.json
    |   secrets?\..*
    |   service-account.*\.json
    |   (?:auth|token)\.json
    |   .*secrets.*\.(?:ya?ml|json|toml)
    )\Z""",
    re.VERBOSE | re.DOTALL,
)


def is_secret_folder(name: str) -> bool:
    """Tell by its name whether everything in a folder is a secret."""
    return name.lower() in _FOLDERS


def is_secret_name(path: str) -> bool:
    """Tell by its name whether a file holds secrets, wherever its folder is.

    Args:
        path: A path with `/` between its parts, or only a name.
    """
    path = path.lower()
    name = path[path.rfind("/") + 1 :]
    # Asked for every file of a workspace, of which nearly all are answered here.
    stem, _, suffix = name.rpartition(".")
    if suffix in _CODE and stem and stem != "secrets":
        return False
    if name == "config.json":
        # It holds secrets only in a folder of this name.
        return f"/{path}".endswith("/.docker/config.json")
    return _NAME.match(name) is not None


def is_secret(path: str) -> bool:
    """Tell by its whole path whether a file holds secrets, or by that of what it is a link to."""
    try:
        return _is_secret_path(path) or _is_secret_path(os.path.realpath(path))
    except (OSError, ValueError):
        return False  # No file has such a name.


@functools.lru_cache(maxsize=512)
def _is_secret_path(path: str) -> bool:
    path = path.replace("\\", "/")
    folders = path.lower().split("/")[:-1]
    return not _FOLDERS.isdisjoint(folders) or is_secret_name(path)
