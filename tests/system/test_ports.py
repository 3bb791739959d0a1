"""A foreign device, no device or noise on a port: each is named, and none stops the table."""

import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random

import pytest

from controller.demo.table import KINDS
from controller.table.record.views import TableView
from tests.fixtures.process_table import LONG, ProcessTable, device, stopped
from tests.fixtures.waiting import until
from tests.system import script
from tests.system.relay import Relay

CHECKS = ("cobs", "length", "crc", "version", "too_long")
"""What a piece of noise is counted as."""
TRIES = 3
REFUSED = 'tableside_device_state{device="shoe",kind="refused"} 1.0'


@contextmanager
def stranger(port: Path, kind: str, serial: str, *key: str) -> Iterator[None]:
    """Another simulated device on this port; `key`: the options that give it one."""
    control = port.with_name("stranger.control")
    words = ["--link", str(port), "--control", str(control), "--serial", serial, "--speed", "max", *key]
    with subprocess.Popen([sys.executable, "-m", "drivers.sim", kind, *words]) as running:
        try:
            until(control.exists)
            yield
        finally:
            running.terminate()


def keyed(house: ProcessTable, kind: str = "shoe") -> tuple[str, str]:
    """With the key of one of the table's devices."""
    return "--key", str(house.stage.key(kind))


def until_refused(house: ProcessTable, kind: str, said: str) -> None:
    """Waits until the table says this about the device."""

    def refused(view: TableView) -> bool:
        there = device(view, kind)
        return there.state == "refused" and there.detail.endswith(said)

    house.until(refused)


@pytest.mark.parametrize(
    ("key_of", "said"),
    [
        (
            "sensors",
            "the device refuses us: the proof is of another key: provision both with one key (unproved)",
        ),
        ("", "the device refuses us: this device has no key: provision both with one key (unproved)"),
    ],
    ids=["another key", "no key"],
)
def test_who_has_not_the_key_is_refused_and_named(house: ProcessTable, key_of: str, said: str) -> None:
    script.lay_out(house)
    key = keyed(house, key_of) if key_of else ()
    with house.unplugged("shoe"), stranger(house.stage.port("shoe"), "shoe", "SIM-SHOE", *key):
        until_refused(house, "shoe", said)
        until(lambda: REFUSED in house.page("/metrics"))
    house.until_recovered()


@pytest.mark.parametrize(("kind", "serial"), [("sensors", "SIM-SHOE"), ("shoe", "SHOE-77")])
def test_who_is_not_configured_is_refused_and_named(house: ProcessTable, kind: str, serial: str) -> None:
    with stopped(house):
        pass  # a daemon logs such a refusal at most once a minute
    script.lay_out(house)
    with house.unplugged("shoe"), stranger(house.stage.port("shoe"), kind, serial, *keyed(house)):
        said = f"says it is {kind} {serial}, expected shoe SIM-SHOE: check cables"
        until_refused(house, "shoe", f"{said} (unproved)")
        until(lambda: said in house.log())
        house.until(lambda view: view.suspended == ("Missing: the shoe",))
        until(lambda: REFUSED in house.page("/metrics"))
    house.until_recovered()


def test_a_second_shoe_on_the_port_of_the_display_is_refused(house: ProcessTable) -> None:
    script.lay_out(house)
    with house.unplugged("display"), stranger(house.stage.port("display"), "shoe", "SIM-SHOE", *keyed(house)):
        said = "says it is shoe SIM-SHOE, expected display SIM-DISPLAY: check cables (unproved)"
        until_refused(house, "display", said)
        house.until(lambda view: device(view, "shoe").state == "running")
    house.until_recovered()


def test_a_port_that_is_not_there_is_waited_for(house: ProcessTable) -> None:
    number = script.lay_out(house).round
    script.play(house, steps=range(9))
    script.at(house, 9)
    house.stop_daemon()
    for kind in ("console", "display"):
        house.hands[kind].ask("hang-up", seconds=LONG)
    until(lambda: not any(house.stage.port(kind).is_symlink() for kind in ("console", "display")))
    house.start_daemon()
    view = house.until(lambda view: set(view.suspended) == {"Missing: the console", "Missing: the display"})
    assert device(view, "shoe").state in {"connecting", "identifying", "catching up", "running"}
    house.until(lambda view: f"port {house.stage.port('console')} can" in device(view, "console").detail)
    for kind in ("console", "display"):
        house.hands[kind].ask("hang-up", seconds=0)
    script.play(house, steps=range(9, len(script.ROUND)))
    assert script.lines(script.ended(house, number)) == script.LINES


def test_noise_is_counted_and_passed_over(house: ProcessTable) -> None:
    """No session ends because of it; a machine that pauses for seconds ends some, and the test tries
    again."""
    house.stop_daemon()
    with ExitStack() as cables:
        relays = [cables.enter_context(Relay(house.stage.port(kind))) for kind in KINDS]
        assert any(sessions_in_noise(house, relays) == {1} for _ in range(TRIES))
    house.start_daemon()
    house.until_recovered()


def sessions_in_noise(house: ProcessTable, relays: Sequence[Relay]) -> set[int]:
    """How many sessions each device had with a daemon that played a round meanwhile."""

    def pour(step: int) -> None:
        for relay in relays:
            relay.pour(noise(step, bytes(relay.seen)))

    house.start_daemon()
    number = script.lay_out(house).round
    script.play(house, pour)
    assert script.lines(script.ended(house, number)) == script.LINES
    view = house.until(lambda view: all(noise_of(view, kind) > len(script.ROUND) / 2 for kind in KINDS))
    house.stop_daemon()
    return {device(view, kind).counters["sessions"] for kind in KINDS}


def noise_of(view: TableView, kind: str) -> int:
    """How many pieces of noise the daemon has counted on the line of this device."""
    counters = device(view, kind).counters
    return sum(counters[check] for check in CHECKS)


def noise(seed: int, sent: bytes) -> bytes:
    """Random bytes, what a modem manager sends, a run without an end, a piece of what was really sent."""
    chance = Random(seed)
    start = chance.randrange(len(sent))
    return chance.choice(
        (
            chance.randbytes(chance.randrange(1, 300)),
            b"AT+GCAP\r\n" * 3,
            b"\xff" * 2000,
            b"\0" + sent[start : start + chance.randrange(5, 20)] + b"\0",
        )
    )
