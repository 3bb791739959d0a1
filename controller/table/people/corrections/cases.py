"""Finds the card that a decision is about, and replays its round with the change."""

from dataclasses import dataclass

from controller.cards import Card
from controller.games.layout import Turn
from controller.round import CardOut, Event, Round
from controller.round.replay import CardPosition, card_targets, replay
from controller.table.errors import NotAllowed
from controller.table.people.corrections import ended_rounds
from controller.table.people.corrections.replay import RoundComparison, with_extra_card, with_other_card
from controller.table.people.corrections.sentences import place_name
from controller.table.record.events import Supervisor
from controller.table.record.notes import RoundEnded
from controller.table.state.table_state import TableState, UnplacedCard


@dataclass(frozen=True, slots=True)
class CardCorrection:
    """One card of a round, `ended` or in play. `sentence` says what is corrected."""

    number: int
    ended: RoundEnded | None
    old: str
    """What it was read as; empty for a card that came late."""
    card: str
    sentence: str
    comparison: RoundComparison


def misread(state: TableState, decision: Supervisor) -> CardCorrection:
    """The correction of a misread card. Raises NotAllowed."""
    ended = None if decision.round in {0, state.number} else ended_rounds.find_ended(state, decision.round)
    begun, events = ended_rounds.replayable(ended) if ended else _in_play(state)
    place_of_card = CardPosition(decision.seat, decision.hand, decision.number)
    at = _at(begun, events, place_of_card)
    _check(state, decision, events[at], of_this_shoe=_of_this_shoe(state, decision, at))
    remade = with_other_card(begun, events, at, Card(decision.card or ""))
    if remade.changes_hole_card:
        raise NotAllowed("the dealer's face-down card would be another one: void the round")
    says = f"card {decision.card} of {place_name(place_of_card)} was read as {decision.old}"
    return CardCorrection(
        decision.round or state.number, ended, decision.old, decision.card or "", says, remade
    )


def late(state: TableState, decision: Supervisor, stray: UnplacedCard) -> CardCorrection:
    """The waiting card is for a hand that has had its turn: it is inserted where that hand last could take a
    card. The decision names the card, since the card that the shoe read may lie face down. Raises
    NotAllowed."""
    if not decision.card:
        raise NotAllowed(f"card {stray.count} is not due there: name it, to see what it would change")
    begun, events = _in_play(state)
    moments, hand = list(card_targets(begun.fresh(), events)), Turn(decision.seat, decision.hand - 1)
    place_of_card = CardPosition(decision.seat, decision.hand, 1)
    if hand not in moments:
        raise NotAllowed(
            f"{place_name(place_of_card)} could take no card in this round: burn it or void the round"
        )
    at = len(moments) - 1 - moments[::-1].index(hand)
    card = Card(decision.card)
    remade = with_extra_card(begun, events, at, card)
    if remade.changes_hole_card:
        raise NotAllowed("the dealer's face-down card would be another one: burn the card or void the round")
    return CardCorrection(
        state.number, None, "", card, f"card {card} came late to {place_name(place_of_card)}", remade
    )


def _in_play(state: TableState) -> tuple[Round, tuple[Event, ...]]:
    if not state.underway:
        raise NotAllowed("no round is in play: name the number of one that has ended")
    return state.round.fresh(), tuple(state.round_log.events)


def _at(begun: Round, events: tuple[Event, ...], place_of_card: CardPosition) -> int:
    """The index of the event that dealt the card at this place."""
    replayed = replay(begun.fresh(), events)
    at = replayed.positions.get(place_of_card)
    if at is not None:
        return at
    if place_of_card.seat == 0 and replayed.hidden is not None:
        raise NotAllowed("the dealer's other card lies face down: it is put right once it is turned")
    cards = max(
        (
            one.card
            for one in replayed.positions
            if (one.seat, one.hand) == (place_of_card.seat, place_of_card.hand)
        ),
        default=0,
    )
    raise NotAllowed(
        f"there is no card {place_of_card.card} of {place_name(place_of_card)}; it has {cards or 'none'}"
    )


def _check(state: TableState, decision: Supervisor, event: Event, *, of_this_shoe: bool) -> None:
    if not decision.card or not isinstance(event, CardOut):
        raise NotAllowed("which card it is has to be named")
    if event.card != decision.old:
        raise NotAllowed(f"that card was read as {event.card}, not as {decision.old}")
    if decision.card == decision.old:
        raise NotAllowed(f"that card was read as {decision.old} already: there is nothing to put right")
    if of_this_shoe and (impossible := state.ledger.overcount(decision.card)):
        raise NotAllowed(f"it cannot be that card: {impossible}")


def _of_this_shoe(state: TableState, decision: Supervisor, at: int) -> bool:
    if decision.round in {0, state.number}:
        return at >= state.round_log.before_shoe
    return decision.round >= state.ledger.first_round
