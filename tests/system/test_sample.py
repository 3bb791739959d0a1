"""The daemon plays whole rounds with the sample shoe and shuffler in C, as with the simulated ones."""

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Final

from controller.demo.settings import DemoSettings
from controller.demo.table import DemoTable
from tests.fixtures.device_control import Hand, Refusal
from tests.fixtures.waiting import until
from tests.system.books import faults
from tests.system.gallery import Cue
from tests.system.mishaps import DEVICE_KILLS, PLAY, Mishap, kill_daemon, programme
from tests.system.performance import perform
from tests.system.sample import SampleStage

ROUNDS: Final = 54
"""Enough for the shoe's cut card, and a pack from the shuffler."""
SCENE: Final = DemoSettings(seed=5, decks=6, options={"burn_cards": "3"})


async def move_pack_again(stage: DemoTable) -> None:
    """What the crew asks of the shuffler is asked once more, as after a lost answer; nothing is done
    twice."""

    def move() -> None:
        with Hand(stage.control("shuffler")) as hand:
            until(lambda: take_first_pack(hand))
            hand.ask("insert", decks=SCENE.rules.options.decks, pack=1)

    await asyncio.to_thread(move)


def take_first_pack(hand: Hand) -> bool:
    """Whether the hand got the cards of the first pack, from the tray or once more."""
    with suppress(Refusal):
        return len(hand.ask("take", pack=1)["cards"].split()) == SCENE.rules.options.decks * 52
    return False


def test_samples_and_daemon_are_killed_and_no_round_is_lost(tmp_path: Path) -> None:
    harms = [DEVICE_KILLS["shuffler"], kill_daemon, DEVICE_KILLS["shoe"]]
    *in_play, at_the_end = programme("samples", harms, [*PLAY * 2, "loading"])
    mishaps = [*in_play, Mishap(Cue("loading", 1, 0.0), move_pack_again), at_the_end]
    played = asyncio.run(perform(tmp_path, SCENE, ROUNDS, mishaps, build=SampleStage))
    assert played.befell == tuple(mishap.cue.phase for mishap in mishaps)
    assert played.disputes == ()
    assert list(faults(played.books)) == []
    assert len(played.books.cards) > (SCENE.rules.options.decks - 1) * 52  # some are of the second pack
