"""Amounts and alarms of linked progressives reach the picture over a real server, if they are signed."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from nats.aio.client import Client

from controller.floor.connection import Servers, connection
from controller.floor.nats_server import nats_server
from controller.floor.service.jackpot_watch import JackpotWatch
from controller.floor.streams import Deployment, prepare
from controller.floor.tables.jackpots import LinkedJackpots
from controller.floor.tables.picture import FloorPicture
from controller.jackpot.linked.entries import Alarm, InputRange, LogEntry, first_hash
from controller.journal.signing import Signer
from controller.process.tasks import end_tasks
from controller.property.signed import SignedMessage
from controller.property.subjects import PropertySubjects
from tests.controller.floor.tables.test_jackpots import amount

SUBJECTS = PropertySubjects("house")
KEY, OTHER = (Signer(bytes([number]) * 32) for number in (1, 2))


@asynccontextmanager
async def watching(folder: Path) -> AsyncIterator[tuple[FloorPicture, JackpotWatch, Client]]:
    async with (
        nats_server(folder / "nats") as address,
        connection(Servers((address,), "floor", "_INBOX_floor")) as client,
    ):
        await prepare(client.jetstream(), Deployment("house", levels=("grand",)))
        picture = FloorPicture({"main": ("bj-1",)}, time.time())
        picture.jackpots = LinkedJackpots(("grand",), time.time())
        watch = JackpotWatch(client, SUBJECTS, picture, {KEY.public}, time.time)
        running = asyncio.create_task(watch.run())
        try:
            yield picture, watch, client
        finally:
            await end_tasks([running])


async def announce(client: Client, signer: Signer, number: int, version: int) -> None:
    payload = amount(number, version, closed=("bj-1",)).payload
    message = SignedMessage.make(SUBJECTS.amount("grand"), payload, signer)
    await client.publish(message.subject, message.payload, headers=message.headers())


async def test_an_amount_with_the_key_of_the_level_is_shown_and_another_is_not(tmp_path: Path) -> None:
    async with watching(tmp_path) as (picture, watch, client):
        version = 0
        while picture.jackpots.shown["grand"].cents is None:
            version += 1
            await announce(client, OTHER, 9, version)
            await announce(client, KEY, 4, version)
            await asyncio.sleep(0.05)
        assert picture.jackpots.shown["grand"].cents == 4000
        watch.look()
        assert [alert.kind for alert in picture.tiles["bj-1"].alerts] == ["meter fell"]


async def test_an_alarm_in_the_log_is_an_alert_of_its_table(tmp_path: Path) -> None:
    alarm = Alarm(code="unreasonable", table="bj-1", why="900 wagers in one round")
    before, n = first_hash("grand"), 0
    async with watching(tmp_path) as (picture, _watch, client):
        stream = client.jetstream()
        while not [alert for alert in picture.tiles["bj-1"].alerts if alert.kind == "unreasonable"]:
            n += 1
            fields = {"in": InputRange(1, 1, 0, ""), "out": (alarm,)}
            entry = LogEntry(v=1, n=n, at=1.0, before=before, **fields)  # type: ignore[arg-type]
            await stream.publish(SUBJECTS.progressive_log("grand"), entry.payload)
            before = entry.hash
            await asyncio.sleep(0.05)
    (alert,) = [alert for alert in picture.tiles["bj-1"].alerts if alert.kind == "unreasonable"]
    assert (alert.text, alert.severity) == ("Progressive grand: 900 wagers in one round", "critical")


async def test_a_level_without_an_announcement_is_an_alert_until_there_is_one(tmp_path: Path) -> None:
    async with watching(tmp_path) as (picture, watch, _client):
        picture.jackpots = LinkedJackpots(("grand",), time.time() - 60)
        watch.look()
        assert [(alert.kind, alert.ended) for alert in picture.own_alerts] == [("leader", False)]
        picture.jackpots.take(amount(1), time.time())
        watch.look()
        assert [(alert.kind, alert.ended) for alert in picture.own_alerts] == [("leader", True)]
