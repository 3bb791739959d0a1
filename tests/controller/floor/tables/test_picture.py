"""What the floor shows of its tables, and which alerts it raises."""

import asyncio
from typing import Any, get_args

import pytest

from controller.floor.day_file import JournalName
from controller.floor.projector import Incident
from controller.floor.tables.alert_kinds import ALERT_KINDS, FloorAlertKind
from controller.floor.tables.alerts import FloorAlert, FloorCause, UnknownAlert
from controller.floor.tables.picture import FloorPicture
from controller.floor.tables.record import StoredHead
from controller.floor.tables.tile import Tile
from controller.floor.tables.timing import keep_time
from controller.property.status import (
    NO_DIRECTORY,
    StatusAlert,
    StatusClaim,
    StatusDirectory,
    StatusLevel,
    StatusPace,
    StatusShift,
)
from tests.controller.floor.tables.statuses import EPOCH, OTHER, request, status, uplink
from tests.fixtures.waiting import come_true

BEGIN = 1_000.0
NAME = JournalName("bj-1", EPOCH)
HASHES = [bytes([number]) * 32 for number in range(20)]


class Floor:
    """A floor with two tables in pit A and one in pit B. bj-1 has an admitted journal."""

    def __init__(self) -> None:
        self.now = BEGIN
        self.picture = FloorPicture({"A": ("bj-2", "bj-1"), "B": ("bj-3",)}, BEGIN)
        self.picture.admit(NAME, BEGIN)

    def say(self, table: str = "bj-1", skew: float = 0.0, **fields: Any) -> None:
        self.picture.take_status(table, status(self.now + skew, **fields), self.now, self.now)

    def stored(self, row: int, digest: bytes = b"", epoch: str = EPOCH) -> None:
        head = StoredHead(row, digest or HASHES[row], self.now)
        self.picture.take_head(JournalName("bj-1", epoch), head, self.now)

    def wait(self, seconds: float) -> None:
        self.now += seconds
        self.picture.tick(self.now)

    def incident(self, kind: Any, row: int, name: JournalName = NAME) -> None:
        self.picture.take_incident(Incident(kind, name, row, f"{kind}!"), self.now)

    def tile(self, table: str = "bj-1") -> Tile:
        return self.picture.tiles[table]

    def alerts(self, table: str = "bj-1") -> dict[str, FloorAlert]:
        return {alert.cause.kind: alert for alert in self.picture.alerts.of_table(table)}

    def present(self, table: str = "bj-1") -> set[str]:
        return {kind for kind, alert in self.alerts(table).items() if alert.lasts}


@pytest.fixture
def floor() -> Floor:
    return Floor()


def test_each_kind_of_alert_has_its_entry() -> None:
    assert set(get_args(FloorAlertKind)) == ALERT_KINDS.keys()


def test_a_table_that_has_said_nothing_is_unknown_and_not_yet_an_alert(floor: Floor) -> None:
    assert {name: tile.condition for name, tile in floor.picture.tiles.items()} == dict.fromkeys(
        ("bj-1", "bj-2", "bj-3"), "unknown"
    )
    assert (floor.tile().pit, floor.tile().place, floor.tile("bj-3").pit) == ("A", 1, "B")
    assert not floor.tile().needs_attention
    floor.wait(7.5)
    assert floor.present() == {"silent"}
    assert floor.alerts()["silent"].text == "The table has said nothing yet"


def test_a_table_whose_journal_nobody_admitted_is_no_alert(floor: Floor) -> None:
    floor.wait(60)
    assert floor.tile("bj-2").condition == "unknown"
    assert floor.alerts("bj-2") == {}
    floor.picture.admit(JournalName("bj-2", EPOCH), floor.now)
    floor.wait(6)
    assert floor.alerts("bj-2") == {}
    floor.wait(1.5)
    assert floor.present("bj-2") == {"silent"}


def test_a_table_with_a_new_journal_is_not_waited_for_anew(floor: Floor) -> None:
    floor.wait(8)
    floor.picture.admit(JournalName("bj-1", OTHER), floor.now)
    assert floor.present() == {"silent"}


