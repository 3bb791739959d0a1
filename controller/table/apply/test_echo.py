"""What devices report in test mode is shown, and has no other effect.

Except for cards: a card that left the shoe is out, also in test mode (cards.py).
"""

from collections.abc import Callable
from typing import Any

from controller.money import text
from controller.table.state.table_state import TableState
from controller.table.state.test_session import DeviceTest
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
    testing, taker = state.testing, ECHOES.get(type(event))
    if testing is None or taker is None:
        return False
    state.suspension.testing = taker(testing, event)
    return type(event) in TEST_ONLY


def _key(testing: DeviceTest, key: Key) -> DeviceTest:
    pressed = f"Key {key.action}, seat {key.seat}" if key.seat else f"Key {key.action}"
    sentence = f"{pressed}, with {text(key.cents)}" if key.cents else pressed
    return testing.next_step().with_echo(sentence)


def _wager(testing: DeviceTest, wager: Wager) -> DeviceTest:
    cents = wager.cents if wager.present else None
    amount = "none" if cents is None else text(cents) if cents else "of unknown worth"
    sentence = f"Chips on {testing.spot_name(wager.seat, wager.spot)}: {amount}"
    return testing.with_chips(wager.seat, wager.spot, cents).with_echo(sentence)


def _card(
    testing: DeviceTest, card: CardDrawn | CardUnreadable | CardUnpermitted | CardInterrupted
) -> DeviceTest:
    return testing.with_echo(
        f"Card {card.count} left the shoe: it is out, and a supervisor says where it goes"
    )


TEST_ONLY = frozenset({Key, Wager})
ECHOES: dict[type, Callable[[DeviceTest, Any], DeviceTest]] = {
    Key: _key,
    Wager: _wager,
    CardDrawn: _card,
    CardUnreadable: _card,
    CardUnpermitted: _card,
    CardInterrupted: _card,
}
