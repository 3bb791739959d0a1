"""The daemon and its shoe on USB, whose plug is pulled in the middle of rounds and put in again."""

import asyncio
import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

import pytest

from controller.demo.audit import Books
from controller.demo.settings import Scene
from tests.system.books import faults
from tests.system.mishaps import Harm, Mishap, disturb, programme
from tests.system.performance import perform

ROUNDS: Final = 10
SCENE: Final = Scene(seed=5, decks=6, usb=True)
PHASES: Final = ("betting", "dealing", "playing", "drawing")
"""One more loss within a minute, and the shoe would be held off."""


def shoe(do: str, seconds: float) -> Harm:
    return partial(disturb, "shoe", {"do": do, "seconds": seconds})


def played(folder: Path, mishaps: Sequence[Mishap] = ()) -> Books:
    performance = asyncio.run(perform(folder, SCENE, ROUNDS, mishaps))
    assert performance.befell == tuple(mishap.cue.phase for mishap in mishaps)
    assert performance.disputes == ()
    return performance.books


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Books:
    books = played(tmp_path_factory.mktemp("reference"))
    assert list(faults(books)) == []
    assert books.cards
    return books


def test_no_card_is_lost_or_doubled(tmp_path: Path, reference: Books) -> None:
    harms = [shoe("hang-up", 0.05), shoe("hang-up", 0.5), shoe("reboot", 0.2), shoe("hang-up", 0.1)]
    books = played(tmp_path, programme("usb", harms, PHASES))
    assert list(faults(books, reference)) == []
    told = [json.loads(line) for line in (tmp_path / "daemon.log").read_text().splitlines()]
    plugs = [line["event"] for line in told if line.get("serial") == "SIM-SHOE" and "path" in line]
    assert plugs == ["unplugged", "plugged"] * 3
