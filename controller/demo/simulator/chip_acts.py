"""What hands do with chips."""

from collections.abc import Mapping
from typing import Any, Final

from controller.demo.simulator import acts
from controller.demo.simulator.chips import UNKNOWN, Stake, with_chip, without_chip
from controller.demo.simulator.errors import BadAct, Impossible
from controller.demo.simulator.handling import Handler
from controller.demo.simulator.table import SimulatedTable
from drivers.protocol.codes import SPOTS_PER_SEAT


async def lay_chip(table: SimulatedTable, act: acts.LayChip) -> None:
    place = _place(table, act.seat, act.spot)
    await _put(table, place, with_chip(table.equipment.stakes[place], act.chip, table.layout.rack))


async def lay_unreadable(table: SimulatedTable, act: acts.LayUnreadable) -> None:
    await _put(table, _place(table, act.seat, act.spot), UNKNOWN)


async def take_chips(table: SimulatedTable, act: acts.TakeChips) -> None:
    place = _place(table, act.seat, act.spot)
    stake = _stake(table, act)
    left = None if act.chip is None else without_chip(stake, act.chip, table.layout.rack)
    await _put(table, place, left)


async def move_chips(table: SimulatedTable, act: acts.MoveChips) -> None:
    to = _place(table, act.to_seat, act.to_spot)
    moved, there = _stake(table, act), table.equipment.stakes[to]
    source = _place(table, act.seat, act.spot)
    if source != to:
        await _put(table, source, None)
        await _put(table, to, UNKNOWN if UNKNOWN in (moved, there) else moved + (there or 0))


async def clear_chips(table: SimulatedTable, _act: acts.ClearChips) -> None:
    await table.devices.ask("sensors", "clear")


async def fail_sensor(table: SimulatedTable, act: acts.FailSensor) -> None:
    spot = _place(table, act.seat, act.spot) % SPOTS_PER_SEAT
    await table.devices.ask("sensors", "fail", seat=act.seat, spot=spot, on=act.on)


def _stake(table: SimulatedTable, act: acts.TakeChips | acts.MoveChips) -> int:
    stake = table.equipment.stakes[_place(table, act.seat, act.spot)]
    if stake is None:
        raise Impossible(f"seat {act.seat}, {act.spot}: no chips lie there")
    return stake


async def _put(table: SimulatedTable, place: int, stake: Stake) -> None:
    where = {"seat": place // SPOTS_PER_SEAT + 1, "spot": place % SPOTS_PER_SEAT}
    if stake is None:
        await table.devices.ask("sensors", "take", **where)
    else:
        await table.devices.ask("sensors", "put", **where, cents=stake)
    table.equipment.stakes = [*table.equipment.stakes[:place], stake, *table.equipment.stakes[place + 1 :]]


def _place(table: SimulatedTable, seat: int, spot: str) -> int:
    """The number of a spot among all of the sensors. Raises BadAct."""
    seats, spots = table.layout.seats, table.layout.game.spots
    if not 1 <= seat <= seats:
        raise BadAct(f"seat {seat}: not at this table; allowed: 1 to {seats}")
    if spot not in spots:
        raise BadAct(f"spot {spot!r}: not at this table; allowed: {', '.join(spots)}")
    return SPOTS_PER_SEAT * (seat - 1) + spots.index(spot)


HANDLERS: Final[Mapping[type, Handler[Any]]] = {
    acts.LayChip: lay_chip,
    acts.LayUnreadable: lay_unreadable,
    acts.TakeChips: take_chips,
    acts.MoveChips: move_chips,
    acts.ClearChips: clear_chips,
    acts.FailSensor: fail_sensor,
}
