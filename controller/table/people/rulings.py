"""What a supervisor may say now, and which of it fits the reason why play stands still."""

from collections.abc import Callable, Iterator

from controller.round import CardOut, Jackpot, Key
from controller.table.apply import jackpots
from controller.table.people.corrections.sentences import paid_seats
from controller.table.record.causes import kind_of
from controller.table.record.views import HIDDEN, ReasonView, RulingView, WaitingView
from controller.table.state.table_state import TableState


def ruling(state: TableState) -> RulingView:
    """As the table would take it."""
    return RulingView(tuple(_reasons(state)), _waiting(state), choices(state))


def choices(state: TableState) -> tuple[str, ...]:
    """Those that mean something now, told with what they need; a jackpot may ask more of some. In test mode
    none does."""
    if state.testing:
        return ()
    return tuple(choice for choice, may in ALLOWED.items() if may(state))


def _reasons(state: TableState) -> Iterator[ReasonView]:
    may = choices(state)
    if state.suspension.testing:
        yield ReasonView(state.suspension.reasons[0], passes=True, choices=())
    for about, text in state.suspension.lasting.items():
        yield ReasonView(text, passes=False, choices=_fitting(about, may))
    for about, text in state.suspension.passing.items():
        fitting = _fitting(about, may) if kind_of(about) == "held" else ()
        yield ReasonView(text, passes=True, choices=fitting)


def _fitting(about: str, may: tuple[str, ...]) -> tuple[str, ...]:
    fits = FITTING.get(kind_of(about), COMPARED)
    return tuple(choice for choice in fits if choice in may)


def _waiting(state: TableState) -> WaitingView | None:
    if not state.unplaced:
        return None
    stray = state.unplaced[0]
    return WaitingView(stray.count, not stray.card, bool(state.round.cards_due))


def _waits(state: TableState) -> bool:
    return bool(state.unplaced)


def _due(state: TableState) -> bool:
    return bool(state.unplaced and state.round.cards_due)


def _rereads(state: TableState) -> bool:
    return bool(state.unplaced) and not state.unplaced[0].again


def _assigns(state: TableState) -> bool:
    return bool(state.unplaced) and state.underway


def _corrects(state: TableState) -> bool:
    """A card that anybody could have seen lies on the table, or lay there in a round that counts."""
    played = (hand.cards for seat in state.round.seats.values() for hand in seat.hands)
    visible = any(card != HIDDEN for cards in (state.round.dealer.cards, *played) for card in cards)
    return (state.underway and visible) or any(ended.round.outcome != "void" for ended in state.ended_rounds)


def _undoes(state: TableState) -> bool:
    """A key was the last thing that happened in the round, and has fed no jackpot."""
    events = [event for event in state.round_log.events if not isinstance(event, Jackpot)]
    fed = jackpots.moved_spots(state) and not any(isinstance(event, CardOut) for event in events)
    pressed = bool(events) and isinstance(events[-1], Key)
    return state.underway and pressed and not state.unplaced and not fed


def _voids(state: TableState) -> bool:
    return state.underway and not paid_seats(state.round)


def _resumes(state: TableState) -> bool:
    suspension = state.suspension
    return bool(suspension.lasting or suspension.held_devices) and not state.unplaced


def _reloads(state: TableState) -> bool:
    return not state.cut_out and not state.shoe_wanted


ALLOWED: dict[str, Callable[[TableState], bool]] = {
    "card": _due,
    "assign": _assigns,
    "reread": _rereads,
    "burn": _waits,
    "correct": _corrects,
    "undo": _undoes,
    "resume": _resumes,
    "reload": _reloads,
    "void": _voids,
}
"""By choice, where there is something to be said with it."""

COMPARED = ("resume", "void")
FITTING: dict[str, tuple[str, ...]] = {
    "card": ("card", "assign", "reread", "burn", "void"),
    "ledger": ("correct", "resume", "void"),
    "pack": ("resume", "reload"),
    "held": ("resume",),
    "loaded": ("resume", "reload", "void"),
}
"""By what a reason is about, what a person may make of it. Of any other: they have compared the table with
the page, and it is right, or the round is void."""