def test_a_tile_shows_what_the_table_says(floor: Floor) -> None:
    floor.say(
        state="dealing",
        round=12,
        min_bet=2500,
        players=3,
        dealer="Ada",
        pace=StatusPace(per_hour=61, target=70),
        shift=StatusShift(wagered=900, hold=-100),
        devices={"shoe": "running", "sensors": "backing off"},
        requests=(request(5, 990.0), request(4, 980.0)),
        claims=(StatusClaim(claim="7", cents=5000, state="pending"),),
        progressive={"gold": StatusLevel(n=4, hash="ab", version=2, state="open")},
    )
    tile = floor.tile()
    assert (tile.condition, tile.phase, tile.round, tile.min_bet) == ("open", "dealing", 12, 2500)
    assert (tile.players, tile.dealer, tile.pace.target, tile.shift.hold) == (3, "Ada", 70, -100)
    assert tile.missing == ("sensors",)
    assert tile.request == request(4, 980.0)
    assert (len(tile.requests), tile.claims[0].cents, tile.levels[0][1].n) == (2, 5000, 4)
    assert (tile.severity, tile.since) == ("warning", 980.0)


def test_a_tile_shows_the_directory_that_the_table_has_and_failed_sign_ins(floor: Floor) -> None:
    floor.say()
    assert floor.tile().directory == NO_DIRECTORY
    has = StatusDirectory(version=7, issued=900.5, state="offline", failures=3)
    floor.wait(1)
    floor.say(directory=has)
    assert floor.tile().directory == has


def test_a_tile_is_grey_after_seven_seconds_and_says_since_when(floor: Floor) -> None:
    floor.say(dealer="Ada")
    floor.wait(7.0)
    assert (floor.tile().condition, floor.tile().stale_since) == ("open", None)
    floor.wait(0.5)
    assert (floor.tile().condition, floor.tile().stale_since) == ("silent", BEGIN)
    assert floor.tile().dealer == "Ada"
    assert floor.present() == {"silent"}
    floor.say()
    assert (floor.tile().condition, floor.tile().stale_since) == ("open", None)
    assert not floor.present()
    assert floor.alerts()["silent"].ended == floor.now


def test_an_alert_stays_until_a_person_acknowledges_it(floor: Floor) -> None:
    floor.say()
    floor.wait(8)
    assert (floor.tile().severity, floor.tile().since) == ("warning", BEGIN + 8)
    floor.say()
    assert floor.tile().severity == "notice"
    (shown,) = floor.tile().alerts
    assert (shown.kind, shown.ended, shown.who) == ("silent", True, "")
    floor.picture.acknowledge(shown.number, "Eve", floor.now)
    assert not floor.tile().alerts
    assert [alert.who for alert in floor.picture.alerts.closed] == ["Eve"]
    with pytest.raises(UnknownAlert, match=f"no open alert {shown.number}"):
        floor.picture.acknowledge(shown.number, "Eve", floor.now)


def test_an_acknowledged_alert_whose_cause_lasts_is_shown_and_is_not_raised_again(floor: Floor) -> None:
    floor.incident("fork", 5)
    number = floor.alerts()["fork"].number
    floor.picture.acknowledge(number, "Eve", floor.now)
    floor.incident("fork", 5)
    floor.say()
    (shown,) = floor.tile().alerts
    assert (shown.kind, shown.who, shown.severity, shown.ended) == ("fork", "Eve", "notice", False)
    floor.picture.report(FloorCause("fork", "bj-1"), "", floor.now)
    assert not floor.tile().alerts
    floor.incident("fork", 5)
    assert (floor.alerts()["fork"].who, floor.tile().severity) == ("", "critical")


def test_a_core_that_does_not_run_is_down_until_it_speaks(floor: Floor) -> None:
    floor.say()
    floor.now += 1
    floor.picture.take_uplink("bj-1", uplink(floor.now), floor.now, floor.now)
    assert (floor.tile().condition, floor.present()) == ("down", {"core down"})
    floor.now += 1
    floor.say()
    assert (floor.tile().condition, floor.present()) == ("open", set())


