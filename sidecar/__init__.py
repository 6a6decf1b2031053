"""sidecar: local code completion that costs, per keystroke, only the tokens that were typed."""

from __future__ import annotations

__version__ = "0.1.0"

#: The distribution's name; another package on the index owns the name `sidecar`.
PRODUCT = "sidecar-completion"
#: Version of the messages between front and engine; both must agree to share an engine.
PROTOCOL = 6

__all__ = ["PRODUCT", "PROTOCOL", "__version__"]
