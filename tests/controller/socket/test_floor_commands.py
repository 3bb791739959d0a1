"""Commands of the floor through the table socket: each is checked by the core, taken once, and on disk."""

import base64
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from controller.journal.signing import Signer
from controller.past.recall.audit import AuditQuery, audit
from controller.property.commands import Command
from controller.property.signed import SignedMessage
from controller.property.subjects import PropertySubjects
from controller.socket.codes import Code
from controller.socket.core import FloorTrust
from controller.table.people.floor_commands import request_nonce
from tests.fixtures.access_desk import PASSWORD
from tests.fixtures.core_table import CoreTable, Wire, open_core

FLOOR_KEY, NEXT_KEY, OTHER_KEY = (Signer(bytes([number]) * 32) for number in (1, 2, 3))
SUBJECTS = PropertySubjects("house")
FLOOR = FloorTrust(SUBJECTS, "t7", frozenset({FLOOR_KEY.public, NEXT_KEY.public}))
DEALT = "1:main=500 close 8h 9c 9d Kc"
WON = "1:main=1000 1:blazing-7s=100 close 7h 7h 7h Kd"
SECRET = {"kind": "password", "secret": PASSWORD}
VOID: dict[str, Any] = {"request": {"about": "void", "why": "exposed"}}


@dataclass
class House:
    """A table with a floor: `core`, and the uplink's connection."""

    core: CoreTable
    uplink: Wire

    @property
    def nonce(self) -> str:
        return self.core.at.table.state.shift.nonce

    def fields(self, command: str, number: str = "c1", **changes: Any) -> dict[str, Any]:
        """The fields of a right command about nothing."""
        return {
            "v": 1,
            "id": number,
            "table": "t7",
            "epoch": self.core.at.table.state.epoch,
            "command": command,
            "about": {"nonce": self.nonce},
            "text": "as seen on camera",
            "who": "Flo",
            "role": "supervisor",
            "issued": 1000.5,
        } | changes

    def answer(self, command: str, request: int, number: str = "g1", **changes: Any) -> dict[str, Any]:
        """The fields of a right answer to an open request."""
        asked = self.core.at.table.state.shift.requests.find(request)
        about = {"request": request, "nonce": request_nonce(asked)}
        return self.fields(command, number, about=about, second=asked.who) | changes

    async def send(
        self, fields: dict[str, Any], signer: Signer = FLOOR_KEY, **altered: Any
    ) -> dict[str, Any]:
        """The reply to a command, some of whose signed bytes were `altered` on the way."""
        payload = json.dumps(fields).encode()
        message = SignedMessage.make(SUBJECTS.command("t7", fields["command"]), payload, signer)
        return await self.pass_on(message, **altered)

    async def pass_on(self, message: SignedMessage, **altered: Any) -> dict[str, Any]:
        answer = await self.uplink.call("act", signed=parameters(message) | altered)
        found: dict[str, Any] = answer["result"]
        return found

    async def ask(self, who: str = "Dee", act: dict[str, Any] = VOID) -> int:
        """The number of the request that a person at the table makes."""
        async with self.core.client() as client:
            preview = await client.preview(self.core.tokens[who], act)
            ((name, body),) = act.items()
            acted = {name: {**body, "token": preview.token}}
            secret = SECRET if name == "meter" else None
            return (await client.act(self.core.tokens[who], acted, f"ask-{who}", secret)).request

    @property
    def outcomes(self) -> list[str]:
        return [row["round"]["outcome"] for row in self.core.rows_of("round")]


def parameters(message: SignedMessage) -> dict[str, Any]:
    return {
        "subject": message.subject,
        "key": message.key.hex(),
        "signature": message.signature.hex(),
        "payload": base64.b64encode(message.payload).decode(),
    }


@asynccontextmanager
async def open_house(
    path: Path, tokens: str = DEALT, game: str = "ez-bust", trust: FloorTrust | None = FLOOR
) -> AsyncIterator[House]:
    async with open_core(path, tokens, game, trust=trust) as core, core.wire() as wire:
        await wire.call("hello", **{"as": "uplink"})
        yield House(core, wire)


