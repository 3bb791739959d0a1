"""A commercial shoe as the table meets it: numbers, permits, doubts, sessions."""

import asyncio
from pathlib import Path
from typing import TypeVar

import pytest

from drivers.adapters.makes import ADAPTERS
from drivers.link.facts import Bookmark
from drivers.link.reports import DeviceEvent, DeviceRunning, DeviceUp, EventsMissing
from drivers.messages import CardDrawn, CardUnpermitted, CardUnreadable, CutCard, ShoeJam
from tests.drivers.adapters.shoe_host import ShoeHost
from tests.fixtures.wires import until

ANGEL_EYE = "angel-eye-2ex"
BEE_TEK = "bee-tek"
Kind = TypeVar("Kind")


@pytest.mark.parametrize("make", ADAPTERS)
async def test_a_first_meeting_begins_a_log_of_this_make(make: str, tmp_path: Path) -> None:
    house = ShoeHost(make, tmp_path)
    async with house.serving():
        await house.running()
    (up,) = house.reports_of(DeviceUp)
    assert (up.relation, up.facts.hardware, up.facts.insecure) == ("new log", make, True)
    assert up.facts.log.startswith(ADAPTERS[make].make.mark)
    assert [type(report) for report in house.reports] == [DeviceUp, DeviceRunning]


@pytest.mark.parametrize("make", ADAPTERS)
async def test_cards_have_numbers_and_counts_without_gaps(make: str, tmp_path: Path) -> None:
    house = ShoeHost(make, tmp_path)
    async with house.serving():
        await house.running()
        house.shoe.permit(2)
        await house.unlocked()
        await house.pull()
        await house.pull()
        await house.pull(force=True)
    events = house.reports_of(DeviceEvent)
    assert [(event.number, event.body) for event in events] == [
        (1, CardDrawn(1, "8s")),
        (2, CardDrawn(2, "Th")),
        (3, CardUnpermitted(3, "Ad")),
    ]
    assert {event.log for event in events} == {house.bookmark.log}


async def test_an_angel_eye_is_locked_when_the_last_permitted_card_is_out(tmp_path: Path) -> None:
    house = ShoeHost(ANGEL_EYE, tmp_path)
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
    house = ShoeHost(ANGEL_EYE, tmp_path)
    async with house.serving():
        await house.running()
        house.shoe.permit(5)
        await house.unlocked()
        house.stuck = True
        await until(house.locked)


async def test_unread_cards_the_cut_card_and_a_jam_are_reported(tmp_path: Path) -> None:
    house = ShoeHost(ANGEL_EYE, tmp_path)
    async with house.serving():
        await house.running()
        house.far.ask({"do": "load", "cards": "As Ks", "behind_cut": 1}, house.clock())
        house.shoe.permit(1)
        await house.unlocked()
        house.far.ask({"do": "unreadable"}, house.clock())
        await house.pull()
        await until(lambda: len(house.bodies()) == 2)
        await house.ask("jam", on=True)
    assert house.bodies() == [CardUnreadable(1), CutCard(1), ShoeJam(True)]


@pytest.mark.parametrize("make", ADAPTERS)
async def test_a_cable_that_was_out_is_a_number_that_is_missing(make: str, tmp_path: Path) -> None:
    house = ShoeHost(make, tmp_path)
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
    (missing,) = house.reports_of(EventsMissing)
    numbers = [event.number for event in house.reports_of(DeviceEvent)]
    assert sorted([*numbers, missing.first]) == list(range(1, len(numbers) + 2))
    assert house.bodies()[-1] == CardDrawn(3, "Ad")
    assert [up.relation for up in house.reports_of(DeviceUp)] == ["new log", "known"]


@pytest.mark.parametrize("make", ADAPTERS)
async def test_another_daemon_goes_on_where_the_journal_is(make: str, tmp_path: Path) -> None:
    house = ShoeHost(make, tmp_path)
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
    (missing,) = house.reports_of(EventsMissing)
    assert missing.first == newest + len(ADAPTERS[make].make.conditions) + 1
    assert (missing.log, house.reports_of(DeviceUp)[0].facts.cards) == (log, 1)


async def test_a_log_of_another_device_is_not_gone_on_with(tmp_path: Path) -> None:
    house = ShoeHost(BEE_TEK, tmp_path)
    house.bookmark = Bookmark(b"AE2X1234", 7, 0, 5)
    async with house.serving():
        await house.running()
    assert (house.reports_of(DeviceUp)[0].relation, house.reports_of(EventsMissing)) == ("new log", [])


async def test_a_shoe_runs_once_the_journal_has_the_missing_events(tmp_path: Path) -> None:
    house = ShoeHost(ANGEL_EYE, tmp_path)
    house.bookmark = Bookmark(b"AE2X1234", 7, 0, 5)
    house.slow = True
    async with house.serving():
        await until(lambda: bool(house.reports_of(EventsMissing)))
        assert house.shoe.state == "catching up"
        house.shoe.permit(9)  # an earlier permit does not end the doubt
        house.catch_up()
        await house.running()
        await house.pull(force=True)
        assert house.bodies()[-1] == CardUnpermitted(6, "8s")
        house.shoe.permit(9)
        await house.unlocked()


async def test_a_reboot_takes_the_permit_back(tmp_path: Path) -> None:
    house = ShoeHost(ANGEL_EYE, tmp_path)
    async with house.serving():
        await house.running()
        house.shoe.permit(9)
        await house.unlocked()
        await house.ask("reboot")
        await until(lambda: bool(house.reports_of(EventsMissing)))
        assert house.locked()
        assert house.shoe.detail.startswith("the shoe started anew: ")


async def test_a_line_that_is_never_in_order_is_told_of_ever_more_rarely(tmp_path: Path) -> None:
    house = ShoeHost(BEE_TEK, tmp_path)
    async with house.serving():
        await house.running()
        for _ in range(20):
            house.far.ask({"do": "say", "raw": "ff" * 300}, house.clock())
            await asyncio.sleep(0)
        await until(lambda: house.shoe.counters.doubts > 5)
    assert len(house.reports_of(EventsMissing)) == 1


async def test_counters_go_on_over_sessions(tmp_path: Path) -> None:
    house = ShoeHost(ANGEL_EYE, tmp_path)
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
    house = ShoeHost(ANGEL_EYE, tmp_path)
    house.far.ask({"do": "refuse", "code": 0x13, "times": 1000}, house.clock())
    async with house.serving():
        await until(lambda: bool(house.ended) and house.shoe.state == "backing off")
    assert str(house.ended[0]) == (f"shoe on port {house.line.port}: order LK 02: NAK 13, unknown command")
