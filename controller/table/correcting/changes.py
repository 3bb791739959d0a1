"""What would be different in a round that is told anew, side by side."""

from collections.abc import Iterator

from controller.cards import FACE_DOWN, Card
from controller.games.game import Game
from controller.games.layout import Hand, Settlement
from controller.money import text
from controller.round import Round
from controller.table.correcting.remade import Remade
from controller.table.preview import Change

DEALER = "Dealer"


def changes(remade: Remade) -> tuple[Change, ...]:
    """Hands and settled wagers that would be others."""
    before, after = _table(remade.old.round), _table(remade.shown.round)
    if remade.secret:
        after = dict(_hands(remade.shown.round))
        after[DEALER] = _unturned(remade)
    return beside(before, after)


def beside(before: dict[str, str], after: dict[str, str]) -> tuple[Change, ...]:
    """What is not the same, in the order in which it is told."""
    return tuple(
        Change(about, before.get(about, ""), after.get(about, ""))
        for about in dict.fromkeys((*before, *after))
        if before.get(about) != after.get(about)
    )


def line(settled: Settlement) -> tuple[str, str]:
    """A settled wager: which, and what became of it."""
    pays = f" {settled.pays}" if settled.pays else ""
    paid = "" if settled.paid is None else f", {text(settled.paid)}"
    about = f"Seat {settled.seat}, hand {settled.hand}, {settled.wager}"
    return about, f"{settled.outcome}{pays}{paid}: {settled.reason}"


def _table(played: Round) -> dict[str, str]:
    return dict([*_hands(played), _dealer(played), *map(line, played.settlements)])


def _hands(played: Round) -> Iterator[tuple[str, str]]:
    for number, seat in played.seats.items():
        for place, hand in enumerate(seat.hands, 1):
            if hand.cards:
                yield f"Seat {number}, hand {place}", _hand(played.game, hand)


def _unturned(remade: Remade) -> str:
    """The up-card, where the game has one, and the card that lies face down still."""
    up = remade.shown.round.dealer.cards[: len(remade.old.round.dealer.cards) - 1]
    return " ".join((*up, FACE_DOWN))


def _hand(game: Game, hand: Hand) -> str:
    label = game.label(hand)
    return f"{' '.join(hand.cards)}: {game.total(hand.cards)}{f', {label}' * bool(label)}"


def _dealer(played: Round) -> tuple[str, str]:
    dealer = played.dealer
    if dealer.total is None:
        return DEALER, " ".join(dealer.cards)
    return DEALER, _hand(played.game, Hand(tuple(map(Card, dealer.cards))))
