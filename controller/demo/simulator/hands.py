"""Carries out what the page asks hands to do."""

from collections.abc import Mapping
from typing import Any, Final

from controller.demo.simulator import card_acts, chip_acts, device_acts
from controller.demo.simulator.acts import Act
from controller.demo.simulator.handling import Handler
from controller.demo.simulator.table import SimulatedTable

HANDLERS: Final[Mapping[type, Handler[Any]]] = {
    **chip_acts.HANDLERS,
    **card_acts.HANDLERS,
    **device_acts.HANDLERS,
}


async def carry_out(table: SimulatedTable, act: Act) -> None:
    """One act after the other. Raises NotDone."""
    async with table.turn:
        await HANDLERS[type(act)](table, act)
    table.notify()
