"""The topic `table_status` of the table socket: what the uplink gets for the floor."""

import asyncio
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from controller.calendar import Calendar
from controller.daemon.floor_status import FloorStatus
from controller.daemon.shift_figures import ShiftFigures
from controller.property.signed import SignedMessage, UnsignedError
from controller.property.status import TableStatus, read_status
from controller.socket import status_sender
from controller.socket.client import CallRefused, CoreClient
from controller.socket.core import StatusSource
from controller.socket.params import PeerKind, Topic
from controller.socket.results import Head
from controller.table.record.events import DealerOn, DeviceLost, DeviceRunning
from controller.telemetry.host import HostStatus
from tests.fixtures.core_socket import IdleDesk, core_of, core_socket
from tests.fixtures.core_table import FLOOR_KEY, FLOOR_SUBJECT, CoreTable, open_core
from tests.fixtures.waiting import come_true

TOPIC: Topic = "table_status"


class Uplink:
    """What an uplink got, checked as the floor checks it."""

    def __init__(self) -> None:
        self.signed: list[SignedMessage] = []
        self.topics: list[str] = []

    def take(self, topic: str, value: Any) -> None:
        self.topics.append(topic)
        if topic == TOPIC:
            self.signed.append(SignedMessage.of_fields(value))

    @property
    def statuses(self) -> list[TableStatus]:
        return [read_status(message.verify({FLOOR_KEY.public})) for message in self.signed]


async def test_an_uplink_gets_a_signed_status_as_soon_as_it_subscribes(tmp_path: Path) -> None:
    uplink = Uplink()
    async with open_core(tmp_path) as core, core.client("uplink", TOPIC, on_push=uplink.take):
        await come_true(lambda: uplink.signed)
        epoch, head = core.at.table.state.epoch, core.at.journal.head
    (status,) = uplink.statuses
    assert uplink.signed[0].subject == FLOOR_SUBJECT
    assert (status.epoch, status.state, status.game) == (epoch, "betting", "EZ Bust Blackjack")
    assert head
    assert (status.row, status.hash) == (head.row, head.hash.hex())


async def test_a_changed_byte_breaks_the_signature(tmp_path: Path) -> None:
    uplink = Uplink()
    async with open_core(tmp_path) as core, core.client("uplink", TOPIC, on_push=uplink.take):
        await come_true(lambda: uplink.signed)
    (message,) = uplink.signed
    forged = replace(message, payload=message.payload.replace(b'"players":0', b'"players":7'))
    with pytest.raises(UnsignedError, match="the signature is wrong"):
        forged.verify({FLOOR_KEY.public})


async def test_a_change_at_the_table_is_in_the_next_status(tmp_path: Path) -> None:
    uplink = Uplink()
    async with open_core(tmp_path) as core, core.client("uplink", TOPIC, on_push=uplink.take):
        await come_true(lambda: uplink.signed)
        core.at.apply(DealerOn("Dee"))
        core.at.apply(DeviceLost("sensors", "unplugged"))
        core.server.notify()
        await come_true(lambda: uplink.statuses[-1].suspended)
        status = uplink.statuses[-1]
        assert (status.dealer, [alert.code for alert in status.alerts]) == ("Dee", ["missing"])
        core.at.apply(DeviceRunning("sensors"))
        core.server.notify()
        await come_true(lambda: not uplink.statuses[-1].suspended)
        assert [alert.severity for alert in uplink.statuses[-1].alerts] == ["notice"]


async def test_a_table_that_changes_all_the_time_sends_at_most_two_a_second(tmp_path: Path) -> None:
    uplink = Uplink()
    async with open_core(tmp_path) as core, core.client("uplink", TOPIC, on_push=uplink.take):
        for number in range(60):
            core.at.apply(DealerOn(f"Dee{number}"))
            core.server.notify()
            await asyncio.sleep(0.03)
        await come_true(lambda: uplink.statuses[-1].dealer == "Dee59")
    times = [status.at for status in uplink.statuses]
    assert len(times) > 2
    assert all(after - before >= 0.45 for before, after in pairwise(times))


