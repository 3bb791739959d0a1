"""The daemon plays whole rounds with the firmware on emulated boards, sealed, while their power fails."""

import asyncio
from pathlib import Path
from typing import Final

from controller.demo.settings import DemoSettings
from tests.firmware.stage import BoardStage
from tests.fixtures.process_table import fork_server
from tests.system.books import faults
from tests.system.mishaps import DEVICE_KILLS, programme
from tests.system.performance import perform

ROUNDS: Final = 3
SCENE: Final = DemoSettings(seed=5, decks=6, options={"burn_cards": "3"})


def test_boards_lose_their_power_in_play_and_no_round_is_lost(tmp_path: Path) -> None:
    harms = [DEVICE_KILLS["shoe"], DEVICE_KILLS["shuffler"]]
    mishaps = programme("boards", harms, ["dealing", "playing", "paying"])
    with fork_server():
        played = asyncio.run(perform(tmp_path, SCENE, ROUNDS, mishaps, build=BoardStage))
    assert played.befell == tuple(mishap.cue.phase for mishap in mishaps)
    assert played.disputes == ()
    assert list(faults(played.books)) == []
