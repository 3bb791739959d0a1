"""Random plays by a crew, each with several possible face-down cards."""

from dataclasses import replace
from random import Random

from controller.cards import DECK
from controller.round import Peeked, Revealed
from controller.round.state import DealPosition
from controller.table.record.events import DeviceEvent, Input
from controller.table.record.notes import Note
from drivers.messages import CardDrawn
from tests.fixtures.crewed_table import CrewedTable
from tests.fixtures.state_table import of_kind
from tests.secrets.story import EVERY, HOLE, Act, Story

LONGEST = 60
"""Acts of a play, at most."""
DOWN = DealPosition(up=False)


def stories(game: str, seed: int, count: int) -> list[Story]:
    """One play with several cards that nobody may tell apart."""
    crew = _Writing(game, seed)
    crew.play_on()
    story = Story(crew.script.started(), crew.opening, tuple(crew.acts))
    holes = Random(seed).sample(crew.alike(), count - 1)
    return [story, *(_with(story, hole) for hole in holes)]


class _Writing(CrewedTable):
    """Records the reports until the face-down card is turned."""

    def __init__(self, game: str, seed: int) -> None:
        self.acts: list[tuple[str, Input]] = []
        self.noted: list[Note] = []
        super().__init__(game, seed)

    def begin(self) -> None:
        self.script.devices = dict(EVERY)
        super().begin()
        self.opening = tuple(event for _, event in self.acts[1:])
        self.acts.clear()

    def apply(self, *events: Input) -> list[Note]:
        notes = []
        for event in events:
            self.acts.append((HOLE if self._is_down(event) else type(event).__name__, event))
            notes += super().apply(event)
        self.noted += notes
        return notes

    def play_on(self) -> None:
        """From the first wager on."""
        self.crew.round = self.state.round
        self.apply(*map(self.reported, self.crew.wagers()))
        while len(self.acts) < LONGEST and not of_kind(Revealed, self.noted):
            self.apply(self.reported(self.crew.sensible()))

    def alike(self) -> list[str]:
        """Cards that could be there instead: where the dealer has peeked, those that would give the same
        answer."""
        layout = self.state.round._state.layout
        up = () if layout.up is None else (layout.up,)
        natural = {card: self.state.game.natural((*up, card)) for card in DECK}
        looked = bool(of_kind(Peeked, self.noted))
        there = layout.hole
        assert there is not None
        return [card for card in DECK if card != there and (natural[card] == natural[there] or not looked)]

    def _is_down(self, event: Input) -> bool:
        is_card = isinstance(event, DeviceEvent) and isinstance(event.body, CardDrawn)
        return is_card and self.state.round._state.deal[:1] == (DOWN,)


def _with(story: Story, hole: str) -> Story:
    return replace(story, acts=tuple((word, _held(word, act, hole)) for word, act in story.acts))


def _held(word: str, act: Act, hole: str) -> Act:
    if word != HOLE or not isinstance(act, DeviceEvent) or not isinstance(act.body, CardDrawn):
        return act
    return replace(act, body=CardDrawn(act.body.count, hole))
