"""Simulated devices as processes on ptys, in real time, against the product's own drivers."""

import asyncio
import json
import os
import signal
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from drivers.devices.classes import Shoe
from drivers.devices.device import DeviceSettings
from drivers.errors import DriverError
from drivers.link.facts import Bookmark
from drivers.link.reports import DeviceEvent, DeviceReport
from drivers.messages import Booted, CardDrawn
from drivers.protocol.codes import Reset
from drivers.sim.__main__ import main
from drivers.sim.several import stations
from tests.fixtures.waiting import PATIENCE, come_true

SHOE = ("shoe", "--serial", "S1", "--speed", "max", "--seed", "7")


class Simulator:
    """A process and a client of its control socket."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.link, self.control = folder / "link", folder / "control"

    @asynccontextmanager
    async def started(self, *options: str) -> AsyncIterator[asyncio.subprocess.Process]:
        places = (
            "--link",
            str(self.link),
            "--control",
            str(self.control),
            "--memory",
            str(self.folder / "memory"),
        )
        self.control.unlink(missing_ok=True)
        process = await asyncio.create_subprocess_exec(sys.executable, "-m", "drivers.sim", *options, *places)
        try:
            await come_true(self.control.exists)
            yield process
        finally:
            with suppress(ProcessLookupError):
                process.terminate()
            await process.wait()

    async def ask(self, **request: Any) -> Any:
        """The answer to one request."""
        reader, writer = await asyncio.open_unix_connection(self.control)
        writer.write(json.dumps(request).encode() + b"\n")
        try:
            async for line in reader:
                if "notice" not in (answer := json.loads(line)):
                    return answer
        finally:
            writer.close()
            await writer.wait_closed()


class SimulatorHost:
    """The shoe's driver with a journal in memory; it reconnects when the device is gone."""

    def __init__(self, link: Path) -> None:
        self.journal: list[DeviceEvent] = []
        self.lost = 0
        self.shoe = Shoe(
            "shoe",
            DeviceSettings(str(link), "S1"),
            self._bookmark,
            self._deliver,
            clock=time.monotonic,
            alive=lambda: True,
        )

    @property
    def cards(self) -> list[tuple[int, str]]:
        bodies = [event.body for event in self.journal]
        return [(body.count, body.card) for body in bodies if isinstance(body, CardDrawn)]

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        task = asyncio.create_task(self._serve())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _serve(self) -> None:
        while True:
            try:
                await self.shoe.converse()
            except DriverError:
                self.lost += 1
                await asyncio.sleep(0.05)

    def _bookmark(self) -> Bookmark:
        if not self.journal:
            return Bookmark()
        return Bookmark(self.journal[-1].log, self.journal[-1].number, 0, len(self.cards))

    def _deliver(self, report: DeviceReport) -> None:
        if isinstance(report, DeviceEvent):
            self.journal.append(report)
            self.shoe.commit(report.number)


async def draw(simulator: Simulator, house: SimulatorHost, cards: int) -> None:
    """Draws more cards, each on request, until the journal has them."""
    wanted = len(house.cards) + cards
    house.shoe.permit(wanted)
    async with asyncio.timeout(PATIENCE):
        while len(house.cards) < wanted:
            await simulator.ask(do="pull", count=len(house.cards) + 1)
            await asyncio.sleep(0.01)


async def refuses(simulator: Simulator, why: str) -> None:
    """Whether it refuses to give a card. A session that a busy machine ended had no permit; it is there again
    soon."""
    answer = None
    async with asyncio.timeout(PATIENCE):
        while answer != {"error": why}:
            answer = await simulator.ask(do="pull")


async def hung_up(simulator: Simulator, seconds: float) -> None:
    """Returns when it is back on a new pty; the link may have been gone too briefly to be seen."""
    before = link_made(simulator.link)
    await simulator.ask(**{"do": "hang-up", "seconds": seconds})
    await come_true(lambda: link_made(simulator.link) not in (before, 0))


def link_made(link: Path) -> int:
    """When the link was made, in nanoseconds; 0: there is none."""
    try:
        return link.lstat().st_mtime_ns
    except FileNotFoundError:
        return 0


@pytest.fixture
def simulator(tmp_path: Path) -> Simulator:
    return Simulator(tmp_path)


async def test_cards_travel_from_a_hand_to_the_journal(simulator: Simulator, tmp_path: Path) -> None:
    house = SimulatorHost(simulator.link)
    log = tmp_path / "cards"
    (tmp_path / "stack").write_text("As Td\n9c 2h")
    async with simulator.started(*SHOE, "--stack", str(tmp_path / "stack"), "--log", str(log)), house.open():
        await draw(simulator, house, 3)
        await refuses(simulator, "pull: card 4 is locked; permitted up to 3")
    assert house.cards == [(1, "As"), (2, "Td"), (3, "9c")]
    assert [line.split()[:2] for line in log.read_text().splitlines()] == [
        ["1", "As"],
        ["2", "Td"],
        ["3", "9c"],
    ]


async def test_a_bad_cable_loses_no_card(simulator: Simulator) -> None:
    house = SimulatorHost(simulator.link)
    faults = ("--drop", "0.05", "--flip", "0.03", "--duplicate", "0.05", "--split", "0.1")
    async with simulator.started(*SHOE, *faults), house.open():
        await draw(simulator, house, 40)
        counts = await simulator.ask(do="counts")
    assert [number for number, _ in house.cards] == list(range(1, 41))
    assert counts["in"]["dropped"] + counts["out"]["dropped"] > 0
    assert house.shoe.counters.duplicates > 0


