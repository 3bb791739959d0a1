"""Burning and dealing: cards go where the rules send them, without a key."""

from controller.cards import Card
from controller.games.game import Dealt
from controller.games.layout import Turn
from controller.round.prompts import BurnCards, DealCards
from controller.round.state import DEALER, DealPosition, Due, State, hand, put_hands


def deal_positions(state: State) -> tuple[DealPosition, ...]:
    """Where the first cards go, in order."""
    seats = tuple(map(DealPosition, state.layout.seats))
    return tuple(place for step in state.game.deal for place in (DEALT.get(step) or seats))


def burn_due(state: State) -> Due:
    return Due(BurnCards(state.burn))


def burns(state: State) -> int:
    return state.burn


def burn(state: State, _card: Card) -> None:
    """Takes one burn card off; nobody knows which card it was."""
    state.burn -= 1


def deal_due(state: State) -> Due:
    return Due(DealCards(len(state.deal)), state.deal[0].seat)


def deals(state: State) -> int:
    return len(state.deal)


def deal(state: State, card: Card) -> None:
    """Puts the card at the next position of the deal."""
    place, state.deal = state.deal[0], state.deal[1:]
    if place.seat != DEALER:
        at = Turn(place.seat, 0)
        put_hands(state, at, hand(state, at).take(card))
    elif place.up:
        state.layout.up = card
    else:
        state.layout.hole = card


def card_target(state: State) -> Turn:
    return Turn(state.deal[0].seat, 0)


DEALT: dict[Dealt, tuple[DealPosition, ...]] = {
    "dealer up": (DealPosition(DEALER, up=True),),
    "dealer down": (DealPosition(DEALER, up=False),),
}
