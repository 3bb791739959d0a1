"""Alerts of every kind: an alert with a lasting cause says when the cause ended; the others name a moment."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import get_args

import pytest

from controller.property.commands import CommandName
from controller.table.apply.alert_endings import ALERT_KINDS, SINGLE_EVENT
from controller.table.apply.conditions import (
    ACCOUNTS,
    DIRECTORY,
    PAGE,
    SEAL,
    SECRETS,
    SHIPPING,
    SOCKET,
    UPLINK,
)
from controller.table.people.consequences import consequences
from controller.table.record import events
from controller.table.record.causes import CauseKind, cause, kind_of
from controller.table.record.choices import ChoiceName
from controller.table.record.events import (
    Acknowledged,
    CardsMissing,
    CommandRefused,
    DeviceLost,
    DeviceRunning,
    DiskSpace,
    EventsMissing,
    FloorCommand,
    Input,
    LevelChanged,
    Noticed,
    RequestAnswered,
    Supervisor,
)
from controller.table.record.notes import Note
from controller.table.record.rules import Progressive
from controller.table.record.views import AlarmView
from controller.table.state.snapshot import restore_snapshot, take_snapshot
from controller.table.state_machine import apply
from controller.table.upkeep.floor_copy import UNSHIPPED
from controller.table.view.build import build_view
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
from tests.fixtures.device_inputs import DEVICES, Script
from tests.fixtures.jackpot_table import IN, LOSES, PAID, SPOT
from tests.fixtures.state_table import StateTable

RAISED = 1000.0
ENDED = 2560.5


class TimedAlertTable(StateTable):
    """A table whose inputs come at a time."""

    def __init__(self, game: str = "easy-jack", *, script: Script | None = None, play: str = "") -> None:
        self.at = 0.0
        self.script = script or Script(game, options={"burn_cards": 0})
        self.begin()
        self.play(play)

    def apply(self, *events: Input) -> list[Note]:
        return [note for event in events for note in apply(self.state, event, self.at)]

    def event_of(self, device: str, body: EventBody) -> None:
        self.apply(self.script.event(device, body))

    def alarms(self, kind: str) -> list[AlarmView]:
        """The open alerts of a kind on the page."""
        numbers = {alarm.number for alarm in self.state.shift.alarms.open if kind_of(alarm.cause) == kind}
        return [alarm for alarm in build_view("T", self.state, ()).alarms if alarm.number in numbers]


Step = Callable[[TimedAlertTable], object]


def event(device: str, body: EventBody) -> Step:
    return lambda table: table.event_of(device, body)


def inputs(*events: Input) -> Step:
    return lambda table: table.apply(*events)


def played(tokens: str) -> Step:
    return lambda table: table.play(tokens)


def decision(choice: ChoiceName) -> Step:
    return lambda table: table.apply_choice(choice)


def fewer_seats(table: TimedAlertTable) -> None:
    table.script.seats = 5
    table.restart()


def miscounted(table: TimedAlertTable) -> None:
    """The shoe is loaded while the fate of cards that are out is unknown."""
    table.state.ledger.fates.clear()
    table.apply(table.script.loaded())


def corrected(table: TimedAlertTable) -> None:
    """The first card of seat 1 is corrected."""
    word = Supervisor("correct", "Ann", "seen", "7h", seat=1, number=1, old="9h")
    table.apply(replace(word, token=consequences(table.state, word).token))


def unreadable(table: TimedAlertTable) -> None:
    """A card that nobody can name leaves the shoe."""
    table.script.cards += 1
    table.shoe(CardUnreadable(table.script.cards))


def unplayed(table: TimedAlertTable) -> None:
    """Three seats, and chips on the fifth."""
    table.script.seats = 3
    table.apply(replace(table.script.started(), unplayed=True))
    table.apply(table.script.bet(5))


def asks(table: TimedAlertTable) -> None:
    """The configuration of the jackpot changes."""
    table.script.jackpots = {SPOT: Progressive(seed=2_000_000)}
    table.apply(replace(table.script.started(), approvals=True))


def loaded(decks: int) -> Step:
    return lambda table: table.apply(table.script.loaded(decks))


def shuffler(*bodies: EventBody) -> Step:
    def report(table: TimedAlertTable) -> None:
        for body in bodies:
            table.event_of("shuffler", body)

    return report


def left_with_a_faulty_lamp(table: TimedAlertTable) -> None:
    table.apply(events.TestMode(True, "Tom", "lamps"))
    table.apply(events.LampReported(3, "main", False, "Tom"))
    table.apply(events.TestMode(False, "Tom", "no lamp in stock"))


def from_floor(command: CommandName) -> FloorCommand:
    return FloorCommand("c1", command, "Flo", "supervisor", "a fire drill", "", "", b"", b"", b"")


def easy() -> TimedAlertTable:
    return TimedAlertTable()


def in_play() -> TimedAlertTable:
    return TimedAlertTable(play="1:main=500 2:main=500 close 5h 7d Kc")


def with_jackpot() -> TimedAlertTable:
    return TimedAlertTable("blackjack-x")


def with_shuffler() -> TimedAlertTable:
    return TimedAlertTable(script=Script(devices={**DEVICES, "shuffler": "SHUFFLER-1"}))


def wrong_pack(table: TimedAlertTable) -> None:
    shuffler(
        ShufflerState(ShufflerPhase.SHUFFLING, 50),
        DeckCheck(8, bytes([7, *[8] * 51]), 0),
        ShufflerState(ShufflerPhase.DONE, 100),
    )(table)


def taken_out(table: TimedAlertTable) -> None:
    shuffler(ShufflerState(ShufflerPhase.IDLE, 0))(table)


def vouched(table: TimedAlertTable) -> None:
    """A wrong pack was found, and the shoe is loaded with one that nobody counted."""
    wrong_pack(table)
    table.apply(table.script.loaded())


def pending(table: TimedAlertTable) -> None:
    """The jackpot gets other parameters once it is won."""
    table.play(f"{IN} {LOSES} 1:stand 2:stand 9d pay")
    table.script.jackpots = {SPOT: Progressive(7, "50%", "0%")}
    table.restart()


Case = tuple[Callable[[], TimedAlertTable], Step, Step | None]
CASES: Mapping[CauseKind, Case] = {
    "disk": (
        easy,
        inputs(DiskSpace("low", 5_000_000, "journal")),
        inputs(DiskSpace("enough", 10**12, "journal")),
    ),
    "mirror": (easy, inputs(Noticed("One disk", cause("mirror"))), inputs(Noticed("", cause("mirror")))),
    "accounts": (easy, inputs(Noticed("Nobody can sign in", ACCOUNTS)), inputs(Noticed("", ACCOUNTS))),
    "account": (easy, inputs(Noticed("Ann signed in", cause("account", "Ann"))), None),
    "directory": (easy, inputs(Noticed("None came", DIRECTORY)), inputs(Noticed("", DIRECTORY))),
    "reader": (
        easy,
        inputs(Noticed("The log of the journal grows", cause("reader", "journal"))),
        inputs(Noticed("", cause("reader", "journal"))),
    ),
    "latency": (
        easy,
        inputs(Noticed("The disk takes 2.0 s a write", cause("latency", "journal"))),
        inputs(Noticed("", cause("latency", "journal"))),
    ),
    "secrets": (easy, inputs(Noticed("No reply", SECRETS)), inputs(Noticed("", SECRETS))),
    "socket": (easy, inputs(Noticed("No socket", SOCKET)), inputs(Noticed("", SOCKET))),
    "page": (easy, inputs(Noticed("No page", PAGE)), inputs(Noticed("", PAGE))),
    "uplink": (easy, inputs(Noticed("No server", UPLINK)), inputs(Noticed("", UPLINK))),
    "shipping": (easy, inputs(Noticed("Other rows", SHIPPING)), inputs(Noticed("", SHIPPING))),
    "unshipped": (easy, inputs(Noticed("A file was deleted", UNSHIPPED)), None),
    "seal": (easy, inputs(Noticed("No seal key", SEAL)), inputs(Noticed("", SEAL))),
    "certificate": (
        easy,
        inputs(Noticed("Ends in 9 days", cause("certificate"))),
        inputs(Noticed("", cause("certificate"))),
    ),
    "clock": (
        easy,
        inputs(Noticed("The clock is 1,500 s behind", cause("clock", 2500))),
        inputs(DeviceRunning("shoe")),
    ),
    "notice": (easy, inputs(Noticed("The clock was set")), None),
    "missing": (easy, inputs(DeviceLost("sensors", "unplugged")), inputs(DeviceRunning("sensors"))),
    "held": (
        easy,
        inputs(DeviceLost("shoe", "flaps", held=True)),
        lambda table: table.apply(table.script.up("shoe")),
    ),
    "memory": (
        in_play,
        lambda table: table.apply(table.script.up("sensors", "served elsewhere")),
        decision("resume"),
    ),
    "events": (easy, inputs(EventsMissing("shoe", b"\1" * 8, 40, 47)), decision("resume")),
    "unread": (
        easy,
        lambda table: table.apply(table.script.event("shoe", b"?", critical=True)),
        decision("resume"),
    ),
    "tamper": (easy, event("shoe", Tamper(3, 1)), decision("resume")),
    "attempt": (easy, event("shoe", Tamper(1, 4)), None),
    "fault": (easy, event("shoe", Fault(7, True, "motor")), event("shoe", Fault(7, False, "motor"))),
    "door": (easy, event("shoe", Door(1, True)), event("shoe", Door(1, False))),
    "command": (easy, inputs(CommandRefused("shoe", Permit(99), Status.RANGE, "too far")), None),
    "report": (easy, event("console", Cover(True)), None),
    "cover": (easy, event("shoe", Cover(True)), event("shoe", Cover(False))),
    "jam": (easy, event("shoe", ShoeJam(True)), event("shoe", ShoeJam(False))),
    "empty": (in_play, event("shoe", Empty()), loaded(8)),
    "decks": (easy, loaded(6), loaded(8)),
    "loaded": (in_play, loaded(8), decision("resume")),
    "pack": (with_shuffler, vouched, decision("resume")),
    "rejected": (with_shuffler, wrong_pack, taken_out),
    "balance": (
        in_play,
        miscounted,
        None,
    ),
    "card": (easy, unreadable, decision("burn")),
    "cards": (easy, inputs(CardsMissing("shoe", 7, 6)), decision("resume")),
    "ledger": (
        lambda: TimedAlertTable(script=Script("ez-bust", {"burn_cards": 0, "decks": 1})),
        played("1:main=500 close Ts 9d Ts"),
        decision("resume"),
    ),
    "sensor": (easy, event("sensors", SensorFault(2, 1, True)), event("sensors", SensorFault(2, 1, False))),
    "unplayed": (easy, unplayed, lambda table: table.apply(table.script.take(5))),
    "wager": (in_play, played("3:main=500"), decision("void")),
    "lamp": (easy, left_with_a_faulty_lamp, None),
    "chips": (easy, lambda table: table.apply(table.script.up("sensors", "new log", log=b"\7" * 8)), None),
    "configuration": (in_play, fewer_seats, decision("void")),
    "correction": (
        lambda: TimedAlertTable(play="1:main=1000 close 9h 8c Tc"),
        corrected,
        None,
    ),
    "closed": (easy, inputs(from_floor("close")), decision("resume")),
    "message": (easy, inputs(from_floor("message")), None),
    "test": (
        easy,
        inputs(events.TestMode(True, "Tom", "lamps")),
        inputs(events.TestMode(False, "Tom", "done")),
    ),
    "claim": (with_jackpot, played(f"{IN} 7h 9c 7h 7h 8c Th"), inputs(*PAID)),
    "contribution": (
        lambda: TimedAlertTable(script=Script("blackjack-x", jackpots={SPOT: Progressive(threshold=30)})),
        played(IN),
        None,
    ),
    "pending": (with_jackpot, pending, played("close 7d 9c 7d 7d 8c Th")),
    "linked": (
        lambda: TimedAlertTable(script=Script("blackjack-x", linked={SPOT: "sevens"})),
        inputs(LevelChanged("sevens", "lost", 0, 0, 0, "", "no new amount for 5 seconds")),
        inputs(LevelChanged("sevens", "open", 500, 1, 1, "ab")),
    ),
    "parameters": (with_jackpot, asks, inputs(RequestAnswered(1, False, "Ann", "supervisor", "no"))),
}


def test_every_kind_of_alert_has_an_ending_and_a_case() -> None:
    assert set(get_args(CauseKind)) == ALERT_KINDS.keys() == CASES.keys()
    assert {kind for kind, (_, _, ends) in CASES.items() if ends is None} == {
        kind for kind, row in ALERT_KINDS.items() if row.lasts is None
    }


@pytest.mark.parametrize("kind", CASES)
def test_an_alert_says_when_its_cause_has_ended(kind: CauseKind) -> None:
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
        table.apply(DeviceRunning("shoe"))
        assert table.alarms(kind) == raised
    else:
        ends(table)
        assert table.alarms(kind) == [replace(alarm, ended=ENDED) for alarm in raised]
        assert all(alarm.text not in build_view("T", table.state, ()).alerts for alarm in raised)


def lost_and_back() -> TimedAlertTable:
    table = easy()
    table.at = RAISED
    table.apply(DeviceLost("sensors", "unplugged"))
    table.at = ENDED
    table.apply(DeviceRunning("sensors"))
    return table


class TestEnded:
    def test_it_stays_until_it_is_acknowledged(self) -> None:
        table = lost_and_back()
        (alarm,) = table.alarms("missing")
        assert (alarm.text, alarm.first, alarm.ended) == ("Missing: the sensors", RAISED, ENDED)
        table.apply(Acknowledged(alarm.number, "Ann"))
        shown = build_view("T", table.state, ())
        assert [done.alarm for done in shown.acknowledged] == [alarm]
        assert not shown.alarms

    def test_it_is_raised_again_with_its_cause(self) -> None:
        table = lost_and_back()
        table.at = 3000.0
        table.apply(DeviceLost("sensors", "unplugged"))
        (alarm,) = table.alarms("missing")
        assert (alarm.count, alarm.first, alarm.last, alarm.ended) == (2, RAISED, 3000.0, None)

    def test_one_that_was_acknowledged_before_says_so_too(self) -> None:
        table = easy()
        table.apply(DeviceLost("sensors", "unplugged"))
        table.apply(Acknowledged(table.state.shift.alarms.open[-1].number, "Ann"))
        table.at = ENDED
        table.apply(DeviceRunning("sensors"))
        assert table.state.shift.alarms.done[0].alarm.ended == ENDED

    def test_it_is_in_the_snapshot(self) -> None:
        table = lost_and_back()
        assert restore_snapshot(take_snapshot(table.state)).shift.alarms == table.state.shift.alarms

    def test_a_start_neither_ends_it_nor_raises_it_again(self) -> None:
        """Every device is missing for a moment then."""
        table = easy()
        table.at = RAISED
        table.apply(DeviceLost("sensors", "unplugged"))
        before = table.alarms("missing")
        table.at = 2000.0
        table.apply(table.script.started())
        assert table.alarms("missing") == before
        table.at = ENDED
        table.apply(table.script.up("sensors"), DeviceRunning("sensors"))
        assert table.alarms("missing") == [replace(before[0], ended=ENDED)]


def test_a_disk_that_becomes_full_is_another_alert_than_one_that_is_nearly_full() -> None:
    table = easy()
    table.apply(DiskSpace("low", 5_000_000, "journal"), DiskSpace("stop", 5_000, "journal"))
    assert [(alarm.text[-9:], alarm.ended is None) for alarm in table.alarms("disk")] == [
        ("Make room", False),
        ("e is room", True),
    ]


def test_a_certificate_that_a_start_finds_nearer_to_its_end_is_one_alert_that_lasts() -> None:
    table = easy()
    for days in (9, 8):
        table.apply(Noticed(f"Ends in {days} days", cause("certificate")))
    assert [alarm.ended is None for alarm in table.alarms("certificate")] == [False, True]


@pytest.mark.parametrize("kind", ALERT_KINDS)
def test_only_a_single_event_is_documented_as_one(kind: str) -> None:
    row = ALERT_KINDS[kind]
    assert (row.ends == SINGLE_EVENT) == (row.lasts is None)
