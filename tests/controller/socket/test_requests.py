"""Requests over a real socket: lines that are right, wrong, half, too long and too many."""

import asyncio
import json
import os
from pathlib import Path

import pytest

from controller.socket.codes import Code
from controller.socket.lines import MOST_LINE
from controller.socket.methods import METHODS
from controller.socket.wire import CallRefused
from tests.fixtures.access_desk import PASSWORD
from tests.fixtures.core_table import open_core, request
from tests.fixtures.waiting import come_true

DEALT = "1:main=500 close 8h 9c 9d Kc"


async def test_hello_names_the_table_and_what_the_client_may_do(tmp_path: Path) -> None:
    async with open_core(tmp_path) as core, core.wire() as wire:
        answer = await wire.call("hello", **{"as": "uplink"})
    result = answer["result"]
    assert (answer["id"], result["table"], result["version"], result["kind"]) == (1, "T", "1.2.3", "uplink")
    assert result["methods"] == ["hello", "subscribe", "act", "amount", "report"]


async def test_a_client_of_the_cores_own_user_may_be_anything_until_it_chooses(tmp_path: Path) -> None:
    async with open_core(tmp_path) as core, core.wire() as wire:
        assert (await wire.call("hello"))["result"]["methods"] == [*METHODS]
        await wire.call("hello", **{"as": "cli"})
        refused = await wire.call("hello", **{"as": "web"})
        roster = await wire.call("roster")
    assert refused["error"]["code"] == roster["error"]["code"] == Code.FORBIDDEN
    assert refused["error"]["message"] == "this user cannot be web; allowed: cli"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"{\n", Code.NOT_JSON),
        (b"\n", Code.NOT_JSON),
        (b"\xff\xfe\n", Code.NOT_JSON),
        (b"[" * 5000 + b"\n", Code.NOT_JSON),
        (b"[]\n", Code.NOT_A_REQUEST),
        (b'{"id": 1, "method": "hello"}\n', Code.NOT_A_REQUEST),
        (b'{"jsonrpc": "2.0", "method": "hello"}\n', Code.NOT_A_REQUEST),
        (b'{"jsonrpc": "2.0", "id": true, "method": "hello"}\n', Code.NOT_A_REQUEST),
        (b'{"jsonrpc": "2.0", "id": 1, "method": 7}\n', Code.NOT_A_REQUEST),
        (request(1, "fly"), Code.UNKNOWN_METHOD),
        (request(1, "hello", wings=2), Code.INVALID_PARAMS),
        (request(1, "act", **{"token": "t", "id": "no blanks", "act": {}}), Code.INVALID_PARAMS),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "hello", "params": null}\n', Code.INVALID_PARAMS),
    ],
)
async def test_a_line_that_is_not_right_is_answered_with_its_code(
    tmp_path: Path, line: bytes, code: Code
) -> None:
    async with open_core(tmp_path) as core, core.wire() as wire:
        assert (await wire.ask(line))["error"]["code"] == code
        assert (await wire.call("hello"))["result"]["table"] == "T"


async def test_an_invalid_secret_is_not_repeated_in_the_answer(tmp_path: Path) -> None:
    async with open_core(tmp_path) as core, core.wire() as wire:
        answer = await wire.call("sign_in", kind="password", name="Ann", secret=["hunter2"], address="")
    assert answer["error"]["code"] == Code.INVALID_PARAMS
    assert "secret" in answer["error"]["message"]
    assert "hunter2" not in json.dumps(answer)


@pytest.mark.parametrize(
    ("place", "text", "sign"), [("name", "Ann\u200b", "U+200B"), ("address", "\u202e1", "U+202E")]
)
async def test_an_invisible_character_is_refused_and_named(
    tmp_path: Path, place: str, text: str, sign: str
) -> None:
    params = {"kind": "password", "name": "Ann", "secret": PASSWORD, "address": ""} | {place: text}
    async with open_core(tmp_path) as core, core.wire() as wire:
        error = (await wire.call("sign_in", **params))["error"]
    assert error["code"] == Code.INVALID_PARAMS
    assert error["message"].startswith(f"{place}: not allowed: {sign} (")


async def test_half_a_line_waits_for_its_other_half(tmp_path: Path) -> None:
    async with open_core(tmp_path) as core, core.wire() as wire:
        line = request(7, "hello")
        for byte in line[:-1]:
            wire.writer.write(bytes([byte]))
            await asyncio.sleep(0)
        await asyncio.sleep(0.05)
        assert (await wire.ask(line[-1:]))["id"] == 7


