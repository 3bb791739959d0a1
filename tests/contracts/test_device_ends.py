"""How a conversation with any device ends: absence, refusal, bugs, goodbyes; over every wire with a plug."""

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest

from drivers.devices.device import ConnectedSerials
from drivers.errors import Absent, DeviceFault, Misuse, Refused
from drivers.link.host import HostTimeouts
from drivers.link.reports import DeviceUp
from drivers.messages import CommandBody, Lamps, Prompt, Text
from drivers.protocol.codes import DeviceClass
from drivers.sim.link.memory import Memory
from tests.contracts.bench import SERIAL, Bench, Line, MemoryLine
from tests.drivers.link.rig import Rig
from tests.fixtures.wires import until

SHOE, SHUFFLER, SENSORS, DISPLAY, CONSOLE = DeviceClass


@pytest.mark.parametrize("device_class", DeviceClass)
async def test_a_pulled_plug_is_absence(line: Line, device_class: DeviceClass) -> None:
    bench = Bench(line, device_class)
    async with bench.serving():
        await bench.reach()
        line.unplug()
        await bench.reach("waiting")
        await until(lambda: len(bench.ended) > 1)
        assert all(isinstance(error, Absent) for error in bench.ended)
        assert line.port in bench.device.detail
        assert bench.device.heartbeat_age is None
        line.plug()
        await bench.reach()
        assert bench.looks[-2:] == [("catching up", ""), ("running", "")]
        assert bench.device.detail == ""
        assert bench.device.counters.sessions == 2
        assert bench.device.counters.resets == {"unplugged": 1}


async def test_another_serial_number_is_refused(line: Line) -> None:
    bench = Bench(line, SHOE, serial="SN-2")
    async with bench.serving():
        await bench.reach("refused")
        await until(lambda: bool(bench.ended))
        error = bench.ended[0]
        assert isinstance(error, Refused)
        assert error.reason == "identity"
        assert bench.device.detail == str(error)
        assert f"shoe on port {line.port}: says it is shoe SN-1, expected shoe SN-2" in str(error)
        await until(lambda: len(bench.ended) > 1)
        assert bench.looks[:4] == [
            ("connecting", ""),
            ("identifying", ""),
            ("refused", str(error)),
            ("connecting", str(error)),
        ]
    assert not bench.reports_of(DeviceUp)


async def test_a_hello_of_all_ones_is_refused_by_name_and_a_sound_one_runs(line: Line) -> None:
    bench = Bench(line, SHUFFLER)
    bench.rig.memory.last_key = 2**64 - 1
    async with bench.serving():
        await bench.reach("refused")
        impossible = "Hello.last_key 18446744073709551615 is above 9007199254740991: format its memory"
        assert f"shuffler on port {line.port}: answers, but its Hello cannot be used: {impossible}" in (
            bench.device.detail
        )
        bench.rig.memory.format()
        bench.rig.boot(bench.clock())
        await bench.reach()
    assert [up.facts.last_key for up in bench.reports_of(DeviceUp)] == [0]
    assert not [error for error in bench.ended if not isinstance(error, Refused)]


class Unwinding(Memory):
    """Each commit takes a card off its count."""

    def commit(self, number: int) -> None:
        super().commit(number)
        self.cards -= 1


async def test_numbers_that_contradict_each_other_three_times_are_a_device_to_format(tmp_path: Path) -> None:
    rig = Rig(time.monotonic(), SHOE, SERIAL)
    rig.memory = Unwinding()
    rig.memory.newest, rig.memory.cards = 20, 10
    rig.boot(time.monotonic())
    bench = Bench(MemoryLine(tmp_path), SHOE, rig=rig)
    advice = "its numbers contradict each other: format it"
    async with bench.serving():
        await until(lambda: any(advice in str(error) for error in bench.ended))
    advised = next(number for number, error in enumerate(bench.ended) if advice in str(error))
    last = bench.ended[advised - 2 : advised + 1]  # on a busy machine others may precede them
    assert [error.reason for error in last if isinstance(error, DeviceFault)] == ["gap"] * 3


async def test_a_device_of_another_class_is_refused(line: Line) -> None:
    bench = Bench(line, SHOE, rig=Rig(time.monotonic(), CONSOLE, SERIAL))
    async with bench.serving():
        await bench.reach("refused")
        assert "says it is console SN-1, expected shoe SN-1" in bench.device.detail


@pytest.mark.parametrize(("hardware", "state"), [("rev C", "refused"), ("sim", "running")])
async def test_only_a_simulator_may_speak_unsealed(line: Line, hardware: str, state: str) -> None:
    bench = Bench(line, SHOE, rig=Rig(time.monotonic(), SHOE, SERIAL, key=b"", hardware=hardware))
    async with bench.serving():
        await bench.reach(state)
        refused = "hardware 'rev C' must be sealed: provision a key" in bench.device.detail
        assert refused is (state == "refused")
        assert not bench.rig.body.armed or state == "running"


async def test_a_serial_number_on_two_ports_is_refused(tmp_path: Path) -> None:
    connected = ConnectedSerials()
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    first = Bench(MemoryLine(tmp_path / "a"), SHOE, connected=connected)
    second = Bench(MemoryLine(tmp_path / "b"), SHOE, connected=connected)
    async with first.serving():
        await first.reach()
        async with second.serving():
            await second.reach("refused")
            assert first.line.port in second.device.detail
            assert second.line.port in second.device.detail
            assert first.device.state == "running"
            first.line.unplug()
            await second.reach()


async def test_a_device_that_does_not_answer_counts_as_absent(line: Line) -> None:
    bench = Bench(line, SHOE, patience=HostTimeouts(silence=0.05))
    with pytest.raises(Absent, match=r"shoe on port .* no answer for"):
        await bench.device.converse()
    line.unplug()


@pytest.mark.parametrize(
    ("device_class", "record"),
    [(CONSOLE, Prompt("x" * 121, 0)), (DISPLAY, Text(1, "é" * 33)), (SENSORS, Lamps(1000, bytes(55)))],
)
async def test_what_does_not_fit_the_wire_is_our_bug(
    line: Line, device_class: DeviceClass, record: CommandBody
) -> None:
    bench = Bench(line, device_class)
    with pytest.raises(Misuse, match=r"at most|must have"):
        bench.device.want(record)
    line.unplug()


async def test_too_few_lamps_are_our_bug(line: Line) -> None:
    bench: Any = Bench(line, SENSORS)
    with pytest.raises(Misuse, match="53 lamps, must be 54"):
        bench.device.show(bytes(53))
    line.unplug()


async def test_a_bug_above_ends_the_conversation_as_a_bug(line: Line) -> None:
    bench = Bench(line, SHOE)

    def fail(_report: object) -> None:
        raise KeyError("a bug of the table")

    bench.react = fail
    serving = asyncio.create_task(bench.serve())
    with pytest.raises(KeyError, match="a bug of the table"):
        await bench.device.converse()
    serving.cancel()
    line.unplug()


async def test_a_conversation_that_is_cancelled_says_goodbye(line: Line) -> None:
    bench = Bench(line, SHOE)
    async with bench.serving():
        await bench.reach()
        assert bench.rig.link.installed
    if isinstance(line, MemoryLine):
        assert line.near
        bench.rig.feed(bytes(line.near.outgoing), bench.clock())
        assert not bench.rig.link.installed


async def test_a_new_conversation_starts_from_waiting(line: Line) -> None:
    bench = Bench(line, SHOE)
    async with bench.serving():
        await bench.reach()
    assert bench.device.state == "waiting"
