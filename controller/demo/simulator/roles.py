"""A simulated dealer beside people who play, and simulated players beside a person who deals.

They sit at the simulated table as people do: they see the prompt, the lamps, the chips and the cards on the
felt, and do what hands do. The dealer's decisions about a round, as its keys, are those of the people; the
players of a person who deals say what they want.
"""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import aclosing
from typing import Final, Protocol

from controller.demo.crew.indicators import LoadShoe
from controller.demo.simulator import acts
from controller.demo.simulator.errors import NotDone
from controller.demo.simulator.hands import carry_out
from controller.demo.simulator.table import IS_SPLIT, SimulatedTable, innermost
from controller.monitor.live.changes import ChangeNotifier
from controller.round.prompts import BurnCards, DealCards, DealerDraws, DrawCard, OpenWindow, PaySeat


class Role(Protocol):
    """Somebody at the table."""

    def next(self, table: SimulatedTable) -> acts.Act | None:
        """The next act; None: wait for a change."""


async def play(role: Role, table: SimulatedTable, changes: ChangeNotifier, think: float) -> None:
    """Plays until cancelled. `think`: seconds before each act."""
    async with aclosing(changes.follow(0)) as following:
        async for _ in following:
            if role.next(table) is None:
                continue
            await asyncio.sleep(think)
            if (act := role.next(table)) is not None:
                await _try(table, act)


async def _try(table: SimulatedTable, act: acts.Act) -> None:
    try:
        await carry_out(table, act)
    except NotDone:
        return  # a device is away, or something happened meanwhile: the next change or beat tries again


class SimulatedDealer:
    """Draws and lays the cards that are due, takes the chips of a decided round, and loads the shoe. People
    press the keys of hands and of windows."""

    def next(self, table: SimulatedTable) -> acts.Act | None:
        due = innermost(table.equipment.indicators.due)
        step = STEPS.get(type(due))
        return step(table) if step and not _is_offered(table, due) else None


def _is_offered(table: SimulatedTable, due: object) -> bool:
    """Whether people may still place wagers before the next card."""
    hand_draws = isinstance(due, DrawCard) and due.reason != IS_SPLIT
    return isinstance(table.equipment.indicators.due, OpenWindow) and not hand_draws


def _draw(table: SimulatedTable) -> acts.Act | None:
    ready = table.due is not None and table.drawing is None and table.felt.held is None
    return acts.Draw(do="draw", lay=True) if ready else None


def _pay(table: SimulatedTable) -> acts.Act | None:
    if any(stake is not None for stake in table.equipment.stakes):
        return acts.ClearChips(do="clear-chips")
    return press(table, "pay")


def _load(table: SimulatedTable) -> acts.Act | None:
    if table.fresh:
        return press(table, "close")
    if table.pack:
        return acts.LoadShoe(do="load-shoe")
    return acts.TakePack(do="take-pack") if table.equipment.tray else None


STEPS: Final[Mapping[type, Callable[[SimulatedTable], acts.Act | None]]] = {
    BurnCards: _draw,
    DealCards: _draw,
    DrawCard: _draw,
    DealerDraws: _draw,
    PaySeat: _pay,
    LoadShoe: _load,
}


def press(table: SimulatedTable, key: str) -> acts.Act | None:
    """A key for the whole table, if it is lit."""
    shown = table.equipment.indicators
    return acts.PressKey(do="press", key=key, prompt=shown.number) if key in shown.keys else None
