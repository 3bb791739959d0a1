"""What each of a supervisor's choices does at the table, what a preview of it shows, and when it is offered.

A decision is stored for good, with its author and reason; none can be undone. The texts and fields of the
choices are in record/choices.py.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from controller.games.layout import Turn
from controller.money import text
from controller.round import CardOut, EventRefused, Jackpot, Key, Void
from controller.table.apply import jackpots, linked_levels, play
from controller.table.apply.claims import jackpot_name
from controller.table.errors import NeedsSecondPerson, NotAllowed
from controller.table.people.corrections.cases import late, misread
from controller.table.people.corrections.correction import apply_correction, preview_correction
from controller.table.people.corrections.sentences import paid_seats, wagers_by_spot
from controller.table.people.corrections.undo import preview_undo, undo_key
from controller.table.people.tokens import round_outcome
from controller.table.record.choices import CHOICE_NAMES, CHOICES, ChoiceName
from controller.table.record.events import Supervisor
from controller.table.record.notes import Cleared
from controller.table.record.preview import Change, Preview
from controller.table.record.views import HIDDEN
from controller.table.state.table_state import TableState, UnplacedCard
from controller.text.characters import same_name

CABINET = "table"
"""The computer of the table, among the devices that somebody may open."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One choice at the table. `apply` and `preview` raise NotAllowed without having changed anything."""

    offered: Callable[[TableState], bool]
    """Whether a page offers the choice now."""
    apply: Callable[[TableState, Supervisor], None]
    preview: Callable[[TableState, Supervisor], Preview] | None = None
    """None: the choice changes nothing at the table."""


def decide(state: TableState, decision: Supervisor) -> None:
    """Apply a supervisor's decision. Raises NotAllowed without having changed anything."""
    _check_round(state, decision)
    RULES[decision.choice].apply(state, decision)
    play.place_waiting_cards(state)


def preview_decision(state: TableState, decision: Supervisor) -> Preview:
    """What the decision would do. Raises NotAllowed, also for a choice that does nothing at the table."""
    predict = RULES[decision.choice].preview
    if predict is None:
        allowed = ", ".join(name for name in CHOICE_NAMES if RULES[name].preview)
        raise NotAllowed(f"{decision.choice} has no preview; allowed: {allowed}")
    _check_round(state, decision)
    return predict(state, decision)


def offered_choices(state: TableState) -> tuple[ChoiceName, ...]:
    """The choices that a page offers now, in the order of the table of choices; none in test mode."""
    if state.testing:
        return ()
    return tuple(name for name in CHOICES if RULES[name].offered(state))


def _check_round(state: TableState, decision: Supervisor) -> None:
    """Raises NotAllowed if the decision names a round that is not in play. A correction may name any
    round."""
    if decision.choice == "correct" or decision.round in {0, state.number}:
        return
    became = (
        round_outcome(state, decision.round)
        if decision.round < state.number
        else f"Round {decision.round} has not begun"
    )
    raise NotAllowed(f"{became}; this is round {state.number}")


def _card_waits(state: TableState) -> bool:
    return bool(state.unplaced)


def _burn(state: TableState, _decision: Supervisor) -> None:
    _waiting_card(state)
    play.count_card(state, play.take_waiting_card(state), "burned")


def _preview_burn(state: TableState, _decision: Supervisor) -> Preview:
    stray = _waiting_card(state)
    return Preview((f"Card {stray.count} is burned", f"Why it waits: {stray.why}"))


def _card_is_due(state: TableState) -> bool:
    return bool(state.unplaced and state.round.cards_due)


def _card(state: TableState, decision: Supervisor) -> None:
    card = _card_name(decision, _waiting_card(state))
    _check_due(state)
    play.take_waiting_card(state)
    play.place_card(state, card)


def _preview_card(state: TableState, decision: Supervisor) -> Preview:
    """Shows neither the card that the shoe read nor the card that is named for it: it may lie face down."""
    stray = _waiting_card(state)
    _card_name(decision, stray)
    _check_due(state)
    return Preview((f"Card {stray.count} goes where the next card is due: {state.round.due.text}",))


def _assign_offered(state: TableState) -> bool:
    return bool(state.unplaced) and state.underway


def _assign(state: TableState, decision: Supervisor) -> None:
    stray = _waiting_card(state)
    if _is_due_there(state, decision):
        _card(state, decision)
    else:
        apply_correction(state, decision, late(state, decision, stray))
        play.take_waiting_card(state)


def _preview_assign(state: TableState, decision: Supervisor) -> Preview:
    stray = _waiting_card(state)
    if _is_due_there(state, decision):
        return Preview((f"Card {stray.count} is due there",))
    return preview_correction(state, late(state, decision, stray))


