"""Two instances at three servers, of which the one fails that leads the stream of leases."""

import asyncio
from pathlib import Path

import pytest

from controller.floor.progressive.broadcaster import EVERY
from controller.floor.streams import LEASE
from tests.controller.floor.progressive.trio import Trio, trio
from tests.fixtures.waiting import come_true

pytestmark = pytest.mark.usefixtures("fork_server")

AN_ELECTION = 3
"""Amounts that are announced before the servers have elected: they take 3 to 9 seconds."""
AN_ELECTION_WITHOUT_END = 10
"""More than are announced until a lease ends, and fewer than during an election that never ends."""


async def test_amounts_go_on_while_servers_elect_and_end_without_a_majority(tmp_path: Path) -> None:
    async with trio(tmp_path) as found:
        known, node = found.amounts[-1], await found.lead_of(f"KV_{LEASE}")
        await node.kill()
        heard = len(found.amounts)
        while not await found.stores():
            continue
        assert len(found.amounts) > heard
        await come_true(lambda: len(found.amounts) > heard + 2 * AN_ELECTION)
        assert {amount.n for amount in found.amounts} == {known.n}  # nobody else began to lead
        other = next(one for one in found.servers.nodes if one is not node)
        await other.kill()
        heard = len(found.amounts)
        while await more_amounts(found):
            continue
        assert len(found.amounts) - heard < AN_ELECTION_WITHOUT_END
        await asyncio.gather(node.start(), other.start())
        heard = len(found.amounts)
        await come_true(lambda: len(found.amounts) > heard)


async def more_amounts(found: Trio) -> bool:
    """Whether one comes in twice the time from one to the next."""
    heard = len(found.amounts)
    await asyncio.sleep(2 * EVERY)
    return len(found.amounts) > heard
