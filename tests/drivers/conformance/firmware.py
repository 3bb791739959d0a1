"""The sample shoe in C, sound or broken: in virtual time through virtual.c, and as a process on a pty."""

import json
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from math import inf
from pathlib import Path

from drivers.conformance.check import Check
from drivers.conformance.checks import checks_of
from drivers.conformance.operator import ControlSocketOperator, Notice
from drivers.conformance.probe import Probe
from drivers.conformance.runner import CheckReport, run
from drivers.conformance.subject import DeviceUnderTest
from drivers.conformance.wire import PortWire
from drivers.ports.opening import open_port
from drivers.protocol.codes import DeviceClass
from drivers.sim.requests import RequestError
from tests.conformance.firmware import BUILT, SOURCES, made, microseconds, pipes, programs, seconds, unhex
from tests.drivers.conformance.breakages import Breakage
from tests.drivers.conformance.rig import KEY, SERIAL
from tests.fixtures.waiting import until

PROGRAM = "tsl-sample"
SUBJECT = DeviceUnderTest(DeviceClass.SHOE, SERIAL, KEY)
RULES = Path(__file__).with_name("virtual.mk")


@dataclass(frozen=True)
class Port:
    """A process with a pty and a control socket."""

    link: Path
    control: Path


class Virtual:
    """A running virtual.c, with the interface of a unit of drivers/sim to a wire and a hand."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self._heard = self._said = b""
        self._deadline = inf
        self._now = 0.0

    def receive(self, data: bytes, _now: float) -> None:
        self._heard += data

    def tick(self, now: float) -> None:
        self._turn(now)

    def transmit(self, _now: float) -> bytes:
        said, self._said = self._said, b""
        return said

    def deadline(self, _now: float) -> float:
        return self._deadline

    def ask(self, request: object, now: float) -> Notice:
        (answer,) = [line for line in self._turn(now, json.dumps(request)) if "notice" not in line]
        if "error" in answer:
            raise RequestError(answer["error"])
        return answer

    def look(self) -> list[Notice]:
        return self._turn(self._now, "look")

    def _turn(self, now: float, request: str = "") -> list[Notice]:
        """The notices of the control socket."""
        stdin, stdout = pipes(self._process)
        stdin.write(f"{microseconds(now)} {self._heard.hex() or '-'} {request}\n")
        stdin.flush()
        self._heard, self._now = b"", now
        lines = []
        while not (line := stdout.readline()).startswith("."):
            assert line, f"it ended, {self._process.wait()}"
            lines.append(json.loads(line))
        _, said, deadline = line.split()
        self._said += unhex(said)
        self._deadline = seconds(deadline)
        return lines


@contextmanager
def virtual(program: Path, folder: Path) -> Iterator[Virtual]:
    """A factory-fresh shoe, its memory in `folder`."""
    command = [str(program), *_words(folder)]
    with subprocess.Popen(command, stdin=-1, stdout=-1, text=True) as process:
        yield Virtual(process)
        process.kill()


@cache
def sound() -> Path:
    """The unchanged program of virtual.c."""
    made("virtual", makefile=RULES)
    return BUILT / "tsl-virtual"


def broken(breakage: Breakage, folder: Path) -> Path:
    """The same with one file of its core changed."""
    sound()
    places = [source for source in (SOURCES / "core").glob("*.c") if breakage.old in source.read_text()]
    assert len(places) == 1, f"{breakage.name}: {breakage.old!r} is in {[place.name for place in places]}"
    text = places[0].read_text()
    assert text.count(breakage.old) == 1, f"{breakage.name}: {breakage.old!r} more than once"
    changed = folder / places[0].name
    changed.write_text(text.replace(breakage.old, breakage.new))
    made("broken", f"BREAK={changed}", makefile=RULES)
    return changed.with_suffix("")


def chosen(*words: str) -> list[Check]:
    """A shoe's checks of these names or groups."""
    known = checks_of(DeviceClass.SHOE)
    return [check for check in known if {check.name, check.name.split(".")[0]} & set(words)]


@contextmanager
def on_a_pty(folder: Path) -> Iterator[Port]:
    """The sample as it is delivered, in real time."""
    port = Port(folder / "port", folder / "control")
    words = ["--link", str(port.link), "--control", str(port.control)]
    with subprocess.Popen([programs() / PROGRAM, *_words(folder), *words]) as process:
        try:
            until(lambda: port.link.exists() and port.control.exists())
            yield port
        finally:
            process.terminate()


async def examined_at(port: Port, checks: Sequence[Check]) -> CheckReport:
    """Examined by the probe and the hand of `tableside device conformance`."""
    wire, hand = PortWire(lambda: open_port(str(port.link))), ControlSocketOperator(port.control)
    async with AsyncExitStack() as stack:
        stack.push_async_callback(hand.close)
        stack.push_async_callback(wire.close)
        await hand.open()
        await wire.open()
        return await run(Probe(wire, SUBJECT, hand), checks, frozenset(), lambda _: None)


def _words(folder: Path) -> list[str]:
    """The arguments of any sample; of a word that occurs twice the last one counts."""
    key = folder / "key"
    key.touch(0o600)
    key.write_text(KEY.hex() + "\n")
    files = ["--memory", folder / "memory", "--key", key, "--link", "-", "--control", "-"]
    return ["--class", "shoe", "--serial", SERIAL, *map(str, files)]
