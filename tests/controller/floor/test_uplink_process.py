"""`tableside table uplink` as a process between a core that plays on a real socket and a real server: what is
sent, when, and that a kill of any of them loses no row and repeats none."""

import asyncio
import json
import os
import shutil
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from nats.aio.client import Client
from nats.aio.msg import Msg

from controller.demo.reservations import free_port
from controller.floor.approvals.sender import CommandSender
from controller.floor.batch import Batch, batch_of, rows_of
from controller.floor.connection import Servers, connection
from controller.floor.nats_server import nats_server
from controller.floor.streams import JOURNAL, Deployment, prepare
from controller.journal.history import History
from controller.journal.signing import Signer
from controller.property.commands import About, Command
from controller.property.shipping import Acknowledgement, ResendReply, ResendRequest, ResumeReply
from controller.property.signed import SignedMessage
from controller.property.status import read_status
from controller.property.subjects import PropertySubjects, epoch_of
from controller.socket.core import FloorTrust
from tests.fixtures.core_table import FLOOR_KEY, CoreTable, open_core
from tests.fixtures.daemon_process import notified
from tests.fixtures.floor_table import with_uplink
from tests.fixtures.waiting import PATIENCE, come_true

pytestmark = pytest.mark.usefixtures("fork_server")

DEALT = "1:main=500 close 8h 9c 9d Kc"
PAID = "1:stand 1:pay 1:main="
SUBJECTS = PropertySubjects("house")
FLOOR = Signer(bytes(range(32)))
SENDS = "STATUS=Sends rows to the floor"
TRUST = FloorTrust(SUBJECTS, "bj-7", frozenset({FLOOR.public}))


