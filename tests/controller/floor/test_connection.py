"""A client leaves a server that stands still, as if it had lost its power."""

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from controller.demo.reservations import free_port
from controller.floor import majority
from controller.floor.connection import PROMPT, Servers, connection
from controller.floor.majority import majority_answers
from controller.floor.nats_server import PROGRAM, nats_server
from tests.fixtures.house_ca import make_certificates
from tests.fixtures.waiting import come_true

SOONER_THAN_THE_END_OF_TLS = 25.0
"""Seconds; asyncio waits 30 for the end of a session."""


@asynccontextmanager
async def servers(folder: Path, tls: tuple[str, ...] = ()) -> AsyncIterator[dict[int, int]]:
    """Three of them: the process of each by its port."""
    found = dict[int, int]()
    async with AsyncExitStack() as stack:
        for _ in range(3):
            port = free_port()
            await stack.enter_async_context(nats_server(folder / str(port), port, more=tls))
            [ports] = (folder / str(port)).glob(f"{PROGRAM}_*.ports")
            found[port] = int(ports.stem.partition("_")[2])
        try:
            yield found
        finally:
            for process in found.values():
                os.kill(process, signal.SIGCONT)


async def stand_still(process: int) -> None:
    os.kill(process, signal.SIGSTOP)
    await come_true(lambda: Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "T")


async def test_a_client_leaves_a_server_that_stands_still_for_another_one(tmp_path: Path) -> None:
    make_certificates(tmp_path)
    files = {"cert_file": tmp_path / "server.crt", "key_file": tmp_path / "server.key"}
    tls = ", ".join(f"{name}: {json.dumps(str(path))}" for name, path in files.items())
    async with servers(tmp_path, (f"tls {{ {tls} }}",)) as processes:
        addresses = tuple(f"tls://127.0.0.1:{port}" for port in processes)
        house = Servers(addresses, "table", "_INBOX_table", tmp_path / "ca.crt", pings=PROMPT)
        with capture_logs() as logged:
            async with connection(house) as client:
                for _ in range(2):
                    assert client.connected_url
                    port = client.connected_url.port
                    await stand_still(processes[port or 0])
                    await come_true(
                        lambda port=port: (  # type: ignore[misc]
                            client.connected_url and client.connected_url.port != port
                        ),
                        SOONER_THAN_THE_END_OF_TLS,
                    )
                    os.kill(processes[port or 0], signal.SIGCONT)
        assert [one for one in logged if one["event"] == "connection"] == []  # no attempt failed


async def test_most_servers_answer_until_two_of_three_stand_still(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(majority, "ANSWER_LIMIT", 3.0)
    async with servers(tmp_path) as processes:
        addresses = [f"nats://127.0.0.1:{port}" for port in processes]
        first, second, _ = processes.values()
        assert await majority_answers(addresses)
        await stand_still(first)
        assert await majority_answers(addresses)
        await stand_still(second)
        assert not await majority_answers(addresses)
        assert not await majority_answers(addresses[2:])


async def test_a_program_that_is_not_a_server_does_not_count(tmp_path: Path) -> None:
    async def refuse(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400\r\n\r\n")
        writer.close()

    other = await asyncio.start_server(refuse, "127.0.0.1", 0)
    async with other, nats_server(tmp_path / "server") as address:
        port = other.sockets[0].getsockname()[1]
        assert not await majority_answers([address, f"nats://127.0.0.1:{port}"])


async def test_a_program_that_ends_its_connection_has_not_lost_it(tmp_path: Path) -> None:
    """A command that prints JSON would print a warning with it."""
    changes = list[bool]()
    async with nats_server(tmp_path / "nats") as address:
        with capture_logs() as logged:
            async with connection(Servers((address,), "table", "_INBOX_table"), changes.append) as client:
                assert client.is_connected
    assert logged == []
    assert changes == [True, False]
