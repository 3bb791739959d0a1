"""An upgrade waits for the end of a round, at a real table behind its socket."""

import asyncio
import sys
from pathlib import Path

from tests.fixtures.core_table import CoreTable, open_core
from tests.fixtures.waiting import PATIENCE, come_true

SCRIPT = Path(__file__).parents[2] / "systemd" / "between_rounds.py"
DEALT = "1:main=500 close 8h 9c 9d Kc"
END = "1:stand pay"


async def started(path: Path, seconds: float = PATIENCE) -> asyncio.subprocess.Process:
    """The script, as the package runs it."""
    return await asyncio.create_subprocess_exec(
        sys.executable, "-I", SCRIPT, path, str(seconds), stderr=asyncio.subprocess.PIPE
    )


async def ended(waiting: asyncio.subprocess.Process) -> tuple[int, bytes]:
    """The script's status and what it says of faults."""
    _, faults = await asyncio.wait_for(waiting.communicate(), 2 * PATIENCE)
    return waiting.returncode or 0, faults


def phase(core: CoreTable) -> str:
    return core.at.table.state.round.phase


async def test_an_upgrade_waits_until_the_round_is_over(tmp_path: Path) -> None:
    async with open_core(tmp_path, DEALT) as core:
        assert phase(core) not in {"betting", "over", "void"}
        waiting = await started(core.path)
        await come_true(lambda: bool(core.server.links))
        await asyncio.sleep(0.2)
        assert waiting.returncode is None
        core.play(END)
        assert phase(core) == "betting"
        assert await ended(waiting) == (0, b"")


async def test_an_upgrade_between_rounds_does_not_wait(tmp_path: Path) -> None:
    async with open_core(tmp_path) as core:
        assert await ended(await started(core.path)) == (0, b"")


async def test_an_upgrade_waits_no_longer_than_it_may(tmp_path: Path) -> None:
    async with open_core(tmp_path, DEALT) as core:
        assert await ended(await started(core.path, 0.5)) == (0, b"")


async def test_an_upgrade_does_not_wait_for_a_daemon_that_does_not_run(tmp_path: Path) -> None:
    assert await ended(await started(tmp_path / "nothing")) == (0, b"")