class House:
    """A table, its property's server, and what has arrived there."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder, self.port = folder, port
        self.config = with_uplink(folder, f"nats://127.0.0.1:{port}", FLOOR.public.hex())
        self.batches: list[Batch] = []
        self.statuses: list[dict[str, Any]] = []
        self.signed: list[SignedMessage] = []

    @property
    def history(self) -> History:
        return History(self.folder / "journal")

    @property
    def epoch(self) -> str:
        return epoch_of(self.history.at(1).hash)

    @asynccontextmanager
    async def core(self) -> AsyncIterator[CoreTable]:
        async with open_core(self.folder, socket_path=self.folder / "journal.sock", trust=TRUST) as core:
            yield core

    @contextmanager
    def uplink(self) -> Iterator["Uplink"]:
        with notified(self.config, "uplink") as (process, say):
            yield Uplink(process, say)

    @asynccontextmanager
    async def server(self) -> AsyncIterator[Client]:
        """The server with its stream, and a client of the floor."""
        async with (
            nats_server(self.folder / "nats", self.port) as address,
            connection(Servers((address,), "floor", "_INBOX_floor")) as client,
        ):
            await prepare(client.jetstream(), Deployment("house"))
            await client.subscribe(SUBJECTS.status("bj-7"), cb=self._on_status)
            yield client

    async def _on_status(self, message: Msg) -> None:
        """Those of the uplink itself, and those that the core signed."""
        if message.headers:
            self.signed.append(SignedMessage.received(message.subject, message.data, message.headers))
        else:
            self.statuses.append(json.loads(message.data))

    async def arrived(self, client: Client) -> list[Batch]:
        """All batches in the stream, in order."""
        stream = client.jetstream()
        last = (await stream.stream_info(JOURNAL)).state.last_seq
        messages = [await stream.get_msg(JOURNAL, seq) for seq in range(1, last + 1)]
        return [batch_of(message.headers or {}, message.data or b"") for message in messages]

    async def reaches(self, client: Client, row: int) -> list[Batch]:
        """All batches, once they go up to this row."""
        for _ in range(round(PATIENCE / 0.05)):
            batches = await self.arrived(client)
            if batches and batches[-1].last >= row:
                return batches
            await asyncio.sleep(0.05)
        raise AssertionError(f"row {row} has not arrived")

    def check_whole(self, batches: list[Batch]) -> None:
        """Each row arrived once and in order, as it is in the journal."""
        rows = [row for batch in batches for row in rows_of(batch)]
        assert rows == list(self.history.rows(1, rows[-1].row))


class Uplink:
    """A running uplink."""

    def __init__(self, process: Any, say: Any) -> None:
        self.process, self._say = process, say

    async def says(self, text: str) -> None:
        """Returns when it has said this to systemd."""
        while text not in await asyncio.to_thread(self._say):
            continue

    async def ends(self) -> int:
        self.process.terminate()
        status: int = await asyncio.to_thread(self.process.wait, PATIENCE)
        return status


def head(core: CoreTable) -> int:
    """The last row of the journal."""
    assert core.at.journal.head
    return core.at.journal.head.row


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path, free_port())


async def test_rows_of_a_round_arrive_when_it_has_ended_and_not_before(house: House) -> None:
    async with house.core() as core, house.server() as client:
        before = head(core)
        with house.uplink() as uplink:
            await house.reaches(client, before)
            core.play("1:main=500")
            betting = head(core)
            await house.reaches(client, betting)
            core.play(DEALT.partition(" ")[2])
            assert head(core) > betting
            await asyncio.sleep(1)
            assert (await house.arrived(client))[-1].last == betting
            core.play("1:stand 1:pay")
            batches = await house.reaches(client, head(core))
            assert await uplink.ends() == 0
    assert batches[-1].first == betting + 1, "the round is one batch"
    house.check_whole(batches)


async def test_a_killed_uplink_goes_on_without_a_gap_or_a_repeat(house: House) -> None:
    async with house.core() as core, house.server() as client:
        for _ in range(3):
            with house.uplink() as uplink:
                core.play(f"{DEALT} {PAID}")
                await house.reaches(client, head(core) - 3)
                uplink.process.send_signal(signal.SIGKILL)
                core.play(f"{DEALT} {PAID}")
        with house.uplink():
            house.check_whole(await house.reaches(client, head(core)))


async def test_a_killed_server_gets_what_it_missed_when_it_is_back(house: House) -> None:
    async with house.core() as core:
        with house.uplink() as uplink:
            async with house.server() as client:
                await uplink.says(SENDS)
                core.play(f"{DEALT} {PAID}")
                await house.reaches(client, head(core))
                [ports] = (house.folder / "nats").glob("nats-server_*.ports")
                os.kill(int(ports.stem.partition("_")[2]), signal.SIGKILL)
            await uplink.says("The uplink reaches no server of the floor")
            core.play(f"{DEALT} {PAID}")
            async with house.server() as client:
                house.check_whole(await house.reaches(client, head(core)))


async def test_the_uplink_waits_for_a_core_that_restarts_and_says_that_it_is_down(house: House) -> None:
    async with house.server() as client:
        with house.uplink() as uplink:
            async with house.core() as core:
                core.play(f"{DEALT} {PAID}")
                await house.reaches(client, head(core))
            await uplink.says("STATUS=Waits for the table")
            await come_true(lambda: house.statuses)
            async with house.core() as core:
                await uplink.says(SENDS)
                core.play(f"{DEALT} {PAID}")
                house.check_whole(await house.reaches(client, head(core)))
    assert {"v": 1, "epoch": house.epoch, "core": "down", "alarm": ""}.items() <= house.statuses[0].items()


async def test_an_uplink_before_its_server_and_its_core_sends_when_both_are_there(house: House) -> None:
    with house.uplink() as uplink:
        await uplink.says("The uplink reaches no server of the floor")
        async with house.core() as core, house.server() as client:
            house.check_whole(await house.reaches(client, head(core)))


async def test_a_journal_that_was_put_back_stops_the_uplink_with_an_alarm(house: House) -> None:
    async with house.server() as client:
        async with house.core():
            pass
        old = house.folder / "old"
        old.mkdir()
        for file in house.folder.glob("journal*"):
            shutil.copy(file, old)
        async with house.core() as core:
            with house.uplink():
                core.play(f"{DEALT} {PAID}")
                sent = await house.reaches(client, head(core))
        for file in house.folder.glob("journal*"):
            file.unlink()
        for file in old.glob("journal*"):
            shutil.copy(file, house.folder)
        async with house.core() as core:
            with house.uplink() as uplink:
                await uplink.says("STATUS=The floor has other rows than this table")
                await come_true(lambda: any(why for about, why in core.reports if about == "shipping"))
                core.play(f"{DEALT} {PAID} {DEALT} {PAID}")
                await come_true(lambda: [one for one in house.statuses if one["alarm"]])
                assert await uplink.ends() == 0
        assert await house.arrived(client) == sent
    assert ("shipping", core.reports[-1][1]) in core.reports
    assert f"the floor has row {sent[-1].last}" in core.reports[-1][1]


async def test_what_the_floor_asks_for_again_is_sent_again(house: House) -> None:
    async with house.core() as core, house.server() as client:
        core.play(f"{DEALT} {PAID}")
        with house.uplink():
            batches = await house.reaches(client, head(core))
            row = house.history.at(3)
            asked = ResendRequest(v=1, epoch=house.epoch, row=3, hash=row.hash.hex())
            assert await resend(client, asked) == ResendReply(v=1, ok=True)
            for _ in range(200):
                again = (await house.arrived(client))[len(batches) :]
                if again and again[-1].last == head(core):
                    break
                await asyncio.sleep(0.05)
            assert [row for batch in again for row in rows_of(batch)] == list(house.history.rows(4))
            other = replace(asked, epoch="0" * 16)
            assert await resend(client, other) == ResendReply(v=1, ok=False, code="down")
            fork = replace(asked, hash="ab" * 32)
            assert await resend(client, fork) == ResendReply(v=1, ok=False, code="fork")
            await come_true(lambda: any("row 3 of the journal" in why for _, why in core.reports))


async def resend(client: Client, request: ResendRequest) -> ResendReply:
    answer = await client.request(SUBJECTS.resend("bj-7"), request.payload, timeout=PATIENCE)
    return ResendReply.read(answer.data)


async def test_a_journal_that_the_floor_has_not_admitted_is_not_sent(house: House) -> None:
    asked: list[bytes] = []

    async def refuse(message: Msg) -> None:
        asked.append(message.data)
        await message.respond(ResumeReply(v=1, admitted=False, row=0, hash="00" * 32).payload)

    async with house.core() as core, house.server() as client:
        await client.subscribe(SUBJECTS.resume("bj-7"), cb=refuse)
        with house.uplink() as uplink:
            await uplink.says("two persons must admit the table's journal there")
            await come_true(lambda: any("must admit" in why for _, why in core.reports))
        assert not await house.arrived(client)
    assert {"v": 1, "epoch": house.epoch, "oldest": 1}.items() <= json.loads(asked[0]).items()


async def test_the_uplink_goes_on_where_the_floor_is_if_the_stream_lost_its_messages(house: House) -> None:
    async with house.core() as core, house.server() as client:
        core.play(f"{DEALT} {PAID}")
        stored = house.history.at(5)

        async def answer(message: Msg) -> None:
            reply = ResumeReply(v=1, admitted=True, row=5, hash=stored.hash.hex())
            await message.respond(reply.payload)

        await client.subscribe(SUBJECTS.resume("bj-7"), cb=answer)
        with house.uplink():
            batches = await house.reaches(client, head(core))
    assert batches[0].first == 6


async def test_an_acknowledgement_of_another_row_stops_the_uplink_only_if_the_floor_signed_it(
    house: House,
) -> None:
    async with house.core() as core, house.server() as client:
        with house.uplink() as uplink:
            await house.reaches(client, head(core))
            row, subject = head(core), SUBJECTS.acknowledgement("bj-7")
            stored = Acknowledgement(v=1, epoch=house.epoch, row=row, hash="ab" * 32, at=1000.0)
            forged = SignedMessage.make(subject, stored.payload, Signer(bytes(32)))
            await client.publish(subject, forged.payload, headers=forged.headers())
            core.play(f"{DEALT} {PAID}")
            await house.reaches(client, head(core))
            assert not any(why for about, why in core.reports if about == "shipping")
            signed = SignedMessage.make(subject, stored.payload, FLOOR)
            await client.publish(subject, signed.payload, headers=signed.headers())
            await uplink.says(f"row {row} of the floor is not the one that was sent")


async def test_each_core_learns_what_the_floor_has_stored(house: House) -> None:
    async with house.server() as client:
        with house.uplink():
            async with house.core() as core:
                core.play(f"{DEALT} {PAID}")
                await house.reaches(client, head(core))
                stored = house.history.at(5)
                subject = SUBJECTS.acknowledgement("bj-7")
                payload = Acknowledgement(
                    v=1, epoch=house.epoch, row=5, hash=stored.hash.hex(), at=1.0
                ).payload
                signed = SignedMessage.make(subject, payload, FLOOR)
                await client.publish(subject, signed.payload, headers=signed.headers())
                await come_true(lambda: core.copy.row == 5)
            async with house.core() as core:
                await come_true(lambda: core.copy.row == 5)


async def test_the_uplink_keeps_no_file_of_the_journal_locked(house: House) -> None:
    """The core opens the journal again, which needs every lock, while the uplink reads it."""
    async with house.server() as client:
        with house.uplink():
            for _ in range(3):
                async with house.core() as core:
                    core.play(f"{DEALT} {PAID}")
                    await house.reaches(client, head(core))


async def test_a_table_without_a_floor_has_no_uplink(house: House) -> None:
    text = house.config.read_text()
    house.config.write_text(text[text.index("[table]") :])
    with notified(house.config, "uplink") as (process, _):
        _, logged = await asyncio.to_thread(process.communicate, timeout=PATIENCE)
    assert process.returncode == 2
    assert "uplink is missing; needed: a section with property, table and servers" in logged


async def test_a_command_of_the_floor_reaches_the_table_through_the_uplink(house: House) -> None:
    async with house.core() as core, house.server() as client:
        core.play(DEALT)
        with house.uplink() as uplink:
            await uplink.says(SENDS)
            state = core.at.table.state
            command = Command(
                v=1,
                id="c1",
                table="bj-7",
                epoch=state.epoch,
                command="close",
                about=About(nonce=state.shift.nonce),
                text="end of the shift",
                who="Flo",
                role="supervisor",
                issued=1.0,
            )
            sent = await CommandSender(client, SUBJECTS, FLOOR).send(command)
            assert await uplink.ends() == 0
        assert (sent.state, core.rows_of("floor command")[0]["who"]) == ("done", "Flo")


async def test_statuses_that_the_core_signed_arrive_as_they_were_signed(house: House) -> None:
    async with house.core() as core, house.server():
        with house.uplink():
            await come_true(lambda: house.signed)
            core.play(DEALT)
            await come_true(lambda: read_status(house.signed[-1].payload).players == 1)
            assert epochs(house) == {house.epoch}


def epochs(house: House) -> set[str]:
    """The epochs of the statuses, each checked with the table's key."""
    return {read_status(message.verify({FLOOR_KEY.public})).epoch for message in house.signed}


async def test_statuses_go_on_after_the_server_was_away(house: House) -> None:
    async with house.core() as core:
        with house.uplink():
            async with house.server():
                await come_true(lambda: house.signed)
            core.play("1:main=500")
            seen = len(house.signed)
            async with house.server():
                await come_true(lambda: len(house.signed) > seen)
                assert read_status(house.signed[-1].payload).players == 1
