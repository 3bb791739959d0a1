"""A linked jackpot is hit at a whole table: daemon, simulated devices, uplink, server and an instance of the
linked progressive as processes. The daemon is killed between hit and payment."""

import asyncio
import os
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from controller.demo.settings import DemoSettings
from controller.floor.drills.interleavings.world import LEVEL
from controller.past.verify.audit import verify
from controller.past.verify.external import VerifyDemands
from drivers.protocol.codes import SPOTS_PER_SEAT, Lamp
from tests.fixtures.linked_stage import SEED, WON, LinkedStage, admit, open_level, uplink_of
from tests.fixtures.process_table import ProcessTable
from tests.fixtures.waiting import until
from tests.system.sevens import SEAT, SPOT, level, until_the_last_seven

Result = TypeVar("Result")


async def test_a_linked_jackpot_is_hit_and_survives_a_kill_and_silence_of_the_uplink(tmp_path: Path) -> None:
    """The table is used in a thread of its own, because its fixture runs a loop."""
    with ThreadPoolExecutor(1) as thread:

        async def at_table(work: Callable[..., Result], *given: Any) -> Result:
            return await asyncio.get_running_loop().run_in_executor(thread, partial(work, *given))

        async with open_level(tmp_path) as found:
            table = ProcessTable(tmp_path / "table")
            table.stage = LinkedStage(found.server, tmp_path / "table", DemoSettings(game="blackjack-x"))
            await at_table(table.__enter__)
            try:
                await at_table(table.start_daemon)
                await admit(found, table.stage)
                async with uplink_of(table.stage) as process:
                    await at_table(play, table, process)
            finally:
                await at_table(table.__exit__, None, None, None)
            state = await found.state()
            assert [(claim.cents, claim.state) for claim in state.open.values()] == [(WON, "open")]
    assert not verify(tmp_path / "table" / "journal.sqlite", VerifyDemands()).findings


def play(table: ProcessTable, uplink: int) -> None:
    with table.with_hands():
        table.until(lambda view: [(one.cents, one.state) for one in view.jackpots] == [(SEED, "open")])
        hit(table)
        silence(table, uplink)
        killed(table)


def hit(table: ProcessTable) -> None:
    until_the_last_seven(table)
    display = table.hands["display"]
    display.all_notices()
    table.hands["shoe"].ask("pull")
    until(lambda: level(display) == [WON, "win"])
    states = [notice["levels"]["0"] for notice in display.all_notices() if notice["notice"] == "display"]
    assert next(state for _, state in states if state != "runs") == "pending"
    (claim,) = table.until(lambda view: view.claims and view.claims[0].decided).claims
    assert (claim.seat, claim.cents, claim.state, claim.level) == (SEAT, WON, "pending", LEVEL)
    until(lambda: display.last("display")["lines"]["2"] == "Jackpot, seat 1: 500.15")


def silence(table: ProcessTable, uplink: int) -> None:
    """The spot goes dark, and comes back. A round is in play, so its latched wager stays."""
    os.kill(uplink, signal.SIGSTOP)
    try:
        table.until(lambda view: view.jackpots[0].state == "lost")
        until(lambda: _lamp(table, SEAT + 1) == Lamp.OFF)
        assert _lamp(table, SEAT) == Lamp.JACKPOT
    finally:
        os.kill(uplink, signal.SIGCONT)
    table.until(lambda view: view.jackpots[0].state == "open")


def killed(table: ProcessTable) -> None:
    """After a start the claim is there with its amount, and the level opens again."""
    table.kill_daemon()
    table.start_daemon()
    table.until(lambda view: view.jackpots[0].state == "open" and not view.suspended)
    (claim,) = table.view().claims
    assert (claim.cents, claim.decided, claim.state) == (WON, True, "pending")


def _lamp(table: ProcessTable, seat: int) -> int:
    lamps: str = table.hands["sensors"].last("lamps")["lamps"]
    return int(list(lamps)[SPOTS_PER_SEAT * (seat - 1) + SPOT])