async def test_a_grant_from_the_floor_carries_out_what_was_asked_for_at_the_table(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        reply = await house.send(house.answer("grant", await house.ask()))
        (command,) = house.core.rows_of("floor command")
        assert house.outcomes == ["void"]
    assert reply == {"v": 1, "id": "g1", "ok": True, "row": reply["row"], "code": "done", "reason": ""}
    message = SignedMessage(
        command["subject"],
        bytes.fromhex(command["payload"]),
        bytes.fromhex(command["key"]),
        bytes.fromhex(command["signature"]),
    )
    given = Command.read(message.verify({FLOOR_KEY.public}))
    assert (given.command, given.who, given.second) == ("grant", "Flo", "Dee")


async def test_the_row_of_a_command_precedes_what_it_does(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        reply = await house.send(house.answer("grant", await house.ask()))
        kinds = [each.content.kind for each in house.core.at.journal.since(reply["row"] - 1)]
    assert kinds[0] == "floor command"
    assert {"request", "round", "command taken"} < {*kinds}


async def test_a_declined_request_changes_nothing_at_the_table(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        assert (await house.send(house.answer("decline", await house.ask())))["ok"]
        done = house.core.at.table.state.shift.requests.done[0]
        assert house.outcomes == []
    assert (done.request.state, done.who, done.why) == ("declined", "Flo", "as seen on camera")


async def test_a_correction_of_a_meter_takes_a_supervisor_at_the_table_and_one_at_the_floor(
    tmp_path: Path,
) -> None:
    meter = {"meter": {"spot": "blazing-7s", "cents": 2_500_000, "why": "compared"}}
    async with open_house(tmp_path, "", "blackjack-x") as house:
        assert (await house.send(house.answer("grant", await house.ask("Ann", meter))))["ok"]
        moved = house.core.rows_of("meter")[-1]
    assert (moved["after"], moved["who"], moved["second"]) == (2_500_000, "Ann", "Flo")


async def test_an_alert_is_acknowledged_from_the_floor(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        await house.send(house.fields("message", text="Ann: call the cage"))
        (alarm,) = house.core.at.table.state.shift.alarms.open
        about = {"alert": alarm.number, "nonce": house.nonce}
        assert (await house.send(house.fields("acknowledge", "c2", about=about)))["ok"]
        done = house.core.at.table.state.shift.alarms.done[0]
        again = {"alert": alarm.number, "nonce": house.nonce}
        late = await house.send(house.fields("acknowledge", "c3", about=again))
    assert alarm.text == "The floor says: Ann: call the cage (Flo)"
    assert done.who == "Flo"
    assert (late["ok"], late["code"]) == (False, "closed")


async def test_a_table_closes_after_its_round_and_a_supervisor_at_the_table_opens_it(tmp_path: Path) -> None:
    async with open_house(tmp_path, "1:main=500 close 8h 9c 9d Kc") as house:
        state = house.core.at.table.state
        assert (await house.send(house.fields("close", text="end of the shift")))["ok"]
        assert not state.suspension
        await house.send(house.answer("grant", await house.ask(), "g1"))
        assert state.suspension.reasons == (
            "The floor closes the table after this round: end of the shift (Flo)",
        )
        async with house.core.client() as client:
            resume = {"decision": {"choice": "resume", "why": "a new shift"}}
            token = (await client.preview(house.core.tokens["Ann"], resume)).token
            resume["decision"]["token"] = token
            await client.act(house.core.tokens["Ann"], resume, "r1")
        assert not state.suspension
        assert not state.shift.alarms.is_present("closed")


async def test_a_table_between_two_rounds_closes_at_once_and_stays_closed_over_a_restart(
    tmp_path: Path,
) -> None:
    async with open_house(tmp_path, "") as house:
        await house.send(house.fields("close", text="end of the shift"))
    async with open_house(tmp_path, "") as house:
        (why,) = house.core.at.table.state.suspension.lasting.values()
    assert why == "The floor closes the table after this round: end of the shift (Flo)"


@pytest.mark.parametrize(
    ("altered", "code"),
    [
        ({"payload": base64.b64encode(b'{"v":1}').decode()}, "signature"),
        ({"signature": "00" * 64}, "signature"),
        ({"subject": "ts.house.command.t7.grant"}, "signature"),
        ({"key": OTHER_KEY.public.hex()}, "signature"),
        ({"key": NEXT_KEY.public.hex()}, "signature"),
    ],
    ids=["payload", "signature", "subject", "foreign key", "other pinned key"],
)
async def test_a_message_that_the_uplink_alters_is_refused(
    tmp_path: Path, altered: dict[str, Any], code: str
) -> None:
    async with open_house(tmp_path) as house:
        before = house.core.at.journal.head
        reply = await house.send(house.fields("close"), **altered)
        assert house.core.at.journal.head == before
    assert (reply["ok"], reply["row"], reply["code"]) == (False, 0, code)


async def test_each_single_altered_byte_of_a_payload_is_refused(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        before = house.core.at.journal.head
        payload = json.dumps(house.fields("close")).encode()
        right = SignedMessage.make(SUBJECTS.command("t7", "close"), payload, FLOOR_KEY)
        for at in range(len(payload)):
            altered = payload[:at] + bytes([payload[at] ^ 1]) + payload[at + 1 :]
            reply = await house.pass_on(right, payload=base64.b64encode(altered).decode())
            assert reply["code"] == "signature"
        assert house.core.at.journal.head == before


async def test_a_key_that_is_not_pinned_commands_nothing_and_the_next_key_does(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        assert (await house.send(house.fields("close"), OTHER_KEY))["code"] == "signature"
        assert (await house.send(house.fields("close"), NEXT_KEY))["code"] == "done"


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"table": "t8"}, "table"),
        ({"epoch": "0" * 16}, "table"),
        ({"v": 2}, "command"),
        ({"v": None}, "command"),
        ({"command": "open"}, "command"),
        ({"text": ""}, "command"),
        ({"text": "\u202eabc"}, "command"),
        ({"about": {}}, "command"),
        ({"about": {"nonce": "0" * 32, "request": 1}}, "command"),
        ({"about": {"nonce": "0" * 32}}, "nonce"),
        ({"role": "dealer"}, "person"),
        ({"role": "auditor"}, "person"),
    ],
)
async def test_a_command_that_does_not_fit_is_refused_with_its_code(
    tmp_path: Path, changes: dict[str, Any], code: str
) -> None:
    async with open_house(tmp_path) as house:
        reply = await house.send(house.fields("close") | changes)
        assert house.core.rows_of("floor command") == []
    assert (reply["ok"], reply["row"], reply["code"]) == (False, 0, code)
    assert reply["reason"]


async def test_a_command_signed_for_another_table_or_property_is_refused(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        for subject in (SUBJECTS.command("t8", "close"), PropertySubjects("inn").command("t7", "close")):
            payload = json.dumps(house.fields("close")).encode()
            reply = await house.pass_on(SignedMessage.make(subject, payload, FLOOR_KEY))
            assert reply["code"] == "table"
        assert house.core.rows_of("floor command") == []


async def test_unknown_fields_of_a_command_are_ignored(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        assert (await house.send(house.fields("close") | {"camera": 4}))["code"] == "done"


async def test_the_same_person_is_not_both_persons(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        request = await house.ask()
        both = await house.send(house.answer("grant", request, "g1", who="dee", second="Dee"))
        absent = await house.send(house.answer("grant", request, "g2", second="Don"))
        unnamed = await house.send(house.answer("grant", request, "g3", second=""))
        dealer = await house.send(house.answer("grant", request, "g4", role="dealer"))
        assert house.outcomes == []
        assert len(house.core.rows_of("refusal")) == 4
    assert {reply["code"] for reply in (both, absent, unnamed, dealer)} == {"person"}
    assert both["reason"] == "dee is both persons: it takes two"


async def test_the_signed_status_has_the_nonces_that_fit_and_settles_what_became_of_a_command(
    tmp_path: Path,
) -> None:
    async with open_house(tmp_path) as house:
        source = house.core.server._core.floor
        assert source is not None
        request = await house.ask()
        before = source.status()
        assert before is not None
        (asked,) = before.requests
        about = {"request": asked.number, "nonce": asked.nonce}
        await house.send(house.answer("grant", request, about=about))
        await house.send(house.fields("message", "m1", about={"nonce": before.nonce}))
        refused = house.fields("acknowledge", "a1", about={"alert": 99, "nonce": house.nonce})
        assert (await house.send(refused))["code"] == "closed"
        after = source.status()
        assert after is not None
    assert after.answered == (("a1", "closed"), ("m1", "done"), ("g1", "done"))
    assert after.nonce == house.nonce != before.nonce


async def test_the_nonce_of_the_status_fits_once(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        first = house.fields("message", "c1")
        assert (await house.send(first))["code"] == "done"
        assert house.nonce != first["about"]["nonce"]
        used = await house.send(first | {"id": "c2"})
        assert len(house.core.rows_of("floor command")) == 1
    assert used["code"] == "nonce"


async def test_the_nonce_of_a_request_expires_with_it(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        grant = house.answer("grant", await house.ask())
        assert (await house.send(grant))["code"] == "done"
        closed = await house.send(grant | {"id": "g2"})
        house.core.play("1:main=500 close 8h 9c 9d Kc")
        second = await house.ask("Don")
        older = await house.send(grant | {"id": "g3", "about": grant["about"] | {"request": second}})
        assert house.outcomes == ["void"]
    assert (closed["code"], older["code"]) == ("closed", "nonce")


async def test_a_nonce_expires_when_the_table_starts_anew(tmp_path: Path) -> None:
    async with open_house(tmp_path, "") as house:
        before = house.fields("close")
    async with open_house(tmp_path, "") as house:
        assert (await house.send(before))["code"] == "nonce"
        assert (await house.send(house.fields("close")))["code"] == "done"


async def test_the_same_id_gets_the_same_answer_also_after_a_restart(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        grant = house.answer("grant", await house.ask())
        refused = await house.send(grant | {"id": "g0", "who": "Dee"})
        done = await house.send(grant)
        assert [await house.send(grant), await house.send(grant | {"id": "g0"})] == [done, refused]
        rows = house.core.at.journal.head
        assert await house.send(grant) == done
        assert house.core.at.journal.head == rows
    async with open_house(tmp_path, "") as house:
        assert [await house.send(grant), await house.send(grant | {"id": "g0"})] == [done, refused]
        assert len(house.core.rows_of("floor command")) == 1
    assert (done["code"], refused["code"]) == ("done", "person")


async def test_two_commands_with_one_nonce_at_once_are_one_done_and_one_refused(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        lines = []
        for number in ("c1", "c2"):
            payload = json.dumps(house.fields("message", number)).encode()
            message = SignedMessage.make(SUBJECTS.command("t7", "message"), payload, FLOOR_KEY)
            params = {"signed": parameters(message)}
            request = {"jsonrpc": "2.0", "id": number, "method": "act", "params": params}
            lines.append(json.dumps(request).encode() + b"\n")
        house.uplink.writer.write(b"".join(lines))
        replies = [(await house.uplink.message())["result"]["code"] for _ in lines]
    assert sorted(replies) == ["done", "nonce"]


async def test_the_last_256_ids_are_remembered(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        for number in range(257):
            assert (await house.send(house.fields("message", f"c{number}")))["code"] == "done"
        known = house.core.at.table.state.shift.commands
        assert [taken.id for taken in known] == [f"c{number}" for number in range(256, 0, -1)]


async def test_only_an_uplink_passes_commands_on_and_it_does_nothing_else_with_act(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        payload = json.dumps(house.fields("close")).encode()
        message = SignedMessage.make(SUBJECTS.command("t7", "close"), payload, FLOOR_KEY)
        for kind in ("web", "cli"):
            async with house.core.wire() as wire:
                await wire.call("hello", **{"as": kind})
                answer = await wire.call("act", signed=parameters(message))
                assert answer["error"]["code"] == Code.FORBIDDEN
        key = {"key": {"action": "stand", "seat": 1}}
        acted = await house.uplink.call("act", token=house.core.tokens["Dee"], act=key, id="a1")
        both = await house.uplink.call(
            "act", token=house.core.tokens["Dee"], act=key, id="a1", signed=parameters(message)
        )
        assert house.core.rows_of("floor command") == house.core.rows_of("console key") == []
    assert acted["error"]["code"] == Code.FORBIDDEN
    assert both["error"]["code"] == Code.INVALID_PARAMS


async def test_a_table_without_a_floor_takes_no_command(tmp_path: Path) -> None:
    async with open_house(tmp_path, trust=None) as house:
        payload = json.dumps(house.fields("close")).encode()
        message = SignedMessage.make(SUBJECTS.command("t7", "close"), payload, FLOOR_KEY)
        answer = await house.uplink.call("act", signed=parameters(message))
    assert answer["error"]["code"] == Code.FORBIDDEN
    assert "belongs to no floor" in answer["error"]["message"]


async def test_a_table_in_test_mode_grants_nothing(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        request = await house.ask()
        async with house.core.client() as client:
            test = {"test_mode": {"on": True, "why": "a lamp is dark"}}
            await client.act(house.core.tokens["Ted"], test, "t1")
        reply = await house.send(house.answer("grant", request))
        assert house.outcomes == []
    assert (reply["code"], reply["reason"][:29]) == ("closed", "the table is in test mode (Te")


async def test_the_audit_log_lists_commands_of_the_floor(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        await house.send(house.answer("grant", await house.ask()))
    page = audit(tmp_path / "journal", AuditQuery(sort="floor"))
    assert [(line.persons, line.text) for line in page.lines] == [
        (("Flo", "Dee"), "commanded from the floor: grant request 1: as seen on camera")
    ]