async def test_a_line_without_an_end_ends_the_connection_and_no_other(tmp_path: Path) -> None:
    async with open_core(tmp_path) as core, core.wire() as wire, core.wire() as other:
        wire.writer.write(b"x" * (MOST_LINE + 1))
        assert (await wire.message())["error"]["code"] == Code.NOT_A_REQUEST
        assert await wire.reader.read() == b""
        assert (await other.call("hello"))["result"]["table"] == "T"


async def test_what_a_client_sent_before_it_ended_is_carried_out_and_answered(tmp_path: Path) -> None:
    async with open_core(tmp_path, DEALT) as core, core.wire() as wire:
        act = {"token": core.tokens["Dee"], "act": {"key": {"action": "stand", "seat": 1}}, "id": "last"}
        wire.writer.write(request(0, "hello") + request(1, "act", **act) + b'{"half')
        wire.writer.write_eof()
        answers = [await wire.message() for _ in range(2)]
        assert await wire.reader.read() == b""
        (key,) = core.rows_of("console key")
    assert [answer["id"] for answer in answers] == [0, 1]
    assert key["action"] == "stand"


async def test_the_longest_line_that_is_allowed_is_read(tmp_path: Path) -> None:
    async with open_core(tmp_path) as core, core.wire() as wire:
        line = request(1, "hello")
        answer = await wire.ask(b" " * (MOST_LINE - len(line)) + line)
    assert answer["result"]["table"] == "T"


async def test_ten_thousand_requests_at_once_are_all_answered_in_order(tmp_path: Path) -> None:
    async with open_core(tmp_path) as core, core.wire() as wire:
        lines = b"".join(request(number, "fly") for number in range(10_000))
        sending = asyncio.create_task(_send(wire.writer, lines))
        numbers = [(await wire.message())["id"] for _ in range(10_000)]
        await sending
    assert numbers == [*range(10_000)]


async def test_the_thirty_third_client_is_refused_until_another_leaves(tmp_path: Path) -> None:
    async with open_core(tmp_path) as core, core.crowd(32) as crowd:
        async with core.wire() as wire:
            refused = await wire.message()
        assert refused["error"]["code"] == Code.UNAVAILABLE
        crowd.pop().close()
        await come_true(lambda: len(core.server.links) == 31)
        async with core.client() as client:
            assert client.connected


async def test_only_the_group_may_open_the_socket(tmp_path: Path) -> None:
    async with open_core(tmp_path) as core:
        mode = core.path.stat().st_mode & 0o777
        assert (mode, core.path.stat().st_uid) == (0o600, os.geteuid())


async def test_health_metrics_roster_and_reports_are_answered(tmp_path: Path) -> None:
    async with open_core(tmp_path) as core, core.client() as client:
        health = await client.health()
        roster = await client.roster()
        metrics = await client.metrics()
        await client.report("page", "port 8080 is taken")
    assert (health.status, health.accounts, metrics) == ("ok", "", "rounds 1\n")
    assert (roster.any, roster.dealers, roster.fault) == (True, ("Dee", "Don"), "")
    assert core.reports == [("page", "port 8080 is taken")]


async def test_a_satellite_reports_its_own_state_and_no_other_ones(tmp_path: Path) -> None:
    async with open_core(tmp_path) as core:
        async with core.client("uplink") as client:
            await client.report("uplink", "no server answers")
            await client.report("shipping", "the floor has other rows")
            with pytest.raises(CallRefused, match="page: not for this client; allowed: web") as refused:
                await client.report("page", "port 8080 is taken")
        async with core.client("web") as client:
            with pytest.raises(CallRefused, match="shipping: not for this client; allowed: uplink"):
                await client.report("shipping", "")
    assert refused.value.code == Code.FORBIDDEN
    assert core.reports == [("uplink", "no server answers"), ("shipping", "the floor has other rows")]


async def test_a_halting_table_shows_nothing(tmp_path: Path) -> None:
    async with open_core(tmp_path) as core, core.client() as client:
        core.at.table.failed = RuntimeError("the disk")
        with pytest.raises(CallRefused) as refused:
            await client.health()
    assert refused.value.code == Code.UNAVAILABLE


async def _send(writer: asyncio.StreamWriter, lines: bytes) -> None:
    writer.write(lines)
    await writer.drain()
