"""The shoe was loaded: as it should be, with another number of decks, or in the middle of a round."""

from controller.table import shoe_end
from controller.table.state import TableState


def loaded(state: TableState, decks: int) -> None:
    """The shoe holds so many decks of fresh cards; what does not fit suspends."""
    wanted = state.coming_game.options.decks
    state.lift("empty")
    if decks != wanted:
        state.cycle.loaded()
        state.suspend("decks", f"The shoe was loaded with {decks} decks: load {wanted}")
        return
    state.lift("decks")
    shoe_end.load(state)
    if state.underway:
        state.suspend("loaded", f"The shoe was loaded in the middle of round {state.number}", lasting=True)
    else:
        state.begin_round()