def _reread_offered(state: TableState) -> bool:
    return bool(state.unplaced) and not state.unplaced[0].again


def _reread(state: TableState, _decision: Supervisor) -> None:
    state.unplaced[0] = replace(_rereadable_card(state), again=True)


def _preview_reread(state: TableState, _decision: Supervisor) -> Preview:
    return Preview((f"Card {_rereadable_card(state).count} goes through the shoe once more",))


def _correct_offered(state: TableState) -> bool:
    """A visible card lies on the table, or lay there in an ended round that counts."""
    played = (hand.cards for seat in state.round.seats.values() for hand in seat.hands)
    visible = any(card != HIDDEN for cards in (state.round.dealer.cards, *played) for card in cards)
    return (state.underway and visible) or any(ended.round.outcome != "void" for ended in state.ended_rounds)


def _correct(state: TableState, decision: Supervisor) -> None:
    apply_correction(state, decision, misread(state, decision))


def _preview_correct(state: TableState, decision: Supervisor) -> Preview:
    return preview_correction(state, misread(state, decision))


def _undo_offered(state: TableState) -> bool:
    """The last event of the round is a key that has fed no jackpot."""
    events = [event for event in state.round_log.events if not isinstance(event, Jackpot)]
    fed = jackpots.moved_spots(state) and not any(isinstance(event, CardOut) for event in events)
    pressed = bool(events) and isinstance(events[-1], Key)
    return state.underway and pressed and not state.unplaced and not fed


def _void_offered(state: TableState) -> bool:
    return state.underway and not paid_seats(state.round)


def _void(state: TableState, decision: Supervisor) -> None:
    unburned = state.round.cards_due if state.round.phase == "burning" else 0
    jackpots.check_movable(state, decision.who, decision.second)
    try:
        commands = state.apply_to_round(Void(decision.who, decision.why))
    except EventRefused as refused:
        raise NotAllowed(refused.reason) from refused
    state.burn = state.burn or unburned
    while state.unplaced:
        card = play.take_waiting_card(state)
        play.count_card(state, card, "burned" if card else "unread")
    _clear(state)
    why = f"Round {state.number} is void: {decision.why}"
    jackpots.take_back_moves(state, why, decision.who, decision.second)
    play.apply_commands(state, commands)


def _preview_void(state: TableState, _decision: Supervisor) -> Preview:
    """Says nothing about the face-down card."""
    if paid_seats(state.round):
        raise NotAllowed(f"it is too late to void: {state.round.due.text}")
    sentences = [f"Every wager of round {state.number} is given back", *_refunds(state)]
    sentences += [f"Card {stray.count} that waits counts as out" for stray in state.unplaced]
    for claim in state.register.of_round(state.number):
        amount = text(claim.cents) if claim.decided else "not decided yet"
        sentences.append(f"Claim {claim.number} of seat {claim.seat}, {amount}, is void with it")
    for spot in linked_levels.moved_spots(state):
        sentences.append(f"The linked jackpot of {spot} loses what the wagers of this round brought")
    back = tuple(_moved_back(state, spot) for spot in jackpots.moved_meters(state))
    return Preview(tuple(sentences), back, by_two=jackpots.needs_two(state))


def _refunds(state: TableState) -> Iterator[str]:
    by_seat: dict[int, dict[str, int | None]] = {}
    for (seat, spot), cents in wagers_by_spot(state.round).items():
        by_seat.setdefault(seat, {})[spot] = cents
    for seat, on in by_seat.items():
        each = ", ".join(f"{_amount_of_chips(cents)} from {spot}" for spot, cents in on.items())
        amount = _amount(on.values())
        yield f"Seat {seat} gets back {amount}: {each}"
    if by_seat:
        amount = _amount(cents for on in by_seat.values() for cents in on.values())
        yield f"In all {amount}"


def _amount(amounts: Iterable[int | None]) -> str:
    """The sum in words; chips that no sensor could value are mentioned."""
    every = list(amounts)
    amount = text(sum(cents for cents in every if cents is not None))
    return f"{amount} and chips of unknown worth" if None in every else amount


def _amount_of_chips(cents: int | None) -> str:
    return "chips of unknown worth" if cents is None else text(cents)


def _moved_back(state: TableState, spot: str) -> Change:
    """A jackpot gets the amount that it had before the round in play moved it."""
    now, before = state.meters[spot], state.meters_before[spot]
    return Change(jackpot_name(spot), text(now.cents), text(before.cents), amounts=True)


def _resume_offered(state: TableState) -> bool:
    suspension = state.suspension
    return bool(suspension.lasting or suspension.held_devices) and not state.unplaced


def _resume(state: TableState, _decision: Supervisor) -> None:
    _check_resumable(state)
    _clear(state)


