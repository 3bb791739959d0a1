"""Lines of a device's log, and what it measures."""

from drivers.devices.classes import Shoe
from drivers.devices.device import DeviceSettings
from drivers.link.facts import Bookmark
from drivers.link.reports import LogLine, Measurement
from drivers.protocol import common_pb2 as common
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import Channel, LogLevel, SampleKind
from tests.fixtures.link_pair import known_pair


class LoggingShoe(Shoe):
    """A shoe whose clock a test sets."""

    def __init__(self) -> None:
        self.now = 0.0
        self.lines: list[tuple[str, LogLine]] = []
        super().__init__(
            "shoe",
            DeviceSettings("p", "S-1"),
            Bookmark,
            lambda _report: None,
            clock=lambda: self.now,
            alive=lambda: True,
            on_log=lambda name, line: self.lines.append((name, line)),
        )


def test_a_host_emits_lines_and_measurements_of_its_device() -> None:
    world, puppet = known_pair()
    world.reach()
    line = tsl.Frame(log=common.Log(uptime_us=5, level=LogLevel.WARNING, text="the belt slips"))
    sample = tsl.Frame(sample=common.Sample(what=SampleKind.SUPPLY_MILLIVOLTS, value=-3))
    puppet.payload(Channel.BULK, line.SerializeToString(), critical=False)
    puppet.telemetry(sample)
    world.run(0.5)
    assert world.events_of(LogLine) == [LogLine(2, "the belt slips")]
    assert world.events_of(Measurement) == [Measurement(1, -3)]


def test_a_device_passes_on_ten_lines_in_a_second() -> None:
    shoe = LoggingShoe()
    for number in range(30):
        shoe.now = number * 0.05
        shoe._handle(LogLine(3, str(number)))
    texts = [line.text for _, line in shoe.lines]
    assert texts == [*map(str, range(10)), *map(str, range(20, 30))]


def test_the_last_measurement_of_each_kind_is_kept_of_so_many_kinds() -> None:
    shoe = LoggingShoe()
    for what in range(1000, 1100):
        shoe._handle(Measurement(what, 1))
        shoe._handle(Measurement(what, 2))
    assert shoe.measurements == dict.fromkeys(range(1000, 1032), 2)
