"""The round: events in, commands out."""

from controller.round.commands import Alert, Command, Peeked, Revealed, Settled
from controller.round.events import CardOut, Event, Jackpot, Key, Refused, Void, Wager
from controller.round.round import DealerHand, Round
from controller.round.state import Due

__all__ = [
    "Alert", "CardOut", "Command", "DealerHand", "Due", "Event", "Jackpot", "Key", "Peeked", "Refused",
    "Revealed", "Round", "Settled", "Void", "Wager",
]  # fmt: skip
