"""The LSP server of one editor.

The only package that knows LSP types, and `outbound.py` its only writer besides the answers. May
import everything but `bench` and `cli`; pygls and lsprotocol only after `initialize` was answered.
"""

from __future__ import annotations

__all__: list[str] = []
