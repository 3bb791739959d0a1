"""Days of play from well-shuffled shoes, with their journal and a record of every round."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random

from controller.calendar import Calendar, Period, ReportSettings
from controller.cards import DECK, Card
from controller.journal.journal import Journal
from controller.journal.signing import Signer
from controller.past.reports.making import make_report
from controller.past.reports.report import Report, ReportRequest
from controller.table.people.consequences import consequences
from controller.table.record.events import DeviceLost, DeviceRunning, Input, Supervisor
from controller.table.record.notes import Note, RoundEnded
from controller.table.state.snapshot import opening_row
from controller.table.state_machine import apply
from tests.fixtures.crewed_table import CrewedTable
from tests.fixtures.journal_table import JournalTable
from tests.fixtures.random_crew import Chance

BEGINS = 1_795_068_000.0
"""19 November 2026, 06:00 UTC."""
DAY = "2026-11-19"
HOUSE = ReportSettings()
FEW = 60
"""With fewer cards than this, a fresh shoe is loaded."""


class TimedTable(CrewedTable):
    """Its inputs carry a time."""

    at = BEGINS

    def apply(self, *events: Input) -> list[Note]:
        return [note for event in events for note in apply(self.state, event, self.at)]


class PlayedDay(JournalTable, TimedTable):
    """Seven seats; `ended` are its rounds with the times at which they ended."""

    def __init__(self, journal: Journal, game: str, seed: int) -> None:
        self.journal, self.ended = journal, list[tuple[float, RoundEnded]]()
        self.crew, self.random = Chance(game, seed, seats=7), Random(seed)
        self.crew.options = {}
        self.cards: list[Card] = []
        JournalTable.__init__(self, game)
        self.at = BEGINS

    def possible(self, _card: str) -> str:
        return self.cards.pop()

    def play_rounds(self, count: int, pause: float = 30.0) -> None:
        for _ in range(count):
            self.at += pause
            self.play_round()

    def play_round(self) -> RoundEnded:
        if len(self.cards) < FEW:
            self.shuffle()
        self.clear()
        ended = self.play_by_chance()
        self.ended.append((self.at, ended))
        self.pay_claims()
        self.write()
        return ended

    def shuffle(self) -> None:
        decks = self.state.game.options.decks
        self.cards = list(DECK) * decks
        self.random.shuffle(self.cards)
        self.apply(self.script.loaded(decks))

    def lose(self, device: str, seconds: float) -> None:
        self.apply(DeviceLost(device, "no heartbeat for 3 s"))
        self.at += seconds
        self.apply(self.script.up(device), DeviceRunning(device))

    def void_round(self, why: str = "misdeal") -> None:
        """A round that was dealt to seat 1 and voided."""
        self.clear()
        for event in self.crew.wagers():
            self.apply(self.reported(event))
        self.apply(self.script.key("close"), Supervisor("void", "Ann", why, None, second="Ben"))
        self.write()

    def correct(self, decision: Supervisor) -> None:
        """Applies the correction with the token of its preview."""
        self.apply(replace(decision, token=consequences(self.state, decision).token))
        self.write()

    def write(self) -> None:
        self.journal.append(self.rows)
        self.rows = []

    def roll(self) -> None:
        """The file is closed and the next one begins."""
        self.write() if self.rows else None
        self.journal.roll([opening_row(self.at, self.state)])


@contextmanager
def played_day(
    folder: Path, game: str = "ez-bust", seed: int = 1, most: int = 50_000, of: type[PlayedDay] = PlayedDay
) -> Iterator[PlayedDay]:
    with Journal(folder / "table.db", signer=Signer(bytes(range(32))), most=most) as journal:
        yield of(journal, game, seed)


def report(folder: Path, period: Period | str = DAY, house: ReportSettings = HOUSE) -> Report:
    period_named = house.calendar.named(period) if isinstance(period, str) else period
    return make_report(folder / "table.db", ReportRequest(period_named, house))


def between(begins: float, ends: float) -> Period:
    return Calendar().between(begins, ends)


def numbers(rounds: Sequence[tuple[float, RoundEnded]]) -> list[int]:
    return [ended.round.number for _, ended in rounds]
