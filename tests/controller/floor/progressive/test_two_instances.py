"""Two instances of a linked progressive as processes: kills, pauses, and streams that are put back.

Whatever happens, the log has one order, the books balance, and a claim has one amount.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from controller.floor.streams import PROGRESSIVE_IN, PROGRESSIVE_LOG
from controller.jackpot.linked.entries import Leader, Rewound
from tests.controller.floor.progressive.house import House, house
from tests.fixtures.waiting import come_true

pytestmark = pytest.mark.usefixtures("fork_server")

KILLS = 6
CLAIMS = 3
"""Claims that are decided at least."""


@asynccontextmanager
async def playing_house(folder: Path, seed: int = 1) -> AsyncIterator[House]:
    """Two instances, and tables that play until the body ends; then everything is decided and compared."""
    async with house(folder, seed=seed) as found:
        for one in found.instances:
            await one.start()
        await found.open()
        playing = asyncio.create_task(found.play())
        await decided(found, CLAIMS)
        yield found
        found.playing = False
        await playing
        await found.settle()
        assert await found.check() >= CLAIMS


async def decided(found: House, more: int = 1) -> None:
    """So many more claims have their amounts."""
    before = sum(len(table.rows) for table in found.tables)
    await come_true(lambda: sum(len(table.rows) for table in found.tables) >= before + more)


async def test_a_leader_that_is_killed_at_any_moment_is_followed_by_the_other(tmp_path: Path) -> None:
    async with playing_house(tmp_path) as found:
        for _ in range(KILLS):
            leader = await found.leader()
            await asyncio.sleep(found.chance.random() / 2)
            await leader.kill()
            await found.amount()
            await decided(found)
            await leader.start()
        leaders = [one for entry in await found.entries() for one in entry.out if isinstance(one, Leader)]
        assert len(leaders) > KILLS


async def test_a_leader_that_wakes_up_deposed_follows(tmp_path: Path) -> None:
    async with playing_house(tmp_path, seed=2) as found:
        for _ in range(2):
            leader = await found.leader()
            leader.pause()
            (other,) = (one for one in found.instances if one is not leader)
            await come_true(lambda other=other: other.phase() == "leading")  # type: ignore[misc]
            await decided(found)
            leader.wake()
            await come_true(lambda leader=leader: leader.phase() == "following")  # type: ignore[misc]
            await decided(found)


async def test_both_killed_at_once_go_on_where_they_were(tmp_path: Path) -> None:
    async with playing_house(tmp_path, seed=3) as found:
        for _ in range(2):
            await asyncio.gather(*(one.kill() for one in found.instances))
            await asyncio.gather(*(one.start() for one in found.instances))
            await found.amount()
            await decided(found)


async def test_a_server_that_is_killed_loses_nothing(tmp_path: Path) -> None:
    async with playing_house(tmp_path, seed=4) as found:
        for _ in range(2):
            await found.server.kill()
            await found.server.start()
            await found.amount()
            await decided(found)


async def test_inputs_that_were_put_back_are_read_again_and_count_once(tmp_path: Path) -> None:
    async with playing_house(tmp_path, seed=5) as found:
        kept = await found.server.keep(PROGRESSIVE_IN)
        await found.amount()
        await decided(found, 2)
        await found.server.put_back(PROGRESSIVE_IN, kept)
        await found.amount()
        await decided(found, 2)
        outcomes = [one for entry in await found.entries() for one in entry.out]
        assert any(isinstance(one, Rewound) for one in outcomes)


async def test_a_log_that_was_put_back_is_completed_from_a_journal(tmp_path: Path) -> None:
    """One instance runs: with two, and a log that loses its end, something may stop."""
    async with playing_house(tmp_path, seed=6) as found:
        leader = await found.leader()
        (other,) = (one for one in found.instances if one is not leader)
        await other.stop()
        kept = await found.server.keep(PROGRESSIVE_LOG)
        await found.amount()
        await decided(found, 2)
        before = await found.entries()
        await found.server.put_back(PROGRESSIVE_LOG, kept)
        await found.amount()
        await decided(found)
        assert (await found.entries())[: len(before)] == before
