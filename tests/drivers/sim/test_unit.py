"""A whole device on a wire in memory, against the host's link, in virtual time."""

from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from drivers.link.facts import Bookmark, Expected
from drivers.link.host import HostLink
from drivers.link.reports import DeviceEvent, DeviceRunning, DeviceUp, Down, LinkEvent
from drivers.messages import (
    Booted,
    CardDrawn,
    CardInterrupted,
    CommandBody,
    Cover,
    EventBody,
    Key,
    Lamps,
    Loaded,
    Permit,
    ShoeJam,
    ShufflerJam,
    Text,
    Wager,
)
from drivers.protocol.codes import LAMPS, Lamp, Reset
from drivers.sim.cable import Faults
from drivers.sim.kinds import KINDS, Settings
from drivers.sim.link.memory import Memory
from drivers.sim.link.randomness import Provisioning
from drivers.sim.physical_state import PhysicalState
from drivers.sim.requests import RequestError
from drivers.sim.unit import GOOD, Unit
from drivers.sim.virtual import VirtualWire

BAD = Faults(drop=0.05, flip=0.03, duplicate=0.05, split=0.1, stall=0.01, stall_seconds=0.1)


class Desk:
    """A unit, and a host that journals every event in order and reconnects after a loss."""

    def __init__(self, kind: str, faults: Faults = GOOD, log: Path | None = None) -> None:
        self.settings = Settings(kind, "S1", seed=7, log=log)
        self.memory, self.around, self.provisioning = Memory(), PhysicalState(), Provisioning()
        self.wishes: list[CommandBody] = []
        self.events: list[LinkEvent] = []
        self.journal: list[DeviceEvent] = []
        self._nonces = count(1)
        self.unit = self._switched_on(0.0, faults)
        self.wire: VirtualWire[LinkEvent] = VirtualWire(self.unit, None, self._heed, 0.0)
        self.meet()

    def meet(self) -> None:
        """A fresh attempt at a session."""
        last = self.journal[-1] if self.journal else None
        seen = Bookmark(last.log, last.number, 0, self.memory.cards) if last else Bookmark()
        host = HostLink(
            Expected(KINDS[self.settings.kind].device_class, "S1"),
            seen,
            self.nonce,
            self.wire.now,
            lambda: True,
        )
        for wish in self.wishes:
            host.want(wish)
        self.host = self.wire.host = host

    def want(self, wish: CommandBody) -> None:
        self.wishes.append(wish)
        self.host.want(wish)

    def ask(self, do: str, **fields: object) -> dict[str, Any]:
        return self.unit.ask({"do": do, **fields}, self.wire.now)

    def run(self, seconds: float) -> None:
        """In steps, so that a lost device is met again."""
        until = self.wire.now + seconds
        while self.wire.now < until:
            self.wire.run(min(0.25, until - self.wire.now))
            if self.host.phase == "over":
                self.meet()

    def news(self) -> list[object]:
        """The journal without what was history when they met."""
        events = (event for event in self.journal if not event.history)
        return [event.body for event in events if not isinstance(event.body, Booted)]

    def said(self, name: str) -> list[dict[str, object]]:
        return [notice for notice in self.unit.notices() if notice["notice"] == name]

    def nonce(self, size: int) -> bytes:
        return next(self._nonces).to_bytes(size, "big")

    def kill(self) -> None:
        """The process of the simulator ends, and another one starts on the same memory."""
        self.unit = self.wire.unit = self._switched_on(self.wire.now, GOOD)

    def _switched_on(self, now: float, faults: Faults) -> Unit:
        return Unit(
            self.settings,
            memory=self.memory,
            surroundings=self.around,
            random=self.nonce,
            provisioning=self.provisioning,
            now=now,
            faults=faults,
        )

    def _heed(self, news: LinkEvent, _now: float) -> None:
        self.events.append(news)
        if isinstance(news, DeviceEvent):
            self.journal.append(news)
            self.host.commit(news.number)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_device_comes_up(kind: str) -> None:
    desk = Desk(kind)
    desk.run(1.0)
    assert desk.host.phase == "running"
    assert any(isinstance(news, DeviceRunning) for news in desk.events)
    assert desk.journal[0].body == Booted(Reset.POWER)
    assert desk.said("session") == [{"notice": "session", "armed": True, "at": pytest.approx(0, abs=0.1)}]


