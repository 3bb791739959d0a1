"""Playing: seats in order, hands of a seat in order; a card while the hand may hit is the hit."""

from controller.cards import Card
from controller.games.layout import Hand, Turn
from controller.round.events import Key, Refused
from controller.round.state import Due, State, hand, put_hand, turn


def due(state: State) -> Due:
    """Whose turn it is and what may be chosen."""
    at = _active(state)
    held = hand(state, at)
    total = f"{_news(state)}Seat {at.seat} has {state.game.total(held.cards)}"
    if held.choice == "hit":
        return Due(f"{total} and hits: draw a card", at.seat)
    return Due(f"{total}: {' or '.join(sorted(keys(state)))}", at.seat)


def keys(state: State) -> frozenset[str]:
    """What the active hand may choose; nothing while it waits for its card."""
    at = _active(state)
    return frozenset() if hand(state, at).choice else state.game.choices(state.layout, at)


def hits(state: State) -> int:
    """One card while the active hand may hit."""
    at = _active(state)
    return int(hand(state, at).choice == "hit" or "hit" in state.game.choices(state.layout, at))


def hit(state: State, card: Card) -> None:
    """The active hand takes the card."""
    at = _active(state)
    put_hand(state, at, Hand((*hand(state, at).cards, card)))


def choose(state: State, key: Key) -> None:
    """The dealer says what the active hand does."""
    at = _active(state)
    if key.seat != at.seat:
        raise Refused(f"{key.action} for seat {key.seat}, but it is seat {at.seat}'s turn")
    if key.action not in keys(state):
        raise Refused(f"{key.action} is not possible: {due(state).text}")
    put_hand(state, at, Hand(hand(state, at).cards, key.action))


def _active(state: State) -> Turn:
    at = turn(state)
    if at is None:
        raise AssertionError("nobody is to act, yet the round is playing")
    return at


def _news(state: State) -> str:
    """Told until somebody acts: the peek found nothing, or the round would not be playing."""
    dealt = state.game.deal.count("seats")
    seats = state.layout.seats.values()
    fresh = all(len(held.cards) == dealt and not held.choice for seat in seats for held in seat.hands)
    return "No natural. " if fresh and state.game.peeks(state.layout) else ""
