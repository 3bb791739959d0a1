"""The round: events in, commands out."""

from controller.round.events import (
    CardOut,
    Command,
    Event,
    EventRefused,
    Jackpot,
    Key,
    Peeked,
    Revealed,
    Settled,
    Void,
    Wager,
    WagerAlert,
)
from controller.round.keys import AmountRange, KeyPress
from controller.round.round import DealerHand, Round
from controller.round.state import Due

__all__ = [
    "AmountRange",
    "CardOut",
    "Command",
    "DealerHand",
    "Due",
    "Event",
    "EventRefused",
    "Jackpot",
    "Key",
    "KeyPress",
    "Peeked",
    "Revealed",
    "Round",
    "Settled",
    "Void",
    "Wager",
    "WagerAlert",
]
