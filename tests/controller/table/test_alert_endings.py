"""Alerts of every kind: one whose cause ends says so, and when; the others tell of a moment."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

from controller.table.apply.alert_endings import LASTS
from controller.table.apply.conditions import ACCOUNTS, PAGE
from controller.table.people.consequences import consequences
from controller.table.record import events
from controller.table.record.causes import Kind, cause, kind_of
from controller.table.record.events import (
    Acknowledged,
    Answered,
    CardsMissing,
    Choice,
    CommandRefused,
    DeviceLost,
    DeviceRunning,
    DiskSpace,
    EventsMissing,
    Input,
    Noticed,
    Supervisor,
)
from controller.table.record.notes import Note
from controller.table.record.rules import Progressive
from controller.table.record.views import AlarmView
from controller.table.state.snapshot import restore, take
from controller.table.state_machine import apply
from controller.table.view.build import view
from drivers.messages import (
    CardUnreadable,
    Cover,
    DeckCheck,
    Door,
    Empty,
    EventBody,
    Fault,
    Permit,
    SensorFault,
    ShoeJam,
    ShufflerState,
    Tamper,
)
from drivers.protocol.codes import ShufflerPhase, Status
from tests.controller.table.jackpot import IN, LOSES, PAID, SPOT
from tests.fixtures.device_inputs import DEVICES, Script
from tests.fixtures.state_table import Told

RAISED, ENDED = 1000.0, 2560.5
SUPERVISOR_PAGE = Path(__file__).parents[3] / "docs" / "supervisor.md"


class Table(Told):
    """A table whose inputs come at a time."""

    def __init__(self, game: str = "easy-jack", *, script: Script | None = None, play: str = "") -> None:
        self.at = 0.0
        self.script = script or Script(game, options={"burn_cards": 0})
        self.begin()
        self.play(play)

    def tell(self, *events: Input) -> list[Note]:
        return [note for event in events for note in apply(self.state, event, self.at)]

    def event_of(self, device: str, body: EventBody) -> None:
        self.tell(self.script.event(device, body))

    def alarms(self, kind: str) -> list[AlarmView]:
        """What the page has of the open alerts of a kind."""
        numbers = {alarm.number for alarm in self.state.shift.alarms.open if kind_of(alarm.cause) == kind}
        return [alarm for alarm in view("T", self.state, ()).alarms if alarm.number in numbers]


Step = Callable[[Table], object]


def event(device: str, body: EventBody) -> Step:
    return lambda table: table.event_of(device, body)


def told(*events: Input) -> Step:
    return lambda table: table.tell(*events)


def played(tokens: str) -> Step:
    return lambda table: table.play(tokens)


def said(choice: Choice) -> Step:
    return lambda table: table.say(choice)


def fewer_seats(table: Table) -> None:
    table.script.seats = 5
    table.restart()


def miscounted(table: Table) -> None:
    """What became of the cards that are out is not known when the next ones are loaded."""
    table.state.ledger.fates.clear()
    table.tell(table.script.loaded())


def corrected(table: Table) -> None:
    """The first card of seat 1 was another one than was read."""
    word = Supervisor("correct", "Ann", "seen", "7h", seat=1, number=1, old="9h")
    table.tell(replace(word, token=consequences(table.state, word).token))


def unreadable(table: Table) -> None:
    """A card that nobody can name leaves the shoe."""
    table.script.cards += 1
    table.shoe(CardUnreadable(table.script.cards))


def unplayed(table: Table) -> None:
    """Three seats, and chips on the fifth."""
    table.script.seats = 3
    table.tell(replace(table.script.started(), unplayed=True))
    table.tell(table.script.bet(5))


def asks(table: Table) -> None:
    """The configuration of the jackpot is another one."""
    table.script.jackpots = {SPOT: Progressive(seed=2_000_000)}
    table.tell(replace(table.script.started(), approvals=True))


def loaded(decks: int) -> Step:
    return lambda table: table.tell(table.script.loaded(decks))


def shuffler(*bodies: EventBody) -> Step:
    def report(table: Table) -> None:
        for body in bodies:
            table.event_of("shuffler", body)

    return report


def easy() -> Table:
    return Table()


def in_play() -> Table:
    return Table(play="1:main=500 2:main=500 close 5h 7d Kc")


def with_jackpot() -> Table:
    return Table("blackjack-x")


def with_shuffler() -> Table:
    return Table(script=Script(devices={**DEVICES, "shuffler": "SHUFFLER-1"}))


def wrong_pack(table: Table) -> None:
    shuffler(
        ShufflerState(ShufflerPhase.SHUFFLING, 50),
        DeckCheck(8, bytes([7, *[8] * 51]), 0),
        ShufflerState(ShufflerPhase.DONE, 100),
    )(table)


def taken_out(table: Table) -> None:
    shuffler(ShufflerState(ShufflerPhase.IDLE, 0))(table)


def vouched(table: Table) -> None:
    """A wrong pack was found, and the shoe is loaded with one that nobody counted."""
    wrong_pack(table)
    table.tell(table.script.loaded())


def pending(table: Table) -> None:
    """The jackpot is fed otherwise once it is won."""
    table.play(f"{IN} {LOSES} 1:stand 2:stand 9d pay")
    table.script.jackpots = {SPOT: Progressive(7, "50%", "0%")}
    table.restart()


Case = tuple[Callable[[], Table], Step, Step | None]
CASES: Mapping[Kind, Case] = {
    "disk": (
        easy,
        told(DiskSpace("low", 5_000_000, "journal")),
        told(DiskSpace("enough", 10**12, "journal")),
    ),
    "mirror": (easy, told(Noticed("One disk", cause("mirror"))), told(Noticed("", cause("mirror")))),
    "accounts": (easy, told(Noticed("Nobody can sign in", ACCOUNTS)), told(Noticed("", ACCOUNTS))),
    "latency": (
        easy,
        told(Noticed("The disk takes 2.0 s a write", cause("latency", "journal"))),
        told(Noticed("", cause("latency", "journal"))),
    ),
    "page": (easy, told(Noticed("No page", PAGE)), told(Noticed("", PAGE))),
    "certificate": (
        easy,
        told(Noticed("Ends in 9 days", cause("certificate"))),
        told(Noticed("", cause("certificate"))),
    ),
    "clock": (
        easy,
        told(Noticed("The clock is 1,500 s behind", cause("clock", 2500))),
        told(DeviceRunning("shoe")),
    ),
    "notice": (easy, told(Noticed("The clock was set")), None),
    "missing": (easy, told(DeviceLost("sensors", "unplugged")), told(DeviceRunning("sensors"))),
    "held": (
        easy,
        told(DeviceLost("shoe", "flaps", held=True)),
        lambda table: table.tell(table.script.up("shoe")),
    ),
    "memory": (
        in_play,
        lambda table: table.tell(table.script.up("sensors", "served elsewhere")),
        said("resume"),
    ),
    "events": (easy, told(EventsMissing("shoe", b"\1" * 8, 40, 47)), said("resume")),
    "unread": (
        easy,
        lambda table: table.tell(table.script.event("shoe", b"?", critical=True)),
        said("resume"),
    ),
    "tamper": (easy, event("shoe", Tamper(3, 1)), said("resume")),
    "attempt": (easy, event("shoe", Tamper(1, 4)), None),
    "fault": (easy, event("shoe", Fault(7, True, "motor")), event("shoe", Fault(7, False, "motor"))),
    "door": (easy, event("shoe", Door(1, True)), event("shoe", Door(1, False))),
    "command": (easy, told(CommandRefused("shoe", Permit(99), Status.RANGE, "too far")), None),
    "report": (easy, event("console", Cover(True)), None),
    "cover": (easy, event("shoe", Cover(True)), event("shoe", Cover(False))),
    "jam": (easy, event("shoe", ShoeJam(True)), event("shoe", ShoeJam(False))),
    "empty": (in_play, event("shoe", Empty()), loaded(8)),
    "decks": (easy, loaded(6), loaded(8)),
    "loaded": (in_play, loaded(8), said("resume")),
    "pack": (with_shuffler, vouched, said("resume")),
    "rejected": (with_shuffler, wrong_pack, taken_out),
    "balance": (
        in_play,
        miscounted,
        None,
    ),
    "card": (easy, unreadable, said("burn")),
    "cards": (easy, told(CardsMissing("shoe", 7, 6)), said("resume")),
    "ledger": (
        lambda: Table(script=Script("ez-bust", {"burn_cards": 0, "decks": 1})),
        played("1:main=500 close Ts 9d Ts"),
        said("resume"),
    ),
    "sensor": (easy, event("sensors", SensorFault(2, 1, True)), event("sensors", SensorFault(2, 1, False))),
    "unplayed": (easy, unplayed, lambda table: table.tell(table.script.take(5))),
    "wager": (in_play, played("3:main=500"), said("void")),
    "chips": (easy, lambda table: table.tell(table.script.up("sensors", "new log", log=b"\7" * 8)), None),
    "configuration": (in_play, fewer_seats, said("void")),
    "correction": (
        lambda: Table(play="1:main=1000 close 9h 8c Tc"),
        corrected,
        None,
    ),
    "test": (easy, told(events.TestMode(True, "Tom", "lamps")), told(events.TestMode(False, "Tom", "done"))),
    "claim": (with_jackpot, played(f"{IN} 7h 9c 7h 7h 8c Th"), told(*PAID)),
    "contribution": (
        lambda: Table(script=Script("blackjack-x", jackpots={SPOT: Progressive(threshold=30)})),
        played(IN),
        None,
    ),
    "pending": (with_jackpot, pending, played("close 7d 9c 7d 7d 8c Th")),
    "parameters": (with_jackpot, asks, told(Answered(1, False, "Ann", "supervisor", "no"))),
}


def test_every_kind_has_an_ending_and_a_case() -> None:
    assert set(get_args(Kind)) == LASTS.keys() == CASES.keys()
    assert {kind for kind, (_, _, ends) in CASES.items() if ends is None} == {
        kind for kind, lasts in LASTS.items() if lasts is None
    }


@pytest.mark.parametrize("kind", CASES)
def test_an_alert_says_when_its_cause_has_ended(kind: Kind) -> None:
    build, starts, ends = CASES[kind]
    table = build()
    table.at = RAISED
    starts(table)
    raised = table.alarms(kind)
    assert raised
    assert all(alarm.first == RAISED and alarm.ended is None for alarm in raised)
    assert all(alarm.once == (ends is None) for alarm in raised)
    table.at = ENDED
    if ends is None:
        table.tell(DeviceRunning("shoe"))
        assert table.alarms(kind) == raised
    else:
        ends(table)
        assert table.alarms(kind) == [replace(alarm, ended=ENDED) for alarm in raised]
        assert all(alarm.text not in view("T", table.state, ()).alerts for alarm in raised)


def lost_and_back() -> Table:
    table = easy()
    table.at = RAISED
    table.tell(DeviceLost("sensors", "unplugged"))
    table.at = ENDED
    table.tell(DeviceRunning("sensors"))
    return table


class TestEnded:
    def test_it_stays_until_it_is_acknowledged(self) -> None:
        table = lost_and_back()
        (alarm,) = table.alarms("missing")
        assert (alarm.text, alarm.first, alarm.ended) == ("Missing: the sensors", RAISED, ENDED)
        table.tell(Acknowledged(alarm.number, "Ann"))
        shown = view("T", table.state, ())
        assert [done.alarm for done in shown.acknowledged] == [alarm]
        assert not shown.alarms

    def test_it_is_raised_again_with_its_cause(self) -> None:
        table = lost_and_back()
        table.at = 3000.0
        table.tell(DeviceLost("sensors", "unplugged"))
        (alarm,) = table.alarms("missing")
        assert (alarm.count, alarm.first, alarm.last, alarm.ended) == (2, RAISED, 3000.0, None)

    def test_one_that_was_acknowledged_before_says_so_too(self) -> None:
        table = easy()
        table.tell(DeviceLost("sensors", "unplugged"))
        table.tell(Acknowledged(table.state.shift.alarms.open[-1].number, "Ann"))
        table.at = ENDED
        table.tell(DeviceRunning("sensors"))
        assert table.state.shift.alarms.done[0].alarm.ended == ENDED

    def test_it_is_in_the_snapshot(self) -> None:
        table = lost_and_back()
        assert restore(take(table.state)).shift.alarms == table.state.shift.alarms

    def test_a_start_neither_ends_it_nor_raises_it_again(self) -> None:
        """Every device is missing for a moment then."""
        table = easy()
        table.at = RAISED
        table.tell(DeviceLost("sensors", "unplugged"))
        before = table.alarms("missing")
        table.at = 2000.0
        table.tell(table.script.started())
        assert table.alarms("missing") == before
        table.at = ENDED
        table.tell(table.script.up("sensors"), DeviceRunning("sensors"))
        assert table.alarms("missing") == [replace(before[0], ended=ENDED)]


def test_a_disk_that_becomes_full_is_another_alert_than_one_that_is_nearly_full() -> None:
    table = easy()
    table.tell(DiskSpace("low", 5_000_000, "journal"), DiskSpace("stop", 5_000, "journal"))
    assert [(alarm.text[-9:], alarm.ended is None) for alarm in table.alarms("disk")] == [
        ("Make room", False),
        ("e is room", True),
    ]


def test_a_certificate_that_a_start_finds_nearer_to_its_end_is_one_alert_that_lasts() -> None:
    table = easy()
    for days in (9, 8):
        table.tell(Noticed(f"Ends in {days} days", cause("certificate")))
    assert [alarm.ended is None for alarm in table.alarms("certificate")] == [False, True]


def test_the_supervisor_reads_of_every_kind_when_it_ends() -> None:
    rows = re.findall(r"^\| `(\w+)` \| .+ \| (.+) \|$", SUPERVISOR_PAGE.read_text("utf-8"), re.MULTILINE)
    told = {kind: ends for kind, ends in rows if kind in LASTS}
    assert told.keys() == LASTS.keys()
    assert {kind for kind, ends in told.items() if ends.startswith("never")} == {
        kind for kind, lasts in LASTS.items() if lasts is None
    }
