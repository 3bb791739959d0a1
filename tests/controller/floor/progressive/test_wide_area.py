"""A level at a hub, for which tables of two properties play through their own servers."""

import json
import time
from pathlib import Path

import pytest

from controller.floor.streams import PROGRESSIVE_IN
from controller.jackpot.linked.entries import Won
from drivers.key_files import key_text
from tests.controller.floor.progressive.floor_commands import decide, hire, shown
from tests.controller.floor.progressive.house import FLOOR_KEY, PROGRESSIVE
from tests.controller.floor.progressive.wide_area import Seat, WideArea, wide_area
from tests.fixtures.waiting import come_true

pytestmark = pytest.mark.usefixtures("fork_server")


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


async def test_two_persons_decide_about_a_level_at_its_hub(tmp_path: Path) -> None:
    async with wide_area(tmp_path) as found:
        await come_true(lambda: found.seats[0].amounts)
        config = hub_config(found)
        words = ("--currency", "USD", "--seed", "500.00", "--contribution", "15%", "--reserve", "5%")
        opened = await decide(config, "parameters", *words)
        assert opened.exit_code == 0, opened.output
        table = found.seats[0].table
        asked = {"v": 1, "property": "north", "table": table.name, "epoch": table.epoch, "first": 1}
        asked |= {"before": "00" * 32, "public": table.signer}
        admitted = await decide(config, "admit", table.name, "--request", json.dumps(asked))
        assert admitted.exit_code == 0, admitted.output
        picture = await shown(config)
        assert (picture["cents"], picture["announced"], picture["state"]) == (50_000, 50_000, "open")
        assert [one["table"] for one in picture["tables"]] == [table.name]
        west = json.dumps(asked | {"property": "west"})
        for given, why in (
            ((table.name,), "--request is missing; needed at a hub"),
            ((table.name, "--request", west), "allowed: 'north', 'south'"),
            (("t9", "--request", json.dumps(asked)), f"request of the table {table.name!r}; allowed: 't9'"),
        ):
            refused = await decide(config, "admit", *given)
            assert (refused.exit_code, why in refused.output) == (2, True), refused.output


def hub_config(found: WideArea) -> Path:
    """Of the persons at the hub, whose key the level has."""
    folder = found.hub.folder
    found.hub.authority.make_credentials("floor", "floor", int(time.time()))
    text = (folder / "floor.toml").read_text()
    keys = f'progressive_keys = ["{PROGRESSIVE.public.hex()}"]'
    path = folder / "level.toml"
    path.write_text(f'{text}\ncredentials = "authority/floor.creds"\nkey = "level.key"\n{keys}\n')
    (folder / "level.key").write_text(key_text(FLOOR_KEY))
    (folder / "level.key").chmod(0o600)
    hire(folder)
    return path


async def until_decided(seat: Seat) -> None:
    """Its claims have amounts."""
    while seat.table.level.undecided:
        await seat.send()
