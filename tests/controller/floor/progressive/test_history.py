"""What an instance does when histories differ, or when it must not take part."""

import asyncio
import json
import shutil
from pathlib import Path

from controller.floor.drills.interleavings.world import LEVEL
from controller.floor.progressive.broadcaster import EVERY
from controller.floor.streams import LEASE, PROGRESSIVE_LOG, Deployment, prepare
from controller.jackpot.linked.messages import Resolution, Resolve
from tests.controller.floor.progressive.house import house
from tests.fixtures.waiting import come_true


async def test_a_fork_stops_the_level_until_two_persons_choose_the_log(tmp_path: Path) -> None:
    """The first instance's journal has entries that the log lost while others took their numbers."""
    async with house(tmp_path, tables=1) as found:
        one, other = found.instances
        await one.start()
        await found.open()
        kept = await found.server.keep(PROGRESSIVE_LOG)
        await found.amount()
        await found.play_round(found.tables[0])
        await one.kill()
        await found.server.put_back(PROGRESSIVE_LOG, kept)
        await other.start()
        await come_true(lambda: other.phase() == "leading")
        await one.start()
        await come_true(lambda: one.phase() == "inoperable")
        await come_true(lambda: any(amount.state == "inoperable" for _, amount in found.amounts))
        await found.decide(Resolve, Resolution(take="log"))
        await come_true(lambda: one.phase() == "following")
        assert (one.journal.parent / "journal.aside1" / "journal").exists()
        table = found.tables[0]
        await come_true(lambda: "was" in table.level.conflict)  # it has seen both histories
        table.level = table.level.clear()
        await found.settle()
        await found.check()


async def test_the_log_of_a_demonstration_is_refused(tmp_path: Path) -> None:
    async with house(tmp_path, tables=1) as found:
        one, other = found.instances
        config = one.folder / "p1.toml"
        config.write_text(config.read_text() + "demo = true\n")
        await one.start()
        await found.open()
        await one.stop()
        await other.start()
        await come_true(lambda: other.phase() == "inoperable")
        assert "demo is True; allowed: False" in json.dumps(other.lines())
        await come_true(lambda: found.amounts[-1][1].state == "inoperable")


async def test_an_instance_whose_mirror_is_gone_ends_and_the_other_leads(tmp_path: Path) -> None:
    async with house(tmp_path, tables=1) as found:
        one, other = found.instances
        await one.start()
        await found.open()
        await other.start()
        await come_true(lambda: other.phase() == "following")
        shutil.rmtree(one.mirror.parent)
        assert one.process
        assert await asyncio.wait_for(one.process.wait(), 60) == 1
        await come_true(lambda: other.phase() == "leading")


async def test_an_instance_that_cannot_renew_its_lease_announces_nothing(tmp_path: Path) -> None:
    """Servers that can store nothing still pass messages on; tables must not hear the old amount then."""
    async with house(tmp_path, tables=1) as found:
        one, _ = found.instances
        await one.start()
        await found.open()
        stream = found.client.jetstream()
        await stream.delete_stream(f"KV_{LEASE}")
        await come_true(lambda: one.phase() == "following")
        known = len(found.amounts)
        await asyncio.sleep(2 * EVERY)
        assert len(found.amounts) == known
        await prepare(stream, Deployment("house", levels=(LEVEL,)))
        await found.amount()
        await come_true(lambda: one.phase() == "leading")
