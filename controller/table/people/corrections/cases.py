"""What a person's word about a card comes to: which card of which round it is, and the round told anew."""

from dataclasses import dataclass

from controller.cards import Card
from controller.games.layout import Turn
from controller.round import CardOut, Event, Round
from controller.round.replay import Laid, goes, retell
from controller.table.errors import NotAllowed
from controller.table.people.corrections import ended_rounds
from controller.table.people.corrections.replay import Remade, exchanged, inserted
from controller.table.people.corrections.sentences import place
from controller.table.record.events import Supervisor
from controller.table.record.notes import RoundEnded
from controller.table.state.table_state import Stray, TableState


@dataclass(frozen=True, slots=True)
class Case:
    """One card of a round, `ended` or in play; `says` tells in a sentence what is put right."""

    number: int
    ended: RoundEnded | None
    old: str
    """What it was read as; empty for a card that came late."""
    card: str
    says: str
    remade: Remade


def misread(state: TableState, said: Supervisor) -> Case:
    """A card was read as another one. Raises NotAllowed."""
    ended = None if said.round in {0, state.number} else ended_rounds.named(state, said.round)
    begun, events = ended_rounds.told(ended) if ended else _in_play(state)
    laid = Laid(said.seat, said.hand, said.number)
    at = _at(begun, events, laid)
    _check(state, said, events[at], of_this_shoe=_of_this_shoe(state, said, at))
    remade = exchanged(begun, events, at, Card(said.card or ""))
    if remade.unhides:
        raise NotAllowed("the dealer's face-down card would be another one: void the round")
    says = f"card {said.card} of {place(laid)} was read as {said.old}"
    return Case(said.round or state.number, ended, said.old, said.card or "", says, remade)


def late(state: TableState, said: Supervisor, stray: Stray) -> Case:
    """The card that waits is for a hand that had its turn: it came when that hand last could take one. Who
    sees it there names it: what the shoe read of it may lie face down. Raises NotAllowed."""
    if not said.card:
        raise NotAllowed(f"card {stray.count} is not due there: name it, to see what it would change")
    begun, events = _in_play(state)
    moments, hand = list(goes(begun.anew(), events)), Turn(said.seat, said.hand - 1)
    laid = Laid(said.seat, said.hand, 1)
    if hand not in moments:
        raise NotAllowed(f"{place(laid)} could take no card in this round: burn it or void the round")
    at = len(moments) - 1 - moments[::-1].index(hand)
    card = Card(said.card)
    remade = inserted(begun, events, at, card)
    if remade.unhides:
        raise NotAllowed("the dealer's face-down card would be another one: burn the card or void the round")
    return Case(state.number, None, "", card, f"card {card} came late to {place(laid)}", remade)


def _in_play(state: TableState) -> tuple[Round, tuple[Event, ...]]:
    if not state.underway:
        raise NotAllowed("no round is in play: name the number of one that has ended")
    return state.round.anew(), tuple(state.course.events)


def _at(begun: Round, events: tuple[Event, ...], laid: Laid) -> int:
    """At which place of the events the card came that lies there."""
    told = retell(begun.anew(), events)
    found = told.laid.get(laid)
    if found is not None:
        return found
    if laid.seat == 0 and told.hidden is not None:
        raise NotAllowed("the dealer's other card lies face down: it is put right once it is turned")
    cards = max((one.card for one in told.laid if (one.seat, one.hand) == (laid.seat, laid.hand)), default=0)
    raise NotAllowed(f"there is no card {laid.card} of {place(laid)}; it has {cards or 'none'}")


def _check(state: TableState, said: Supervisor, event: Event, *, of_this_shoe: bool) -> None:
    if not said.card or not isinstance(event, CardOut):
        raise NotAllowed("which card it is has to be named")
    if event.card != said.old:
        raise NotAllowed(f"that card was read as {event.card}, not as {said.old}")
    if said.card == said.old:
        raise NotAllowed(f"that card was read as {said.old} already: there is nothing to put right")
    if of_this_shoe and (impossible := state.ledger.impossible(said.card)):
        raise NotAllowed(f"it cannot be that card: {impossible}")


def _of_this_shoe(state: TableState, said: Supervisor, at: int) -> bool:
    if said.round in {0, state.number}:
        return at >= state.course.older
    return said.round >= state.ledger.since
