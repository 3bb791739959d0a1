"""Acknowledgements at two instances of a floor: both show the same trail, whatever happens to either."""

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from controller.access.people import Person
from controller.floor.acknowledgements import FILE, AcknowledgementTrail
from controller.floor.connection import Servers, connection
from controller.floor.floor_log import SharedJournal
from controller.floor.nats_server import nats_server
from controller.floor.pages.alert_desk import FloorAlertDesk
from controller.floor.pages.server import FloorServer
from controller.floor.streams import Deployment, prepare
from controller.floor.tables.alerts import FloorCause
from controller.floor.tables.picture import FloorPicture
from controller.process.tasks import end_tasks
from tests.controller.floor.approvals.acting import instance, until_acting
from tests.fixtures.floor_acts import AwayActs
from tests.fixtures.floor_pages import pits_of
from tests.fixtures.waiting import come_true

ANN, BO = Person("Ann", "supervisor"), Person("Bo", "technician")
REFUSED = FloorCause("refused", "bj-001")
FULL = FloorCause("full", which="JOURNAL")
RAISED = 1000.0


@pytest.fixture
async def address(tmp_path: Path) -> AsyncIterator[str]:
    async with nats_server(tmp_path / "nats") as found:
        async with connection(Servers((found,), "prepare", "_INBOX_prepare")) as client:
            await prepare(client.jetstream(), Deployment("house"))
        yield found


@dataclass(frozen=True, slots=True)
class Pages:
    """The alerts and the trail of one instance."""

    picture: FloorPicture
    trail: AcknowledgementTrail
    desk: FloorAlertDesk

    def who(self, cause: FloorCause) -> str:
        """Who acknowledged the alert of this cause; the last one if it has left the tile."""
        alert = self.picture.alerts.find(cause)
        return alert.who if alert else self.picture.alerts.closed[0].who

    def acknowledged(self, table: str = "bj-001") -> list[tuple[str, str]]:
        self.desk.look()
        return [(one.who, one.why) for one in self.desk.trail(table)]

    async def acknowledge(self, cause: FloorCause, person: Person, why: str) -> None:
        alert = self.picture.alerts.find(cause)
        assert alert
        await self.desk.acknowledge(cause.table, alert.number, person, why)


@contextmanager
def pages(
    folder: Path, journal: SharedJournal, *causes: FloorCause, clock: Callable[[], float] = time.time
) -> Iterator[Pages]:
    """An instance that has raised alerts of these causes."""
    picture = FloorPicture(pits_of(4), RAISED)
    for cause in causes:
        picture.report(cause, "wrong", RAISED)
    with AcknowledgementTrail(folder) as trail:
        yield Pages(picture, trail, FloorAlertDesk(picture, trail, journal, clock))


async def test_what_is_acknowledged_at_either_instance_is_acknowledged_at_both(
    tmp_path: Path, address: str
) -> None:
    async with instance(address, tmp_path / "one") as first:
        await until_acting(first)
        async with instance(address, tmp_path / "two") as second:
            with (
                pages(tmp_path / "one", first, FULL, REFUSED) as acts,
                pages(tmp_path / "two", second, REFUSED, FULL) as follows,
            ):
                await acts.acknowledge(REFUSED, ANN, "key replaced")
                await come_true(lambda: follows.acknowledged() == [("Ann", "key replaced")])
                assert not second.leads
                await follows.acknowledge(FULL, BO, "more room")
                await come_true(lambda: acts.acknowledged("") == [("Bo", "more room")])
                assert [one.who(REFUSED) for one in (acts, follows)] == ["Ann", "Ann"]
                assert [one.who(FULL) for one in (acts, follows)] == ["Bo", "Bo"]


async def test_an_instance_that_takes_over_has_the_whole_trail(tmp_path: Path, address: str) -> None:
    async with AsyncExitStack() as later:
        async with instance(address, tmp_path / "one") as first:
            await until_acting(first)
            second = await later.enter_async_context(instance(address, tmp_path / "two"))
            with pages(tmp_path / "one", first, REFUSED) as acts:
                await acts.acknowledge(REFUSED, ANN, "key replaced")
        await until_acting(second)
        with pages(tmp_path / "two", second) as took_over:
            assert took_over.acknowledged() == [("Ann", "key replaced")]
    async with instance(address, tmp_path / "three") as third:
        await until_acting(third)
        with pages(tmp_path / "three", third) as new:
            assert new.acknowledged() == [("Ann", "key replaced")]


