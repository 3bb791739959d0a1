"""Whole processes under faults: rounds must end without a person once the faults are over.

`python -m tests.system.aftermath --seed 1 --spells 20` runs a daemon and five simulated devices. First the
disk refuses one write, after which a halted table restarts by itself. Then come spells of up to four faults
in quick succession: kills, restarts, freezes, pulled cables, reboots, a slow disk, a full one, a clock that
is set. When they are over, the round in play and the next one must each end within PATIENCE. Then silent
connections crowd the page, and rounds must end beside them, too. The one person at the table names a card
that left the shoe unseen.
"""

import argparse
import asyncio
import errno
import shutil
import socket
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from random import Random
from typing import Final

from controller.demo.audit import disputes, read_audit
from controller.demo.crew.played_round import PlayedRound
from controller.demo.processes import DemoError
from controller.demo.run import make_crew
from controller.demo.settings import DemoSettings
from controller.demo.table import KINDS, DemoTable
from controller.journal.errors import JournalError
from controller.journal.history import History
from tests.fixtures.process_table import MirroredStage, fork_server
from tests.fixtures.waiting import PATIENCE, come_true
from tests.purposes import Purposes, counted, verdict
from tests.system.books import faults
from tests.system.drill.occurrences import HEALED, ROUND, named
from tests.system.gallery import Gallery
from tests.system.mishaps import (
    DEVICE_KILLS,
    DISTURBANCES,
    kill_daemon,
    kill_starting_daemon,
    stall_daemon,
    stall_device,
    stop_daemon,
)
from tests.system.performance import HangError, how_it_stands
from tests.system.preload.disk import Disk, build
from tests.system.supervisor import supervise

NUMBER: Final = (1, 4)
"""The least and greatest number of faults in one spell."""
HOURS: Final = 3600.0
WRITE: Final = 1.5
"""Seconds that each write takes on a slow disk."""
ADDRESSES: Final = 20
"""The number of addresses from which silent connections come."""
ROUNDS: Final = 5
"""Spells that are played beside a crowd."""


class SickStage(MirroredStage):
    """The disk and the clock of its daemon obey `disk`."""

    def __init__(self, folder: Path, scene: DemoSettings, disk: Disk, library: Path) -> None:
        super().__init__(folder, scene)
        self.disk, self._library = disk, library

    async def _spawn(self, name: str, module: list[str], **environment: str) -> asyncio.subprocess.Process:
        if name != "daemon":
            return await super()._spawn(name, module, **environment)
        more = self.disk.environment(self._library)  # it acts when a program starts, not when one is forked
        return await DemoTable._spawn(self, name, module, **environment, **more)


Fault = Callable[[SickStage], Awaitable[None]]


async def slow_disk(stage: SickStage) -> None:
    """Each forced write takes long until the spell is over."""
    stage.disk.slow(WRITE)


async def full_disk(stage: SickStage) -> None:
    """There is no room for another round until the spell is over."""
    stage.disk.free(0)


async def step_clock(hours: float, stage: SickStage) -> None:
    """A person sets the clock."""
    stage.disk.step_clock(hours * HOURS)


FAULTS: Final[Mapping[str, Sequence[Fault]]] = {
    "daemon killed": (kill_daemon, kill_starting_daemon),
    "daemon stopped": (stop_daemon,),
    "daemon frozen": [partial(stall_daemon, seconds) for seconds in (0.3, 3.5)],
    "device killed": [*DEVICE_KILLS.values()],
    "device disturbed": DISTURBANCES,
    "device frozen": [partial(stall_device, kind, 3.5) for kind in KINDS],
    "disk slow": (slow_disk,),
    "disk full": (full_disk,),
    "clock stepped": [partial(step_clock, hours) for hours in (-5.0, 7.0)],
}
CROWD: Final = "crowd"
ONE_FAILURE: Final = "one write failed"
PURPOSES: Final[Purposes] = {
    **dict.fromkeys((ROUND, ONE_FAILURE, CROWD), 0),
    **dict.fromkeys(FAULTS, 40),
    HEALED: 200,
}
"""What a run must meet, each with the number of spells from which this applies."""


