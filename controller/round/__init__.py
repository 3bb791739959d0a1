"""The round: events in, commands out."""

from controller.round.commands import Alert, Command, Peeked, Revealed, Settled
from controller.round.events import CardOut, Event, Jackpot, Key, Refused, Void, Wager
from controller.round.press import Amount, Press
from controller.round.round import DealerHand, Round
from controller.round.state import Due

__all__ = [
    "Alert", "Amount", "CardOut", "Command", "DealerHand", "Due", "Event", "Jackpot", "Key", "Peeked",
    "Press", "Refused", "Revealed", "Round", "Settled", "Void", "Wager",
]  # fmt: skip
