"""Whole tables on commercial shoes: no card is lost without a report, and no round is settled wrongly."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest

from controller.demo.reservations import free_port
from controller.demo.settings import DemoSettings
from controller.demo.table import DemoTable
from tests.fixtures.waiting import until
from tests.system.auditor import audit, overlooked, unaccounted
from tests.system.gallery import Cue
from tests.system.mishaps import PLAY, Harm, disturb, kill_daemon, kill_device, programme
from tests.system.performance import Performance, perform

ROUNDS: Final = 30
"""Enough for every mishap to find its moment."""
UNDISTURBED: Final = 10
ANGEL_EYE = "angel-eye-2ex"
BEE_TEK = "bee-tek"


async def kill_shoe(stage: DemoTable) -> None:
    """It is back when a hand can reach it."""
    await kill_device("shoe", stage)
    await asyncio.to_thread(until, stage.control("shoe").exists)


def asked(**request: Any) -> Harm:
    return partial(disturb, "shoe", request)


ONE_WAY_REBOOT: Final = asked(do="reboot")
"""A card that is in motion when a one-way shoe loses its power is lost without a trace; only the dealer sees
it. So this shoe loses its power while chips are placed."""
AT_REST: Final = Cue("betting", 1)
HARMS: Final[Mapping[tuple[str, str], Sequence[Harm]]] = {
    (ANGEL_EYE, "easy-jack"): (
        asked(do="reboot"),
        asked(do="fault", flip=0.2, split=0.3),
        asked(do="hang-up", seconds=0.3),
        asked(do="fault", flip=0.0, split=0.0),
        kill_shoe,
    ),
    (ANGEL_EYE, "pure-21-5"): (
        asked(do="refuse", code=0x21, times=3),
        kill_daemon,
        asked(do="unreadable"),
        asked(do="bcc", stx=False),
        asked(do="say", raw="05 31 44 81 B8 03 34 47"),
    ),
    (BEE_TEK, "easy-jack"): (
        asked(do="fault", split=0.5, stall=0.1),
        asked(do="hang-up", seconds=0.3),
        kill_daemon,
        asked(do="say", raw=b" [Game]<Card:H3> ".hex()),
    ),
    (BEE_TEK, "ez-bust"): (
        ONE_WAY_REBOOT,
        asked(do="unreadable"),
        kill_shoe,
        asked(do="say", raw=b"<W0x01>".hex()),
    ),
}


def acted(
    folder: Path, make: str, game: str, harms: Sequence[Harm] = (), *, rounds: int = ROUNDS, seed: int = 3
) -> Performance:
    """A played table, whose journal says of every card that it came, or that it may not have come."""
    tcp = free_port() if make == ANGEL_EYE else None
    scene = DemoSettings(game=game, seed=seed, shoe=make, shoe_tcp=tcp)
    phases = [PLAY[place % len(PLAY)] for place in range(len(harms))]
    mishaps = [
        replace(mishap, cue=AT_REST) if mishap.harm is ONE_WAY_REBOOT else mishap
        for mishap in programme(f"{make}/{seed}", harms, phases)
    ]
    performance = asyncio.run(perform(folder, scene, rounds, mishaps, person=audit))
    stage = DemoTable(folder, scene)
    assert performance.befell == tuple(phases)
    assert list(unaccounted(stage.journal, stage.shoe_log)) == []
    return performance


@pytest.mark.parametrize("make", [ANGEL_EYE, BEE_TEK])
def test_a_table_plays_and_its_journal_is_the_shoes_own_list(tmp_path: Path, make: str) -> None:
    performance = acted(tmp_path, make, "blackjack-x", rounds=UNDISTURBED)
    assert performance.disputes == ()
    assert {ended.round.outcome for ended in performance.books.ended} == {"settled"}
    cards = [card for _, card in performance.books.cards]
    assert cards == [card for _, card in performance.books.shoe_cards]


@pytest.mark.parametrize(("make", "game"), HARMS)
def test_whatever_befalls_the_shoe_no_round_is_settled_wrongly(tmp_path: Path, make: str, game: str) -> None:
    performance = acted(tmp_path, make, game, HARMS[make, game])
    assert overlooked(performance) == []
    assert len(performance.books.ended) >= ROUNDS
    assert {ended.round.outcome for ended in performance.books.ended} == {"settled", "void"}
