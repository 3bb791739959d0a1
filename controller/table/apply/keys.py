"""A key of the dealer's, whichever console it was pressed on."""

from controller.round import Key, Refused
from controller.table.apply import chips, claims, jackpots, play, shoe
from controller.table.record.events import ConsoleKey
from controller.table.state.table_state import TableState
from controller.table.view.console import CLOSE, loaded_by_key


def press(state: TableState, key: Key) -> None:
    """The table follows it; raises Refused, and has then changed nothing."""
    if key.action == CLOSE and loaded_by_key(state):
        shoe.loaded(state, state.coming_game.options.decks)
        return
    if state.halted:
        raise Refused(state.suspension.reasons[0] if state.suspension else "load the shoe first")
    before = state.round.phase
    if key.action == CLOSE and (frozen := claims.frozen(state)[0]):
        raise Refused(frozen)
    commands = state.tell(key)
    if before == "betting":
        state.burn = 0  # the round in play has them now
        jackpots.advance(state)
        chips.when_closed(state)
    play.follow(state, commands)


def check_round(state: TableState, key: ConsoleKey) -> None:
    """Raises Refused for a key that was pressed on a screen which showed another round."""
    if key.round in {0, state.number}:
        return
    outcome = next((one.outcome for one in state.rounds if one.number == key.round), "")
    became = {"void": "is void", "settled": "has ended"}.get(outcome, "is not in play")
    raise Refused(f"round {key.round} {became}: {key.action} was pressed too late")


def named(key: ConsoleKey) -> str:
    """What a screen calls this press, told apart from those of other persons; empty: nothing."""
    return f"{key.who.strip().casefold()} {key.press}" if key.press else ""
