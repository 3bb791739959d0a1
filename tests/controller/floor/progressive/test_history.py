"""What an instance does when histories differ, or when it must not take part."""

import asyncio
import json
import shutil
from pathlib import Path

import pytest
from typer.testing import Result

from controller.floor.drills.interleavings.world import LEVEL
from controller.floor.progressive.broadcaster import EVERY
from controller.floor.streams import LEASE, PROGRESSIVE_LOG, Deployment, prepare
from controller.jackpot.linked.entries import LogEntry
from controller.jackpot.linked.messages import Resolution, Resolve
from controller.process.faults import FAILED, USAGE
from tests.controller.floor.progressive.floor_commands import decide, floor_config, hire, run_floor
from tests.controller.floor.progressive.house import House, house
from tests.fixtures.waiting import come_true

pytestmark = pytest.mark.usefixtures("fork_server")


async def test_a_fork_stops_the_level_until_two_persons_choose_the_log(tmp_path: Path) -> None:
    """The first instance's journal has entries that the log lost while others took their numbers."""
    async with house(tmp_path, tables=1) as found:
        one, _ = found.instances
        await fork(found)
        config = floor_config(found)
        hire(tmp_path)
        chosen = await decide(config, "resolve", "log", why="p2 holds")
        assert chosen.exit_code == 0, chosen.output
        assert "the history of the log holds; Ann and Bo: p2 holds" in chosen.output
        await come_true(lambda: one.phase() == "following")
        assert (one.journal.parent / "journal.aside1" / "journal").exists()
        table = found.tables[0]
        await come_true(lambda: "was" in table.level.conflict)  # it has seen both histories
        table.level = table.level.clear()
        await found.settle()
        await found.check()


async def test_a_log_that_does_not_hold_is_exported_and_written_again_from_a_journal(tmp_path: Path) -> None:
    """The second instance followed a log that had lost its end; two persons hold the first one's journal."""
    async with house(tmp_path, tables=1) as found:
        one, other = found.instances
        entries = await fork(found)
        wrong, config, export = await found.entries(), floor_config(found), tmp_path / "sevens.log"
        refused = await prepared(config, "--replace-log", LEVEL, "--export", str(export))
        assert refused.exit_code == FAILED
        assert "level sevens: instance p2 leads; stop it" in refused.output
        assert not export.exists()
        await other.stop()
        done = await prepared(config, "--replace-log", LEVEL, "--export", str(export))
        assert done.exit_code == 0, done.output
        lines = [json.loads(line) for line in export.read_text().splitlines()]
        assert [line["entry"] for line in lines[: len(wrong)]] == [entry.payload.decode() for entry in wrong]
        assert await found.entries() == []
        again = await prepared(config, "--replace-log", LEVEL, "--export", str(export))
        assert (again.exit_code, "sevens.log" in again.output) == (FAILED, True)
        await found.decide(Resolve, Resolution(take="journal"))
        await come_true(lambda: one.phase() == "leading")
        assert (await found.entries())[: len(entries)] == entries
        await other.start()
        await come_true(lambda: other.phase() == "inoperable")
        await found.decide(Resolve, Resolution(take="log"))
        await come_true(lambda: other.phase() == "following")
        await come_true(lambda: "was" in found.tables[0].level.conflict)  # it has seen both histories
        found.tables[0].level = found.tables[0].level.clear()
        await come_true(lambda: found.amounts[-1][1].state == "open")
        await found.settle()
        await found.check()


async def test_a_log_whose_files_the_server_keeps_is_not_called_empty(tmp_path: Path) -> None:
    async with house(tmp_path, tables=1) as found:
        one, _ = found.instances
        await one.start()
        await found.open()
        await one.stop()
        entries, config, export = await found.entries(), floor_config(found), tmp_path / "sevens.log"
        log = found.server.store(PROGRESSIVE_LOG)
        (log.with_name(f".{log.name}") / "msgs").mkdir(parents=True)  # what an earlier deletion has left
        done = await prepared(config, "--replace-log", LEVEL, "--export", str(export))
        assert done.exit_code == FAILED, done.output
        assert f"stream {PROGRESSIVE_LOG} was deleted and made again, and still has" in done.output
        assert await found.entries() == entries
        await found.server.kill()
        await found.server.start()
        again = tmp_path / "sevens-again.log"
        done = await prepared(config, "--replace-log", LEVEL, "--export", str(again))
        assert done.exit_code == 0, done.output
        assert again.read_text() == export.read_text()
        assert await found.entries() == []


async def fork(found: House) -> list[LogEntry]:
    """The second instance leads with a log that has lost its end; the first one's journal has the end, so it
    is inoperable. Returns the entries of that journal."""
    one, other = found.instances
    await one.start()
    await found.open()
    kept = await found.server.keep(PROGRESSIVE_LOG)
    await found.amount()
    await found.play_round(found.tables[0])
    await one.kill()
    entries = one.entries()
    await found.server.put_back(PROGRESSIVE_LOG, kept)
    await other.start()
    await come_true(lambda: other.phase() == "leading")
    await one.start()
    await come_true(lambda: one.phase() == "inoperable")
    await come_true(lambda: any(amount.state == "inoperable" for _, amount in found.amounts))
    return entries


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (("--replace-log", LEVEL), USAGE, "--replace-log and --export are needed together"),
        (("--replace-log", "nines", "--export", "x"), FAILED, "level nines: not allowed; allowed: sevens"),
    ],
)
async def test_a_log_is_replaced_with_an_export_and_for_a_level_of_the_property_only(
    arguments: tuple[str, ...], status: int, said: str, tmp_path: Path
) -> None:
    async with house(tmp_path, tables=1) as found:
        before = (await found.client.jetstream().stream_info(PROGRESSIVE_LOG)).created
        done = await prepared(floor_config(found), *arguments)
        assert (done.exit_code, said in done.output) == (status, True)
        assert (await found.client.jetstream().stream_info(PROGRESSIVE_LOG)).created == before


async def prepared(config: Path, *arguments: str) -> Result:
    return await run_floor(config, "prepare", *arguments)


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
