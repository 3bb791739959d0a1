"""What a supervisor's decisions do. Each decision is stored for good, with its author and reason; none can be
undone."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from controller.games.layout import Turn
from controller.money import text
from controller.round import Refused, Void
from controller.table.apply import jackpots, play
from controller.table.apply.claims import named
from controller.table.errors import NotAllowed
from controller.table.people.corrections.cases import late, misread
from controller.table.people.corrections.correction import accept, preview
from controller.table.people.corrections.sentences import paid, wagered
from controller.table.people.corrections.undo import preview as foresee_undo
from controller.table.people.corrections.undo import take_back
from controller.table.people.tokens import ended
from controller.table.record.events import Supervisor
from controller.table.record.notes import Cleared
from controller.table.record.preview import Change, Preview
from controller.table.state.table_state import Stray, TableState

CABINET = "table"
"""The computer of the table, among the devices that somebody may open."""
SAY = "say burn, card, assign, reread or void"


def decide(state: TableState, said: Supervisor) -> None:
    """Apply a supervisor's decision. Raises NotAllowed without having changed anything."""
    _check_round(state, said)
    DECISIONS[said.choice](state, said)
    play.settle_strays(state)


def foresee(state: TableState, said: Supervisor) -> Preview:
    """What the decision would do. Raises NotAllowed, also for a choice that does nothing at the table."""
    seen = PREVIEWS.get(said.choice)
    if seen is None:
        raise NotAllowed(f"{said.choice} has no preview; allowed: {', '.join(PREVIEWS)}")
    _check_round(state, said)
    return seen(state, said)


def _check_round(state: TableState, said: Supervisor) -> None:
    """Raises NotAllowed if the decision names a round that is not in play. A correction may name any
    round."""
    if said.choice == "correct" or said.round in {0, state.number}:
        return
    became = ended(state, said.round) if said.round < state.number else f"Round {said.round} has not begun"
    raise NotAllowed(f"{became}; this is round {state.number}")


def _burn(state: TableState, _said: Supervisor) -> None:
    _waiting(state)
    play.count(state, play.take_stray(state), "burned")


def _card(state: TableState, said: Supervisor) -> None:
    card = _named(said, _waiting(state))
    _check_due(state)
    play.take_stray(state)
    play.put(state, card)


def _assign(state: TableState, said: Supervisor) -> None:
    stray = _waiting(state)
    if _goes_there(state, said):
        _card(state, said)
    else:
        accept(state, said, late(state, said, stray))
        play.take_stray(state)


def _reread(state: TableState, _said: Supervisor) -> None:
    state.strays[0] = replace(_unread_again(state), again=True)


def _correct(state: TableState, said: Supervisor) -> None:
    accept(state, said, misread(state, said))


def _void(state: TableState, said: Supervisor) -> None:
    unburned = state.round.cards_due if state.round.phase == "burning" else 0
    jackpots.check_movable(state, said.who, said.second)
    try:
        commands = state.tell(Void(said.who, said.why))
    except Refused as refused:
        raise NotAllowed(refused.reason) from refused
    state.burn = state.burn or unburned
    while state.strays:
        card = play.take_stray(state)
        play.count(state, card, "burned" if card else "unread")
    _clear(state)
    why = f"Round {state.number} is void: {said.why}"
    jackpots.put_back(state, why, said.who, said.second)
    play.follow(state, commands)


def _resume(state: TableState, _said: Supervisor) -> None:
    _check_resumable(state)
    _clear(state)


def _reload(state: TableState, _said: Supervisor) -> None:
    state.end_shoe()


def _entry(state: TableState, said: Supervisor) -> None:
    """Nothing but the record: who opens which device, and why."""
    if said.device not in {CABINET, *state.devices}:
        known = ", ".join((CABINET, *state.devices))
        raise NotAllowed(f"device = {said.device!r}: not allowed; allowed: {known}")


DECISIONS: dict[str, Callable[[TableState, Supervisor], None]] = {
    "burn": _burn,
    "card": _card,
    "assign": _assign,
    "reread": _reread,
    "correct": _correct,
    "void": _void,
    "undo": take_back,
    "resume": _resume,
    "reload": _reload,
    "entry": _entry,
}


def _foresee_assign(state: TableState, said: Supervisor) -> Preview:
    stray = _waiting(state)
    if _goes_there(state, said):
        return Preview((f"Card {stray.count} is due there",))
    return preview(state, late(state, said, stray))


def _foresee_burn(state: TableState, _said: Supervisor) -> Preview:
    stray = _waiting(state)
    return Preview((f"Card {stray.count} is burned", f"Why it waits: {stray.why}"))


