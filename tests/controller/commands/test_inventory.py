"""The inventory of devices: with the daemon, without it, with another one; and its layout."""

from collections.abc import Callable
from dataclasses import replace
from ipaddress import IPv4Address
from pathlib import Path

import pytest
from rich.console import Console

from controller.commands.handlers.devices import DeviceInventory, inventory, inventory_output
from controller.config import Config, read
from controller.monitor.client import TableAbsentError, TableAnswerError
from controller.table.record.views import ConditionView, DeviceView, TableView
from drivers.ports.listing import ListedPort
from tests.fixtures.table_views import BETTING

EXAMPLE = Path(__file__).parents[3] / "examples" / "easy-jack.toml"
STICK = ListedPort(
    "/dev/ttyUSB0",
    ("/dev/serial/by-id/usb-FTDI_A50285BI-if00-port0", "/run/tableside/shoe"),
    "FTDI FT232R USB UART",
    "A50285BI",
    "0403:6001",
    "pci-0000:00:14.0-usb-0:2:1.0",
    meddled=True,
)
COUNTERS = {
    "frames_in": 990,
    "frames_out": 2000,
    "crc": 8,
    "cobs": 2,
    "retransmissions": 5,
    "sessions": 3,
    "resets heartbeat": 1,
    "resets unplugged": 2,
    "round_trip_us": 1300,
    "heartbeat_age_us": 240_000,
}
SHOE = DeviceView(
    "shoe",
    "shoe",
    "/run/tableside/shoe",
    "running",
    "",
    "SHOE-1",
    "1.4.2",
    insecure=False,
    counters=COUNTERS,
    hardware="rev C",
    condition=ConditionView("ready", 31, 0, 1000),
)


@pytest.fixture(scope="module")
def config() -> Config:
    return read(EXAMPLE)


def with_daemon(config: Config, *devices: DeviceView, ports: tuple[ListedPort, ...] = ()) -> DeviceInventory:
    table = replace(BETTING, table=config.table.name, devices=devices)
    return inventory(config, ports, lambda _host, _port: table)


def text(seen: DeviceInventory, width: int = 80) -> str:
    console = Console(markup=False, highlight=False, width=width, color_system=None)
    with console.capture() as captured:
        console.print(*inventory_output(seen), sep="\n")
    return captured.get()


def fails(error: Exception) -> Callable[[str, int], TableView]:
    def fetched(_host: str, _port: int) -> TableView:
        raise error

    return fetched


def test_a_running_daemon_reports_its_devices(config: Config) -> None:
    seen = with_daemon(config, SHOE)
    shoe, sensors = seen.devices[:2]
    assert seen.source == "As the page at 127.0.0.1:8080 has it now."
    assert (shoe.state, shoe.seal, shoe.serial, shoe.hardware) == ("running", "sealed", "SHOE-1", "rev C")
    assert (shoe.health.heartbeat_age, shoe.health.round_trip) == (0.24, 0.0013)
    assert (shoe.health.repeated, shoe.health.damaged) == (2.5, 10.0)
    assert sensors.state == "not connected"


@pytest.mark.parametrize(
    ("error", "source"),
    [
        (TableAbsentError("refused"), "No page answers at 127.0.0.1:8080, so this list has only what"),
        (TableAnswerError("table lacks bank"), "What answers there is no table of this version (table la"),
    ],
)
def test_an_absent_daemon_is_named_as_the_source(config: Config, error: Exception, source: str) -> None:
    seen = inventory(config, [], fails(error))
    assert seen.source.startswith(source)
    assert [each.name for each in seen.devices] == list(config.devices.configured())
    assert {each.todo for each in seen.devices} == {"Plug it in and switch it on: there is no such port now."}


def test_the_answer_of_another_table_is_not_used(config: Config) -> None:
    seen = inventory(config, [], lambda _host, _port: replace(BETTING, table="Pit 9"))
    assert seen.source.startswith("Another table answers at 127.0.0.1:8080, Pit 9, so")
    assert seen.devices[0].state == "not connected"


def test_a_page_without_a_fixed_port_is_not_looked_for(config: Config) -> None:
    anywhere = config.model_copy(update={"web": config.web.model_copy(update={"port": 0})})
    seen = inventory(anywhere, [], lambda *_: pytest.fail("nobody can be asked"))
    assert seen.source.startswith("The page has no fixed port (web.port = 0), so")


