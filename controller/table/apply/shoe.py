"""The shoe is loaded: whether the pack is right, and what became of the cards of the shoe before."""

from controller.table.record.causes import cause
from controller.table.record.notes import ShoeEnded
from controller.table.state.shuffler_cycle import VOUCH
from controller.table.state.table_state import TableState


def load_fresh_cards(state: TableState) -> None:
    """Fresh cards are in the shoe. After a wrong pack, a supervisor has to vouch for a pack that the shuffler
    has not counted."""
    ended = account_for_cards(state)
    vouched = state.cycle.vouched
    state.cycle.shoe_loaded()
    state.fresh_shoe()
    state.ledger.count_at_load = state.devices["shoe"].cards
    if ended is not None:
        state.ledger.last_shoe = account_text(ended)
        state.notes.append(ended)
        if not ended.balanced:
            state.alert(
                cause("balance"), f"The cards of the last shoe do not add up. {state.ledger.last_shoe}"
            )
    if state.cycle.rejected and not vouched:
        state.suspend(cause("pack"), f"{VOUCH} {state.cycle.rejected}", lasting=True)
    else:
        state.cycle.rejected = ""


def account_for_cards(state: TableState) -> ShoeEnded | None:
    """What became of the shoe's cards; None if no card has left it."""
    ledger, waiting = state.ledger, len(state.unplaced)
    if not ledger.out and not waiting:
        return None
    gone = _cards_out(state, ledger.out + waiting)
    dealt, burned, unread = (ledger.fates[fate] for fate in ("dealt", "burned", "unread"))
    seen = {card: count for card, count in sorted(ledger.seen.items()) if count}
    whole = 52 * ledger.decks
    balanced = dealt + burned + unread + waiting == gone <= whole and ledger.out == dealt + burned + unread
    return ShoeEnded(
        ledger.decks, dealt, burned, unread, waiting, whole - gone, seen, ledger.unseen, balanced
    )


def account_text(ended: ShoeEnded) -> str:
    """What became of a shoe's cards, in words."""
    waiting = f", {ended.waiting} without a place" if ended.waiting else ""
    return (
        f"Of {52 * ended.decks} cards {ended.dealt} were dealt, {ended.burned} burned, {ended.unread} never "
        f"read{waiting}, {ended.left} left behind"
    )


def _cards_out(state: TableState, ours: int) -> int:
    """How many cards left, by the shoe's own count if the journal has it."""
    before = state.ledger.count_at_load
    return ours if before is None else state.devices["shoe"].cards - before


def shoe_loaded(state: TableState, decks: int) -> None:
    """The shoe reports fresh cards. Play is suspended if their number or the time is wrong."""
    wanted = state.coming_game.options.decks
    state.lift(cause("empty"))
    if decks != wanted:
        state.cycle.shoe_loaded()
        state.suspend(cause("decks"), f"The shoe was loaded with {decks} decks: load {wanted}")
        return
    state.lift(cause("decks"))
    load_fresh_cards(state)
    if state.underway:
        why = f"The shoe was loaded in the middle of round {state.number}"
        state.suspend(cause("loaded"), why, lasting=True)
    else:
        state.begin_round()
