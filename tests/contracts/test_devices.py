"""What all five drivers do, over every wire with a plug."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from drivers.link.reports import ActionEnded, CommandRefused, DeviceEvent, DeviceRunning, DeviceUp
from drivers.messages import (
    Buzz,
    CardDrawn,
    Celebrate,
    CommandBody,
    Cover,
    Eject,
    Key,
    KeyLamps,
    Lamps,
    Level,
    Lock,
    Permit,
    Prompt,
    ShufflerState,
    Start,
    Stop,
    Text,
    Wager,
)
from drivers.protocol.codes import DeviceClass, Status
from tests.contracts.bench import SERIAL, Bench, Line, MemoryLine
from tests.fixtures.wires import until

SHOE, SHUFFLER, SENSORS, DISPLAY, CONSOLE = DeviceClass
LIT = bytes([1]) * 54
WISHES: list[tuple[DeviceClass, Callable[[Any], None], CommandBody]] = [
    (SHOE, lambda shoe: shoe.permit(3), Permit(3)),
    (SHOE, lambda shoe: shoe.lock(), Lock()),
    (SENSORS, lambda sensors: sensors.show(LIT), Lamps(6000, LIT)),
    (DISPLAY, lambda display: display.level(1, 5000), Level(1, 5000, 0)),
    (DISPLAY, lambda display: display.text(2, "Naturals pay 3:2"), Text(2, "Naturals pay 3:2")),
    (CONSOLE, lambda console: console.prompt("Deal 4 cards", 0), Prompt("Deal 4 cards", 0)),
    (CONSOLE, lambda console: console.key_lamps(0b11), KeyLamps(0b11)),
]
MOMENTS: list[tuple[DeviceClass, Callable[[Any], None], CommandBody]] = [
    (SHUFFLER, lambda shuffler: shuffler.stop(), Stop()),
    (DISPLAY, lambda display: display.celebrate(1, 5000, 8), Celebrate(1, 5000, 8)),
    (CONSOLE, lambda console: console.buzz(200), Buzz(200)),
]
HAPPENINGS = [
    (SHOE, Cover(open=True)),
    (SHUFFLER, ShufflerState(2, 50)),
    (SENSORS, Wager(3, 0, present=True, cents=500)),
    (CONSOLE, Key("stand", 3, 0)),
]


@pytest.mark.parametrize("device_class", DeviceClass)
async def test_a_device_reports_up_and_then_running(line: Line, device_class: DeviceClass) -> None:
    bench = Bench(line, device_class)
    assert bench.device.state == "waiting"
    async with bench.serving():
        await bench.reach()
        assert [type(report) for report in bench.reports if not isinstance(report, DeviceEvent)] == [
            DeviceUp,
            DeviceRunning,
        ]
        assert bench.device.facts is not None
        assert bench.device.facts.serial == SERIAL
        assert bench.device.heartbeat_age is not None
        assert bench.device.heartbeat_age < 1
        assert bench.rig.link.armed


@pytest.mark.parametrize(("device_class", "wish", "record"), WISHES)
async def test_wishes_arrive_before_and_after_a_loss(
    line: Line, device_class: DeviceClass, wish: Callable[[Any], None], record: CommandBody
) -> None:
    bench = Bench(line, device_class)
    wish(bench.device)
    async with bench.serving():
        await until(lambda: record in bench.rig.body.done)
        bench.rig.boot(bench.clock())
        line.unplug()
        await bench.reach("waiting")
        line.plug()
        await until(lambda: record in bench.rig.body.done)


@pytest.mark.parametrize(("device_class", "wish", "record"), WISHES)
async def test_a_wish_repeated_is_not_sent_again(
    line: Line, device_class: DeviceClass, wish: Callable[[Any], None], record: CommandBody
) -> None:
    bench = Bench(line, device_class)
    async with bench.serving():
        await bench.reach()
        wish(bench.device)
        wish(bench.device)
        await until(lambda: record in bench.rig.body.done)
        await asyncio.sleep(0.01)
        assert bench.rig.body.done.count(record) == 1


@pytest.mark.parametrize(("device_class", "moment", "record"), MOMENTS)
async def test_moments_happen_now_or_never(
    line: Line, device_class: DeviceClass, moment: Callable[[Any], None], record: CommandBody
) -> None:
    bench = Bench(line, device_class)
    moment(bench.device)
    async with bench.serving():
        await bench.reach()
        await asyncio.sleep(0.01)
        assert bench.rig.body.done == []
        moment(bench.device)
        moment(bench.device)
        await until(lambda: bench.rig.body.done == [record, record])


@pytest.mark.parametrize(("device_class", "happening"), HAPPENINGS)
async def test_events_are_delivered_and_committed(
    line: Line, device_class: DeviceClass, happening: Any
) -> None:
    bench = Bench(line, device_class)
    async with bench.serving():
        await bench.reach()
        number = bench.rig.event(happening, bench.clock())
        await until(lambda: bench.rig.memory.committed == number)
        event = bench.reports[-1]
        assert isinstance(event, DeviceEvent)
        assert (event.device, event.number, event.body) == (bench.device.name, number, happening)
        assert not event.history


@pytest.mark.parametrize("verb", [Start(6), Eject()])
async def test_an_action_is_done_and_its_end_reported(line: Line, verb: CommandBody) -> None:
    bench = Bench(line, SHUFFLER)
    async with bench.serving():
        await bench.reach()
        key = bench.open_action()
        bench.device.act(key, verb)
        await until(lambda: bool(bench.reports_of(ActionEnded)))
        assert bench.reports_of(ActionEnded) == [ActionEnded("shuffler", key, Status.DONE, "")]
        assert bench.rig.body.done == [verb]


async def test_an_action_without_a_session_is_recalled_as_never(line: Line) -> None:
    bench = Bench(line, SHUFFLER)
    key = bench.open_action()
    bench.device.act(key, Start(6))
    async with bench.serving():
        await bench.reach()
        # the journal's mark belonged to no log yet: nobody can know how the action ended
        assert [ended.status for ended in bench.reports_of(ActionEnded)] == [Status.FORGOTTEN]
        line.unplug()
        await bench.reach("waiting")
        key = bench.open_action()
        bench.device.act(key, Start(6))
        line.plug()
        await bench.reach()
        assert bench.reports_of(ActionEnded)[-1] == ActionEnded("shuffler", key, Status.NEVER, _never(key))
        assert bench.rig.body.done == []


def _never(key: int) -> str:
    return f"{key} was never begun and never will be"


async def test_junk_on_the_line_is_counted(line: Line) -> None:
    bench = Bench(line, SHOE)
    async with bench.serving():
        await bench.reach()
        assert line.far
        line.far.write(bytes(range(256)) * 8 + b"\0")
        await until(lambda: bench.device.counters.cobs + bench.device.counters.too_long > 0)
        number = bench.rig.event(Cover(open=True), bench.clock())
        await until(lambda: bench.rig.memory.committed == number)


async def test_a_refused_wish_is_reported(line: Line) -> None:
    bench = Bench(line, SHOE)
    async with bench.serving():
        await bench.reach()
        bench.device.want(Permit(500))
        await until(lambda: bool(bench.reports_of(CommandRefused)))
        [report] = bench.reports_of(CommandRefused)
        assert (report.record, report.status) == (Permit(500), Status.RANGE)


async def test_a_permit_for_another_life_of_the_shoe_is_not_repeated(line: Line) -> None:
    bench: Any = Bench(line, SHOE)
    bench.device.permit(31)
    async with bench.serving():
        await until(lambda: bench.rig.link.permitted == 31)
        line.unplug()
        await bench.reach("waiting")
        bench.rig.memory.format()
        bench.rig.boot(bench.clock())
        line.plug()
        await until(lambda: bench.rig.body.done == [Lock()])
        assert bench.rig.link.permitted == 0
        bench.device.permit(31)
        await until(lambda: bench.rig.link.permitted == 31)


async def test_keys_grow_over_all_that_is_known(line: Line) -> None:
    bench = Bench(line, SHUFFLER)
    bench.rig.memory.end_action(70, Status.DONE)
    async with bench.serving():
        await bench.reach()
        first = bench.open_action()
        second = bench.open_action()
    assert 70 < first < second


async def test_an_answer_leaves_in_the_turn_in_which_the_card_came(tmp_path: Path) -> None:
    """Bytes of a card in, commit and next permit out: without a timer, a task or a thread between."""
    line = MemoryLine(tmp_path)
    bench: Any = Bench(line, SHOE)
    bench.react = lambda report: bench.device.permit(2) if _is_card(report) else None
    async with bench.serving():
        await bench.reach()
        await bench.quiet()
        assert line.near
        assert line.far
        bench.rig.draw("Ts", bench.clock())
        card = bench.rig.take(bench.clock())
        line.near.outgoing.clear()
        line.near.writes = 0
        line.far.write(card)  # announces; the watcher runs in the next turn
        await asyncio.sleep(0)
        assert line.near.writes == 1
        answer = line.far.take()
        bench.rig.feed(answer, bench.clock())
        assert bench.rig.memory.committed == bench.rig.memory.newest
        assert bench.rig.body.done[-1] == Permit(2)


def _is_card(report: object) -> bool:
    return isinstance(report, DeviceEvent) and isinstance(report.body, CardDrawn)


async def test_lamps_are_leased_anew(line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("drivers.devices.classes.LEASE_MS", 100)
    bench: Any = Bench(line, SENSORS)
    bench.device.show(LIT)
    async with bench.serving():
        await until(lambda: bench.rig.body.done.count(Lamps(100, LIT)) >= 3)


async def test_what_ports_counted_outlives_them(tmp_path: Path) -> None:
    line = MemoryLine(tmp_path)
    bench = Bench(line, SHOE)
    async with bench.serving():
        for dropped, known in ((7, 7), (5, 12)):
            line.plug()
            await bench.reach()
            assert line.near
            line.near.dropped = dropped
            assert bench.device.port_counts == {"dropped_bytes": known}
            line.unplug()
            await bench.reach("waiting")
            assert bench.device.port_counts == {"dropped_bytes": known}
