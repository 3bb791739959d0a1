"""Readers of streams leave nothing behind, however they end."""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from pathlib import Path

import pytest
from nats.js import JetStreamContext

from controller.calendar import Calendar
from controller.floor.collector import Collector
from controller.floor.connection import Servers, connection
from controller.floor.nats_server import nats_server
from controller.floor.projector import Projector
from controller.floor.reconciliation.ledger import Ledger
from controller.floor.reconciliation.log_reader import ProgressiveLogReader
from controller.floor.store import FloorStore
from controller.floor.streams import JOURNAL, Deployment, prepare
from controller.property.subjects import PropertySubjects

SUBJECTS = PropertySubjects("house")


async def read_journals(stream: JetStreamContext, folder: Path) -> None:
    with FloorStore(folder, Calendar(), lambda: 0.0) as store:
        position = store.newest.position(JOURNAL)
        await Collector(stream, SUBJECTS, Projector(store, {}), position, lambda _incidents: None).run()


async def read_logs(stream: JetStreamContext, folder: Path) -> None:
    with Ledger(folder, Calendar()) as ledger:
        await ProgressiveLogReader(stream, SUBJECTS.progressive_log("*"), (), ledger, lambda: None).run()


@pytest.mark.parametrize("turns", range(1, 6))
@pytest.mark.parametrize("read", [read_journals, read_logs])
async def test_a_reader_that_is_cancelled_while_it_ends_leaves_no_task(
    tmp_path: Path, read: Callable[[JetStreamContext, Path], Coroutine[None, None, None]], turns: int
) -> None:
    async with (
        nats_server(tmp_path / "nats") as address,
        connection(Servers((address,), "floor", "_INBOX_floor")) as client,
    ):
        await prepare(client.jetstream(), Deployment("house", levels=("sevens",)))
        before = asyncio.all_tasks()
        reading = asyncio.create_task(read(client.jetstream(), tmp_path / "floor"))
        await asyncio.sleep(0.5)
        reading.cancel()
        for _ in range(turns):
            await asyncio.sleep(0)
        reading.cancel()
        with suppress(asyncio.CancelledError):
            await reading
        await asyncio.sleep(0)
        assert asyncio.all_tasks() == before
