"""Before the peek: insurance and even money, until the dealer closes or nobody is left to ask."""

from collections.abc import Iterator

from controller.games.game import Forbidden
from controller.games.layout import Turn
from controller.round.events import EventRefused, Key
from controller.round.keys import CLOSE, AmountRange, KeyPress
from controller.round.prompts import OfferInsurance
from controller.round.state import Due, State, hand, put_hands


def due(state: State) -> Due:
    """Who may still take what."""
    offers = state.game.insures(state.layout)
    insurance, even_money = (
        tuple(seat for seat, keys in offers.items() if key in keys) for key in ("insurance", "even-money")
    )
    return Due(OfferInsurance(insurance or None, even_money or None))


def key_presses(state: State) -> tuple[KeyPress, ...]:
    """What seats may take, and closing."""
    return (*_even_money_key_presses(state), *_insurance_key_presses(state), *CLOSE)


def handle_key(state: State, key: Key) -> None:
    """A seat takes insurance or even money, or the window is done."""
    if key.action == "close":
        return
    if key.action not in state.game.insures(state.layout).get(key.seat, ()):
        raise EventRefused(f"{key.action} is not possible for seat {key.seat}: {due(state).text}")
    KEY_HANDLERS[key.action](state, key)


def _even_money_key_presses(state: State) -> Iterator[KeyPress]:
    offers = state.game.insures(state.layout)
    if seats := tuple(seat for seat, keys in offers.items() if "even-money" in keys):
        yield KeyPress("even-money", seats)


def _insurance_key_presses(state: State) -> Iterator[KeyPress]:
    """Each for another amount; none for a seat whose half wager rounds down to nothing."""
    chip = state.game.options.chip
    for seat, keys in state.game.insures(state.layout).items():
        if "insurance" in keys and _insures(state, seat, None):
            usual = state.game.insurance(state.layout, seat, None)
            least = chip if usual is None or _insures(state, seat, chip) else usual
            yield KeyPress("insurance", (seat,), AmountRange(usual, least, usual, chip))


def _insures(state: State, seat: int, cents: int | None) -> bool:
    """Whether the rules allow it for so much."""
    try:
        state.game.insurance(state.layout, seat, cents)
    except Forbidden:
        return False
    return True


def _insurance(state: State, key: Key) -> None:
    cents = state.game.insurance(state.layout, key.seat, key.cents)
    seats = state.layout.seats
    seats[key.seat] = seats[key.seat].wager("insurance", cents)


def _even_money(state: State, key: Key) -> None:
    at = Turn(key.seat, 0)
    put_hands(state, at, hand(state, at).choose("even-money"))


KEY_HANDLERS = {"insurance": _insurance, "even-money": _even_money}
