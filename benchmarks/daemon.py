"""The daemon at work and at rest, with simulated devices in their own processes."""

import asyncio
import os
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from controller.demo.run import DemoResult, run_demo
from controller.demo.settings import DemoSettings
from controller.demo.table import DemoTable

ROUNDS = 300
STARTS = 5
IDLE_SECONDS = 10.0
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Daemon:
    """What one daemon cost: seconds, megabytes, share of a core."""

    start_to_ready: float
    memory_mb: float
    idle_cpu: float
    played: DemoResult


def measure() -> Daemon:
    """Starts a table several times, leaves it idle, then lets it play."""
    with tempfile.TemporaryDirectory(prefix="tableside-") as folder:
        return asyncio.run(_measure(Path(folder)))


async def _measure(folder: Path) -> Daemon:
    async with DemoTable(folder, DemoSettings()) as stage:
        starts = []
        for _ in range(STARTS):
            await stage.stop_daemon()
            starts.append(await stage.start_daemon())
        await asyncio.sleep(2)  # devices connect
        idle = await _share_of_core(_pid(stage), IDLE_SECONDS)
        await stage.stop_daemon()
        memory: list[float] = []
        played = await run_demo(stage, ROUNDS, lambda _view: memory.append(_resident_mb(_pid(stage))))
        return Daemon(median(starts), max(memory), idle, played)


def _pid(stage: DemoTable) -> int:
    assert stage.daemon is not None
    return stage.daemon.pid


async def _share_of_core(pid: int, seconds: float) -> float:
    before, started = _cpu_seconds(pid), time.monotonic()
    await asyncio.sleep(seconds)
    return (_cpu_seconds(pid) - before) / (time.monotonic() - started)


def _cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def _resident_mb(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmRSS:"))