async def test_a_killed_simulator_keeps_log_ring_and_count(simulator: Simulator, tmp_path: Path) -> None:
    house = SimulatorHost(simulator.link)
    options = (*SHOE, "--log", str(tmp_path / "cards"))
    async with house.open():
        async with simulator.started(*options) as process:
            await draw(simulator, house, 3)
            process.kill()
            await process.wait()
        async with simulator.started(*options):
            await draw(simulator, house, 3)
    assert len({event.log for event in house.journal}) == 1
    assert [event.number for event in house.journal] == list(range(1, len(house.journal) + 1))
    logged = [line.split()[:2] for line in (tmp_path / "cards").read_text().splitlines()]
    assert [[str(number), card] for number, card in house.cards] == logged


async def test_a_hang_up_comes_back_on_a_new_pty(simulator: Simulator) -> None:
    house = SimulatorHost(simulator.link)
    async with simulator.started(*SHOE), house.open():
        await draw(simulator, house, 1)
        await hung_up(simulator, 0.5)
        await come_true(lambda: house.lost > 0)
        await draw(simulator, house, 1)
    assert [number for number, _ in house.cards] == [1, 2]


async def test_a_silent_simulator_comes_back_from_a_hang_up(simulator: Simulator) -> None:
    async with simulator.started(*SHOE):
        await hung_up(simulator, 0.2)


async def test_a_reboot_keeps_the_port(simulator: Simulator) -> None:
    house = SimulatorHost(simulator.link)
    async with simulator.started(*SHOE), house.open():
        await draw(simulator, house, 1)
        assert await simulator.ask(do="reboot") == {"ok": True}
        await draw(simulator, house, 1)
    assert [event.body for event in house.journal].count(Booted(Reset.POWER)) == 2
    assert [number for number, _ in house.cards] == [1, 2]


async def test_nobody_reads_and_it_still_answers(simulator: Simulator) -> None:
    async with simulator.started(*SHOE):
        slave = os.open(simulator.link, os.O_RDWR | os.O_NOCTTY)
        os.write(slave, b"\0junk without end" * 200)
        for _ in range(5):
            assert await simulator.ask(do="jam", on=True) == {"ok": True}
        os.close(slave)


async def test_sigterm_ends_it_cleanly(simulator: Simulator) -> None:
    async with simulator.started("console") as process:
        process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(process.wait(), PATIENCE) == 0
    assert not simulator.control.exists()
    assert not simulator.link.is_symlink()


async def test_several_devices_of_one_process_are_devices_of_their_own(tmp_path: Path) -> None:
    places = {kind: (tmp_path / f"{kind}.link", tmp_path / f"{kind}.control") for kind in ("shoe", "display")}
    lines = [
        json.dumps([kind, "--link", str(link), "--control", str(control)])
        for kind, (link, control) in places.items()
    ]
    (tmp_path / "devices").write_text("\n".join(lines))
    words = ("-m", "drivers.sim.several", str(tmp_path / "devices"))
    process = await asyncio.create_subprocess_exec(sys.executable, *words)
    try:
        await come_true(lambda: all(control.exists() for _, control in places.values()))
        kinds = {kind: await kind_of(control) for kind, (_, control) in places.items()}
    finally:
        process.terminate()
        assert await asyncio.wait_for(process.wait(), PATIENCE) == 0
    assert kinds == {"shoe": "permit", "display": "display"}
    assert not [link for link, _ in places.values() if link.is_symlink()]


async def kind_of(control: Path) -> str:
    """Of the notices with which a device greets, one that no other device has."""
    reader, writer = await asyncio.open_unix_connection(control)
    try:
        async for line in reader:
            if (notice := json.loads(line).get("notice")) in ("permit", "display"):
                return str(notice)
    finally:
        writer.close()
        await writer.wait_closed()
    raise AssertionError(f"{control} greets as no device")


def test_a_wrong_option_of_one_of_several_devices_is_named(tmp_path: Path) -> None:
    (tmp_path / "devices").write_text('["shoe", "--link", "l", "--control", "c", "--decks", "0"]')
    with pytest.raises(SystemExit, match="--decks"):
        stations(tmp_path / "devices")


async def test_a_simulator_ends_with_its_parent(simulator: Simulator) -> None:
    code = (
        "import subprocess, sys\n"
        "subprocess.Popen([sys.executable, '-m', 'drivers.sim', *sys.argv[1:]])\n"
        "input()"
    )
    places = ("--link", str(simulator.link), "--control", str(simulator.control))
    parent = await asyncio.create_subprocess_exec(
        sys.executable, "-c", code, "display", *places, stdin=asyncio.subprocess.PIPE
    )
    await come_true(simulator.control.exists)
    parent.kill()
    await parent.wait()
    await come_true(lambda: not simulator.control.exists())


def refused(simulator: Simulator, *options: str) -> str:
    """The message for wrong options; that needs no process."""
    app = typer.Typer()
    app.command()(main)
    places = ("--link", str(simulator.link), "--control", str(simulator.control))
    result = CliRunner(env={"COLUMNS": "400"}).invoke(app, [*options, *places])
    assert result.exit_code == 2
    return result.stderr


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (("table",), "'table' is not one of"),
        (("shoe", "--drop", "2"), "--drop"),
        (("shoe", "--decks", "0"), "--decks"),
    ],
)
def test_wrong_options_are_named(simulator: Simulator, options: tuple[str, ...], named: str) -> None:
    assert named in refused(simulator, *options)


def test_a_stack_with_a_wrong_card_is_refused(simulator: Simulator, tmp_path: Path) -> None:
    (tmp_path / "stack").write_text("As 1s")
    said = refused(simulator, "shoe", "--stack", str(tmp_path / "stack"))
    assert "word 2, '1s', is not a card" in said
