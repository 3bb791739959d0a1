"""The lines of the players' display as a function of the table's state."""

from collections.abc import Callable

from controller.money import text
from controller.table.apply.claims import PENDING
from controller.table.state.table_state import TableState
from controller.table.view import test_mode
from drivers.protocol.codes import LevelState

MOST_BYTES = 64


def display(state: TableState) -> tuple[str, str, str]:
    """Three lines of at most 64 bytes: the game, the status, and the result.

    After a jackpot win, the first line shows the table and the jackpot's new amount for the rest of the
    round, and the third line shows the winning seat and the amount until the claim is paid or void. In test
    mode the lines show that the table is being tested, or all letters and digits.
    """
    if state.testing:
        return test_mode.lines(state.testing)
    lines = (_title(state), _status(state), _won(state) or _result(state) or _closed_spots(state))
    first, second, third = (line.encode()[:MOST_BYTES].decode(errors="ignore") for line in lines)
    return first, second, third


def levels(state: TableState) -> tuple[tuple[int, LevelState], ...]:
    """For each jackpot of the game, the cents that can be won, or that were won in the round in play. A lamp
    test lights every digit."""
    if state.testing and state.testing.pattern != "none":
        return tuple((test_mode.DIGITS, LevelState.RUNS) for _ in state.game.meters)
    return tuple(_level(state, spot) for spot in state.game.meters)


def _level(state: TableState, spot: str) -> tuple[int, LevelState]:
    """A share that a linked progressive has not decided yet is pending."""
    here = [claim for claim in state.register.of_round(state.number) if claim.spot == spot]
    if here and all(claim.decided for claim in here):
        return max(claim.cents for claim in here), LevelState.WIN
    linked = LevelState.PENDING if here else LINKED.get(state.jackpot_state(spot), LevelState.RUNS)
    return state.jackpot_cents(spot), linked


LINKED: dict[str, LevelState] = {
    "pending": LevelState.PENDING,
    "lost": LevelState.LINK_LOST,
    "closed": LevelState.LINK_LOST,
}
"""How the display shows a level by its state at the table; any other one runs."""


def _title(state: TableState) -> str:
    here = state.register.of_round(state.number)
    if not here:
        return state.game.title
    bases = {
        claim.spot: state.jackpot_cents(claim.spot) if claim.level else claim.base
        for claim in here
        if not claim.level or claim.spot in state.rules.linked
    }
    return f"{state.table or state.game.title}: now {', '.join(map(text, bases.values()))}"


def _won(state: TableState) -> str:
    """The open claims, those of the round in play first, as many as fit in the line."""
    line = ""
    for claim in dict.fromkeys((*state.register.of_round(state.number), *state.register.open)):
        amount = text(claim.cents) if claim.decided else PENDING
        longer = f"{line or 'Jackpot'}, seat {claim.seat}: {amount}"
        line = longer if len(longer) <= MOST_BYTES else line
    return line


def _closed_spots(state: TableState) -> str:
    closed = [spot for spot in state.game.spots if not state.is_open(spot)]
    return f"Closed now: {', '.join(closed)}" if closed else ""


def _status(state: TableState) -> str:
    return "Please wait" if state.halted else STATUS.get(state.round.phase, _no_more_bets)(state)


def _betting(_state: TableState) -> str:
    return "Place your bets"


def _no_more_bets(_state: TableState) -> str:
    return "No more bets"


def _insurance(_state: TableState) -> str:
    return "Insurance?"


def _window(state: TableState) -> str:
    return f"{state.game.window} is open"


def _playing(state: TableState) -> str:
    seat = state.round.due.seat
    return f"Seat {seat} plays" if seat else "No more bets"


def _dealer(state: TableState) -> str:
    dealer = state.round.dealer
    if dealer.total is None:
        return "No more bets"
    return f"Dealer busts with {dealer.total}" if dealer.bust else f"Dealer has {dealer.total}"


STATUS: dict[str, Callable[[TableState], str]] = {
    "betting": _betting,
    "insuring": _insurance,
    "offering": _window,
    "playing": _playing,
    "drawing": _dealer,
    "paying": _dealer,
}


def _result(state: TableState) -> str:
    winners = sorted({line.seat for line in state.round.settlements if line.outcome == "win"})
    if winners:
        return f"Winners: seat {', '.join(map(str, winners))}"
    return "No winners" if state.round.settlements else ""
