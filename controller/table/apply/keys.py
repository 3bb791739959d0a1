"""A key of the dealer, from any console."""

from controller.round import EventRefused, Key
from controller.table.apply import chips, claims, jackpots, play, shoe
from controller.table.record.events import ConsoleKey
from controller.table.state.table_state import TableState
from controller.table.view.console import CLOSE, loaded_by_key
from controller.text.characters import folded_name


def press_key(state: TableState, key: Key) -> None:
    """Raises EventRefused before anything has changed."""
    if key.action == CLOSE and loaded_by_key(state):
        shoe.shoe_loaded(state, state.coming_game.options.decks)
        return
    if state.halted:
        raise EventRefused(state.suspension.reasons[0] if state.suspension else "load the shoe first")
    before = state.round.phase
    if key.action == CLOSE and (frozen := claims.frozen_spot(state)[0]):
        raise EventRefused(frozen)
    commands = state.apply_to_round(key)
    if before == "betting":
        state.burn = 0  # the round in play has them now
        jackpots.feed_meters(state)
        chips.betting_closed(state)
    play.apply_commands(state, commands)


def check_round(state: TableState, key: ConsoleKey) -> None:
    """Raises EventRefused for a key from a screen that showed another round."""
    if key.round in {0, state.number}:
        return
    outcome = next((one.outcome for one in state.ended_views if one.number == key.round), "")
    became = {"void": "is void", "settled": "has ended"}.get(outcome, "is not in play")
    raise EventRefused(f"round {key.round} {became}: {key.action} was pressed too late")


def press_id(key: ConsoleKey) -> str:
    """The screen's identifier of this press, distinct for each person; empty if the screen gave none."""
    return f"{folded_name(key.who)} {key.press}" if key.press else ""
