"""Directories of the floor through the table socket: what the core takes, and what it refuses and why."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from controller.daemon.access_journal import record_pending
from controller.journal.signing import Signer
from controller.property.directory import Directory, DirectoryContent
from controller.property.sealing import SealingKey
from controller.property.signed import SignedMessage
from controller.property.subjects import PropertySubjects
from controller.socket.codes import Code
from controller.socket.core import FloorTrust
from controller.socket.floor_directory import NO_KEY
from controller.socket.wire import CallRefused
from tests.fixtures.access_desk import FROM, PASSWORD, hashed
from tests.fixtures.core_table import CoreTable, Wire, open_core

FLOOR_KEY, OTHER_KEY = (Signer(bytes([number]) * 32) for number in (1, 2))
SEALING = SealingKey(bytes(range(32)))
SUBJECTS = PropertySubjects("house")
FLOOR = FloorTrust(SUBJECTS, "t7", frozenset({FLOOR_KEY.public}), SEALING)
FLO_PASSWORD = "green baize at nine"


def flo() -> dict[str, Any]:
    secret = hashed(FLO_PASSWORD)
    return {"id": "f" * 16, "name": "Flo", "role": "supervisor", "secret": secret, "locked": False}


def directory(version: int = 7, issued: float = 100.0, *, table: str = "t7", **changes: Any) -> Directory:
    """A directory with Flo, some of whose fields were changed."""
    listed = json.dumps({"v": 1, "accounts": [flo() | changes]})
    return Directory.make(table, version, issued, DirectoryContent.read(listed.encode()), SEALING.public)


def signed(made: Directory, signer: Signer = FLOOR_KEY, subject: str = "") -> SignedMessage:
    return SignedMessage.make(subject or SUBJECTS.directory("t7"), made.payload, signer)


@dataclass
class House:
    """A table with a floor: `core`, and the uplink's connection."""

    core: CoreTable
    uplink: Wire

    async def send(self, message: SignedMessage) -> dict[str, Any]:
        answer = await self.uplink.call("act", signed=message.fields())
        found: dict[str, Any] = answer["result"]
        return found

    async def sign_in(self, secret: str = FLO_PASSWORD) -> str:
        async with self.core.client() as client:
            return (await client.sign_in("password", "Flo", secret, FROM)).token

    async def is_signed_in(self, token: str) -> bool:
        async with self.core.client() as client:
            return await client.session(token) is not None

    async def rows(self) -> list[dict[str, Any]]:
        await record_pending(self.core.access, self.core.at.table)
        return self.core.rows_of("access")


@asynccontextmanager
async def open_house(path: Path, trust: FloorTrust = FLOOR) -> AsyncIterator[House]:
    async with open_core(path, trust=trust) as core, core.wire() as uplink:
        await uplink.call("hello", **{"as": "uplink"})
        yield House(core, uplink)


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(tmp_path) as house:
        yield house


async def test_people_of_a_directory_sign_in_and_its_row_holds_no_secret(house: House) -> None:
    assert (await house.send(signed(directory())))["code"] == "done"
    assert await house.is_signed_in(await house.sign_in())
    rows = await house.rows()
    (row,) = [row for row in rows if row["what"] == "directory"]
    assert row["text"].startswith("Version 7: 1 account; new: Flo (SHA-256 ")
    assert "argon2" not in json.dumps(rows)


async def test_a_directory_that_comes_twice_is_taken_once(house: House) -> None:
    message = signed(directory())
    assert [(await house.send(message))["code"] for _ in range(2)] == ["done", "done"]
    assert [row["what"] for row in await house.rows()].count("directory") == 1


async def test_an_old_directory_that_is_sent_again_is_refused_and_changes_nothing(house: House) -> None:
    old = signed(directory(7))
    await house.send(old)
    token = await house.sign_in()
    assert (await house.send(signed(directory(8, locked=True))))["code"] == "done"
    assert not await house.is_signed_in(token)
    reply = await house.send(old)
    assert (reply["ok"], reply["code"]) == (False, "older")
    assert reply["reason"] == "directory version 7: the table has version 8; allowed: 8 or later"
    with pytest.raises(CallRefused) as refused:
        await house.sign_in()
    assert refused.value.code == Code.NO_SESSION
    texts = [row["text"] for row in await house.rows() if row["what"] == "refused"]
    assert [
        text.startswith("A directory of the floor was refused: directory version 7") for text in texts
    ] == [
        True,
        False,
    ]


async def test_a_message_that_is_not_for_this_table_changes_nothing(house: House) -> None:
    right = signed(directory())
    altered = replace(right, payload=right.payload.replace(b'"version":7', b'"version":8'))
    cases = {
        "signature": (signed(directory(), OTHER_KEY), altered, replace(right, signature=bytes(64))),
        "table": (signed(directory(table="t8")),),
        "command": (SignedMessage.make(SUBJECTS.directory("t7"), b"{}", FLOOR_KEY),),
    }
    for code, messages in cases.items():
        for message in messages:
            assert (await house.send(message))["code"] == code
    elsewhere = signed(directory(), subject=SUBJECTS.directory("t8"))
    assert not (await house.send(elsewhere))["ok"]
    assert house.core.access.directory.place is None


@pytest.mark.parametrize(
    ("sealing", "why"),
    [(None, NO_KEY), (SealingKey(bytes(range(1, 33))), "sealed for another key")],
)
async def test_a_directory_for_another_key_is_refused(
    tmp_path: Path, sealing: SealingKey | None, why: str
) -> None:
    async with open_house(tmp_path, replace(FLOOR, sealing=sealing)) as house:
        reply = await house.send(signed(directory()))
        assert reply["code"] == "sealed"
        assert why in reply["reason"]


async def test_repeated_refusals_do_not_fill_the_journal(house: House) -> None:
    await house.send(signed(directory(8)))
    for _ in range(50):
        assert (await house.send(signed(directory(7))))["code"] == "older"
    assert [row["what"] for row in await house.rows()].count("refused") == 1


async def test_a_directory_survives_a_restart(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        await house.send(signed(directory(8)))
        token = await house.sign_in()
    async with open_house(tmp_path) as house:
        assert await house.is_signed_in(token)
        await house.sign_in()
        assert (await house.send(signed(directory(7))))["code"] == "older"


async def test_the_use_of_the_sealed_account_is_an_alert(house: House) -> None:
    house.core.access.accounts.seal("Ann", "root")
    async with house.core.client() as client:
        await client.sign_in("password", "Ann", PASSWORD, FROM)
    rows = await house.rows()
    assert "sealed account" in {row["what"] for row in rows}
    alerts = [(alarm.cause, alarm.text) for alarm in house.core.at.table.state.shift.alarms.open]
    assert ("account Ann", "Ann signed in: a sealed account of the house, for a table without a floor") in (
        alerts
    )
