"""The service of a linked progressive, over a real server: contributions, claims, decisions, restarts."""

import asyncio
from pathlib import Path

import pytest

from controller.floor.drills.interleavings.world import LEVEL
from controller.floor.nats_server import monitor_address, nats_server
from controller.jackpot.linked.entries import Alarm
from controller.jackpot.linked.messages import Correct, CorrectedAmount
from controller.journal.signing import Signer
from tests.controller.floor.progressive.house import SUBJECTS, house
from tests.fixtures.waiting import PATIENCE, come_true

pytestmark = pytest.mark.usefixtures("fork_server")


async def test_wagers_of_tables_reach_the_amount_and_claims_are_decided_once(tmp_path: Path) -> None:
    async with house(tmp_path) as found:
        await found.instances[0].start()
        await found.open()
        playing = asyncio.create_task(found.play())
        await come_true(lambda: sum(len(table.rows) for table in found.tables) >= 3)
        found.playing = False
        await playing
        await found.settle()
        assert found.amounts[-1][1].cents == (await found.state()).meter.cents  # type: ignore[union-attr]
        assert await found.check() >= 3


async def test_what_nobody_signed_as_it_must_be_does_not_count(tmp_path: Path) -> None:
    async with house(tmp_path, tables=1) as found:
        await found.instances[0].start()
        await found.open()
        table, stranger = found.tables[0], Signer(bytes([9] * 32))
        before = (await found.state()).meter
        table.play(found.chance)
        await found.send(SUBJECTS.reading(LEVEL, table.name), table.reading.payload, stranger)
        message = Correct(
            level=LEVEL,
            id="forged",
            about=found.amounts[-1][1].n,
            value=CorrectedAmount(cents=99_000_000),
            who=("A", "B"),
            why="-",
            issued=1.0,
        )
        await found.send(SUBJECTS.administration(LEVEL), message.payload, stranger)
        alarms = list[Alarm]()
        async with asyncio.timeout(PATIENCE):
            while len(alarms) < 2:
                await found.amount()
                entries = await found.entries()
                alarms = [one for entry in entries for one in entry.out if isinstance(one, Alarm)]
        assert (await found.state()).meter == before
        assert [alarm.code for alarm in alarms] == ["signature", "signature"]


async def test_a_server_that_writes_later_is_refused(tmp_path: Path) -> None:
    """It would lose the order of claims in a power failure."""
    async with house(tmp_path) as found, nats_server(tmp_path / "late", sync_interval="2m"):
        first = found.instances[0]
        config = tmp_path / f"{first.name}.toml"
        monitors = f'monitors = ["{monitor_address(tmp_path / "late")}"]\n'
        config.write_text(monitors + config.read_text())
        await first.start()
        assert first.process
        assert await first.process.wait() == 1
        assert "sync_interval is not always" in first.log.read_text()
