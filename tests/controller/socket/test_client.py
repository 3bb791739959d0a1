"""The client libraries: they find the core again, and an act survives everything in between."""

import asyncio
import signal
import sys
from pathlib import Path

import pytest

from controller.socket.blocking import BlockingClient
from controller.socket.client import CoreClient
from controller.socket.wire import CallRefused, CoreAway
from tests.fixtures.access_desk import FROM, PASSWORD
from tests.fixtures.core_table import open_core
from tests.fixtures.waiting import come_true

DEALT = "1:main=500 close 8h 9c 9d Kc"
STAND = {"key": {"action": "stand", "seat": 1}}
ASKER = """
import json, os, signal, socket, sys
connection = socket.socket(socket.AF_UNIX)
connection.connect(sys.argv[1])
act = {"token": sys.argv[2], "act": {"key": {"action": "stand", "seat": 1}}, "id": "dies"}
line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "act", "params": act})
connection.sendall(line.encode() + b"\\n")
os.kill(os.getpid(), signal.SIGKILL)
"""


async def test_an_act_whose_client_dies_before_the_answer_is_taken_once(tmp_path: Path) -> None:
    async with open_core(tmp_path, DEALT) as core:
        token = core.tokens["Dee"]
        process = await asyncio.create_subprocess_exec(sys.executable, "-c", ASKER, str(core.path), token)
        assert await process.wait() == -signal.SIGKILL
        await come_true(lambda: core.rows_of("console key"))
        async with core.client() as client:
            taken = await client.act(token, STAND, "dies")
        assert [row["id"] for row in core.rows_of("act")] == ["dies"]
        assert core.rows_of("act")[0]["row"] == taken.row
        assert len(core.rows_of("console key")) == 1


async def test_a_client_connects_again_when_the_core_restarts(tmp_path: Path) -> None:
    changes: list[bool] = []
    async with CoreClient(
        tmp_path / "s", "web", ("view",), on_change=lambda: changes.append(client.connected)
    ) as client:
        with pytest.raises(CoreAway, match="no core answers at"):
            await client.wait_connected(0.2)
        async with open_core(tmp_path):
            await client.wait_connected(20)
            await come_true(lambda: client.replica.current)
        await come_true(lambda: not client.connected)
        assert not client.replica.current
        with pytest.raises(CoreAway):
            await client.health()
        async with open_core(tmp_path):
            await client.wait_connected(20)
            await come_true(lambda: client.replica.current)
    assert True in changes
    assert False in changes


async def test_what_is_not_a_core_is_away(tmp_path: Path) -> None:
    async def other(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 mail\r\n")
        writer.close()

    server = await asyncio.start_unix_server(other, str(tmp_path / "s"))
    async with server, CoreClient(tmp_path / "s") as client:
        await come_true(lambda: "is not a core" in client.away)
        assert not client.connected


async def test_a_call_that_is_under_way_when_the_core_goes_fails(tmp_path: Path) -> None:
    async with CoreClient(tmp_path / "s", "web") as client:
        async with open_core(tmp_path) as core:
            await client.wait_connected(20)
            token = core.tokens["Ann"]
            changing = asyncio.create_task(client.set_secret(token, PASSWORD, "a much better one", FROM))
            await come_true(lambda: any(link.running for link in core.server.links))
        with pytest.raises(CoreAway):
            await changing


async def test_a_command_asks_one_thing_after_the_other(tmp_path: Path) -> None:
    async with open_core(tmp_path, DEALT) as core:
        kind, methods, code = await asyncio.to_thread(_command, core.path)
    assert (kind, code) == ("cli", 403)
    assert "roster" not in methods


def test_a_command_without_a_core_says_where_it_looked(tmp_path: Path) -> None:
    with pytest.raises(CoreAway, match=f"no core answers at {tmp_path / 's'}: No such file or directory"):
        BlockingClient(tmp_path / "s")


async def test_a_command_learns_that_the_core_is_full(tmp_path: Path) -> None:
    async with open_core(tmp_path) as core, core.crowd(32):
        with pytest.raises(CallRefused, match="32 clients are connected"):
            await asyncio.to_thread(BlockingClient, core.path)


def _command(path: Path) -> tuple[str, list[str], int]:
    with BlockingClient(path) as client:
        client.call("health")
        with pytest.raises(CallRefused) as refused:
            client.call("roster")
        return client.hello["kind"], client.hello["methods"], refused.value.code
