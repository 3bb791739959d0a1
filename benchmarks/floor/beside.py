"""What an uplink costs the table beside which it runs: in turns without and with it, a card until its lamps,
and the daemon at rest. The property has a server and a floor, which the table reaches over loopback."""

import contextlib
import os
import time
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from benchmarks.daemon import sizes
from benchmarks.floor.figures import MEGABYTES, PERCENT, Figure
from benchmarks.latency import DECKS, Dealer
from benchmarks.processors import all_processors, give_way, take_one
from benchmarks.yardstick import Yardstick, yardstick
from controller.demo.settings import DemoSettings
from controller.demo.table import configuration
from controller.floor.admitting import read_request
from controller.floor.demo.roster import PlannedTable
from controller.floor.demo.table import FloorPlace, FloorTable
from controller.floor.drills.house import PROPERTY, FloorProcess, House, house
from controller.journal.signing import Signer
from controller.journal.trust import write_public
from drivers.key_files import make_key, read_key, store_key

TURNS = 5
SAMPLES = 80
"""Cards in each turn."""
REST = 20.0
"""Seconds at rest in each turn."""
SETTLE = 3.0
"""Seconds after the uplink has started or ended."""
PATIENCE = 60.0
ROUNDS_AN_HOUR = 253
"""What the demonstration plays at human speed; the benchmark plays as fast as it can."""
HOUR = 3600.0


@dataclass(frozen=True, slots=True)
class Turn:
    """`cost`: the median card as a multiple of echo and commit; `core`: the share of a core that the daemon
    takes at rest; `memory`: its megabytes; `uplink`: the share at rest of the uplink, 0 without one;
    `round`: seconds of a processor that the uplink takes for a round; `uplink_memory`: its megabytes;
    pages that it shares count in parts, and in whole for `uplink_resident`."""

    cost: float
    core: float
    memory: float
    uplink: float = 0.0
    round: float = 0.0
    uplink_memory: float = 0.0
    uplink_resident: float = 0.0


@dataclass(frozen=True, slots=True)
class Beside:
    alone: list[Turn]
    both: list[Turn]

    def figures(self) -> list[Figure]:
        ratios = [both.cost / alone.cost for alone, both in zip(self.alone, self.both, strict=True)]
        core = median(both.core - alone.core for alone, both in zip(self.alone, self.both, strict=True))
        memory = max(turn.memory for turn in self.both) - max(turn.memory for turn in self.alone)
        idle = median(turn.uplink for turn in self.both)
        playing = idle + median(turn.round for turn in self.both) * ROUNDS_AN_HOUR / HOUR
        return [
            Figure(
                f"card to lamp with an uplink / alone, median of {len(ratios)} turns", median(ratios), 1.03
            ),
            Figure("  least", min(ratios)),
            Figure("  most", max(ratios)),
            Figure("core at rest: what the uplink adds", core, 0.0005, PERCENT),
            Figure("  memory that it adds to the core", memory, 1, MEGABYTES),
            Figure("uplink at rest", idle, 0.003, PERCENT),
            Figure(f"  at {ROUNDS_AN_HOUR} rounds an hour", playing, 0.01, PERCENT),
            Figure("  memory", max(turn.uplink_memory for turn in self.both), 25, MEGABYTES),
            Figure(
                "  resident, with what it shares",
                max(turn.uplink_resident for turn in self.both),
                None,
                MEGABYTES,
            ),
        ]


class DealtTable(FloorTable):
    """Its devices are those of the benchmark."""

    def prepare(self) -> None:
        """Write its configuration and its keys."""
        self.folder.mkdir(parents=True)
        self.config.write_text(configuration(self))
        for name in ("journal.seal", "journal.key"):
            store_key(make_key(), self.folder / "keys" / name)
        signer = Signer(read_key(self.folder / "keys" / "journal.key"))
        write_public(self.folder / "journal.pub", signer.public)


async def measure(folder: Path) -> Beside:
    """Takes some minutes."""
    async with house(folder / "house", floor_kind=FloorProcess) as at:
        place = FloorPlace(PROPERTY, at.cluster.addresses[0], at.floor.signer.public.hex(), folder, ())
        plan = PlannedTable("bj-1", "main", "", DemoSettings(decks=DECKS, pages=False))
        stage = DealtTable(folder / "table", plan, place)
        stage.prepare()
        take_one()  # the house is on other computers
        with yardstick(folder) as measured, contextlib.closing(Dealer(stage)) as dealer:
            await stage.start_daemon()
            try:
                return await _take_turns(at, stage, dealer, measured)
            finally:
                await stage.stop_uplink()
                await stage.stop_daemon()
                os.sched_setaffinity(0, all_processors())


async def _take_turns(at: House, stage: DealtTable, dealer: Dealer, measured: Yardstick) -> Beside:
    daemon = stage.daemon
    assert daemon is not None
    dealer.open(daemon.pid)
    request = read_request(stage.request().model_dump_json(), PROPERTY)
    at.floor.decide("admit", request.name(), request.admission())
    found = Beside([], [])
    for _ in range(TURNS):
        found.alone.append(_turn(dealer, measured, daemon.pid))
        await stage.start_uplink()
        assert stage.uplink is not None
        give_way(stage.uplink.pid)
        found.both.append(_turn(dealer, measured, daemon.pid, stage.uplink.pid))
        await stage.stop_uplink()
    return found


def _turn(dealer: Dealer, measured: Yardstick, daemon: int, uplink: int = 0) -> Turn:
    _serve(dealer, SETTLE)
    own, first, rounds = replace(measured, echoes=[], commits=[]), len(dealer.times), dealer.rounds
    before = _worked(uplink)
    while len(dealer.times) < first + SAMPLES:
        dealer.play(own)
    cost = median(dealer.times[first:]) / (median(own.echoes) + median(own.commits))
    _serve(dealer, SETTLE)
    a_round = (_worked(uplink) - before) / (dealer.rounds - rounds)
    core, shipped, begun = _worked(daemon), _worked(uplink), time.monotonic()
    _serve(dealer, REST)
    passed = time.monotonic() - begun
    of_uplink = sizes(uplink) if uplink else {"Pss": 0.0, "Rss": 0.0}
    return Turn(
        cost,
        (_worked(daemon) - core) / passed,
        sizes(daemon)["Rss"],
        (_worked(uplink) - shipped) / passed,
        a_round,
        of_uplink["Pss"],
        of_uplink["Rss"],
    )


def _serve(dealer: Dealer, seconds: float) -> None:
    """The devices answer, and nothing is played."""
    until = time.monotonic() + seconds
    dealer.serve_until(lambda: time.monotonic() > until, seconds + PATIENCE)


def _worked(pid: int) -> float:
    """Seconds of a processor that all threads of a process have used; 0 for no process."""
    if not pid:
        return 0.0
    tasks = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(task.read_text("ascii").split()[0]) for task in tasks) / 1e9
