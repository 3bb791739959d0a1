"""A round by hand: short words for events."""

from typing import Any

from controller.cards import Card
from controller.games import open_game
from controller.round import CardOut, Command, Key, Round, Wager


def opened(seats: int = 7, burn: int = 0, **options: Any) -> Round:
    return Round(open_game("easy-jack", options), seats=seats, burn=burn)


def bet(played: Round, seat: int, main: int | None = 1000, dealer_bust: int | None = None) -> None:
    played.handle(Wager(seat, "main", True, main))
    if dealer_bust is not None:
        played.handle(Wager(seat, "dealer-bust", True, dealer_bust))


def run(played: Round, tokens: str) -> tuple[Command, ...]:
    """Cards ("9s"), keys of a seat ("1:stand"), keys of the table ("close")."""
    return tuple(command for token in tokens.split() for command in played.handle(_event(token)))


def _event(token: str) -> CardOut | Key:
    if len(token) == 2:
        return CardOut(Card(token))
    seat, _, action = token.rpartition(":")
    return Key(action, int(seat or 0))
