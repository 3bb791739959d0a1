"""A level at a hub, for which tables of two properties play through their own servers."""

from pathlib import Path

from controller.floor.streams import PROGRESSIVE_IN
from controller.jackpot.linked.entries import Won
from tests.controller.floor.progressive.wide_area import Seat, wide_area
from tests.fixtures.waiting import come_true


async def test_tables_of_two_properties_win_in_one_order_until_a_link_is_cut(tmp_path: Path) -> None:
    async with wide_area(tmp_path) as found:
        north, south = found.seats
        await come_true(lambda: north.amounts and south.amounts)
        await found.open()
        for seat in (north, south, north):
            seat.table.play(found.chance)
            seat.table.win(found.chance)
            await until_decided(seat)
        won = [one for entry in await found.entries() for one in entry.out if isinstance(one, Won)]
        assert {one.table for one in won} == {north.table.name, south.table.name}
        assert [one.order for one in won] == sorted(one.order for one in won)
        for seat in found.seats:
            assert not seat.table.level.conflict
            own = await seat.client.jetstream().stream_info(PROGRESSIVE_IN)
            assert (own.config.subjects or [])[0] == f"ts.{seat.name}.progressive.in.own.*"
            assert own.state.messages == 0  # a level is in one stream
        north.link.cut()
        await come_true(lambda: north.state() == "lost")
        assert south.state() != "lost"
        await north.link.join()
        await come_true(lambda: north.state() == "open")
        north.table.play(found.chance)
        north.table.win(found.chance)
        await until_decided(north)


async def until_decided(seat: Seat) -> None:
    """Its claims have amounts."""
    while seat.table.level.undecided:
        await seat.send()