class Aftermath:
    """One table. `history`: the faults so far."""

    def __init__(self, stage: SickStage, chance: Random) -> None:
        self.history: list[str] = []
        self._stage, self._chance = stage, chance
        self._crew = make_crew(stage)

    async def play(self, spells: int, crowd: int) -> Sequence[PlayedRound]:
        """The crew's record. Raises HangError when a round does not end."""
        controls = {kind: self._stage.control(kind) for kind in KINDS}
        async with Gallery(controls) as gallery:
            beside = [
                asyncio.create_task(self._crew.run()),
                asyncio.create_task(supervise(self._stage, gallery)),
            ]
            try:
                await self._rounds(gallery, 1)
                await self._fail_once(gallery)
                for _ in range(spells):
                    await self._go_wrong()
                    await self._rounds(gallery, 2)
                with silent(self._stage.web_port, crowd):
                    self.history.append(CROWD)
                    await self._rounds(gallery, ROUNDS)
            finally:
                for task in beside:
                    task.cancel()
                await asyncio.gather(*beside, return_exceptions=True)
        return self._crew.machine.rounds

    async def _fail_once(self, gallery: Gallery) -> None:
        """The disk refuses one write: the table halts, and restarts by itself."""
        self.history.append(ONE_FAILURE)
        self._stage.disk.fail(errno.EIO, most=1)
        await self._rounds(gallery, 2)

    async def _go_wrong(self) -> None:
        for _ in range(self._chance.randint(*NUMBER)):
            name = self._chance.choice([*FAULTS])
            self.history.append(name)
            await self._chance.choice(FAULTS[name])(self._stage)
            await asyncio.sleep(self._chance.uniform(0.0, 1.0))
        self._stage.disk.mend()

    async def _rounds(self, gallery: Gallery, number: int) -> None:
        for _ in range(number):
            rounds = len(self._crew.machine.rounds)
            try:
                await come_true(partial(self._ended_after, rounds))
            except AssertionError:
                how = await how_it_stands(self._stage, self._crew, gallery)
                raise HangError(f"no round ended within {PATIENCE:g} s after {self.history}: {how}") from None

    def _ended_after(self, rounds: int) -> bool:
        return len(self._crew.machine.rounds) > rounds


@contextmanager
def silent(port: int, number: int) -> Iterator[None]:
    """Inside the block, this many connections to the page send nothing. A refused connection does not come
    back."""
    with ExitStack() as stack:
        for each in range(number):
            source = (f"127.1.0.{1 + each % ADDRESSES}", 0)
            with suppress(OSError):
                stack.enter_context(socket.create_connection(("127.0.0.1", port), PATIENCE, source))
        yield


async def played(folder: Path, seed: int, spells: int, crowd: int) -> tuple[list[str], Counter[str]]:
    """The faults in the books of one table, and what the table reached. Raises HangError."""
    scene = DemoSettings(game="easy-jack", seed=seed, options={"burn_cards": "3"})
    with Disk(folder / "words") as disk:
        async with SickStage(folder / "table", scene, disk, build(folder)) as stage:
            disk.holds(stage.folder)
            await stage.start_daemon()
            aftermath = Aftermath(stage, Random(seed))
            rounds = await aftermath.play(spells, crowd)
            await stage.stop_daemon()
        books = read_audit(stage.journal, stage.shoe_log)
        met = Counter(named(History(stage.journal).rows())) + Counter(aftermath.history)
    return [*faults(books), *disputes(scene, books.ended, rounds)], met


def main() -> bool:
    """Whether rounds ended, the books are right, and the run reached what it is for."""
    asked = _asked()
    folder = Path(tempfile.mkdtemp(prefix="tableside-aftermath-"))
    began = time.monotonic()
    try:
        with fork_server():
            wrong, met = asyncio.run(played(folder, asked.seed, asked.spells, asked.crowd))
    except (HangError, DemoError, JournalError) as error:
        wrong, met = [f"{type(error).__name__}: {error}"], Counter[str]()
    print(f"seed {asked.seed}: {time.monotonic() - began:.0f} s, {counted(met)}", flush=True)
    if wrong:
        print(f"see {folder}: {'; '.join(wrong)}", flush=True)
        return False
    shutil.rmtree(folder)
    missing = verdict(PURPOSES, asked.spells, met)
    print(missing or "all reached", flush=True)
    return not missing


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.system.aftermath")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--spells", type=int, default=20)
    parser.add_argument("--crowd", type=int, default=5000, help="connections that say nothing")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
