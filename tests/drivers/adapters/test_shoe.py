"""A commercial shoe as the table meets it: numbers, permits, doubts, sessions. The table is the test."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import pytest

from drivers.adapters.makes import MAKES
from drivers.adapters.options import Options
from drivers.adapters.shoe import AdapterShoe
from drivers.device import DeviceSettings
from drivers.errors import DriverError
from drivers.link.facts import Bookmark
from drivers.messages import CardDrawn, CardUnpermitted, CardUnreadable, CutCard, ShoeJam
from drivers.reports import DeviceEvent, DeviceRunning, DeviceUp, EventsMissing, Report
from tests.contracts.bench import MemoryLine
from tests.drivers.adapters.bench import unit
from tests.drivers.wires import until

ANGEL_EYE, BEE_TEK = "angel-eye-2ex", "bee-tek"
Kind = TypeVar("Kind")


class House:
    """A shoe, its simulated other end, and a journal that commits at once unless it is slow."""

    def __init__(self, make: str, folder: Path) -> None:
        self.line = MemoryLine(folder)
        self.far = unit(make, time.monotonic())
        self.reports: list[Report] = []
        self.ended: list[DriverError] = []
        self.bookmark = Bookmark()
        self.slow = self.stuck = False
        self.shoe = self.another(make)

    def another(self, make: str) -> AdapterShoe:
        """As after a start of the daemon."""
        self.shoe = MAKES[make].shoe(
            Options(),
            "shoe",
            DeviceSettings(self.line.port, "SHOE-1", 4800),
            lambda: self.bookmark,
            self._deliver,
            clock=time.monotonic,
            alive=lambda: not self.stuck,
            open_transport=self.line.open,
        )
        return self.shoe

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[None]:
        tasks = [asyncio.create_task(self._serve()), asyncio.create_task(self._converse())]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def running(self) -> None:
        await until(lambda: self.shoe.state == "running")

    async def pull(self, **more: Any) -> None:
        """A hand draws a card, and it is told."""
        told = len(self.reports)
        self.far.ask({"do": "pull", **more}, time.monotonic())
        await until(lambda: len(self.reports) > told)

    async def ask(self, do: str, **more: Any) -> None:
        """A hand does something that is told."""
        told = len(self.reports)
        self.far.ask({"do": do, **more}, time.monotonic())
        await until(lambda: len(self.reports) > told)

    def told(self, kind: type[Kind]) -> list[Kind]:
        return [report for report in self.reports if isinstance(report, kind)]

    def bodies(self) -> list[object]:
        return [event.body for event in self.told(DeviceEvent)]

    async def unlocked(self) -> None:
        await until(lambda: any(notice.get("up_to") for notice in self.far.body.look()))

    def locked(self) -> bool:
        return not any(notice.get("up_to") for notice in self.far.body.look())

    def catch_up(self) -> None:
        """The slow journal has everything."""
        self.slow = False
        self.shoe.commit(self.bookmark.newest)

    async def _serve(self) -> None:
        while True:
            now = time.monotonic()
            far = self.line.far
            if far is not None:
                self.far.receive(far.take(), now)
            self.far.tick(now)
            out = self.far.transmit(now)
            if out and far is not None:
                far.write(out)
            await asyncio.sleep(0.0005)

    async def _converse(self) -> None:
        while True:
            with suppress(DriverError):
                try:
                    await self.shoe.converse()
                except DriverError as error:
                    self.ended.append(error)
                    raise
            await asyncio.sleep(0.01)

    def _deliver(self, report: Report) -> None:
        self.reports.append(report)
        mark = self.bookmark
        match report:
            case DeviceUp(facts=facts) if facts.log != mark.log:
                self.bookmark = Bookmark(facts.log, facts.newest, 0, facts.cards)
            case DeviceEvent(number=number, body=CardDrawn(count) | CardUnpermitted(count)):
                self.bookmark = replace(mark, newest=number, cards=count)
            case DeviceEvent(number=number):
                self.bookmark = replace(mark, newest=number)
            case EventsMissing(last=last):
                self.bookmark = replace(mark, newest=last)
        if not self.slow:
            self.shoe.commit(self.bookmark.newest)


@pytest.mark.parametrize("make", MAKES)
async def test_a_first_meeting_begins_a_log_of_this_make(make: str, tmp_path: Path) -> None:
    house = House(make, tmp_path)
    async with house.serving():
        await house.running()
    (up,) = house.told(DeviceUp)
    assert (up.relation, up.facts.hardware, up.facts.insecure) == ("new log", make, True)
    assert up.facts.log.startswith(MAKES[make].make.mark)
    assert [type(report) for report in house.reports] == [DeviceUp, DeviceRunning]


@pytest.mark.parametrize("make", MAKES)
async def test_cards_have_numbers_and_counts_without_gaps(make: str, tmp_path: Path) -> None:
    house = House(make, tmp_path)
    async with house.serving():
        await house.running()
        house.shoe.permit(2)
        await house.unlocked()
        await house.pull()
        await house.pull()
        await house.pull(force=True)
    events = house.told(DeviceEvent)
    assert [(event.number, event.body) for event in events] == [
        (1, CardDrawn(1, "8s")), (2, CardDrawn(2, "Th")), (3, CardUnpermitted(3, "Ad")),
    ]  # fmt: skip
    assert {event.log for event in events} == {house.bookmark.log}


async def test_an_angel_eye_is_locked_when_the_last_permitted_card_is_out(tmp_path: Path) -> None:
    house = House(ANGEL_EYE, tmp_path)
    async with house.serving():
        await house.running()
        assert house.locked()
        house.shoe.permit(1)
        await house.unlocked()
        await house.pull()
        await until(house.locked)
        house.shoe.permit(2)
        await house.unlocked()
        house.shoe.lock()
        await until(house.locked)


async def test_a_table_that_is_stuck_has_the_shoe_locked(tmp_path: Path) -> None:
    house = House(ANGEL_EYE, tmp_path)
    async with house.serving():
        await house.running()
        house.shoe.permit(5)
        await house.unlocked()
        house.stuck = True
        await until(house.locked)


async def test_unread_cards_the_cut_card_and_a_jam(tmp_path: Path) -> None:
    house = House(ANGEL_EYE, tmp_path)
    async with house.serving():
        await house.running()
        house.far.ask({"do": "load", "cards": "As Ks", "behind_cut": 1}, time.monotonic())
        house.shoe.permit(1)
        await house.unlocked()
        house.far.ask({"do": "unreadable"}, time.monotonic())
        await house.pull()
        await until(lambda: len(house.bodies()) == 2)
        await house.ask("jam", on=True)
    assert house.bodies() == [CardUnreadable(1), CutCard(1), ShoeJam(True)]


@pytest.mark.parametrize("make", MAKES)
async def test_a_cable_that_was_out_is_a_number_that_is_missing(make: str, tmp_path: Path) -> None:
    house = House(make, tmp_path)
    async with house.serving():
        await house.running()
        house.shoe.permit(9)
        await house.unlocked()
        await house.pull()
        house.line.unplug()
        await until(lambda: house.shoe.state == "waiting")
        house.line.plug()
        await house.running()
        assert "cards may have left unseen" in house.shoe.detail
        await house.pull(force=True)
        assert isinstance(house.bodies()[-1], CardUnpermitted)  # nobody has resumed
        house.shoe.permit(9)
        assert house.shoe.detail == ""
        await house.unlocked()
        await house.pull()
    (missing,) = house.told(EventsMissing)
    numbers = [event.number for event in house.told(DeviceEvent)]
    assert sorted([*numbers, missing.first]) == list(range(1, len(numbers) + 2))
    assert house.bodies()[-1] == CardDrawn(3, "Ad")
    assert [up.relation for up in house.told(DeviceUp)] == ["new log", "known"]


@pytest.mark.parametrize("make", MAKES)
async def test_another_daemon_goes_on_where_the_journal_is(make: str, tmp_path: Path) -> None:
    house = House(make, tmp_path)
    async with house.serving():
        await house.running()
        house.shoe.permit(9)
        await house.unlocked()
        await house.pull()
    newest, log = house.bookmark.newest, house.bookmark.log
    house.another(make)
    house.reports.clear()
    async with house.serving():
        await house.running()
    (missing,) = house.told(EventsMissing)
    assert missing.first == newest + len(MAKES[make].make.conditions) + 1
    assert (missing.log, house.told(DeviceUp)[0].facts.cards) == (log, 1)


async def test_a_log_of_another_device_is_not_gone_on_with(tmp_path: Path) -> None:
    house = House(BEE_TEK, tmp_path)
    house.bookmark = Bookmark(b"AE2X1234", 7, 0, 5)
    async with house.serving():
        await house.running()
    assert (house.told(DeviceUp)[0].relation, house.told(EventsMissing)) == ("new log", [])


async def test_it_runs_once_what_is_missing_is_in_the_journal(tmp_path: Path) -> None:
    house = House(ANGEL_EYE, tmp_path)
    house.bookmark = Bookmark(b"AE2X1234", 7, 0, 5)
    house.slow = True
    async with house.serving():
        await until(lambda: bool(house.told(EventsMissing)))
        assert house.shoe.state == "catching up"
        house.shoe.permit(9)  # of before it was journaled: it ends no doubt
        house.catch_up()
        await house.running()
        await house.pull(force=True)
        assert house.bodies()[-1] == CardUnpermitted(6, "8s")
        house.shoe.permit(9)
        await house.unlocked()


async def test_a_reboot_takes_the_permit_back(tmp_path: Path) -> None:
    house = House(ANGEL_EYE, tmp_path)
    async with house.serving():
        await house.running()
        house.shoe.permit(9)
        await house.unlocked()
        await house.ask("reboot")
        await until(lambda: bool(house.told(EventsMissing)))
        assert house.locked()
        assert house.shoe.detail.startswith("the shoe started anew: ")


async def test_a_line_that_is_never_in_order_is_told_of_ever_more_rarely(tmp_path: Path) -> None:
    house = House(BEE_TEK, tmp_path)
    async with house.serving():
        await house.running()
        for _ in range(20):
            house.far.ask({"do": "say", "raw": "ff" * 300}, time.monotonic())
            await asyncio.sleep(0)
        await until(lambda: house.shoe.counters.doubts > 5)
    assert len(house.told(EventsMissing)) == 1


async def test_counters_go_on_over_sessions(tmp_path: Path) -> None:
    house = House(ANGEL_EYE, tmp_path)
    async with house.serving():
        await house.running()
        house.line.unplug()
        await until(lambda: house.shoe.state == "waiting")
        house.line.plug()
        await house.running()
    counters = house.shoe.counters
    assert (counters.sessions, counters.resets) == (2, {"unplugged": 1})
    assert counters.frames_out >= 2


async def test_a_shoe_that_refuses_to_lock_is_the_devices_fault(tmp_path: Path) -> None:
    house = House(ANGEL_EYE, tmp_path)
    house.far.ask({"do": "refuse", "code": 0x13, "times": 1000}, time.monotonic())
    async with house.serving():
        await until(lambda: bool(house.ended))
    assert house.shoe.state == "backing off"
    assert str(house.ended[0]) == (f"shoe on port {house.line.port}: order LK 02: NAK 13, unknown command")