async def test_a_table_at_which_nothing_happens_says_so_again_and_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(status_sender, "BEAT", 0.6)
    uplink = Uplink()
    async with open_core(tmp_path) as core, core.client("uplink", TOPIC, on_push=uplink.take):
        await come_true(lambda: len(uplink.signed) >= 3)
    first, *others = uplink.statuses
    assert all(status == first.model_copy(update={"at": status.at}) for status in others)
    assert all(after.at - before.at >= 0.55 for before, after in pairwise(uplink.statuses))


async def test_a_notice_without_a_change_sends_nothing(tmp_path: Path) -> None:
    uplink = Uplink()
    async with open_core(tmp_path) as core, core.client("uplink", TOPIC, "head", on_push=uplink.take):
        await come_true(lambda: uplink.signed)
        for _ in range(12):
            core.server.notify()
            await asyncio.sleep(0.1)
        assert len(uplink.signed) == 1


async def test_players_are_counted_while_a_round_is_in_play(tmp_path: Path) -> None:
    uplink = Uplink()
    async with open_core(tmp_path) as core, core.client("uplink", TOPIC, on_push=uplink.take):
        core.play("1:main=500 2:main=700 close 5h 7d")
        await come_true(lambda: uplink.signed and uplink.statuses[-1].state == "dealing")
    assert uplink.statuses[-1].players == 2


@pytest.mark.parametrize("kind", ["web", "cli"])
async def test_a_client_that_is_not_the_uplink_gets_no_status(kind: PeerKind, tmp_path: Path) -> None:
    async with open_core(tmp_path) as core, core.client(kind) as client:
        with pytest.raises(
            CallRefused, match="table_status: not for this client; allowed: uplink"
        ) as refused:
            await client.call("subscribe", {"topics": [TOPIC]})
        assert refused.value.code == 403


def source_of(core: CoreTable) -> StatusSource:
    return FloorStatus(
        core.at.table,
        tuple,
        lambda: Head(0, ""),
        ShiftFigures(Calendar()),
        FLOOR_KEY,
        FLOOR_SUBJECT,
        lambda: 1000.0,
    )


class BrokenSource:
    """Cannot say what the table does, until it can."""

    def __init__(self, source: StatusSource) -> None:
        self.source, self.broken, self.asked = source, True, 0

    def status(self) -> TableStatus | None:
        self.asked += 1
        if self.broken:
            raise RuntimeError("a fault of ours")
        return self.source.status()

    def signed(self, status: TableStatus) -> SignedMessage:
        return self.source.signed(status)


async def test_a_status_that_cannot_be_made_holds_up_no_other_topic_and_comes_later(
    tmp_path: Path,
) -> None:
    uplink = Uplink()
    async with open_core(tmp_path) as core:
        broken = BrokenSource(source_of(core))
        desk = replace(core_of(lambda: None, IdleDesk(), machine=HostStatus), floor=broken)
        async with (
            core_socket(desk, tmp_path / "other") as server,
            CoreClient(tmp_path / "other", "uplink", (TOPIC, "head"), on_push=uplink.take),
        ):
            await come_true(lambda: broken.asked >= 2 and "head" in uplink.topics)
            assert not uplink.signed
            broken.broken = False
            server.notify()
            await come_true(lambda: uplink.statuses)


async def test_a_table_without_an_uplink_makes_no_status(tmp_path: Path) -> None:
    async with open_core(tmp_path) as core:
        counted = BrokenSource(source_of(core))
        desk = replace(core_of(lambda: None, IdleDesk(), machine=HostStatus), floor=counted)
        heads = Uplink()
        async with (
            core_socket(desk, tmp_path / "other") as server,
            CoreClient(tmp_path / "other", "uplink", ("head",), on_push=heads.take),
        ):
            for _ in range(5):
                server.notify()
                await asyncio.sleep(0.2)
            assert heads.topics
            assert counted.asked == 0
