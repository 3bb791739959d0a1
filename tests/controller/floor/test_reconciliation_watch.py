"""The logs of linked progressives reach the floor over a real server, and what differs from the rows is an
alert."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path

import pytest
from nats.aio.client import Client
from nats.js.errors import NotFoundError

from controller.floor.connection import Servers, connection
from controller.floor.nats_server import nats_server
from controller.floor.reconciliation.ledger import LedgerReader
from controller.floor.reconciliation.log_reader import ProgressiveLogReader
from controller.floor.service.reconciliation_watch import DAYS_BACK, FAULT, ReconciliationWatch
from controller.floor.streams import PROGRESSIVE_LOG, Deployment, prepare
from controller.floor.tables.alerts import FloorCause
from controller.floor.tables.picture import FloorPicture
from controller.floor.tables.tile import TileAlert
from controller.jackpot.linked.entries import LogEntry, NotNext
from controller.process.tasks import end_tasks
from controller.property.subjects import PropertySubjects
from tests.fixtures.jackpot_table import IN, LOSES
from tests.fixtures.linked_table import LEVEL, TABLE
from tests.fixtures.reconciled_floor import CALENDAR, LIFT, ReconciledFloor
from tests.fixtures.stored_floor import DAY
from tests.fixtures.waiting import PATIENCE, come_true

SUBJECTS = PropertySubjects("house")
ANY = SUBJECTS.progressive_log("*")
ROUND = f"{IN} {LOSES} 1:stand 2:stand 9d pay {LIFT}"


class Watched:
    """A floor with a watch, and the server with the logs."""

    def __init__(self, here: ReconciledFloor, client: Client) -> None:
        self.here, self.client = here, client
        self.picture = FloorPicture({"main": (TABLE,)}, 0.0)
        self.watch = ReconciliationWatch(
            client.jetstream(),
            ANY,
            (LEVEL,),
            here.floor.folder,
            CALENDAR,
            90,
            self.report,
            lambda: here.floor.now,
            confirm=partial(asyncio.sleep, 0),
            every=0.05,
        )

    def report(self, cause: FloorCause, text: str) -> None:
        self.picture.report(cause, text, self.here.floor.now)

    def alerts(self) -> list[TileAlert]:
        """Those about the table that last."""
        return [
            alert
            for alert in self.picture.tiles[TABLE].alerts
            if alert.kind == "reconciliation" and not alert.ended
        ]

    def read(self) -> int:
        """The last entry that the floor has read."""
        with LedgerReader(self.here.floor.folder) as ledger:
            return ledger.place(LEVEL).n

    async def has_read(self, n: int) -> None:
        await come_true(lambda: self.read() == n)


@asynccontextmanager
async def server(folder: Path) -> AsyncIterator[Client]:
    async with (
        nats_server(folder / "nats") as address,
        connection(Servers((address,), "floor", "_INBOX_floor")) as client,
    ):
        await prepare(client.jetstream(), Deployment("house", levels=(LEVEL,)))
        yield client


async def publish(client: Client, entries: list[LogEntry]) -> None:
    for entry in entries:
        await client.jetstream().publish(SUBJECTS.progressive_log(LEVEL), entry.payload)


@asynccontextmanager
async def watched(folder: Path, *, damaged: bool = False) -> AsyncIterator[Watched]:
    """`damaged`: the ledger is not a database."""
    here = ReconciledFloor.opened(folder / "stores")
    if damaged:
        here.ledger.__exit__(None, None, None)
        here.ledger.path.write_bytes(b"something else" * 1000)
    async with server(folder) as client:
        found = Watched(here, client)
        running = asyncio.create_task(found.watch.run())
        try:
            yield found
        finally:
            await end_tasks([running])
            here.close()


async def test_a_difference_is_an_alert_of_its_table_with_both_figures_until_it_is_over(
    tmp_path: Path,
) -> None:
    async with watched(tmp_path) as at:
        here = at.here
        here.play(ROUND)
        here.read_meter(wagers=1, wagered=100)
        here.store()
        await publish(at.client, here.desk.log)
        await at.has_read(len(here.desk.log))
        await at.watch.look()
        (alert,) = at.alerts()
        assert (alert.severity, alert.since) == ("critical", here.floor.now)
        day = CALENDAR.day(here.floor.day).title.capitalize()
        assert alert.text.startswith(f"{day}: up to row {len(here.rows)}, the rows have 2 wagers of 2.00, ")
        assert alert.text.endswith(f"the progressive {LEVEL} has 1 of 1.00")
        here.floor.now += DAYS_BACK * DAY
        await at.watch.look()
        assert at.alerts() == [alert]
        here.floor.now += DAY
        await at.watch.look()
        assert at.alerts() == []


async def test_a_table_whose_rows_are_late_raises_no_alert(tmp_path: Path) -> None:
    async with watched(tmp_path) as at:
        here = at.here
        here.play(ROUND)
        here.read_meter()
        won = here.claim()
        await publish(at.client, here.desk.log)
        await at.has_read(len(here.desk.log))
        await at.watch.look()
        assert won.cents
        assert at.alerts() == []


async def test_what_agrees_after_a_minute_is_no_difference(tmp_path: Path) -> None:
    """A row has come, and the message about it comes a moment later."""
    async with watched(tmp_path) as at:
        here = at.here
        here.play(f"{IN} 7h 9c 7h 7h 8c Th 1:stand 2:stand pay {LIFT}")
        won = here.claim()
        here.decide(won)
        here.floor.now += 60
        here.pay()
        here.store()
        here.floor.now += 60
        here.read_meter()
        await publish(at.client, here.desk.log)
        await at.has_read(len(here.desk.log))
        assert at.watch.differences()

        async def send_the_step() -> None:
            here.step(won)
            await publish(at.client, here.desk.log[-1:])
            await at.has_read(len(here.desk.log))

        at.watch.confirm = send_the_step
        await at.watch.look()
        assert not at.watch.differences()
        assert at.alerts() == []


async def test_a_log_with_another_history_is_read_again(tmp_path: Path) -> None:
    """The stream was made again, from the journal of one instance."""
    here, other = (ReconciledFloor.opened(tmp_path / name) for name in ("stores", "other"))
    for each, readings in ((here, 1), (other, 2)):
        for _ in range(readings):
            each.play(" ".join([ROUND] * readings))
            each.read_meter()
    here.follow()
    async with server(tmp_path) as client:
        stream = client.jetstream()
        reader = ProgressiveLogReader(stream, ANY, (LEVEL,), here.ledger, lambda: None)
        with pytest.raises(NotNext, match="PROGRESSIVE_LOG ends with message 0; read: up to message 3"):
            await reader.run()
        await publish(client, other.desk.log)
        here.read = 0
        here.follow()
        await reader.run()  # a message may have been lost on its way
        with pytest.raises(NotNext, match="progressive sevens: entry 4 does not follow entry 3"):
            await reader.run()
        reading = asyncio.create_task(reader.run())
        await come_true(lambda: here.ledger.place(LEVEL).n == len(other.desk.log))
        await end_tasks([reading])
    here.close()
    other.close()


async def test_a_log_that_is_made_again_while_it_is_followed_is_noticed(tmp_path: Path) -> None:
    here = ReconciledFloor.opened(tmp_path / "stores")
    async with server(tmp_path) as client:
        await publish(client, here.desk.log)
        reader = ProgressiveLogReader(client.jetstream(), ANY, (LEVEL,), here.ledger, lambda: None, idle=2.0)
        reading = asyncio.create_task(reader.run())
        await come_true(lambda: here.ledger.place(LEVEL).n == len(here.desk.log))
        await client.jetstream().delete_stream(PROGRESSIVE_LOG)
        await prepare(client.jetstream(), Deployment("house", levels=(LEVEL,)))
        await publish(client, here.desk.log)
        async with asyncio.timeout(PATIENCE):
            with suppress(NotFoundError):  # it may look while there is no stream
                await reading
    here.close()


async def test_a_ledger_that_cannot_be_used_is_an_alert(tmp_path: Path) -> None:
    async with watched(tmp_path, damaged=True) as at:
        await come_true(lambda: bool(at.picture.own_alerts))
        (alert,) = at.picture.own_alerts
    assert (alert.kind, alert.severity) == (FAULT.kind, "critical")
    assert "cannot be compared with the tables" in alert.text
    assert "progressive.sqlite cannot be used" in alert.text


@pytest.mark.parametrize("hours", [1, 24])
async def test_the_floor_compares_when_an_hour_or_a_gaming_day_ends(tmp_path: Path, hours: int) -> None:
    async with watched(tmp_path) as at:
        here = at.here
        await come_true(lambda: at.watch.compared)
        here.play(ROUND)
        here.read_meter(wagers=1, wagered=100)
        here.store()
        await publish(at.client, here.desk.log)
        await at.has_read(len(here.desk.log))
        assert at.alerts() == []
        here.floor.now += hours * 3600.0
        await come_true(lambda: len(at.alerts()) == 1)
