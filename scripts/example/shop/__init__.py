"""A small shop: prices, stock and orders. The example that `scripts/demo` completes."""