def test_an_uplink_that_stopped_says_why_while_the_table_plays(floor: Floor) -> None:
    for _ in range(3):
        floor.say()
        alone = uplink(floor.now, "up", "the floor has other rows")
        floor.picture.take_uplink("bj-1", alone, floor.now, floor.now)
        assert (floor.tile().condition, floor.tile().why) == ("open", ("the floor has other rows",))
        assert (floor.present(), floor.tile().severity) == ({"alarm"}, "critical")
        floor.wait(5)
    for _ in range(3):
        floor.say()
        floor.wait(5)
    assert (floor.tile().why, floor.present()) == ((), set())


def test_a_suspended_table_needs_somebody_since_it_was_suspended(floor: Floor) -> None:
    floor.say(suspended=("The shoe is missing",))
    floor.wait(5)
    floor.say(suspended=("The shoe is missing", "The door is open"))
    tile = floor.tile()
    assert (tile.condition, tile.severity, tile.since) == ("suspended", "warning", BEGIN)
    assert tile.why == ("The shoe is missing", "The door is open")
    floor.say(suspended=("Test mode: Ada",), test="Ada since 14:00")
    assert (floor.tile().condition, floor.tile().severity) == ("test", None)


def test_alerts_of_the_table_and_of_the_floor_are_in_one_list(floor: Floor) -> None:
    alerts = (
        StatusAlert(number=8, code="missing", severity="warning", since=900.0),
        StatusAlert(number=9, code="tamper", severity="critical", since=990.0),
        StatusAlert(number=10, code="later", severity="notice", since=1.0),
    )
    floor.incident("gap", 5)
    floor.say(alerts=alerts)
    shown = [(alert.source, alert.kind, alert.text) for alert in floor.tile().alerts]
    assert shown == [
        ("table", "tamper", "The case of a device was opened"),
        ("table", "missing", "A device is missing"),
        ("floor", "gap", f"bj-1, journal {EPOCH}, row 5: gap!"),
        ("table", "later", "Later"),
    ]
    assert (floor.tile().severity, floor.tile().since) == ("critical", 990.0)


def test_a_gap_ends_when_the_first_missing_row_is_stored(floor: Floor) -> None:
    floor.stored(4)
    floor.incident("gap", 5)
    floor.incident("gap", 5)
    assert (floor.present(), floor.alerts()["gap"].count) == ({"gap"}, 2)
    floor.stored(5)
    assert not floor.present()


def test_a_journal_that_nobody_admitted_is_an_alert_until_it_is_admitted(floor: Floor) -> None:
    floor.incident("unknown journal", 0, JournalName("bj-1", OTHER))
    floor.say(epoch=OTHER)
    assert floor.present() == {"unknown journal", "other epoch"}
    assert f"writes the journal {OTHER}; admitted: {EPOCH}" in floor.alerts()["other epoch"].text
    floor.picture.admit(JournalName("bj-1", OTHER), floor.now)
    assert not floor.present()


def test_a_stranger_has_an_alert_and_no_tile(floor: Floor) -> None:
    floor.incident("unknown journal", 0, JournalName("bj-9", OTHER))
    assert "bj-9" not in floor.picture.tiles
    assert [alert.cause.table for alert in floor.picture.alerts] == ["bj-9"]


def test_a_clock_that_differs_is_an_alert_until_it_agrees(floor: Floor) -> None:
    for skew, present in ((2.0, set()), (2.1, {"clock skew"}), (-2.1, {"clock skew"}), (-2.0, set())):
        floor.wait(1)
        floor.say(skew=skew)
        assert floor.present() == present


def test_rows_that_are_stated_and_do_not_arrive_are_an_alert(floor: Floor) -> None:
    floor.stored(4)
    for _ in range(7):
        floor.say(row=9, hash=HASHES[9].hex())
        floor.wait(5)
    assert floor.present() == {"late rows"}
    floor.stored(6)
    assert not floor.present()
    for _ in range(5):
        floor.say(row=9, hash=HASHES[9].hex())
        floor.wait(5)
        floor.stored(7)
    assert not floor.present()


def test_a_signed_hash_that_differs_from_the_stored_one_is_a_fork(floor: Floor) -> None:
    floor.stored(4)
    floor.say(row=4, hash=HASHES[4].hex())
    floor.say(row=3, hash=HASHES[9].hex())
    assert not floor.present()
    floor.say(row=5, hash=HASHES[9].hex())
    floor.stored(5)
    assert (floor.present(), floor.tile().severity) == ({"fork"}, "critical")
    assert floor.alerts()["fork"].text == OTHER_HASH