@pytest.mark.parametrize(
    ("host", "asked"),
    [(str(IPv4Address(0)), "127.0.0.1"), ("::", "::1"), ("10.1.2.3", "10.1.2.3"), ("localhost", "localhost")],
)
def test_the_daemon_is_asked_at_a_reachable_address(config: Config, host: str, asked: str) -> None:
    there = config.model_copy(update={"web": config.web.model_copy(update={"host": host})})
    hosts = list[str]()

    def fetched(host: str, _port: int) -> TableView:
        hosts.append(host)
        raise TableAbsentError("nobody")

    inventory(there, [], fetched)
    assert hosts == [asked]


def test_a_port_that_is_there_is_not_asked_for(config: Config) -> None:
    seen = inventory(config, [STICK], fails(TableAbsentError("")))
    assert seen.devices[0].todo == ""
    assert seen.devices[1].todo != ""


@pytest.mark.parametrize(
    ("state", "todo"),
    [
        ("waiting", "Check that it is plugged in"),
        ("refused", "Do what the sentence above says"),
        ("backing off", "Check cable and plug"),
        ("held off", "Check plug, cable and power, then: tableside table supervise resume."),
        ("connecting", ""),
        ("catching up", ""),
    ],
)
def test_each_state_of_a_device_has_its_advice(config: Config, state: str, todo: str) -> None:
    (shoe, *_) = with_daemon(config, replace(SHOE, state=state, counters={})).devices
    assert shoe.todo.startswith(todo)
    assert bool(shoe.todo) == bool(todo)


@pytest.mark.parametrize(
    ("counters", "condition", "todo"),
    [
        ({"frames_in": 990, "crc": 10}, None, "The line damages the messages of the device"),
        ({"frames_out": 100, "retransmissions": 1}, None, "The device does not receive all"),
        ({}, ConditionView("ready", 70, 0, 9), "The device is hot"),
        ({}, ConditionView("fault", 20, 0, 9), "The device reports a problem"),
        ({"frames_in": 991, "crc": 9}, ConditionView("busy", 69, 3, 9), ""),
        ({"frames_in": 24, "crc": 1, "frames_out": 25, "retransmissions": 1}, None, ""),
    ],
)
def test_a_running_device_with_a_problem_has_its_advice(
    config: Config, counters: dict[str, int], condition: ConditionView | None, todo: str
) -> None:
    (shoe, *_) = with_daemon(config, replace(SHOE, counters=counters, condition=condition)).devices
    assert shoe.todo.startswith(todo)
    assert bool(shoe.todo) == bool(todo)


SHOWN = """\
shoe  running  sealed
  who       SHOE-1 · hardware rev C · firmware 1.4.2
  port      /run/tableside/shoe
  health    heartbeat 0.2 s ago · round trip 1.3 ms · 31 °C · ready
  line      990 frames in, 2,000 out · 2.5 of 1,000 sent again · 10.0 damaged
  sessions  3 · ended by heartbeat 1, unplugged 2
  do        The line damages the messages of the device: check cable, shield and
            baud rate.
"""
PORTS = """\
port          for   what
/dev/ttyUSB0  shoe  FTDI FT232R USB UART · A50285BI · 0403:6001 ·
                    pci-0000:00:14.0-usb-0:2:1.0
                    /dev/serial/by-id/usb-FTDI_A50285BI-if00-port0
                    /run/tableside/shoe
                    ModemManager may write to it: set ID_MM_DEVICE_IGNORE in
                    udev
"""


def test_the_inventory_fits_80_columns(config: Config) -> None:
    lines = [line.rstrip() for line in text(with_daemon(config, SHOE, ports=(STICK,))).splitlines()]
    assert max(map(len, lines)) <= 80
    whole = "\n".join(lines)
    assert SHOWN in whole
    assert PORTS.rstrip() in whole


def test_the_inventory_fits_a_narrow_terminal(config: Config) -> None:
    lines = text(with_daemon(config, SHOE, ports=(STICK,)), width=40).splitlines()
    assert max(map(len, lines)) <= 40


def test_a_device_can_not_write_on_the_terminal(config: Config) -> None:
    shown = text(with_daemon(config, replace(SHOE, detail="\x1b[2Jgone", firmware="\x07")))
    assert "\x1b" not in shown
    assert "\x07" not in shown
    assert "?[2Jgone" in shown


def test_an_inventory_without_a_configuration_lists_ports_alone() -> None:
    seen = inventory(None, [])
    assert seen == DeviceInventory("", "No configuration is named (--config FILE): ports alone.", (), ())
    assert "none" in text(seen)
