"""Two tables with their uplinks, a server and an instance of a linked progressive, all real: what one table
brings shows at the other, a share is decided, and silence closes the spots."""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from controller.floor.drills.interleavings.world import LEVEL
from controller.jackpot.linked.messages import Admission, Admit, LevelParameters, SetParameters
from controller.jackpot.linked.table_level import TableLevelState
from controller.journal.signing import Signer
from controller.past.verify.audit import verify
from controller.past.verify.external import VerifyDemands
from controller.socket.core import FloorTrust
from controller.table.record.events import ClaimStep
from tests.controller.floor.progressive.house import FLOOR, PROGRESSIVE, SUBJECTS, House, Server, house
from tests.fixtures.core_table import CoreTable, LinkedTo, open_core
from tests.fixtures.daemon_process import notified
from tests.fixtures.floor_authority import table_credentials
from tests.fixtures.floor_table import with_level, with_uplink
from tests.fixtures.jackpot_table import SPOT
from tests.fixtures.waiting import PATIENCE, come_true

pytestmark = pytest.mark.usefixtures("fork_server")

TWO_WAGERS = "1:main=500 2:main=500 1:blazing-7s=100 2:blazing-7s=100"
LOSES = "close 9h 9d 9s 9c 9h 7s 1:stand 2:stand 9d pay"
ALL_OF_IT = "close 7d 9c 7d 7d 8c Th 1:stand 2:stand pay"
"""Seat 1 has three 7s of diamonds."""
LIFT = "1:main= 2:main= 1:blazing-7s= 2:blazing-7s="
SEED = 50_000
DECKS = {"t1": 11, "t2": 12}
"""A key for each table."""


@dataclass
class LinkedCore:
    """A table that plays for the level, and its uplink."""

    name: str
    core: CoreTable
    uplink: int
    """The process."""

    def play(self, tokens: str) -> None:
        self.core.play(tokens)

    @property
    def state(self) -> TableLevelState:
        return self.core.at.table.state.linked[LEVEL].state

    @property
    def shows(self) -> int:
        """What its players see."""
        return self.core.at.table.state.jackpot_cents(SPOT)

    async def opens(self) -> None:
        await come_true(lambda: self.state == "open")


def key_of(name: str) -> Signer:
    return Signer(bytes([DECKS[name]] * 32))


@asynccontextmanager
async def linked_core(folder: Path, name: str, server: Server) -> AsyncIterator[LinkedCore]:
    credentials = table_credentials(server.authority, name, folder)
    config = with_uplink(folder, server.address, FLOOR.public.hex(), name, credentials)
    with_level(config, PROGRESSIVE.public.hex(), LEVEL)
    linked = LinkedTo({SPOT: LEVEL}, PROGRESSIVE.public, name, key_of(name))
    trust = FloorTrust(SUBJECTS, name, frozenset({FLOOR.public}))
    path = folder / "journal.sock"
    async with open_core(folder, game="blackjack-x", socket_path=path, trust=trust, linked=linked) as core:
        with notified(config, "uplink") as (process, _):
            try:
                yield LinkedCore(name, core, process.pid)
            finally:
                os.kill(process.pid, signal.SIGCONT)


@dataclass
class LinkedHouse:
    house: House
    one: LinkedCore
    other: LinkedCore


@asynccontextmanager
async def linked_house(folder: Path) -> AsyncIterator[LinkedHouse]:
    """The level is open at both tables, and shows its seed."""
    async with AsyncExitStack() as stack:
        found = await stack.enter_async_context(house(folder, tables=0))
        await found.instances[0].start()
        await come_true(lambda: bool(found.amounts))
        tables = []
        for name in DECKS:
            (folder / name).mkdir()
            tables.append(await stack.enter_async_context(linked_core(folder / name, name, found.server)))
            value = Admission(
                table=name, epoch=tables[-1].core.at.table.state.epoch, public=key_of(name).public.hex()
            )
            await found.decide(Admit, value)
        await found.decide(SetParameters, LevelParameters(seed=SEED, contribution="15.00%", reserve="5.00%"))
        for table in tables:
            await table.opens()
            assert table.shows == SEED
        yield LinkedHouse(found, *tables)


async def test_a_wager_at_one_table_raises_the_amount_at_the_other(tmp_path: Path) -> None:
    async with linked_house(tmp_path) as here:
        here.one.play(f"{TWO_WAGERS} {LOSES} {LIFT}")
        await come_true(lambda: here.one.shows == here.other.shows == SEED + 30)
        reading = here.one.core.rows_of("level read")[-1]
        assert (reading["level"], reading["wagers"], reading["wagered"]) == (LEVEL, 2, 200)
        here.other.play(f"{TWO_WAGERS} close")
        assert here.other.core.rows_of("level")[-1]["cents"] == SEED + 30


async def test_a_share_is_decided_shown_and_paid_by_two_people_and_the_reset_shows_at_both_tables(
    tmp_path: Path,
) -> None:
    async with linked_house(tmp_path) as here:
        here.one.play(f"{TWO_WAGERS} {ALL_OF_IT} {LIFT}")
        register = here.one.core.at.table.state
        await come_true(lambda: register.register.by_number(1).decided)
        claim = register.register.by_number(1)
        assert (claim.seat, claim.share, claim.cents, claim.state) == (1, "100%", SEED + 30, "pending")
        (won,) = here.one.core.rows_of("share won")
        assert (won["cents"], tuple(won["order"])) == (SEED + 30, claim.order)
        await come_true(lambda: here.one.shows == here.other.shows == SEED)
        at = here.one.core.at
        at.apply(
            ClaimStep(1, "confirm", "Dee", "seen"),
            ClaimStep(1, "verify", "Sue", "seen"),
            ClaimStep(1, "pay", "Pat", "by hand"),
        )

        async def is_paid() -> bool:
            (known,) = (await here.house.state()).claims.values()
            return known.state == "paid"

        await _until(is_paid)
        assert not (await here.house.state()).open
        assert not here.other.core.rows_of("share won")
    assert not verify(tmp_path / "t1" / "journal", VerifyDemands()).findings


async def test_an_uplink_that_stands_still_closes_the_spots_and_three_amounts_open_them(
    tmp_path: Path,
) -> None:
    async with linked_house(tmp_path) as here:
        os.kill(here.one.uplink, signal.SIGSTOP)
        await come_true(lambda: here.one.state == "lost")
        assert here.other.state == "open"
        standing = here.one.core.at.table.state.standing
        assert "no new amount for 5 seconds" in standing[f"linked {LEVEL}"]
        here.one.play(f"{TWO_WAGERS}")
        assert here.one.core.at.table.state.round.seats[1].wagers == {"main": 500}
        os.kill(here.one.uplink, signal.SIGCONT)
        await here.one.opens()
        assert here.one.core.at.table.state.round.seats[1].wagers == {"main": 500, SPOT: 100}
        assert f"linked {LEVEL}" not in standing


async def _until(asked: Callable[[], Awaitable[bool]]) -> None:
    """Returns when the answer is yes."""
    end = time.monotonic() + PATIENCE
    while not await asked():
        assert time.monotonic() < end
        await asyncio.sleep(0.1)
