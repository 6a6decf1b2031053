"""Orders: lines of items that are reserved together or not at all."""

from __future__ import annotations

from dataclasses import dataclass, field

from shop.inventory import Inventory, OutOfStock, UnknownItem
from shop.money import ZERO, Money


@dataclass
class Order:
    """What one customer wants; `lines` maps a SKU to a number of pieces."""

    customer: str
    lines: dict[str, int] = field(default_factory=dict)
    total: Money = ZERO


def place(order: Order, inventory: Inventory) -> Order:
    """Reserve every line of an order, or give back what was reserved so far."""
    reserved: list[tuple[str, int]] = []
    for sku, quantity in order.lines.items():
        try:
            order.total += inventory.reserve(sku, quantity)
        except (OutOfStock, UnknownItem):
            for done_sku, done_quantity in reserved:
                inventory.release(done_sku, done_quantity)
            raise
        reserved.append((sku, quantity))
    return order
