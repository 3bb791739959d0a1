"""Before the peek: insurance and even money, until the dealer closes or every seat has decided."""

from collections.abc import Iterator

from controller.games.bets.insurance import Forbidden
from controller.games.layout import Turn
from controller.round.events import EventRefused, Key
from controller.round.keys import CLOSE, AmountRange, KeyPress
from controller.round.prompts import OfferInsurance
from controller.round.state import Due, State, hand, put_hands


def due(state: State) -> Due:
    offers = state.game.insures(state.layout)
    insurance, even_money = (
        tuple(seat for seat, keys in offers.items() if key in keys) for key in ("insurance", "even-money")
    )
    return Due(OfferInsurance(insurance or None, even_money or None))


def key_presses(state: State) -> tuple[KeyPress, ...]:
    return (*_even_money_key_presses(state), *_insurance_key_presses(state), *CLOSE)


def handle_key(state: State, key: Key) -> None:
    """Insurance or even money for a seat, or the end of the window."""
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
    """One entry per seat, because amounts differ. A seat whose half wager rounds down to nothing has none."""
    chip = state.game.options.chip
    for seat, keys in state.game.insures(state.layout).items():
        if "insurance" in keys and _insures(state, seat, None):
            usual = state.game.insurance(state.layout, seat, None)
            least = chip if usual is None or _insures(state, seat, chip) else usual
            yield KeyPress("insurance", (seat,), AmountRange(usual, least, usual, chip))


def _insures(state: State, seat: int, cents: int | None) -> bool:
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
