"""Random rounds that stop somewhere, with one card that was misread."""

from collections import deque
from copy import copy
from dataclasses import replace
from random import Random

from controller.cards import DECK
from controller.jackpot import Register
from controller.round import CardOut, Event, Round, Wager
from controller.round.replay import CardPosition, replay
from controller.table.people.consequences import consequences
from controller.table.record.events import DeviceEvent, Input, Supervisor
from controller.table.record.notes import Note, Refusal, Suspended
from controller.table.state.shift import Shift
from controller.table.state.table_state import TableState
from controller.table.state_machine import begin
from drivers.messages import CardDrawn
from tests.fixtures.crewed_table import ENOUGH, CrewedTable
from tests.fixtures.state_table import StateTable, everything, of_kind


class PausedTable(CrewedTable):
    """A random round that stops after some events, with latched wagers; `stops` 0: once it is settled."""

    def __init__(self, game: str, seed: int, stops: int = 0) -> None:
        self.inputs: list[Input] = []
        super().__init__(game, seed)
        self.crew.round = self.state.round
        self.apply(*map(self.reported, self.crew.wagers()))
        while not self.state.underway:
            self.apply(self.reported(self.crew.sensible()))
        for _ in range(stops or ENOUGH):
            if self.stops():
                break
            self.apply(self.reported(self.crew.sensible()))

    def stops(self) -> bool:
        return self.state.round.phase == "paying"

    def apply(self, *events: Input) -> list[Note]:
        self.inputs += events
        return super().apply(*events)

    def visible(self) -> dict[CardPosition, int]:
        """The places of all open cards, and the events with which they came."""
        return replay(self.state.round.fresh(), self.state.round_log.events).positions

    def misread(self, seed: int) -> Supervisor | None:
        """A correction of some open card; None where there is none."""
        chance, cards = Random(seed), sorted(self.visible().items())
        if not cards:
            return None
        (laid, at), old = chance.choice(cards), self.state.ledger.decks
        event = self.state.round_log.events[at]
        assert isinstance(event, CardOut)
        new = chance.choice([card for card in DECK if card != event.card and self.out[card] < old])
        return Supervisor("correct", "Ann", "seen", new, "Bob", laid.seat, laid.hand, laid.card, event.card)

    def accept(self, said: Supervisor) -> list[Note]:
        """Takes the correction with the token of its preview."""
        return self.apply(replace(said, token=consequences(self.state, said).token))

    def with_card(self, said: Supervisor) -> "StateTable | None":
        """A table at which the right card was read at once; None where something else is not allowed then."""
        at = self.visible()[CardPosition(said.seat, said.hand, said.number)]
        before = sum(isinstance(event, CardOut) for event in self.state.round_log.events[:at])
        drawn = [place for place, event in enumerate(self.inputs) if is_card(event)][before]
        other = StateTable.of(begin(self.script.started()), self.script)
        for place, event in enumerate(self.inputs):
            notes = other.apply(exchanged(event, said.card) if place == drawn else event)
            if of_kind(Refusal, notes) or (of_kind(Suspended, notes) and other.state.unplaced):
                return None
        return other


def is_card(event: Input) -> bool:
    return isinstance(event, DeviceEvent) and isinstance(event.body, CardDrawn)


def exchanged(event: Input, card: str | None) -> Input:
    assert isinstance(event, DeviceEvent)
    assert isinstance(event.body, CardDrawn)
    assert card
    return replace(event, body=replace(event.body, card=card))


def same(one: Round, other: Round) -> bool:
    """Whether two rounds are in the same state."""
    return (one.phase, one.due, one.seats, one.dealer, one.settlements, one.unpaid) == (
        other.phase,
        other.due,
        other.seats,
        other.dealer,
        other.settlements,
        other.unpaid,
    )


def essence(state: TableState) -> str:
    """A state without its history: sentences, claims that became void, and events without effect, such as
    chips outside a window."""
    kept: list[Event] = [event for event in state.round_log.events if not isinstance(event, Wager)]
    state = copy(state)
    state.alerts, state.shift = deque(), Shift()
    state.round_log = replace(state.round_log, events=kept, hole_index=None, corrections=())
    claims = [replace(claim, number=0) for claim in state.register.claims if claim.state != "void"]
    state.register = Register(0, tuple(claims))
    return everything(state)