async def test_the_service_of_the_pages_takes_what_another_instance_acknowledged(tmp_path: Path) -> None:
    acts = AwayActs()
    with pages(tmp_path / "one", acts, REFUSED) as one:
        await one.acknowledge(REFUSED, ANN, "seen")
    picture = FloorPicture(pits_of(4), RAISED)
    picture.report(REFUSED, "wrong", RAISED)
    server = FloorServer("Grand", tmp_path / "access.db", tmp_path / "two", picture, acts, port=0)
    serving = asyncio.create_task(server.run())
    try:
        await come_true(lambda: picture.alerts.closed or serving.done())
    finally:
        await end_tasks([serving])
    assert [alert.who for alert in picture.alerts.closed] == ["Ann"]


async def test_entries_that_are_read_again_are_in_the_trail_once(tmp_path: Path) -> None:
    acts = AwayActs()
    with pages(tmp_path, acts, REFUSED, FULL) as at:
        await at.acknowledge(REFUSED, ANN, "seen")
        await acts.note("access", {})
        await at.acknowledge(FULL, BO, "room made")
        at.picture.report(REFUSED, "wrong", RAISED)
        await at.acknowledge(REFUSED, ANN, "seen again")
    for forgets in (forget_nothing, forget_the_place):
        forgets(tmp_path / FILE)
        with pages(tmp_path, acts) as again:
            assert again.acknowledged() == [("Ann", "seen again"), ("Ann", "seen")]
            assert again.acknowledged("") == [("Bo", "room made")]
            assert again.trail.last_entry == 4


def forget_nothing(_file: Path) -> None:
    """As a restart."""


def forget_the_place(file: Path) -> None:
    """As in the file of an instance that kept its own acknowledgements only."""
    with closing(sqlite3.connect(file)) as database:
        database.execute("DROP TABLE place")


async def test_an_alert_that_came_after_the_acknowledgement_stays_open(tmp_path: Path) -> None:
    acts, now = AwayActs(), [RAISED + 1]
    with pages(tmp_path / "one", acts, REFUSED, clock=lambda: now[0]) as one:
        await one.acknowledge(REFUSED, ANN, "seen")
    with pages(tmp_path / "two", acts) as two:
        two.picture.report(REFUSED, "wrong", RAISED + 60)
        assert two.acknowledged() == [("Ann", "seen")]
        assert two.who(REFUSED) == ""


async def test_an_alert_of_another_cause_or_row_stays_open(tmp_path: Path) -> None:
    acts, other = AwayActs(), FloorCause("full", which="FLOOR_LOG")
    with pages(tmp_path / "one", acts, FULL) as one:
        await one.acknowledge(FULL, ANN, "seen")
    with pages(tmp_path / "two", acts, other, FULL) as two:
        two.picture.alerts.raise_alert(FULL, "wrong", RAISED, row=7)
        two.desk.look()
        assert [two.who(cause) for cause in (FULL, other)] == ["", ""]


async def test_an_entry_that_cannot_be_understood_does_not_stop_those_after_it(tmp_path: Path) -> None:
    acts = AwayActs()
    await acts.note("acknowledgement", {"table": "bj-001"})
    with pages(tmp_path, acts, REFUSED) as at:
        await at.acknowledge(REFUSED, ANN, "seen")
        assert at.acknowledged() == [("Ann", "seen")]


async def test_a_journal_that_was_begun_anew_adds_to_the_trail(tmp_path: Path) -> None:
    acts = AwayActs()
    with pages(tmp_path, acts, REFUSED, FULL) as at:
        await acts.note("access", {})
        await at.acknowledge(REFUSED, ANN, "seen")
        acts.written.clear()
        at.picture.report(REFUSED, "wrong", RAISED)
        await at.acknowledge(REFUSED, BO, "seen again")
        assert at.acknowledged() == [("Bo", "seen again"), ("Ann", "seen")]
