"""The daemon and its shoe on USB, whose plug is pulled in the middle of rounds and put in again."""

import asyncio
import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

import pytest

from controller.demo.audit import DemoAudit
from controller.demo.settings import DemoSettings
from tests.system.books import faults
from tests.system.mishaps import Harm, Mishap, disturb, programme
from tests.system.performance import perform

ROUNDS: Final = 10
SCENE: Final = DemoSettings(seed=5, decks=6, usb=True)
PHASES: Final = ("betting", "dealing", "playing", "drawing")
"""One more loss within a minute, and the shoe would be held off."""


def shoe(do: str, seconds: float) -> Harm:
    return partial(disturb, "shoe", {"do": do, "seconds": seconds})


def played(folder: Path, mishaps: Sequence[Mishap] = ()) -> DemoAudit:
    performance = asyncio.run(perform(folder, SCENE, ROUNDS, mishaps))
    assert performance.befell == tuple(mishap.cue.phase for mishap in mishaps)
    assert performance.disputes == ()
    return performance.books


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> DemoAudit:
    books = played(tmp_path_factory.mktemp("reference"))
    assert list(faults(books)) == []
    assert books.cards
    return books


def test_a_pulled_usb_plug_loses_or_repeats_no_card(tmp_path: Path, reference: DemoAudit) -> None:
    harms = [shoe("hang-up", 0.05), shoe("hang-up", 0.5), shoe("reboot", 0.2), shoe("hang-up", 0.1)]
    books = played(tmp_path, programme("usb", harms, PHASES))
    assert list(faults(books, reference)) == []
    answer = [json.loads(line) for line in (tmp_path / "daemon.log").read_text().splitlines()]
    plugs = [line["event"] for line in answer if line.get("serial") == "SIM-SHOE" and "path" in line]
    assert plugs == ["unplugged", "plugged"] * 3
