"""What the dealer's console and the shoe's lock show, as functions of the table's state."""

from controller.round import KeyPress
from controller.round.keys import CLOSE as CLOSES
from controller.table.apply.claims import announcement, frozen_spot, oldest_unconfirmed
from controller.table.record.causes import kind_of
from controller.table.state.shuffler_cycle import ShufflerStage
from controller.table.state.table_state import TableState
from controller.table.view import test_mode
from drivers.protocol.codes import KEYS

MOST_BYTES = 120
_BIT = {key: 1 << place for place, key in enumerate(KEYS)}

DEALER_KINDS = frozenset({"disk", "linked", "sensor", "socket", "unplayed"})
"""Kinds of standing alerts that the dealer's prompt shows between rounds: the dealer can do something about
them, or no page can show them."""
LOAD = "Load the shoe"
CLOSE = "close"
REREAD = "Suspended: put card {} through the shoe once more, and nothing else"
SHUFFLER_PROMPTS: dict[ShufflerStage, str] = {
    # what a table without a loaded shoe waits for; in any other stage it waits for the dealer
    "asked": "Wait for the shuffler",
    "shuffling": "Wait for the shuffler: shuffling",
    "checking": "Wait for the shuffler: checking the pack",
    "ready": "Wait for the shuffler",
    "ejecting": "Wait for the shuffler",
    "refused": "Take the wrong pack out of the shuffler",
    "stopped": "The shuffler was stopped: clear it",
}


def prompt(state: TableState) -> tuple[str, int]:
    """The prompt for what is due now, at most 120 bytes, and its seat (0 for the dealer). A claim that the
    dealer has not confirmed comes before what is due in play."""
    if state.suspension:
        return _short(_suspended(state)), 0
    text, seat = _due(state)
    if claim := oldest_unconfirmed(state):
        return _short(announcement(claim.number, claim.seat, claim.amount) + text), claim.seat
    return _short(text), seat


def presses(state: TableState) -> tuple[KeyPress, ...]:
    """The legal key presses, with the seats that they are for."""
    if loaded_by_key(state):
        return CLOSES
    return () if state.halted or frozen_spot(state)[0] else state.round.key_presses


def keys(state: TableState) -> frozenset[str]:
    """The keys that are legal now."""
    return frozenset(press.action for press in presses(state))


def loaded_by_key(state: TableState) -> bool:
    """Whether the dealer now has to confirm with a key that the shoe is loaded."""
    return state.awaits_loading and _shoe_wanted(state).startswith(LOAD)


def key_lamps(state: TableState) -> int:
    """The legal keys, in test mode those of the lamp test, as a mask: bit n for codes.KEYS[n]."""
    if state.testing:
        return state.testing.key_lamps
    return sum(_BIT[key] for key in keys(state))


def permit(state: TableState) -> int:
    """The count of the shoe up to which it may release cards; 0 if it may release none."""
    due = 1 if reread_due(state) else 0 if state.halted else state.round.cards_due
    return state.devices["shoe"].cards + due if due else 0


def reread_due(state: TableState) -> bool:
    """Whether the waiting card has to go through the shoe once more now. It must wait while play is suspended
    for a reason that ends by itself, and in test mode."""
    waits = bool(state.unplaced) and state.unplaced[0].again
    return waits and not state.suspension.passing and not state.testing


def _due(state: TableState) -> tuple[str, int]:
    """What is due in play."""
    if state.halted:
        return _shoe_wanted(state), 0
    stuck, seat = frozen_spot(state)
    if stuck:
        return stuck, seat
    due = state.round.due
    alert = "" if state.underway else _standing_alert(state)
    return f"{due.text}. {alert}" if alert else due.text, due.seat


def _standing_alert(state: TableState) -> str:
    """The first standing alert for the dealer; empty if there is none."""
    texts = (text for about, text in state.standing.items() if kind_of(about) in DEALER_KINDS)
    return next(texts, "")


def _suspended(state: TableState) -> str:
    if state.testing:
        return test_mode.prompt(state.testing)
    if reread_due(state):
        return REREAD.format(state.unplaced[0].count)
    return f"Suspended: {state.suspension.reasons[0]}"


def _shoe_wanted(state: TableState) -> str:
    if "shuffler" not in state.devices or state.cycle.pack_out:
        return _load(state)
    says = SHUFFLER_PROMPTS.get(state.cycle.stage) or _load(state)
    return f"{says}{_pack_fault(state)}"


def _pack_fault(state: TableState) -> str:
    """The faults of the wrong pack that keeps the shoe locked, after a colon; else empty."""
    return f": {state.cycle.rejected}" if state.cycle.stage == "refused" and state.cycle.rejected else ""


def _load(state: TableState) -> str:
    """The prompt to load the shoe. If a key confirms the loading, it gives the number of cards that must be
    left of the last shoe, so that the dealer can detect cards that left it unreported."""
    if not state.awaits_loading:
        return LOAD
    ledger = state.ledger
    left = f" ({52 * ledger.decks - ledger.out} cards must be left of the last)" if ledger.out else ""
    return f"{LOAD}{left}, then press {CLOSE}"


def _short(text: str) -> str:
    return text.encode()[:MOST_BYTES].decode(errors="ignore")
