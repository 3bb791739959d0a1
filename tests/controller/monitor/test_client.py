"""A table's JSON read back."""

import asyncio
import json
import socket
from dataclasses import asdict
from typing import Any

import pytest

from controller.demo.reservations import free_port
from controller.monitor.client import TableAbsentError, TableAnswerError, fetch, parse
from controller.monitor.server.address import listen
from tests.fixtures.table_views import PLAYING, STATES
from tests.fixtures.waiting import PATIENCE
from tests.fixtures.web_server import web_server


async def test_every_state_comes_back_as_it_was() -> None:
    async with web_server() as house:
        for view in STATES.values():
            house.show(view)
            await house.until_shown()
            fetched = await asyncio.to_thread(fetch, "127.0.0.1", house.port, timeout=PATIENCE)
            assert fetched == view


def test_a_port_without_a_server_means_no_table() -> None:
    port = free_port()
    with pytest.raises(TableAbsentError, match=f"127.0.0.1:{port}"):
        fetch("127.0.0.1", port)


def test_a_server_that_does_not_answer_means_no_table() -> None:
    with listen("127.0.0.1", 0) as listener, pytest.raises(TableAbsentError, match="timed out"):
        fetch("127.0.0.1", listener.getsockname()[1], timeout=0.05)


async def test_a_server_of_another_program_means_no_table() -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n")
        writer.close()
        await writer.wait_closed()

    server = await asyncio.start_server(answer, "127.0.0.1", 0, family=socket.AF_INET)
    async with server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(TableAnswerError, match="status 404"):
            await asyncio.to_thread(fetch, "127.0.0.1", port, timeout=PATIENCE)


def changed(**members: object) -> bytes:
    record: dict[str, Any] = asdict(PLAYING)
    return json.dumps({**record, **members}).encode()


def test_unknown_keys_are_left_alone() -> None:
    assert parse(changed(weather="fine")) == PLAYING


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        (b"<html>", "not JSON"),
        (b"\xff\xfe\x00", "not JSON"),
        (b"[]", r"table is \[\], not of type dict"),
        (b"{}", "table lacks table, game, round"),
        (changed(round="42"), "table.round is '42', not of type int"),
        (changed(round=True), "table.round is True, not of type int"),
        (changed(keys=["hit", 3]), r"table.keys\[1\] is 3, not of type str"),
        (changed(seats={}), r"table.seats is \{\}, not of type list"),
        (
            changed(dealer={"cards": [], "total": "9", "label": ""}),
            "table.dealer.total is '9'",
        ),
        (changed(dealer=None), "table.dealer is None"),
    ],
)
def test_bad_answer_names_the_place(body: bytes, fault: str) -> None:
    with pytest.raises(TableAnswerError, match=fault):
        parse(body)
