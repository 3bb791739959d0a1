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

DEALER_KINDS = frozenset({"disk", "sensor", "unplayed"})
"""Kinds of standing alerts that the dealer's prompt shows between rounds."""
LOAD = "Load the shoe"
CLOSE = "close"
REREAD = "Suspended: put card {} through the shoe once more, and nothing else"
SHUFFLER_PROMPTS: dict[ShufflerStage, str] = {
    # what a table that needs a new shoe waits for; any other stage: for the dealer
    "asked": "Wait for the shuffler",
    "shuffling": "Wait for the shuffler: shuffling",
    "checking": "Wait for the shuffler: checking the pack",
    "ready": "Wait for the shuffler",
    "ejecting": "Wait for the shuffler",
    "refused": "Take the wrong pack out of the shuffler",
    "stopped": "The shuffler was stopped: clear it",
}


def prompt(state: TableState) -> tuple[str, int]:
    """The one thing that is due now, at most 120 bytes, and its seat (0: the dealer's own). A claim that the
    dealer has not confirmed comes before what is due in play."""
    if state.suspension:
        return _short(_suspended(state)), 0
    text, seat = _due(state)
    if claim := oldest_unconfirmed(state):
        return _short(announcement(claim.number, claim.seat, claim.cents) + text), claim.seat
    return _short(text), seat


def presses(state: TableState) -> tuple[KeyPress, ...]:
    """What may be pressed now, and for which seats."""
    if loaded_by_key(state):
        return CLOSES
    return () if state.halted or frozen_spot(state)[0] else state.round.key_presses


def keys(state: TableState) -> frozenset[str]:
    """The keys that are legal now."""
    return frozenset(press.action for press in presses(state))


def loaded_by_key(state: TableState) -> bool:
    """The dealer says with a key that the shoe was loaded."""
    return state.awaits_loading and _shoe_wanted(state).startswith(LOAD)


def key_lamps(state: TableState) -> int:
    """The legal keys as a mask: bit n for codes.KEYS[n]; in test mode those of the lamp test."""
    if state.testing:
        return state.testing.key_lamps
    return sum(_BIT[key] for key in keys(state))


def permit(state: TableState) -> int:
    """Up to which count of the shoe cards may leave; 0: none may."""
    due = 1 if reread_due(state) else 0 if state.halted else state.round.cards_due
    return state.devices["shoe"].cards + due if due else 0


def reread_due(state: TableState) -> bool:
    """A card that waits is to go through the shoe once more, and may."""
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
    """The first condition about which the dealer can do something; empty if there is none."""
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
    """What was wrong with the pack that locks the shoe."""
    return f": {state.cycle.rejected}" if state.cycle.stage == "refused" and state.cycle.rejected else ""


def _load(state: TableState) -> str:
    """What a commercial shoe told of is compared with what is left in it: more cards may have gone."""
    if not state.awaits_loading:
        return LOAD
    ledger = state.ledger
    left = f" ({52 * ledger.decks - ledger.out} cards must be left of the last)" if ledger.out else ""
    return f"{LOAD}{left}, then press {CLOSE}"


def _short(text: str) -> str:
    return text.encode()[:MOST_BYTES].decode(errors="ignore")
