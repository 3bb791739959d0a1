"""The shoe was loaded: as it should be, with another number of decks, or in the middle of a round."""

from controller.table import shoe_end
from controller.table.causes import cause
from controller.table.state import TableState


def loaded(state: TableState, decks: int) -> None:
    """The shoe holds so many decks of fresh cards; what does not fit suspends."""
    wanted = state.coming_game.options.decks
    state.lift(cause("empty"))
    if decks != wanted:
        state.cycle.loaded()
        state.suspend(cause("decks"), f"The shoe was loaded with {decks} decks: load {wanted}")
        return
    state.lift(cause("decks"))
    shoe_end.load(state)
    if state.underway:
        why = f"The shoe was loaded in the middle of round {state.number}"
        state.suspend(cause("loaded"), why, lasting=True)
    else:
        state.begin_round()
