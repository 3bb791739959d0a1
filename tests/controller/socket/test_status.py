"""The topic `status` of the table socket: what a subscriber sees when a part of it changes."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from controller.socket import publisher
from controller.socket.client import CoreClient
from controller.socket.core import Core
from controller.socket.results import HaltedView, Head
from controller.socket.server import SocketServer
from controller.table.record.events import DeviceLost, DeviceRunning
from controller.telemetry.host import HostStatus
from tests.fixtures.core_socket import IdleDesk, core_of, core_socket
from tests.fixtures.core_table import open_core
from tests.fixtures.waiting import come_true

WELL = {"suspended": False, "halted": "", "accounts_fault": "", "machine": asdict(HostStatus())}
"""The status of a table that plays."""


@dataclass
class Computer:
    """What a core says about accounts and computer, and what one of its clients is sent."""

    fault: str = ""
    broken: bool = False
    status: HostStatus = field(default_factory=HostStatus)
    seen: list[dict[str, Any]] = field(default_factory=list)
    heads: list[object] = field(default_factory=list)
    head: Head = field(default_factory=lambda: Head(0, ""))

    def core(self) -> Core:
        core = core_of(lambda: None, IdleDesk(), machine=self.machine)
        return replace(core, accounts_fault=lambda: self.fault, head=lambda: self.head)

    def machine(self) -> HostStatus:
        if self.broken:
            raise OSError("the disk")
        return self.status

    def take(self, topic: str, value: object) -> None:
        (self.seen if topic == "status" else self.heads).append(value)  # type: ignore[arg-type]

    @asynccontextmanager
    async def followed(self, path: Path) -> AsyncIterator[SocketServer]:
        async with (
            core_socket(self.core(), path / "s") as server,
            CoreClient(path / "s", "uplink", ("status", "head"), on_push=self.take),
        ):
            await come_true(lambda: self.seen)
            yield server


async def test_a_subscriber_sees_that_play_is_suspended_and_goes_on(tmp_path: Path) -> None:
    computer = Computer()
    async with open_core(tmp_path) as core, core.client("uplink", "status", on_push=computer.take):
        await come_true(lambda: computer.seen == [WELL])
        core.at.apply(DeviceLost("sensors", "unplugged"))
        core.server.notify()
        await come_true(lambda: computer.seen[1:] == [WELL | {"suspended": True}])
        core.at.apply(DeviceRunning("sensors"))
        core.server.notify()
        await come_true(lambda: computer.seen[2:] == [WELL])


async def test_a_subscriber_sees_that_nobody_can_sign_in_and_people_can_again(tmp_path: Path) -> None:
    computer = Computer()
    async with computer.followed(tmp_path) as server:
        for fault in ("database disk image is malformed", ""):
            computer.fault = fault
            server.notify()
            told = WELL | {"accounts_fault": fault}
            await come_true(lambda told=told: computer.seen[-1] == told)  # type: ignore[misc]
    assert [status["accounts_fault"] for status in computer.seen] == [
        "",
        "database disk image is malformed",
        "",
    ]


async def test_a_subscriber_sees_the_computer_change_though_nothing_happens_at_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publisher, "BEAT", 0.02)
    computer = Computer()
    async with computer.followed(tmp_path):
        computer.status = HostStatus("1", 1000.0, {"journal": 7_000_000}, 12, 4096, 2, 3, 2000.0)
        await come_true(lambda: len(computer.seen) == 2)
    assert computer.seen[1]["machine"] == {
        "version": "1",
        "started": 1000.0,
        "free_bytes": {"journal": 7_000_000},
        "rows": 12,
        "journal_bytes": 4096,
        "followers": 2,
        "sessions": 3,
        "certificate": 2000.0,
    }


async def test_a_status_that_stays_is_sent_once(tmp_path: Path) -> None:
    computer = Computer()
    async with computer.followed(tmp_path) as server:
        for _ in range(20):
            server.notify()
            await asyncio.sleep(publisher.GAP)
        assert computer.seen == [WELL]


async def test_a_status_that_cannot_be_made_holds_up_nothing_and_comes_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publisher, "BEAT", 0.02)
    computer = Computer()
    async with computer.followed(tmp_path):
        computer.broken = True
        for row in (7, 8):
            computer.head = Head(row, "ab")
            await come_true(lambda row=row: computer.heads[-1] == {"row": row, "hash": "ab"})  # type: ignore[misc]
        assert computer.seen == [WELL]
        computer.broken, computer.fault = False, "locked"
        await come_true(lambda: computer.seen[1:] == [WELL | {"accounts_fault": "locked"}])


async def test_a_subscriber_of_a_halted_table_sees_why(tmp_path: Path) -> None:
    why = "journal /j: row 7 cannot be written: disk I/O error"
    halted = HaltedView("The journal cannot be written", why, "", (), 1000.0, None)
    computer = Computer()
    halted_core = replace(computer.core(), table=None, halted=halted)
    playing = computer.core()
    async with CoreClient(tmp_path / "s", "uplink", ("status",), on_push=computer.take) as client:
        for core in (playing, halted_core, playing):
            async with core_socket(core, tmp_path / "s"):
                count = len(computer.seen)
                await come_true(lambda count=count: len(computer.seen) > count)  # type: ignore[misc]
            await come_true(lambda: not client.connected)
    assert computer.seen == [WELL, WELL | {"halted": why}, WELL]
