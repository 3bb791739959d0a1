"""Acknowledgements of the floor through the table socket: the core itself decides whether one counts."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from controller.journal.signing import Signer
from controller.property.shipping import Acknowledgement
from controller.property.signed import SignedMessage
from controller.property.subjects import PropertySubjects
from controller.socket.codes import Code
from controller.socket.core import FloorTrust
from tests.fixtures.core_table import CoreTable, Wire, open_core

FLOOR_KEY, NEXT_KEY, OTHER_KEY = (Signer(bytes([number]) * 32) for number in (1, 2, 3))
SUBJECTS = PropertySubjects("house")
FLOOR = FloorTrust(SUBJECTS, "t7", frozenset({FLOOR_KEY.public, NEXT_KEY.public}))
SUBJECT = SUBJECTS.acknowledgement("t7")


@dataclass
class House:
    """A table with a floor: `core`, and the uplink's connection."""

    core: CoreTable
    uplink: Wire

    def stored(self, row: int, **changes: Any) -> Acknowledgement:
        """The floor has the rows up to this one."""
        found = self.core.at.journal.live_row(row)
        epoch, digest = self.core.at.table.state.epoch, found.hash if found else bytes(32)
        made = Acknowledgement(v=1, epoch=epoch, row=row, hash=digest.hex(), at=1.0)
        return replace(made, **changes)

    async def send(
        self, stored: Acknowledgement, signer: Signer = FLOOR_KEY, subject: str = SUBJECT
    ) -> dict[str, Any]:
        """The core's reply."""
        return await self.pass_on(SignedMessage.make(subject, stored.payload, signer))

    async def pass_on(self, message: SignedMessage) -> dict[str, Any]:
        answer = await self.uplink.call("act", signed=message.fields())
        found: dict[str, Any] = answer["result"]
        return found


@asynccontextmanager
async def open_house(folder: Path, trust: FloorTrust | None = FLOOR) -> AsyncIterator[House]:
    async with open_core(folder, trust=trust) as core, core.wire() as wire:
        await wire.call("hello", **{"as": "uplink"})
        yield House(core, wire)


@pytest.mark.parametrize("signer", [FLOOR_KEY, NEXT_KEY])
async def test_what_the_floor_signed_counts_and_an_older_one_takes_nothing_back(
    tmp_path: Path, signer: Signer
) -> None:
    async with open_house(tmp_path) as house:
        replies = [await house.send(house.stored(row), signer) for row in (2, 4, 3)]
        assert house.core.copy.row == 4
    assert [(reply["ok"], reply["code"], reply["row"]) for reply in replies] == [
        (True, "done", 2),
        (True, "done", 4),
        (True, "done", 4),
    ]


async def test_what_another_key_signed_or_another_subject_counts_for_nothing(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        stored = house.stored(4)
        genuine = SignedMessage.make(SUBJECT, stored.payload, FLOOR_KEY)
        altered = SignedMessage(SUBJECT, house.stored(3).payload, genuine.key, genuine.signature)
        replies = [
            await house.send(stored, OTHER_KEY),
            await house.pass_on(altered),
            await house.send(stored, subject=SUBJECTS.acknowledgement("t8")),
        ]
        assert house.core.copy.row == 0
    assert [reply["code"] for reply in replies] == ["signature", "signature", "command"]


async def test_rows_of_another_journal_count_for_nothing(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        other = await house.send(house.stored(4, epoch="0" * 16))
        fork = await house.send(house.stored(4, hash="ab" * 32))
        future = await house.send(house.stored(4000))
        assert house.core.copy.row == 0
    assert other["reason"].startswith("an acknowledgement of the journal 0000000000000000; allowed: ")
    assert fork["reason"] == "the floor's row 4 is not in the journal"
    assert {reply["code"] for reply in (other, fork, future)} == {"table"}


async def test_a_message_that_is_no_acknowledgement_is_refused(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        reply = await house.pass_on(SignedMessage.make(SUBJECT, b'{"v": 2}', FLOOR_KEY))
    assert reply["code"] == "command"
    assert "v = 2" in reply["reason"]


async def test_a_table_without_a_floor_takes_no_acknowledgement(tmp_path: Path) -> None:
    async with open_house(tmp_path, trust=None) as house:
        message = SignedMessage.make(SUBJECT, house.stored(4).payload, FLOOR_KEY)
        answer = await house.uplink.call("act", signed=message.fields())
        assert house.core.copy.row == 0
    assert answer["error"]["code"] == Code.FORBIDDEN
