"""People play one part of a demonstration by hand at the simulated table, and the other part is simulated."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path

from controller.config.chips import USUAL
from controller.demo.audit import read_audit
from controller.demo.crew.playbook import playbook
from controller.demo.settings import ME, DemoSettings
from controller.demo.simulator import acts
from controller.demo.simulator.errors import NotDone
from controller.demo.simulator.hands import carry_out
from controller.demo.simulator.picture import Picture, picture
from controller.demo.simulator.players import SimulatedPlayers
from controller.demo.simulator.roles import Role, SimulatedDealer, play
from controller.demo.simulator.table import Layout, SimulatedTable
from controller.demo.table import KINDS
from controller.monitor.client import fetch
from controller.monitor.live.changes import ChangeNotifier
from tests.fixtures.process_table import ForkedStage
from tests.fixtures.waiting import PATIENCE
from tests.system.books import faults

PAUSE = 0.01
LONGEST = 3 * PATIENCE


@asynccontextmanager
async def table_with(stage: ForkedStage, role: Role, *, crew_deals: bool) -> AsyncIterator[SimulatedTable]:
    """The simulated table of a stage whose daemon runs, with one simulated part."""
    changes = ChangeNotifier()
    layout = Layout(stage.settings.rules, 7, USUAL["USD"], crew_deals)
    table = SimulatedTable(layout, {kind: stage.control(kind) for kind in KINDS}, changes.notify)
    if isinstance(role, SimulatedPlayers):
        table.wishes = role.wishes
    tasks = [asyncio.create_task(table.run()), asyncio.create_task(play(role, table, changes, 0.0))]
    try:
        yield table
    finally:
        for task in tasks:
            task.cancel()
        ends = await asyncio.gather(*tasks, return_exceptions=True)
        assert all(isinstance(end, asyncio.CancelledError) for end in ends), ends


async def until_rounds(
    stage: ForkedStage, table: SimulatedTable, number: int, person: Callable[[Picture], acts.Act | None]
) -> None:
    """The person acts until so many rounds are over."""
    look = partial(fetch, "127.0.0.1", stage.web_port, timeout=PATIENCE)
    async with asyncio.timeout(LONGEST):
        while len((await asyncio.to_thread(look)).rounds) < number:
            if act := person(picture(table)):
                with suppress(NotDone):  # the table went on meanwhile
                    await carry_out(table, act)
            await asyncio.sleep(PAUSE)


def press(seen: Picture, *keys: str) -> acts.Act | None:
    """The first of these keys that is lit."""
    for wanted in keys:
        for key in seen.console.keys:
            if key.action == wanted:
                return acts.PressKey(do="press", key=wanted, seat=key.seat, prompt=seen.console.number)
    return None


def dealer(seen: Picture) -> acts.Act | None:
    """A person who deals: cards where they belong, keys as the players say."""
    if seen.cards.held:
        return acts.LayCard(do="lay-card")
    if seen.cards.turnable:
        return acts.TurnCard(do="turn-card")
    for seat, one in enumerate(seen.seats, 1):
        if one.wish:
            return acts.PressKey(do="press", key=one.wish, seat=seat, prompt=seen.console.number)
    return _dealers_own(seen)


def _dealers_own(seen: Picture) -> acts.Act | None:
    """What a dealer does when no player wants anything."""
    player_thinks = "stand" in {key.action for key in seen.console.keys}
    if player_thinks or (seen.console.text.startswith("Place your bets") and not seen.ready):
        return None
    return acts.Draw(do="draw") if seen.cards.due else press(seen, "pay", "close")


async def test_simulated_players_lay_chips_and_say_what_the_person_who_deals_has_to_press(
    tmp_path: Path,
) -> None:
    scene = DemoSettings(game="blackjack-x", seed=3, dealer=ME)
    async with ForkedStage(tmp_path, scene) as stage:
        await stage.start_daemon()
        players = SimulatedPlayers(playbook(scene.rules), scene.seed)
        async with table_with(stage, players, crew_deals=False) as table:
            await until_rounds(stage, table, 3, dealer)
    books = read_audit(stage.journal, stage.shoe_log)
    assert (books.rounds, list(faults(books))) == (3, [])
    assert books.wagers > 3


def player(seen: Picture) -> acts.Act | None:
    """A person who plays: one chip at seat 2; stands as soon as that is allowed."""
    betting = seen.console.text.startswith("Place your bets")
    if betting and not seen.seats[1].spots[0].stake:
        return acts.LayChip(do="lay-chip", seat=2, spot="main", chip=500)
    if betting and "wager" not in seen.console.text:
        return None
    return press(seen, "stand", "hit", "close")


async def test_a_simulated_dealer_draws_pays_and_collects_for_a_person_who_plays(tmp_path: Path) -> None:
    async with ForkedStage(tmp_path, DemoSettings(game="no-bust-21st-century", players=ME)) as stage:
        await stage.start_daemon()
        async with table_with(stage, SimulatedDealer(), crew_deals=True) as table:
            await until_rounds(stage, table, 3, player)
    books = read_audit(stage.journal, stage.shoe_log)
    assert list(faults(books)) == []
    assert books.wagers >= books.rounds >= 3
