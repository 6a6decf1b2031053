"""What is in stock, and what of it is reserved for orders."""

from __future__ import annotations

from dataclasses import dataclass

from shop.money import Money


class UnknownItem(Exception):
    """No item has this SKU."""


class OutOfStock(Exception):
    """Fewer pieces are available than were asked for."""


@dataclass
class Item:
    """One kind of thing on the shelves."""

    sku: str
    name: str
    price: Money
    quantity: int = 0
    reserved: int = 0

    @property
    def available(self) -> int:
        """Pieces that can still be sold."""
        return self.quantity - self.reserved


class Inventory:
    """Items by SKU; every change of the stock goes through here."""

    def __init__(self) -> None:
        self._items: dict[str, Item] = {}

    def add(self, item: Item) -> None:
        """Put a new kind of item on the shelves."""
        if item.sku in self._items:
            raise ValueError(f"{item.sku} is there already")
        self._items[item.sku] = item

    def restock(self, sku: str, quantity: int) -> None:
        """Add pieces of an item that is known."""
        if quantity <= 0:
            raise ValueError("quantity must be positive")
        item = self._items.get(sku)
        if item is None:
            raise UnknownItem(sku)
        item.quantity += quantity

    def reserve(self, sku: str, quantity: int) -> Money:
        """Set pieces aside for an order and return what they cost."""
        if quantity <= 0:
            raise ValueError("quantity must be positive")
        item = self._items.get(sku)
        if item is None:
            raise UnknownItem(sku)
        if item.available < quantity:
            raise OutOfStock(sku)
        item.reserved += quantity
        return item.price * quantity

    def release(self, sku: str, quantity: int) -> None:
        """Give back pieces that were reserved for an order that was cancelled."""
        if quantity <= 0:
            raise ValueError("quantity must be positive")
        item = self._items.get(sku)
        if item is None:
            rai

    def total_value(self) -> Money:
        """What all pieces on the shelves cost together."""
        total = Money(0)
        for item in self._items.values():
            total += item.price * item.quantity
        return total