OTHER_HASH = "The table states another hash of row 5 than the one that is stored"


def test_heads_of_another_epoch_do_not_count(floor: Floor) -> None:
    floor.say(row=5, hash=HASHES[5].hex())
    floor.stored(5, HASHES[9], OTHER)
    assert not floor.present()


def test_a_status_of_before_the_last_one_is_ignored(floor: Floor) -> None:
    floor.now += 2
    floor.say(dealer="Ada")
    floor.picture.take_status("bj-1", status(BEGIN, dealer="Bob"), BEGIN, floor.now)
    assert floor.tile().dealer == "Ada"


def test_an_old_status_after_a_start_is_grey_at_once(floor: Floor) -> None:
    floor.picture.take_status("bj-1", status(900.0, dealer="Ada"), 900.0, floor.now)
    assert (floor.tile().condition, floor.tile().stale_since) == ("silent", 900.0)
    assert floor.present() == {"silent"}


def test_what_another_part_reports_is_an_alert_until_it_reports_the_end(floor: Floor) -> None:
    full = FloorCause("full", which="JOURNAL")
    floor.picture.report(full, "JOURNAL is 71 % full", floor.now)
    floor.picture.report(full, "JOURNAL is 72 % full", floor.now)
    (alert,) = floor.picture.alerts.of_table("")
    assert (alert.text, alert.count, alert.urgency) == ("JOURNAL is 72 % full", 1, "warning")
    floor.picture.report(full, "", floor.now)
    (alert,) = floor.picture.alerts.of_table("")
    assert (alert.ended, alert.urgency) == (floor.now, "notice")


def test_a_single_event_is_counted_and_stays_urgent_until_acknowledged(floor: Floor) -> None:
    cause = FloorCause("refused", "bj-1")
    for _ in range(3):
        floor.picture.report(cause, "bad signature", floor.now)
    (shown,) = floor.tile().alerts
    assert (floor.alerts()["refused"].count, shown.severity, shown.ended) == (3, "critical", True)
    floor.picture.acknowledge(shown.number, "Eve", floor.now)
    assert not floor.tile().alerts


def test_an_alert_about_rows_names_table_journal_and_row_and_says_what_to_do(floor: Floor) -> None:
    floor.incident("fork", 5)
    (alert,) = floor.tile().alerts
    assert alert.text == f"bj-1, journal {EPOCH}, row 5: fork!"
    assert "tableside floor journal bj-1" in alert.todo


def test_rows_under_a_name_that_has_no_tile_are_an_alert_of_the_floor_itself(floor: Floor) -> None:
    stranger = JournalName("bj-9", OTHER)
    floor.incident("unknown journal", 0, stranger)
    assert "bj-9" not in floor.picture.tiles
    (alert,) = floor.picture.own_alerts
    assert alert.text.startswith(f"bj-9, journal {OTHER}: ")
    assert "tableside floor admit" in alert.todo
    floor.picture.admit(stranger, floor.now)
    assert not floor.picture.own_alerts
    assert [one.kind for one in floor.tile("bj-9").alerts] == ["unknown journal"]


def test_a_tile_that_looks_the_same_stays_the_same_object(floor: Floor) -> None:
    floor.say(dealer="Ada")
    before = floor.tile()
    for _ in range(5):
        floor.wait(2)
        floor.say(dealer="Ada", row=3)
    assert floor.tile() is before
    floor.say(dealer="Bob")
    assert floor.tile() is not before


async def test_time_alone_makes_a_tile_grey(floor: Floor) -> None:
    floor.say()
    changes = list[float]()

    def clock() -> float:
        floor.now += 4
        return floor.now

    task = asyncio.create_task(keep_time(floor.picture, clock, lambda: changes.append(floor.now)))
    try:
        await come_true(lambda: floor.tile().condition == "silent")
        assert floor.tile().stale_since == BEGIN
        assert len(changes) == 2
    finally:
        task.cancel()
        await asyncio.wait({task})
