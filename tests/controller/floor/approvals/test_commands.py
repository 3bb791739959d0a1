"""Commands from the floor to a table over a real server, through an uplink, to a real core: the drill."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from controller.floor.nats_server import nats_server
from controller.property.commands import Reply
from controller.property.signed import SignedMessage
from controller.socket.client import CoreClient
from tests.controller.floor.approvals.house import FLOOR_KEY, OTHER_KEY, SUBJECTS, open_house, relaying


@pytest.fixture
async def address(tmp_path: Path) -> AsyncIterator[str]:
    async with nats_server(tmp_path / "nats") as found:
        yield found


async def test_a_grant_of_the_floor_is_done_at_the_table(tmp_path: Path, address: str) -> None:
    async with open_house(tmp_path, address) as house:
        sent = await house.sender.send(await house.grant())
        assert house.core.rows_of("round")[-1]["round"]["outcome"] == "void"
        assert house.commands() == 1
    assert (sent.state, sent.code, house.states) == ("done", "done", ["sent", "done"])
    assert sent.row > 0


async def test_commands_that_must_be_refused_are_refused_each_with_its_code(
    tmp_path: Path, address: str
) -> None:
    async with open_house(tmp_path, address) as house:
        grant = await house.grant()
        bad_key = await house.floor(OTHER_KEY).send(grant)
        other_journal = await house.sender.send(house.command("close", "c2", epoch="0" * 16))
        same = await house.sender.send(grant.model_copy(update={"id": "g2", "who": "Dee"}))
        first = house.command("message", "m1")
        await house.sender.send(first)
        used = await house.sender.send(first.model_copy(update={"id": "m2"}))
        codes = [sent.code for sent in (bad_key, other_journal, same, used)]
        assert house.core.rows_of("round") == []
    assert codes == ["signature", "table", "person", "nonce"]


async def test_a_byte_altered_on_the_way_is_refused(tmp_path: Path, address: str) -> None:
    async with open_house(tmp_path, address) as house:
        payload = house.command("close").payload
        message = SignedMessage.make(SUBJECTS.command("t7", "close"), payload, FLOOR_KEY)
        altered = payload.replace(b"camera", b"kamera")
        answer = await house.client.request(message.subject, altered, headers=message.headers())
        unsigned = await house.client.request(message.subject, payload)
        assert house.commands() == 0
    assert [Reply.read(one.data).code for one in (answer, unsigned)] == ["signature", "signature"]


async def test_a_repeat_gets_the_first_answer(tmp_path: Path, address: str) -> None:
    async with open_house(tmp_path, address) as house:
        grant = await house.grant()
        first = await house.sender.send(grant)
        again = await house.floor().send(grant)
        assert house.commands() == 1
    assert (again.state, again.row) == (first.state, first.row)


async def test_a_command_without_a_reply_is_unknown_and_the_same_bytes_settle_it(
    tmp_path: Path, address: str
) -> None:
    async with open_house(tmp_path, address, relay=False) as house:
        grant = await house.grant()
        lost = await house.sender.send(grant)
        assert (lost.state, house.commands()) == ("unknown", 0)
        async with house.core.client("uplink") as uplink, relaying(address, uplink):
            settled = await house.sender.send(grant)
        assert settled.message == lost.message
        assert (settled.state, house.commands()) == ("done", 1)


async def test_the_status_settles_a_command_whose_reply_was_lost(tmp_path: Path, address: str) -> None:
    async with open_house(tmp_path, address, relay=False) as house:
        grant, sender = await house.grant(), house.floor(limit=0.2)
        swallowed: list[Any] = []
        await house.client.subscribe(SUBJECTS.command("t7", "*"), cb=_keep_in(swallowed))
        assert (await sender.send(grant)).state == "unknown"
        async with house.core.client("uplink") as uplink, relaying(address, uplink):
            await house.floor().send(grant)
        sender.take_status("t7", house.status())
        found = sender.find("t7", "g1")
    assert swallowed
    assert found is not None
    assert (found.state, found.by_status) == ("done", True)


async def test_a_reply_that_the_status_contradicts_does_not_count(tmp_path: Path, address: str) -> None:
    async with open_house(tmp_path, address, relay=False) as house:

        async def lie(message: Any) -> None:
            await message.respond(Reply(id="g1", ok=True, row=7, code="done").payload)

        await house.client.subscribe(SUBJECTS.command("t7", "*"), cb=lie)
        assert (await house.sender.send(await house.grant())).state == "done"
        house.sender.take_status("t7", [("g1", "person")])
        found = house.sender.find("t7", "g1")
    assert found is not None
    assert (found.state, found.code, found.row, found.by_status) == ("refused", "person", 0, True)


async def test_a_core_that_is_away_leaves_a_command_unknown(tmp_path: Path, address: str) -> None:
    async with open_house(tmp_path, address, relay=False) as house:
        grant = await house.grant()
        away = CoreClient(tmp_path / "no core", "uplink")
        async with relaying(address, away):
            sent = await house.sender.send(grant)
    assert sent.state == "unknown"


def _keep_in(messages: list[Any]) -> Any:
    async def keep(message: Any) -> None:
        messages.append(message)

    return keep
