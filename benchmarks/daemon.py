"""The daemon and its web server at work and at rest, with simulated devices in their own processes."""

import asyncio
import os
import tempfile
import time
from dataclasses import astuple, dataclass
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
class Memory:
    """Megabytes: of the daemon alone, and of the daemon and the web server together; `shared_once`: pages
    that processes share are counted in parts."""

    daemon: float
    both: float
    shared_once: float


@dataclass(frozen=True, slots=True)
class Daemon:
    """What one daemon cost: seconds, share of a core, and the highest of each figure of memory."""

    start_to_ready: float
    memory: Memory
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
        idle = await share_of_core(_pid(stage), IDLE_SECONDS)
        await stage.stop_daemon()
        seen: list[Memory] = []
        played = await run_demo(stage, ROUNDS, lambda _view: seen.append(_memory(stage)))
        highest = Memory(*(max(figures) for figures in zip(*map(astuple, seen), strict=True)))
        return Daemon(median(starts), highest, idle, played)


def _pid(stage: DemoTable) -> int:
    assert stage.daemon is not None
    return stage.daemon.pid


def _memory(stage: DemoTable) -> Memory:
    assert stage.web is not None
    daemon, web = sizes(_pid(stage)), sizes(stage.web.pid)
    return Memory(daemon["Rss"], daemon["Rss"] + web["Rss"], daemon["Pss"] + web["Pss"])


async def share_of_core(pid: int, seconds: float) -> float:
    before, started = cpu_seconds(pid), time.monotonic()
    await asyncio.sleep(seconds)
    return (cpu_seconds(pid) - before) / (time.monotonic() - started)


def cpu_seconds(pid: int) -> float:
    """Processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def sizes(pid: int) -> dict[str, float]:
    """Megabytes in memory, by the kernel's names."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]
    return {name: int(size.split()[0]) / 1024 for name, _, size in (line.partition(":") for line in lines)}
