"""Burning and dealing: cards go where the rules send them, without a key."""

from controller.cards import Card
from controller.games.layout import Hand, Turn
from controller.round.state import DEALER, Due, State, hand, put_hand


def burn_due(state: State) -> Due:
    """How many cards to burn."""
    return Due(f"Burn {_cards(state.burn)}")


def burns(state: State) -> int:
    """Cards to burn."""
    return state.burn


def burn(state: State, _card: Card) -> None:
    """One card less to burn; nobody knows which it was."""
    state.burn -= 1


def deal_due(state: State) -> Due:
    """How many cards to deal, and whose is next."""
    return Due(f"Deal {_cards(len(state.deal))}", state.deal[0])


def deals(state: State) -> int:
    """Cards of the deal that are still to come."""
    return len(state.deal)


def deal(state: State, card: Card) -> None:
    """The card goes to the next place of the deal."""
    place, *rest = state.deal
    state.deal = tuple(rest)
    if place == DEALER:
        state.layout.dealer += (card,)
    else:
        at = Turn(place, 0)
        put_hand(state, at, Hand((*hand(state, at).cards, card)))


def _cards(count: int) -> str:
    return f"{count} card{'s' * (count != 1)}"