@pytest.fixture(params=[GOOD, BAD], ids=["good cable", "bad cable"])
def desk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Desk]:
    desk = Desk("shoe", request.param, log=tmp_path / "cards")
    desk.run(3.0)
    yield desk
    numbers = [event.number for event in desk.journal]
    assert numbers == list(range(1, len(numbers) + 1))


def pull(desk: Desk, cards: int) -> None:
    """Pulls this many cards, whatever the cable does."""
    wanted = desk.memory.cards + cards
    desk.want(Permit(wanted))
    for _ in range(1000):
        if desk.memory.cards == wanted:
            break
        with suppress(RequestError):
            desk.ask("pull", count=desk.memory.cards + 1)
        desk.run(0.7)
    desk.run(5.0)


def test_every_card_reaches_the_journal_once_and_in_order(desk: Desk, tmp_path: Path) -> None:
    pull(desk, 30)
    logged = [line.split() for line in (tmp_path / "cards").read_text().splitlines()]
    assert desk.news() == [CardDrawn(int(number), card) for number, card, _ in logged]
    assert len(logged) == 30
    struck = desk.unit.toward_host.counts + desk.unit.toward_device.counts
    assert (struck["dropped"] > 5) is not desk.unit.toward_host.faults.none


def test_a_reboot_keeps_the_memory_and_the_numbers(desk: Desk) -> None:
    pull(desk, 2)
    log = desk.memory.log
    desk.ask("reboot", reset="watchdog", seconds=1.0)
    with pytest.raises(RequestError, match="no power"):
        desk.ask("pull")
    desk.run(8.0)
    pull(desk, 2)
    assert desk.memory.log == log
    assert [event.body for event in desk.journal].count(Booted(Reset.WATCHDOG)) == 1
    assert [card.count for card in desk.news() if isinstance(card, CardDrawn)] == [1, 2, 3, 4]


def test_a_card_that_moves_when_the_power_goes_is_reported(desk: Desk, tmp_path: Path) -> None:
    desk.want(Permit(2))
    desk.run(5.0)
    desk.ask("pull")
    desk.run(0.25)
    desk.ask("reboot")
    desk.run(8.0)
    assert desk.news() == [CardInterrupted(1)]
    pull(desk, 1)
    logged = [line.split() for line in (tmp_path / "cards").read_text().splitlines()]
    assert desk.news()[1:] == [CardDrawn(2, logged[1][1])]


def test_no_card_begins_to_move_in_a_shoe_without_power(desk: Desk) -> None:
    desk.want(Permit(2))
    desk.run(5.0)
    desk.ask("reboot", seconds=1.0)
    with pytest.raises(RequestError, match="pull: the shoe has no power"):
        desk.ask("pull", force=True)
    desk.run(8.0)
    pull(desk, 1)
    assert [card.count for card in desk.news() if isinstance(card, CardDrawn)] == [1]


@pytest.mark.parametrize(
    ("kind", "does", "event", "times"),
    [
        ("shoe", {"do": "load", "cards": "As Kd"}, Loaded(1), 1),
        ("shoe", {"do": "cover", "open": True}, Cover(True), 2),
        ("shoe", {"do": "jam", "on": True}, ShoeJam(True), 1),
        ("shuffler", {"do": "jam", "on": True}, ShufflerJam(True), 1),
    ],
)
def test_a_device_reports_what_was_done_to_it_without_power(
    kind: str, does: dict[str, Any], event: EventBody, times: int
) -> None:
    """Once; only an open cover is reported again after each boot."""
    desk = Desk(kind)
    desk.run(3.0)
    desk.ask("reboot", seconds=1.0)
    desk.ask(**does)
    desk.run(8.0)
    assert desk.news().count(event) == 1
    desk.ask("reboot", seconds=1.0)
    desk.run(8.0)
    assert desk.news().count(event) == times


def test_a_stuck_card_that_is_freed_without_power_is_reported_free() -> None:
    desk = Desk("shuffler")
    desk.run(3.0)
    desk.ask("jam", on=True)
    desk.ask("reboot", seconds=1.0)
    desk.ask("jam", on=False)
    desk.run(8.0)
    assert [event for event in desk.news() if isinstance(event, ShufflerJam)] == [
        ShufflerJam(True),
        ShufflerJam(False),
    ]


def test_cards_are_not_lost_while_the_cable_is_out(desk: Desk) -> None:
    desk.want(Permit(2))
    desk.run(5.0)
    desk.ask("hang-up", seconds=10.0)
    desk.ask("pull")
    assert not desk.unit.plugged
    desk.run(2.0)
    assert desk.news() == []
    desk.run(20.0)
    assert [event.count for event in desk.news() if isinstance(event, CardDrawn)] == [1]


