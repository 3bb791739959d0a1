"""Commands of the floor and its own journal, with a real table and a real server."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from controller.floor.approvals.service import Approvals
from controller.floor.floor_log import FloorLog, LogAway
from controller.floor.nats_server import nats_server
from controller.floor.streams import Deployment, prepare
from controller.journal.journal import Journal
from controller.property.commands import Command
from controller.property.signed import SignedMessage
from tests.controller.floor.approvals.house import (
    FLOOR_KEY,
    SUBJECTS,
    House,
    open_house,
    relaying,
)


@pytest.fixture
async def address(tmp_path: Path) -> AsyncIterator[str]:
    async with nats_server(tmp_path / "nats") as found:
        yield found


@asynccontextmanager
async def floor(house: House, path: Path, *, limit: float = 5.0) -> AsyncIterator[tuple[Approvals, FloorLog]]:
    stream = house.client.jetstream()
    await prepare(stream, Deployment("house"))
    with Journal(path, None, FLOOR_KEY) as journal:
        log = FloorLog(stream, SUBJECTS.floor_log, path, journal, lambda: 1000.0)
        await log.start()
        yield Approvals(log, house.floor(limit=limit)), log


def kinds(log: FloorLog) -> list[tuple[str, str]]:
    return [(entry.kind, entry.body.get("state", "")) for entry in log.entries()]


async def test_a_command_and_its_outcome_are_in_the_floors_journal(tmp_path: Path, address: str) -> None:
    async with open_house(tmp_path, address) as house, floor(house, tmp_path / "log") as (approvals, log):
        sent = await approvals.send(await house.grant())
        assert kinds(log) == [("command", ""), ("outcome", "done")]
        body = next(log.entries()).body
    values = (bytes.fromhex(body[name]) for name in ("payload", "key", "signature"))
    given = Command.read(SignedMessage(body["subject"], *values).verify({FLOOR_KEY.public}))
    assert (sent.state, given.who, given.second) == ("done", "Flo", "Dee")


async def test_a_command_that_the_log_does_not_take_is_not_sent(
    tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(*_: object) -> None:
        raise LogAway("the stream is full")

    async with open_house(tmp_path, address) as house, floor(house, tmp_path / "log") as (approvals, _):
        grant = await house.grant()
        with monkeypatch.context() as patched:
            patched.setattr(FloorLog, "append", away)
            with pytest.raises(LogAway):
                await approvals.send(grant)
        assert house.commands() == 0
        assert (await approvals.send(grant)).state == "done"


async def test_a_floor_that_starts_anew_settles_an_unknown_command(tmp_path: Path, address: str) -> None:
    async with open_house(tmp_path, address, relay=False) as house:
        grant = await house.grant()
        async with floor(house, tmp_path / "log", limit=0.2) as (approvals, _):
            lost = await approvals.send(grant)
        async with (
            house.core.client("uplink") as uplink,
            relaying(address, uplink),
            floor(house, tmp_path / "log") as (approvals, log),
        ):
            settled = await approvals.again("t7", "g1")
            assert kinds(log) == [("command", ""), ("outcome", "unknown"), ("outcome", "done")]
            with pytest.raises(LookupError, match="command g9 to t7"):
                await approvals.again("t7", "g9")
        assert house.commands() == 1
    assert (lost.state, settled.state, settled.message) == ("unknown", "done", lost.message)


async def test_the_status_settles_an_outcome_once(tmp_path: Path, address: str) -> None:
    async with open_house(tmp_path, address) as house, floor(house, tmp_path / "log") as (approvals, log):
        await approvals.send(await house.grant())
        for _ in range(2):
            await approvals.take_status("t7", (*house.status(), ("of another floor", "done")))
        bodies = [entry.body for entry in log.entries()]
    assert [body.get("by_status") for body in bodies] == [None, False, True]


async def test_outcomes_of_commands_at_the_same_time_are_each_written_once(
    tmp_path: Path, address: str
) -> None:
    async with open_house(tmp_path, address) as house, floor(house, tmp_path / "log") as (approvals, log):
        grants = [await house.grant("g1"), house.command("message", "m1"), house.command("close", "c1")]
        await asyncio.gather(*map(approvals.send, grants))
        bodies = [entry.body for entry in log.entries() if entry.kind == "outcome"]
    assert sorted(body["id"] for body in bodies) == ["c1", "g1", "m1"]
