"""The table socket of a halted table."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from controller.daemon.halted.cause import cause_in_play
from controller.daemon.halted.core import halted_core
from controller.daemon.halted.serve import serve_halted
from controller.journal.errors import JournalUnwritten
from controller.process.notify import Notifier
from controller.socket.client import CoreClient
from controller.socket.codes import Code
from controller.socket.listening import SocketPlace
from controller.socket.methods import METHODS
from controller.socket.params import PeerKind
from controller.socket.peers import PeerUsers
from controller.socket.results import HaltedView
from controller.socket.wire import CallRefused

FAILED = JournalUnwritten("journal /j: row 7 cannot be written: disk I/O error")
AGAIN = 1795190410.0
CAUSE = cause_in_play(FAILED)
HALTED = HaltedView(CAUSE.title, CAUSE.why, CAUSE.means, CAUSE.steps, 1795190400.0, AGAIN)


@asynccontextmanager
async def halted_client(folder: Path, kind: PeerKind = "web") -> AsyncIterator[CoreClient]:
    place = SocketPlace(folder / "s", "no-group-of-this-machine", PeerUsers())
    notifier = Notifier({})
    core = halted_core("Table 7", "easy-jack", HALTED)
    serving = asyncio.create_task(serve_halted(core, HALTED.why, place, notifier))
    try:
        async with CoreClient(place.path, kind, ("view", "status")) as client:
            await client.wait_connected(20)
            yield client
    finally:
        os.kill(os.getpid(), signal.SIGTERM)
        assert not await serving
        notifier.close()


async def test_a_halted_table_says_why_and_when_it_starts_again(tmp_path: Path) -> None:
    async with halted_client(tmp_path) as client:
        assert client.hello is not None
        halted = client.hello.halted
    assert halted is not None
    assert (halted.title, halted.why) == ("The journal cannot be written", str(FAILED))
    assert (halted.since, halted.restarts_at) == (1795190400.0, AGAIN)
    assert halted.steps[0] == "Leave cards and chips where they lie."


async def test_a_halted_table_still_gives_health_and_metrics(tmp_path: Path) -> None:
    async with halted_client(tmp_path) as client:
        health = await client.health()
        metrics = await client.metrics()
    assert (health.status, health.suspended) == ("halted", (str(FAILED),))
    assert "\ntableside_halted 1" in metrics


@pytest.mark.parametrize("method", [name for name, method in METHODS.items() if not method.when_halted])
async def test_a_halted_table_refuses_every_other_method(tmp_path: Path, method: str) -> None:
    kinds = METHODS[method].kinds
    async with halted_client(tmp_path, "web" if "web" in kinds else min(kinds)) as client:
        with pytest.raises(CallRefused) as refused:
            await client.call(method)
    assert refused.value.code == Code.UNAVAILABLE
    assert str(FAILED) in refused.value.message