def _preview_resume(state: TableState, _decision: Supervisor) -> Preview:
    _check_resumable(state)
    ends = (f"No longer stops play: {why}" for why in state.suspension.lasting.values())
    held = (
        f"The {device} is tried again"
        for device in sorted(state.unread_devices | state.suspension.held_devices)
    )
    return Preview((*ends, *held) or ("Nothing waits for a person's decision",))


def _clear(state: TableState) -> None:
    """Remove every lasting reason, and let held devices serve again."""
    if state.suspension.lasting.pop("pack", ""):
        state.cycle.rejected = ""
    state.suspension.lasting.clear()
    state.notes.extend(
        Cleared(device) for device in sorted(state.unread_devices | state.suspension.held_devices)
    )
    state.unread_devices.clear()


def _reload_offered(state: TableState) -> bool:
    return not state.cut_out and not state.shoe_wanted


def _reload(state: TableState, _decision: Supervisor) -> None:
    state.end_shoe()


def _preview_reload(state: TableState, _decision: Supervisor) -> Preview:
    scope = "The cards of this shoe serve no further round"
    after = f"Round {state.number} goes to its end first" if state.underway else "A fresh shoe is wanted now"
    return Preview((scope, after))


def _relink_offered(state: TableState) -> bool:
    return bool(linked_levels.conflicts(state))


def _relink(state: TableState, decision: Supervisor) -> None:
    _check_conflict(state)
    if not decision.second.strip() or same_name(decision.who, decision.second):
        raise NeedsSecondPerson(
            f"second = {decision.second!r}: not allowed; allowed: another person than {decision.who}"
        )
    linked_levels.clear_conflicts(state)


def _preview_relink(state: TableState, _decision: Supervisor) -> Preview:
    found = _check_conflict(state)
    return Preview(tuple(f"{level}: {why}" for level, why in found.items()), by_two=True)


def _check_conflict(state: TableState) -> Mapping[str, str]:
    found = linked_levels.conflicts(state)
    if not found:
        raise NotAllowed("no linked jackpot contradicts itself")
    return found


def _never(_state: TableState) -> bool:
    return False


def _entry(state: TableState, decision: Supervisor) -> None:
    """Only checks the device: the journal records the rest."""
    if decision.device not in {CABINET, *state.devices}:
        allowed = ", ".join((CABINET, *state.devices))
        raise NotAllowed(f"device = {decision.device!r}: not allowed; allowed: {allowed}")


RULES: Mapping[ChoiceName, Rule] = MappingProxyType(
    {
        "burn": Rule(_card_waits, _burn, _preview_burn),
        "card": Rule(_card_is_due, _card, _preview_card),
        "assign": Rule(_assign_offered, _assign, _preview_assign),
        "reread": Rule(_reread_offered, _reread, _preview_reread),
        "correct": Rule(_correct_offered, _correct, _preview_correct),
        "void": Rule(_void_offered, _void, _preview_void),
        "undo": Rule(_undo_offered, undo_key, preview_undo),
        "resume": Rule(_resume_offered, _resume, _preview_resume),
        "reload": Rule(_reload_offered, _reload, _preview_reload),
        "relink": Rule(_relink_offered, _relink, _preview_relink),
        "entry": Rule(_never, _entry),
    }
)
"""Every choice. A page always offers `entry`, which does not depend on the table."""


def _is_due_there(state: TableState, decision: Supervisor) -> bool:
    return state.round.card_target == Turn(decision.seat, decision.hand - 1)


def _card_name(decision: Supervisor, stray: UnplacedCard) -> str:
    """The card that the decision names, else the card that the shoe has read."""
    card = decision.card or stray.card
    if not card:
        raise NotAllowed(f"card {stray.count} could not be read: name it")
    return card


def _waiting_card(state: TableState) -> UnplacedCard:
    if not state.unplaced:
        raise NotAllowed("no card waits for a decision")
    return state.unplaced[0]


def _check_due(state: TableState) -> None:
    if not state.round.cards_due:
        raise NotAllowed(f"no card is due: {state.round.due.text}; burn it or void the round")


def _rereadable_card(state: TableState) -> UnplacedCard:
    """The card that waits, unless it is already on its way through the shoe again."""
    stray = _waiting_card(state)
    if stray.again:
        raise NotAllowed(f"card {stray.count} is to go through the shoe already")
    return stray


def _check_resumable(state: TableState) -> None:
    if state.unplaced:
        raise NotAllowed(f"card {state.unplaced[0].count} waits: choose {_choices_for_card()}")


def _choices_for_card() -> str:
    """ "burn, card or void": the choices that can place a waiting card."""
    *names, last = (name for name in CHOICE_NAMES if "card" in CHOICES[name].fits)
    return f"{', '.join(names)} or {last}"
