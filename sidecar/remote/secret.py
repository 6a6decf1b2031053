"""The key of a remote engine: from the environment, or from the system's keyring.

It never stands in settings, messages or logs. May import keyring where that is installed.
"""

from __future__ import annotations

import os
from importlib import util

__all__ = ["KEYRING_SERVICE", "KEY_VARIABLE", "key_for"]

KEY_VARIABLE = "SIDECAR_REMOTE_KEY"
#: Keys lie in the keyring under this service, with the server's address as the user's name.
KEYRING_SERVICE = "sidecar"


def key_for(url: str) -> str:
    """Return the key for a server, or nothing; may wait for the user to unlock a keyring.

    Args:
        url: The server's address, as `base_of` gives it.
    """
    key = os.environ.get(KEY_VARIABLE, "").strip()
    if key or util.find_spec("keyring") is None:
        return key
    import keyring
    from keyring.errors import KeyringError

    try:
        return (keyring.get_password(KEYRING_SERVICE, url) or "").strip()
    except KeyringError:
        return ""
