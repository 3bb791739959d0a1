"""Long plays, each compared with an undisturbed play of the same seed.

`python -m tests.system.soak` prints a line for each play, and exits 1 when one differs, hangs or fails, or
when the plays did not reach what they are for.
"""

import argparse
import asyncio
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Final

from controller.demo.audit import DemoAudit
from controller.demo.processes import DemoError
from controller.demo.settings import DemoSettings, FrameFaults
from controller.journal.errors import JournalError
from tests.fixtures.process_table import MirroredStage
from tests.purposes import Purposes, counted, verdict
from tests.system.books import faults
from tests.system.drill.occurrences import HEALED, ROUND
from tests.system.gallery import PHASES
from tests.system.mishaps import (
    DEVICE_KILLS,
    DISTURBANCES,
    LATEST,
    PLAY,
    STALLS,
    Harm,
    anywhere,
    kill_daemon,
    kill_starting_daemon,
    programme,
    stop_daemon,
)
from tests.system.performance import HangError, Performance, perform

GOOD = FrameFaults()
BAD = FrameFaults(drop=0.02, flip=0.01, duplicate=0.01)
OFTEN_WON: Final = (
    '{"777 diamonds" = "100%", "777 suited" = "100%", "777 one colour" = "50%", "777" = "20%", '
    '"two 7s" = "100%", "one 7" = "10%"}'
)
"""Awards by which shares of the jackpot are won every other round."""
OPTIONS: Mapping[str, Sequence[Mapping[str, str]]] = {
    "easy-jack": ({"decks": "6"}, {"peek": "true"}, {"natural": '"6:5"'}),
    "ez-bust": ({}, {"peek": "false"}, {"even_money": "true", "dealer_first_card": '"hole"'}),
    "no-bust-21st-century": ({}, {"surrender": '"first-two"'}, {"dealer_first_card": '"hole"'}),
    "pure-21-5": ({}, {"decks": "4"}, {"dealer_first_card": '"hole"'}),
    "quick-pay": ({}, {"dealer_hits_soft_17": "false"}, {"dealer_first_card": '"hole"'}),
    "blackjack-x": ({}, {"blazing_7s": OFTEN_WON}, {"surrender": '"none"', "dealer_first_card": '"hole"'}),
}
"""For each game; seeds take them in turn."""
START = 60.0
A_MISHAP = 15.0
A_ROUND = {"max": 1.0, "human": 30.0}
"""Seconds that each takes at most, with other plays beside."""
KILLS: Sequence[Harm] = (kill_daemon, kill_starting_daemon)
ALL: Sequence[Harm] = (*KILLS, stop_daemon, *DEVICE_KILLS.values(), *DISTURBANCES, *STALLS)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of play; `every`: one mishap in this many rounds; `latest`: seconds after its notice."""

    cables: FrameFaults = GOOD
    harms: Sequence[Harm] = ()
    every: int = 5
    speed: str = "max"
    latest: float = LATEST
    part: int = 1
    """One round is played of this many."""


REFERENCE = Kind()
KINDS: Mapping[str, Kind] = {
    "clean": Kind(),
    "lossy": Kind(BAD),
    "kills": Kind(GOOD, KILLS),
    "lossy kills": Kind(BAD, KILLS),
    "restarts": Kind(GOOD, [stop_daemon]),
    "devices": Kind(GOOD, [*DEVICE_KILLS.values()]),
    "disturbances": Kind(GOOD, [*DISTURBANCES, *STALLS], every=10),
    "slow": Kind(GOOD, [*KILLS, *DEVICE_KILLS.values()], every=1, speed="human", latest=0.7, part=50),
    "everything": Kind(BAD, ALL),
}


MISHAP: Final = "mishap while {}"
PURPOSES: Final[Mapping[str, Purposes]] = {
    "": {ROUND: 0},
    "kills": dict.fromkeys(map(MISHAP.format, PLAY), 300) | {HEALED: 1000},
    "everything": dict.fromkeys(map(MISHAP.format, PHASES), 1000),
}
"""By kind of play, what all plays together must reach, from this many rounds of each on."""


def purposes(kinds: Collection[str]) -> Purposes:
    """The purposes of plays of these kinds."""
    return {name: least for kind in ("", *kinds) for name, least in PURPOSES.get(kind, {}).items()}


class Soak:
    """Plays of `game` with these `kinds`, `jobs` of them at a time. `met`: what they reached, by name."""

    def __init__(self, game: str, kinds: Sequence[str], rounds: int, jobs: int) -> None:
        self._game, self._kinds, self._rounds = game, kinds, rounds
        self._places = asyncio.Semaphore(jobs)
        self.met = Counter[str]()

    async def run(self, seeds: Sequence[int]) -> bool:
        """Whether all went well."""
        async with asyncio.TaskGroup() as group:
            played = [group.create_task(self._seed(seed)) for seed in seeds]
        return all(task.result() for task in played)

    async def _seed(self, seed: int) -> bool:
        options = OPTIONS[self._game]
        chosen = {"burn_cards": "3", **options[seed % len(options)]}
        scene = DemoSettings(game=self._game, seed=seed, options=chosen)
        reference = await self._play(scene, "reference", REFERENCE, None)
        if reference is None:
            return False
        async with asyncio.TaskGroup() as group:
            played = [
                group.create_task(self._play(scene, name, KINDS[name], reference)) for name in self._kinds
            ]
        return all(task.result() for task in played)

    async def _play(
        self, scene: DemoSettings, name: str, kind: Kind, reference: DemoAudit | None
    ) -> DemoAudit | None:
        """The books if they are right; else they are kept, and the line says where."""
        rounds = max(1, self._rounds // kind.part)
        scene = replace(scene, faults=kind.cables, speed=kind.speed)
        async with self._places:
            folder = Path(tempfile.mkdtemp(prefix="tableside-soak-"))
            began = time.monotonic()
            try:
                played = await _perform(folder, scene, name, kind, rounds)
            except (HangError, DemoError, JournalError) as error:
                _say(scene, name, f"{type(error).__name__}, see {folder}: {error}")
                return None
            except asyncio.CancelledError:
                shutil.rmtree(folder)
                raise
        same = reference and replace(reference, ended=reference.ended[:rounds])
        self.met += played.met + Counter(map(MISHAP.format, played.befell))
        wrong = [*faults(played.books, same), *played.disputes]
        seconds = f"{time.monotonic() - began:.0f} s"
        _say(
            scene, name, *_figures(played), seconds, *(wrong or ["good"]), *([f"see {folder}"] * bool(wrong))
        )
        if wrong:
            return None
        shutil.rmtree(folder)
        return played.books


async def _perform(folder: Path, scene: DemoSettings, name: str, kind: Kind, rounds: int) -> Performance:
    seed = f"{scene.seed}/{name}"
    number = rounds // kind.every if kind.harms else 0
    harms = Random(seed).sample(kind.harms, len(kind.harms))
    mishaps = programme(seed, harms, anywhere(seed, number, scene.rules.windows), kind.latest)
    limit = START + A_ROUND[scene.speed] * rounds + A_MISHAP * number
    return await perform(folder, scene, rounds, mishaps, limit=limit, build=MirroredStage, exactly=True)


def _figures(played: Performance) -> list[str]:
    befell = Counter(played.befell)
    phases = ", ".join(f"{phase} {number}" for phase, number in sorted(befell.items()))
    figures = [f"{played.books.rounds} rounds", f"{len(played.books.cards)} cards"]
    return [*figures, f"{befell.total()} mishaps ({phases})"] if befell else figures


def _say(scene: DemoSettings, name: str, *words: str) -> None:
    print(f"{scene.game}, seed {scene.seed}, {name}: {', '.join(words)}", flush=True)


async def _soak(asked: argparse.Namespace) -> bool:
    soak = Soak(asked.game, asked.kinds, asked.rounds, asked.jobs)
    playing = asyncio.create_task(soak.run(asked.seeds))
    stopping = asyncio.create_task(_told_to_end())
    await asyncio.wait({playing, stopping}, return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    playing.cancel()
    try:
        well = await playing
    except asyncio.CancelledError:
        print("ended before all was played", flush=True)
        return False
    missing = verdict(purposes(asked.kinds), asked.rounds, soak.met)
    print(counted(soak.met), missing or "all reached", sep="\n", flush=True)
    return well and not missing


async def _told_to_end() -> None:
    """A second signal still cleans everything up."""
    ended = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    await ended.wait()


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.system.soak")
    parser.add_argument("--game", choices=OPTIONS, default="easy-jack")
    parser.add_argument("--rounds", type=int, default=1000, help="of each play")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--jobs", type=int, default=2, help="plays at a time")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(0 if asyncio.run(_soak(_asked())) else 1)
