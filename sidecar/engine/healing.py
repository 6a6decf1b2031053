"""Token healing: which tokens may give the bytes again that `boundary` took back.

May import numpy.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["Healer"]


class Healer:
    """Finds the tokens that may come while bytes taken back are still to be given.

    Args:
        pieces: Bytes of each token; empty ones (control tokens) are never allowed.
    """

    def __init__(self, pieces: Sequence[bytes]) -> None:
        order = sorted(
            (token for token, piece in enumerate(pieces) if piece), key=pieces.__getitem__
        )
        self._keys = [pieces[token] for token in order]
        self._order = np.array(order, dtype=np.int64)
        self._known: dict[bytes, NDArray[np.int64]] = {}

    def allowed(self, remaining: bytes) -> NDArray[np.int64]:
        """List the token ids whose bytes start with `remaining` or are a proper prefix of it.

        Args:
            remaining: The bytes still to be given, at least one.
        """
        known = self._known.get(remaining)
        if known is not None:
            return known
        keys = self._keys
        spans = [range(bisect_left(keys, remaining), self._end(remaining))]
        for size in range(1, len(remaining)):
            part = remaining[:size]
            first = bisect_left(keys, part)
            last = first
            while last < len(keys) and keys[last] == part:
                last += 1
            spans.append(range(first, last))
        ids = np.concatenate([self._order[span.start : span.stop] for span in spans])
        if len(self._known) >= 256:
            self._known.clear()
        self._known[remaining] = ids
        return ids

    def _end(self, prefix: bytes) -> int:
        """Find the first key behind those that start with `prefix`."""
        above = prefix
        while above and above[-1] == 0xFF:
            above = above[:-1]
        if not above:
            return len(self._keys)
        return bisect_left(self._keys, above[:-1] + bytes([above[-1] + 1]))
