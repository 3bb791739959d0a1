"""The mishaps of a table, and seeded programmes of them."""

import asyncio
import json
import signal
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import cycle
from pathlib import Path
from random import Random, random

from controller.demo.table import KINDS, DemoTable
from tests.system.gallery import LONGEST_LINE, PHASES, Cue

Harm = Callable[[DemoTable], Awaitable[None]]
LONG_STALL = 20.0
START_UP = 1.5
"""Seconds in which a daemon is ready, and has all its devices."""
LATEST = 0.004
"""Seconds after a notice within which the daemon is at work on it."""
FARTHEST = 12
"""Notices of its phase that a mishap waits for at most."""
PLAY = ("betting", "dealing", "playing", "drawing", "paying")
"""The phases of every round."""
RARE = {"burning": 1, "loading": 4, "insuring": 2}


@dataclass(frozen=True, slots=True)
class Mishap:
    """Something that happens to a part of the table at a moment."""

    cue: Cue
    harm: Harm


async def kill_daemon(stage: DemoTable) -> None:
    """`kill -9`, and a new start. Play goes on before the page shows it."""
    await stage.kill_daemon()
    await stage.start_unshown_daemon()


async def kill_starting_daemon(stage: DemoTable) -> None:
    """`kill -9`, and another for the next one before it is ready."""
    await stage.kill_daemon()
    with suppress(TimeoutError):
        async with asyncio.timeout(START_UP * random()):
            await stage.start_unshown_daemon()
    await kill_daemon(stage)


async def stop_daemon(stage: DemoTable) -> None:
    """SIGTERM, and a new start. Play goes on before the page shows it."""
    await stage.stop_daemon()
    await stage.start_unshown_daemon()


async def kill_device(kind: str, stage: DemoTable) -> None:
    """`kill -9` of a device's process, and a new one with its memory."""
    await stage.kill_device(kind)
    await stage.start_device(kind)


async def stall_daemon(seconds: float, stage: DemoTable) -> None:
    """It does not run for this long, and does not know it."""
    if stage.daemon is not None:
        stage.daemon.send_signal(signal.SIGSTOP)
        await asyncio.sleep(seconds)
        stage.daemon.send_signal(signal.SIGCONT)


async def stall_device(kind: str, seconds: float, stage: DemoTable) -> None:
    """A device does not run for this long, and does not know it."""
    stage.devices[kind].send_signal(signal.SIGSTOP)
    await asyncio.sleep(seconds)
    stage.devices[kind].send_signal(signal.SIGCONT)


async def disturb(kind: str, request: Mapping[str, object], stage: DemoTable) -> None:
    """What a hand can do to a simulated device."""
    await ask(stage.control(kind), request)


async def ask(control: Path, request: Mapping[str, object]) -> None:
    """Sends a request to the control socket of a simulated device, which must carry it out."""
    reader, writer = await asyncio.open_unix_connection(control, limit=LONGEST_LINE)
    try:
        writer.write(json.dumps(request).encode() + b"\n")
        while (answer := json.loads(await reader.readline())) and "notice" in answer:
            continue
        assert answer == {"ok": True}, answer
    finally:
        writer.close()


DEVICE_KILLS: Mapping[str, Harm] = {kind: partial(kill_device, kind) for kind in KINDS}
STALLS: Sequence[Harm] = [
    *(partial(stall_daemon, seconds) for seconds in (0.3, 2.0, 3.5, LONG_STALL)),
    *(partial(stall_device, kind, LONG_STALL) for kind in KINDS),
]
DISTURBANCES: Sequence[Harm] = [
    partial(disturb, kind, request)
    for request in (
        {"do": "reboot"},
        {"do": "hang-up", "seconds": 0.2},
        {"do": "freeze", "seconds": 0.4},
        {"do": "reboot", "seconds": 2.0, "reset": "watchdog"},
        {"do": "hang-up", "seconds": 4.0},
        {"do": "freeze", "seconds": 3.5},
    )
    for kind in KINDS
]


def programme(
    seed: str, harms: Sequence[Harm], phases: Sequence[str], latest: float = LATEST
) -> list[Mishap]:
    """A mishap in each of `phases`, in that order; `harms` take turns, the seed decides the moments."""
    chance = Random(seed)
    return [
        Mishap(_cue(phase, chance, latest), harm) for phase, harm in zip(phases, cycle(harms), strict=False)
    ]


def anywhere(seed: str, number: int, windows: Collection[str] = ()) -> list[str]:
    """Phases of a round in any order; `windows`: additional phases of the game."""
    return Random(seed).choices([*PHASES, *sorted(windows), *PLAY * 3], k=number)


def _cue(phase: str, chance: Random, latest: float) -> Cue:
    return Cue(phase, chance.randint(1, RARE.get(phase, FARTHEST)), chance.uniform(0, latest))
