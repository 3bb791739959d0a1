"""Significant events are found by code, text and time; each has an identity and a code."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from controller.jackpot import Claim
from controller.journal.errors import JournalError
from controller.journal.journal import Journal
from controller.past.significant import SignificantEvent, SignificantQuery, search
from controller.table.record.codec import to_row
from controller.table.record.events import (
    DeviceEvent,
    DeviceLost,
    DeviceRunning,
    DiskSpace,
    EventsMissing,
    Input,
    Started,
    Supervisor,
)
from controller.table.record.kinds import KINDS
from controller.table.record.message_kinds import BY_NAME, CODES
from controller.table.record.notes import (
    Alert,
    ClaimMoved,
    DeckChecked,
    FirmwareUpdated,
    MakerKeyReplaced,
    MeterMoved,
    Note,
    RoundCorrected,
    SelfTested,
    ShoeEnded,
    Suspended,
)
from drivers.messages import (
    Booted,
    CardDrawn,
    CardUnpermitted,
    Door,
    EventBody,
    Fault,
    SensorFault,
    Tamper,
)

STARTED = Started("1.0", "easy-jack", 7, {}, {"shoe": "SHOE-1", "sensors": "SENS-2", "shuffler": "SHUF-3"})

CLAIM = Claim(4, "blazing-7s", 9, 2, ("7h", "7h", "7h"), "three suited 7s", "10%", 500, 5000, 4500)

UNIMPORTANT = {
    "device up",
    "noticed",
    "action",
    "act",
    "action ended",
    "command taken",
    "level read",
    "refusal",
    "permit",
    "settlement",
    "opened",
    "revealed",
    "peek",
    "claim step",
    "meter correction",
    "asked",
    "answered",
    "console key",
    "dealer",
}
"""Kinds of rows that are play, or that another kind reports."""
PLAY = {"card_drawn", "cut_card", "empty", "shuffler_state", "wager", "key", "deck_check"}
"""Events of devices that are play, or that another row reports."""


def reported(body: EventBody, device: str = "shoe", number: int = 1) -> DeviceEvent:
    return DeviceEvent(device, b"12345678", number, 0, b"1234", body, history=False)


def found(
    folder: Path, wanted: SignificantQuery, records: Sequence[Input | Note], most: int = 50
) -> list[SignificantEvent]:
    with Journal(folder / "t.db") as journal:
        journal.append([to_row(float(at), record) for at, record in enumerate(records)])
    return list(search(folder / "t.db", wanted, most).events)


@dataclass(frozen=True)
class Case:
    record: Input | Note
    code: str
    text: str
    serial: str = ""


CASES = [
    Case(STARTED, "POWER_UP", "version 1.0, easy-jack, 7 seats"),
    Case(SelfTested("1.0", 463, "f3c0"), "SELF_TEST", "463 files, manifest f3c0"),
    Case(
        FirmwareUpdated("shoe", "Kim", "Lee", "1.4.2", 7, "ab", "confirmed", ""),
        "FIRMWARE",
        "Kim and Lee: firmware of shoe, 1.4.2 to 7: confirmed",
        "SHOE-1",
    ),
    Case(
        MakerKeyReplaced("shoe", "Kim", "Lee", 1, "ab" * 32, "replaced", ""),
        "MAKER_KEY",
        "Kim and Lee: key of the maker of shoe, generation 1: replaced",
        "SHOE-1",
    ),
    Case(reported(Booted(1)), "POWER_RESET", "started after power", "SHOE-1"),
    Case(reported(Booted(99)), "POWER_RESET", "started after code 99", "SHOE-1"),
    Case(reported(Door(2, open=True)), "DOOR", "door 2 opened", "SHOE-1"),
    Case(reported(Door(2, open=False)), "DOOR", "door 2 closed", "SHOE-1"),
    Case(reported(Fault(3, on=True, text="motor")), "COMPONENT_FAULT", "fault 3: motor", "SHOE-1"),
    Case(reported(Fault(3, on=False, text="")), "COMPONENT_FAULT", "fault 3 is cleared", "SHOE-1"),
    Case(reported(SensorFault(4, 1, on=True), "sensors"), "SENSOR_FAULT", "seat 4, spot 1: faulty", "SENS-2"),
    Case(reported(Tamper(3, 1)), "TAMPER", "tampering: case, 1 times", "SHOE-1"),
    Case(reported(CardUnpermitted(9, "Ts")), "CARD_UNEXPECTED", "card 9", "SHOE-1"),
    Case(DeviceLost("shoe", "no heartbeat"), "LINK_LOST", "the shoe is lost: no heartbeat", "SHOE-1"),
    Case(DeviceRunning("shoe"), "LINK_BACK", "the shoe is in service", "SHOE-1"),
    Case(EventsMissing("shoe", b"12345678", 4, 9), "EVENTS_LOST", "shoe: events 4 to 9 are lost", "SHOE-1"),
    Case(Supervisor("resume", "Kim", "closed", None), "SUPERVISOR", "Kim: let play go on: closed"),
    Case(DiskSpace("low", 900, "journal"), "DISK_SPACE", "journal: low, 900 bytes free"),
    Case(Suspended("The cover is open"), "SUSPENDED", "The cover is open"),
    Case(
        DeckChecked("shuffler", "SHUF-3", "", "h", "f", 8, False, ("Ts 1 missing", "9h 1 too many")),
        "PACK_COUNTED",
        "a pack of 8 decks is Ts 1 missing, 9h 1 too many",
        "SHUF-3",
    ),
    Case(
        ShoeEnded(1, 40, 1, 0, 0, 11, {}, 0, balanced=True),
        "SHOE_ENDED",
        "1 decks: 40 dealt, 1 burned, 0 unread, 11 left behind",
    ),
    Case(
        ShoeEnded(1, 40, 1, 0, 0, 10, {}, 0, balanced=False),
        "SHOE_ENDED",
        "1 decks: 40 dealt, 1 burned, 0 unread, 10 left behind; that is not all of them",
    ),
    Case(ClaimMoved(CLAIM), "CLAIM", "claim 4, blazing-7s, round 9, seat 2: pending, 5.00"),
    Case(
        RoundCorrected(9, 2, 0, 1, "7h", "7d", "Kim", "smeared", "Lee", (), (), ()),
        "ROUND_CORRECTED",
        "Kim and Lee: round 9, seat 2, hand 0, card 1: 7h is 7d: smeared",
    ),
    Case(
        MeterMoved("blazing-7s", "win", 500, 450, "Seat 2: one 7"),
        "JACKPOT",
        "jackpot blazing-7s: 5.00 to 4.50, win: Seat 2: one 7",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.text)
def test_each_significant_event_has_time_device_and_code(tmp_path: Path, case: Case) -> None:
    newest = found(tmp_path, SignificantQuery(), [STARTED, case.record])[0]
    assert (newest.at, newest.code, newest.text, newest.serial) == (1.0, case.code, case.text, case.serial)
    assert newest.code in CODES


def test_rows_of_play_are_not_significant_events(tmp_path: Path) -> None:
    moved = MeterMoved("blazing-7s", "contribution", 400, 500, "2 wagers of round 3")
    assert found(tmp_path, SignificantQuery(), [reported(CardDrawn(1, "Ts")), moved]) == []


def test_the_newest_events_come_first_up_to_the_limit(tmp_path: Path) -> None:
    alerts = [Alert(str(number)) for number in range(9)]
    assert [event.text for event in found(tmp_path, SignificantQuery(), alerts, most=3)] == ["8", "7", "6"]
    assert [event.text for event in search(tmp_path / "t.db", SignificantQuery(before=4), 50).events] == [
        "2",
        "1",
        "0",
    ]


def test_closed_files_are_searched_too(tmp_path: Path) -> None:
    with Journal(tmp_path / "t.db") as journal:
        journal.append([to_row(float(at), Alert(str(at))) for at in range(3)])
        journal.roll([to_row(3.0, Alert("3"))])
        journal.append([to_row(4.0, Alert("4"))])
        assert [event.text for event in search(tmp_path / "t.db", SignificantQuery(), 50).events] == [
            "4",
            "3",
            "2",
            "1",
            "0",
        ]


@pytest.mark.parametrize(
    ("wanted", "texts"),
    [
        (SignificantQuery(code="ALERT"), ["late chips", "early chips"]),
        (SignificantQuery(text="EARLY"), ["early chips"]),
        (SignificantQuery(text="shoe-1"), ["the shoe is lost: gone"]),
        (SignificantQuery(since=2.0, until=3.0), ["the shoe is lost: gone", "late chips"]),
        (SignificantQuery(code="DOOR"), []),
    ],
)
def test_events_are_found_by_code_text_and_time(
    tmp_path: Path, wanted: SignificantQuery, texts: list[str]
) -> None:
    records: list[Input | Note] = [
        STARTED,
        Alert("early chips"),
        Alert("late chips"),
        DeviceLost("shoe", "gone"),
    ]
    assert [event.text for event in found(tmp_path, wanted, records)] == texts


def test_an_unknown_code_is_refused() -> None:
    with pytest.raises(ValueError, match="code = 'WINDOW': not allowed; allowed: ACCESS, ACKNOWLEDGED, "):
        SignificantQuery(code="WINDOW")


def test_a_search_without_a_journal_is_refused(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match=r"t\.db is not there"):
        search(tmp_path / "t.db", SignificantQuery(), 5)


def test_every_kind_of_row_and_event_has_a_code_or_is_play() -> None:
    assert {kind.name for kind in KINDS if not kind.code} == UNIMPORTANT | {"event"}
    assert {name for name, kind in BY_NAME.items() if not kind.code} == PLAY
