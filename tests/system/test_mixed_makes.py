"""Tables whose devices are of different makes and on different wires, each unplugged and restored in every
phase: a shoe on USB or an Angel Eye behind a device server, a shuffler in C on a pseudo-terminal."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import ClassVar, Final

import pytest

from controller.demo.reservations import free_port
from controller.demo.settings import DemoSettings
from tests.system.auditor import audit, overlooked, unaccounted
from tests.system.books import faults
from tests.system.gallery import Cue
from tests.system.mishaps import PLAY, Harm, Mishap, disturb
from tests.system.performance import Performance, Person, perform
from tests.system.sample import SampleStage
from tests.system.supervisor import supervise

BETWEEN: Final = ("loading", "burning")
PHASES: Final = (*PLAY, *BETWEEN)
WIRES: Final = ("shoe", "shuffler")
ROUNDS: Final = 12
"""At least; the shoe's cut card, and a pack whose cards are burned first, take more rounds, which the test
waits for."""
SCENE: Final = DemoSettings(seed=5, decks=6, options={"burn_cards": "3"})
DELAY: Final = 0.002


class MixedStage(SampleStage):
    """Its shoe is that of the scene."""

    in_c: ClassVar[tuple[str, ...]] = ("shuffler",)


def unplugged(kind: str) -> Harm:
    return partial(disturb, kind, {"do": "hang-up", "seconds": 0.3})


def mishaps(phases: Sequence[str]) -> Sequence[Mishap]:
    """Each wire in each phase, one after the other."""
    return [Mishap(Cue(phase, 1, DELAY), unplugged(wire)) for phase, wire in product(phases, WIRES)]


def acted(
    folder: Path, scene: DemoSettings, *, phases: Sequence[str] = PHASES, person: Person = supervise
) -> Performance:
    planned = mishaps(phases)
    play = perform(folder, scene, ROUNDS, planned, build=MixedStage, person=person)
    performance = asyncio.run(play)
    assert performance.befell == tuple(mishap.cue.phase for mishap in planned)
    return performance


def test_a_table_with_a_usb_shoe_and_a_c_shuffler_survives_unplugging(tmp_path: Path) -> None:
    performance = acted(tmp_path, replace(SCENE, usb=True))
    assert performance.disputes == ()
    assert list(faults(performance.books)) == []


@pytest.mark.parametrize("phases", [PLAY, BETWEEN], ids=["play", "between"])
def test_a_table_with_an_angel_eye_and_a_c_shuffler_survives_unplugging(
    tmp_path: Path, phases: Sequence[str]
) -> None:
    scene = replace(SCENE, shoe="angel-eye-2ex", shoe_tcp=free_port())
    performance = acted(tmp_path, scene, phases=phases, person=audit)
    stage = MixedStage(tmp_path, scene)
    assert list(unaccounted(stage.journal, stage.shoe_log)) == []
    assert "settled" in {ended.round.outcome for ended in performance.books.ended}
    assert overlooked(performance) == []