def _foresee_card(state: TableState, said: Supervisor) -> Preview:
    """Shows neither the card that the shoe read nor the card that is named for it: it may lie face down."""
    stray = _waiting(state)
    _named(said, stray)
    _check_due(state)
    return Preview((f"Card {stray.count} goes where the next card is due: {state.round.due.text}",))


def _foresee_reread(state: TableState, _said: Supervisor) -> Preview:
    return Preview((f"Card {_unread_again(state).count} goes through the shoe once more",))


def _foresee_correct(state: TableState, said: Supervisor) -> Preview:
    return preview(state, misread(state, said))


def _foresee_resume(state: TableState, _said: Supervisor) -> Preview:
    _check_resumable(state)
    ends = (f"No longer stops play: {why}" for why in state.suspension.lasting.values())
    held = (f"The {device} is tried again" for device in sorted(state.unread | state.suspension.held))
    return Preview((*ends, *held) or ("Nothing waits for a person's decision",))


def _foresee_reload(state: TableState, _said: Supervisor) -> Preview:
    told = "The cards of this shoe serve no further round"
    after = f"Round {state.number} goes to its end first" if state.underway else "A fresh shoe is wanted now"
    return Preview((told, after))


def _foresee_void(state: TableState, _said: Supervisor) -> Preview:
    """What lies face down is in none of it."""
    if paid(state.round):
        raise NotAllowed(f"it is too late to void: {state.round.due.text}")
    told = [f"Every wager of round {state.number} is given back", *_given_back(state)]
    told += [f"Card {stray.count} that waits counts as out" for stray in state.strays]
    for claim in state.register.of_round(state.number):
        told.append(f"Claim {claim.number} of seat {claim.seat}, {text(claim.cents)}, is void with it")
    back = (Change(named(spot), *_back(state, spot)) for spot in jackpots.moved(state))
    return Preview(tuple(told), tuple(back), by_two=jackpots.takes_two(state))


def _given_back(state: TableState) -> Iterator[str]:
    """What each seat gets back, and the total."""
    by_seat: dict[int, dict[str, int | None]] = {}
    for (seat, spot), cents in wagered(state.round).items():
        by_seat.setdefault(seat, {})[spot] = cents
    for seat, on in by_seat.items():
        each = ", ".join(f"{_cents(cents)} of {spot}" for spot, cents in on.items())
        yield f"Seat {seat} gets back {_amount(on.values())}: {each}"
    if by_seat:
        yield f"In all {_amount(cents for on in by_seat.values() for cents in on.values())}"


def _amount(amounts: Iterable[int | None]) -> str:
    """A sum; the text names chips that no sensor could value."""
    every = list(amounts)
    known = text(sum(cents for cents in every if cents is not None))
    return f"{known} and {_cents(None)}" if None in every else known


def _cents(cents: int | None) -> str:
    return "chips of unknown worth" if cents is None else text(cents)


PREVIEWS: dict[str, Callable[[TableState, Supervisor], Preview]] = {
    "burn": _foresee_burn,
    "card": _foresee_card,
    "assign": _foresee_assign,
    "reread": _foresee_reread,
    "correct": _foresee_correct,
    "void": _foresee_void,
    "undo": foresee_undo,
    "resume": _foresee_resume,
    "reload": _foresee_reload,
}


def _back(state: TableState, spot: str) -> tuple[str, str]:
    """What a jackpot shows, and what it shows once the round in play has not moved it."""
    return text(state.meters[spot].cents), text(state.unmoved[spot].cents)


def _goes_there(state: TableState, said: Supervisor) -> bool:
    return state.round.card_goes == Turn(said.seat, said.hand - 1)


def _named(said: Supervisor, stray: Stray) -> str:
    """Which card it is."""
    card = said.card or stray.card
    if not card:
        raise NotAllowed(f"card {stray.count} could not be read: name it")
    return card


def _waiting(state: TableState) -> Stray:
    if not state.strays:
        raise NotAllowed("no card waits for a decision")
    return state.strays[0]


def _check_due(state: TableState) -> None:
    if not state.round.cards_due:
        raise NotAllowed(f"no card is due: {state.round.due.text}; burn it or void the round")


def _unread_again(state: TableState) -> Stray:
    """The card that waits, unless it is already on its way through the shoe again."""
    stray = _waiting(state)
    if stray.again:
        raise NotAllowed(f"card {stray.count} is to go through the shoe already")
    return stray


def _check_resumable(state: TableState) -> None:
    if state.strays:
        raise NotAllowed(f"card {state.strays[0].count} waits: {SAY}")


def _clear(state: TableState) -> None:
    """A person has seen every lasting reason, and says that devices may serve again."""
    if state.suspension.lasting.pop("pack", ""):
        state.cycle.rejected = ""
    state.suspension.lasting.clear()
    state.notes.extend(Cleared(device) for device in sorted(state.unread | state.suspension.held))
    state.unread.clear()