def test_a_stuck_processor_is_noticed_and_comes_back(desk: Desk) -> None:
    desk.events.clear()
    desk.ask("freeze", seconds=5.0)
    desk.run(15.0)
    assert any(isinstance(news, Down) for news in desk.events)
    assert desk.host.phase == "running"


def test_a_killed_simulator_goes_on_where_it_was(desk: Desk) -> None:
    pull(desk, 3)
    desk.kill()
    desk.run(10.0)
    pull(desk, 3)
    assert [event.count for event in desk.news() if isinstance(event, CardDrawn)] == [1, 2, 3, 4, 5, 6]
    cards = [event.card for event in desk.news() if isinstance(event, CardDrawn)]
    assert cards == list(desk.around.get("cards", []))[:6]


def test_formatting_begins_a_new_log_and_leaves_the_cards() -> None:
    desk = Desk("shoe")
    desk.run(1.0)
    pull(desk, 2)
    log = desk.memory.log
    desk.ask("format")
    desk.run(1.0)
    desk.meet()
    desk.run(10.0)
    assert desk.memory.log != log
    assert [news.relation for news in desk.events if isinstance(news, DeviceUp)][-1] == "new log"
    pull(desk, 1)
    cards = desk.around.get("cards", [])
    assert desk.journal[-1].body == CardDrawn(1, cards[2])


def test_a_client_gets_the_visible_state_again_after_formatting() -> None:
    desk = Desk("shoe")
    desk.run(1.0)
    pull(desk, 2)
    desk.unit.notices()
    desk.ask("format")
    last = {notice["notice"]: notice for notice in desk.unit.notices()}
    assert (last["shoe"]["count"], last["permit"]["up_to"]) == (0, 0)
    assert last["shoe"]["left"] == len(desk.around.get("cards", [])) - 2
    assert not last["power"]["on"]


def test_faults_can_be_turned_while_it_runs() -> None:
    desk = Desk("console")
    desk.run(1.0)
    desk.ask("fault", drop=1.0, direction="out")
    desk.run(2.0)
    counts = desk.ask("counts")
    assert counts["out"]["dropped"] > 3
    assert counts["in"] == {}
    desk.ask("fault", drop=0.0)
    desk.ask("press", action="close")
    desk.run(10.0)
    assert desk.news() == [Key("close", 0, 0)]


def test_sensors_report_wagers_and_show_lamps() -> None:
    desk = Desk("sensors")
    lit = bytes([Lamp.OPEN] * LAMPS)
    desk.want(Lamps(2000, lit))
    desk.run(1.0)
    desk.ask("put", seat=3, spot=1, cents=500)
    desk.run(0.5)
    assert desk.news() == [Wager(3, 1, True, 500)]
    desk.ask("hang-up", seconds=100)
    desk.run(5.0)
    assert [notice["safe"] for notice in desk.said("lamps")] == [False, True]


def test_a_display_without_a_host_marks_its_values() -> None:
    desk = Desk("display")
    desk.want(Text(0, "Seat 3 wins"))
    desk.run(1.0)
    desk.ask("hang-up", seconds=100)
    desk.run(10.0)
    shown = desk.said("display")
    assert shown[-1]["lines"] == {"0": "Seat 3 wins"}
    assert [notice["lost"] for notice in shown][-2:] == [False, True]


def test_a_cable_that_was_pulled_stays_out_until_it_is_plugged_in(desk: Desk) -> None:
    desk.run(5)
    desk.ask("cable", plugged=False)
    desk.run(5000)
    assert {"notice": "cable", "plugged": False, "at": desk.wire.now} in desk.unit.look()
    desk.ask("cable", plugged=False)
    desk.ask("cable", plugged=True)
    desk.ask("cable", plugged=True)
    desk.run(5)
    assert desk.host.phase == "running"
    assert [said["plugged"] for said in desk.unit.notices() if said["notice"] == "cable"] == [False]


def test_a_device_without_power_stays_off_until_it_is_switched_on(desk: Desk) -> None:
    desk.run(5)
    desk.ask("power", on=False)
    desk.run(5000)
    assert {"notice": "power", "on": False, "at": desk.wire.now} in desk.unit.look()
    desk.ask("power", on=True)
    desk.run(5)
    assert desk.host.phase == "running"
    assert [said["on"] for said in desk.unit.notices() if said["notice"] == "power"] == [True, False, True]
