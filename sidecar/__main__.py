"""`python -m sidecar`: the same command as `sidecar`."""

from __future__ import annotations

import sys

from sidecar.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
