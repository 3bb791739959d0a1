"""A table's state to tell things to, and what to ask of it."""

from collections.abc import Iterable
from typing import Self

from controller.cards import DECK
from controller.table.apply import apply, begin
from controller.table.console import prompt
from controller.table.events import Choice, DeviceRunning, Input, Supervisor
from controller.table.lamps import lamps
from controller.table.notes import Note
from controller.table.state import TableState
from drivers.messages import (
    EventBody,
)
from drivers.protocol.codes import Lamp
from tests.controller.table.script import Script


class Told:
    """A table and the script that it is told."""

    def __init__(self, game: str = "easy-jack", **options: object) -> None:
        self.script = Script(game, options={"burn_cards": 0, **options})
        self.begin()

    def begin(self) -> None:
        """A table that nothing has happened to, by the script's rules."""
        self.state = begin(self.script.started())
        self.tell(*self.script.opening(), self.script.loaded(self.state.game.options.decks))

    @classmethod
    def of(cls, state: TableState, script: Script) -> Self:
        """A table that others tell things to."""
        told = cls.__new__(cls)
        told.state, told.script = state, script
        return told

    def tell(self, *events: Input) -> list[Note]:
        return [note for event in events for note in apply(self.state, event)]

    def shoe(self, body: EventBody) -> list[Note]:
        return self.tell(self.script.event("shoe", body))

    def say(self, choice: Choice, card: str | None = None) -> list[Note]:
        return self.tell(Supervisor(choice, "Ann", "seen", card))

    def deal(self, cards: str = "5h 7d Kc") -> None:
        """Seats 1 and 2 are in."""
        script = self.script
        self.tell(script.bet(1), script.bet(2), script.key("close"), *script.cards_out(cards))

    def restart(self) -> None:
        """The daemon starts again, by what the script's rules are now; all devices come back."""
        self.tell(self.script.started())
        for device in self.script.devices:
            self.tell(self.script.up(device), DeviceRunning(device))

    def play(self, tokens: str) -> list[Note]:
        """Cards ("9h"), keys ("close", "1:double=300"), chips ("1:main=500"; "1:main=" takes them)."""
        return [note for token in tokens.split() for note in self.tell(self.event(token))]

    @property
    def prompt(self) -> str:
        return prompt(self.state)[0]

    def event(self, token: str) -> Input:
        """What devices report of one token of `play`."""
        seat, _, said = token.rpartition(":")
        word, given, amount = said.partition("=")
        if not seat and word in DECK:
            return self.script.card(word)
        if word in self.state.game.spots:
            spot = self.state.game.spots.index(word)
            return (
                self.script.bet(int(seat), spot, int(amount)) if amount else self.script.take(int(seat), spot)
            )
        return self.script.key(word, int(seat or 0), int(amount) if given else 0)


def of(kind: type[Note], notes: Iterable[Note]) -> list[Note]:
    return [note for note in notes if isinstance(note, kind)]


def lamp(state: TableState, seat: int, spot: int = 0) -> Lamp:
    return Lamp(lamps(state)[6 * (seat - 1) + spot])
