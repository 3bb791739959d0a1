"""Before the peek: insurance and even money, until the dealer closes or nobody is left to ask."""

from controller.games.layout import Turn
from controller.round.events import Key, Refused
from controller.round.state import CLOSE, Due, State, hand, put_hands

WORDS = {"insurance": "Insurance", "even-money": "Even money"}


def due(state: State) -> Due:
    """Who may still take what."""
    offers = state.game.insures(state.layout)
    asked = [
        f"{word}: seat{'s' * (len(seats) > 1)} {' '.join(map(str, seats))}"
        for key, word in WORDS.items()
        if (seats := [seat for seat, keys in offers.items() if key in keys])
    ]
    return Due(f"{'. '.join(asked)}. Close when done")


def keys(state: State) -> frozenset[str]:
    """What some seat may take, and closing."""
    return CLOSE.union(*state.game.insures(state.layout).values())


def take(state: State, key: Key) -> None:
    """A seat takes insurance or even money, or the window is done."""
    if key.action == "close":
        return
    if key.action not in state.game.insures(state.layout).get(key.seat, ()):
        raise Refused(f"{key.action} is not possible for seat {key.seat}: {due(state).text}")
    TAKES[key.action](state, key)


def _insurance(state: State, key: Key) -> None:
    cents = state.game.insurance(state.layout, key.seat, key.cents)
    seats = state.layout.seats
    seats[key.seat] = seats[key.seat].wager("insurance", cents)


def _even_money(state: State, key: Key) -> None:
    at = Turn(key.seat, 0)
    put_hands(state, at, hand(state, at).choose("even-money"))


TAKES = {"insurance": _insurance, "even-money": _even_money}
