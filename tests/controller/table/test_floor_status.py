"""The status that the floor gets, made from the state of a table."""

import pytest

from controller.property.status import NO_SHIFT, StatusRequest, TableStatus, payload_of
from controller.table.apply.alert_endings import ALERT_KINDS
from controller.table.record.causes import cause
from controller.table.record.events import DealerOn, DeviceLost, DeviceRunning, RequestMade, Supervisor
from controller.table.state.alarms import Alarm
from controller.table.view.status import MOST_TEXT, StatusFacts, severity_of, table_status
from tests.fixtures.state_table import StateTable

EPOCH = "0123456789abcdef"
HOLES = ("As", "4d", "Td", "7h")


def status(table: StateTable, **facts: object) -> TableStatus:
    plain = {"row": 3, "hash": "ab" * 32, "at": 9.0, "shift": NO_SHIFT, "devices": ()}
    return table_status(table.state, StatusFacts(**(plain | facts)))  # type: ignore[arg-type]


@pytest.fixture
def table() -> StateTable:
    made = StateTable(limits={"main": [100, 50_000]})
    made.state.epoch = EPOCH
    return made


def test_a_status_says_what_is_played(table: StateTable) -> None:
    table.apply(DealerOn("Dee"))
    table.deal()
    said = status(table, target=70, manifest="m1")
    assert (said.epoch, said.row, said.round, said.players, said.dealer) == (EPOCH, 3, 1, 2, "Dee")
    assert (said.game, said.min_bet, said.state) == (table.state.game.title, 100, table.state.round.phase)
    assert (said.pace.per_hour, said.pace.target, said.manifest, said.suspended) == (None, 70, "m1", ())


def test_a_status_names_currency_and_time_zone(table: StateTable) -> None:
    table.script.currency = "JPY"
    table.begin()
    table.state.epoch = EPOCH
    said = status(table, time_zone="Asia/Tokyo")
    assert (said.currency, said.minor_digits, said.time_zone) == ("JPY", 0, "Asia/Tokyo")


def test_a_table_without_limits_has_no_least_bet() -> None:
    table = StateTable()
    table.state.epoch = EPOCH
    assert status(table).min_bet is None


def test_an_alert_is_urgent_until_its_cause_ends(table: StateTable) -> None:
    table.apply(DeviceLost("sensors", "unplugged"))
    (alert,) = status(table).alerts
    assert (alert.code, alert.severity) == ("missing", "warning")
    assert status(table).suspended == ("Missing: the sensors",)
    table.apply(DeviceRunning("sensors"))
    (alert,) = status(table).alerts
    assert (alert.code, alert.severity) == ("missing", "notice")


def test_an_alert_has_the_severity_of_its_kind() -> None:
    for kind, row in ALERT_KINDS.items():
        assert severity_of(Alarm(1, "x", 1.0, 1.0, cause=f"{kind} 7")) == row.severity
        assert severity_of(Alarm(1, "x", 1.0, 1.0, cause=kind, ended=2.0)) == "notice"
    assert severity_of(Alarm(1, "x", 1.0, 1.0)) == "warning"


def test_the_most_severe_alert_comes_first(table: StateTable) -> None:
    table.state.alert(cause("notice"), "n")
    table.state.alert(cause("chips"), "c")
    table.state.alert(cause("balance"), "b")
    assert [alert.code for alert in status(table).alerts] == ["balance", "chips", "notice"]


def test_an_open_request_comes_with_its_nonce(table: StateTable) -> None:
    table.apply(RequestMade("help", "Dee", "dealer", "x" * 200))
    (asked,) = status(table, nonces={1: "n1"}).requests
    assert asked == StatusRequest(
        number=1,
        nonce="n1",
        kind="help",
        by="Dee",
        since=asked.since,
        needs=1,
        text=asked.text,
        sentences=asked.sentences,
    )
    assert len(asked.text) == MOST_TEXT


def test_an_open_request_says_what_granting_it_would_do_and_who_has_granted_it(table: StateTable) -> None:
    table.deal("9c 4h 7s 8h 5c")
    table.apply(RequestMade("void", "Dee", "dealer", "exposed", Supervisor("void", "Dee", "exposed", None)))
    (asked,) = status(table).requests
    assert (asked.sentences, asked.granted) == (table.state.shift.requests.open[0].sentences, ())
    assert asked.sentences


def test_no_status_depends_on_the_card_that_lies_face_down() -> None:
    seen = set[bytes]()
    for hole in HOLES:
        table = StateTable("ez-bust")
        table.state.epoch = EPOCH
        table.deal(f"9c 4h 7s {hole} 5c")
        assert table.state.underway
        void = Supervisor("void", "Dee", "exposed", None)
        table.apply(RequestMade("void", "Dee", "dealer", "exposed", void))
        seen.add(payload_of(status(table)))
    assert len(seen) == 1
