"""Amounts in the chips of the table, as the dealer counts them out."""

from collections import Counter
from collections.abc import Iterable

from controller.currency import Breakdown, Exchange, breakdown, colour_up
from controller.table.record.views import TableView


def in_chips(view: TableView, cents: int | None) -> Breakdown | None:
    """The fewest chips of an amount; None if nobody knows the amount, if it is 0, or if the table has no
    chips."""
    return breakdown(view.chips, cents) if cents and view.chips else None


def colour_up_of(view: TableView, amounts: Iterable[int | None]) -> Exchange | None:
    """The chips that can be changed into fewer ones where these amounts lie together, each in the fewest
    chips; None if there are none, or if nobody knows an amount."""
    held: Counter[int] = Counter()
    for cents in amounts:
        if cents is None:
            return None
        for one in breakdown(view.chips, cents).counts:
            held[one.chip.value] += one.count
    return colour_up(view.chips, held)
