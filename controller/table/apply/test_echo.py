"""What devices report while the table is tested: it is told, and nothing follows from it.

Cards have their own place (card_reports): one that left is out, whatever it was for.
"""

from collections.abc import Callable
from typing import Any

from controller.money import text
from controller.table.state.table_state import TableState
from controller.table.state.test_session import Testing
from drivers.messages import (
    CardDrawn,
    CardInterrupted,
    CardUnpermitted,
    CardUnreadable,
    EventBody,
    Key,
    Wager,
)


def echo(state: TableState, event: EventBody | bytes) -> bool:
    """Whether an event is of the test alone, and goes no further."""
    testing, taker = state.testing, TAKERS.get(type(event))
    if testing is None or taker is None:
        return False
    state.suspension.testing = taker(testing, event)
    return type(event) in OURS


def _key(testing: Testing, key: Key) -> Testing:
    seat = f", seat {key.seat}" if key.seat else ""
    cents = f", {text(key.cents)}" if key.cents else ""
    return testing.forward().touched(f"Key {key.action}{seat}{cents}")


def _wager(testing: Testing, wager: Wager) -> Testing:
    cents = wager.cents if wager.present else None
    worth = "none" if cents is None else text(cents) if cents else "of unknown worth"
    told = f"Chips on {testing.where(wager.seat, wager.spot)}: {worth}"
    return testing.lay(wager.seat, wager.spot, cents).touched(told)


def _card(testing: Testing, card: CardDrawn | CardUnreadable | CardUnpermitted | CardInterrupted) -> Testing:
    return testing.touched(f"Card {card.count} left the shoe: it is out, and a supervisor says where it goes")


OURS = frozenset({Key, Wager})
TAKERS: dict[type, Callable[[Testing, Any], Testing]] = {
    Key: _key,
    Wager: _wager,
    CardDrawn: _card,
    CardUnreadable: _card,
    CardUnpermitted: _card,
    CardInterrupted: _card,
}
