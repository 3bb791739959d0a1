"""The round: events in, commands out."""

from controller.round.events import (
    Alert,
    CardOut,
    Command,
    Event,
    Jackpot,
    Key,
    Peeked,
    Refused,
    Revealed,
    Settled,
    Void,
    Wager,
)
from controller.round.keys import Amount, Press
from controller.round.round import DealerHand, Round
from controller.round.state import Due

__all__ = [
    "Alert", "Amount", "CardOut", "Command", "DealerHand", "Due", "Event", "Jackpot", "Key", "Peeked",
    "Press", "Refused", "Revealed", "Round", "Settled", "Void", "Wager",
]  # fmt: skip
