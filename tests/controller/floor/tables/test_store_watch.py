"""What the floor has stored and decided, in the picture of its tables."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.floor.day_file import FloorHead, JournalName
from controller.floor.projector import Admission, Incident
from controller.floor.register import Decision, DecisionKind, FloorRegister
from controller.floor.tables.picture import FloorPicture
from controller.floor.tables.store_watch import StoreWatch, newest_admitted
from tests.controller.floor.tables.statuses import EPOCH, OTHER, status

FIRST, SECOND = JournalName("bj-1", EPOCH), JournalName("bj-1", OTHER)
HASHES = [bytes([number]) * 32 for number in range(20)]


class Floor:
    """A register, what is stored, and the picture that follows both."""

    def __init__(self, register: FloorRegister) -> None:
        self.register, self.heads = register, dict[JournalName, FloorHead]()
        self.now = 1000.0
        self.picture = FloorPicture({"A": ("bj-1",)}, self.now)
        self.watch = StoreWatch(self.picture, lambda: self.now)

    def decide(self, kind: DecisionKind, name: JournalName) -> None:
        admission = Admission(1, bytes(32), bytes(32))
        self.register.decide(Decision(kind, name, admission, "Ann", "Bob", "new", self.now))

    def store(self, name: JournalName, row: int) -> None:
        self.heads[name] = FloorHead(row, HASHES[row], 1.0, bytes(32))

    def look(self) -> None:
        self.now += 1
        self.watch.look(self.register.decisions(), self.heads, self.register.incidents())

    def say(self, epoch: str, row: int = 0) -> None:
        said = status(self.now, epoch=epoch, row=row, hash=HASHES[row].hex() if row else "")
        self.picture.take_status("bj-1", said, self.now, self.now)

    def present(self) -> dict[str, int]:
        return {alert.cause.kind: alert.count for alert in self.picture.alerts if alert.lasts}


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[Floor]:
    with FloorRegister(tmp_path, lambda: 1000.0) as register:
        yield Floor(register)


def test_the_journal_that_was_admitted_last_is_the_tables_journal(floor: Floor) -> None:
    floor.decide("admit", FIRST)
    floor.look()
    floor.say(OTHER)
    assert floor.present() == {"other epoch": 1}
    floor.decide("admit", SECOND)
    floor.look()
    assert floor.present() == {}
    floor.say(EPOCH)
    assert floor.present() == {"other epoch": 2}


def test_a_removed_journal_leaves_the_one_before_it(floor: Floor) -> None:
    floor.decide("admit", FIRST)
    floor.decide("admit", SECOND)
    floor.decide("remove", SECOND)
    assert newest_admitted(floor.register.decisions()) == {"bj-1": FIRST}
    floor.look()
    floor.say(EPOCH)
    assert floor.present() == {}
    floor.decide("remove", FIRST)
    assert newest_admitted(floor.register.decisions()) == {}
    floor.look()
    (alert,) = floor.picture.alerts
    assert alert.text == f"The table writes the journal {EPOCH}; admitted: none"


def test_heads_that_were_stored_before_an_admission_count_after_it(floor: Floor) -> None:
    floor.store(SECOND, 5)
    floor.decide("admit", FIRST)
    floor.look()
    floor.decide("admit", SECOND)
    floor.look()
    floor.say(OTHER, 5)
    for _ in range(10):
        floor.now += 5
        floor.say(OTHER, 5)
        floor.picture.tick(floor.now)
    assert floor.present() == {}


def test_an_open_incident_is_an_alert_until_it_is_settled(floor: Floor) -> None:
    floor.decide("admit", FIRST)
    fork = Incident("fork", FIRST, 5, "row 4 has another hash")
    floor.register.report(fork)
    floor.look()
    floor.look()
    assert floor.present() == {"fork": 1}
    floor.register.report(fork)
    floor.look()
    assert floor.present() == {"fork": 2}
    (kept,) = floor.register.incidents()
    floor.register.settle(kept.number, "the table was repaired")
    floor.look()
    assert floor.present() == {}


def test_one_of_two_open_incidents_keeps_their_alert(floor: Floor) -> None:
    floor.decide("admit", FIRST)
    for row in (5, 9):
        floor.register.report(Incident("fork", FIRST, row, f"row {row} has another hash"))
    floor.look()
    first, second = floor.register.incidents()
    floor.register.settle(first.number, "repaired")
    floor.look()
    assert "fork" in floor.present()
    floor.register.settle(second.number, "repaired")
    floor.look()
    assert floor.present() == {}


def test_a_stored_row_ends_a_gap(floor: Floor) -> None:
    floor.decide("admit", FIRST)
    floor.store(FIRST, 4)
    floor.register.report(Incident("gap", FIRST, 5, "the rows 5 to 6 are missing", 6))
    floor.look()
    assert floor.present() == {"gap": 1}
    floor.store(FIRST, 7)
    floor.look()
    assert floor.present() == {}
