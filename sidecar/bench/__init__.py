"""Benchmarks that anybody can run: typing over LSP, quality of what is filled in, cancelling.

They drive the product from outside, as an editor or a front does, and return plain values; only
`cli/` shows them. May import every row above, and nothing of pygls, which would hide what an editor
has to wait for.
"""

from __future__ import annotations

__all__: list[str] = []
