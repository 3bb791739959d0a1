"""The C implementation of firmware-protocol/c, driven through its bench (bench/bench.h says how)."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import cache
from math import inf
from pathlib import Path
from typing import IO

from drivers.link import codec
from drivers.messages import COMMANDS, EVENTS, EventBody
from drivers.protocol import tsl_pb2 as tsl
from tests.fixtures.waiting import PATIENCE

from .bench import StepResult, steps_of
from .vectors import CONTRACT, Vector, built, shown

SOURCES = CONTRACT / "c"
BUILT = CONTRACT.parent / "build" / "firmware-protocol"
NO_DEADLINE = 2**64 - 1
NOTHING_STARTS = "0"
"""The version that the bench answers if the boot loader starts no slot."""
LARGEST_IMAGE = 1 << 24
NAMES = {record: name for name, record in COMMANDS.items()}


class BenchError(AssertionError):
    """The program ended because of a bug, which its last words describe."""


@cache
def programs() -> Path:
    """The folder with `tsl-bench` and `tsl-sample`, built when anything changed, by one process at a time."""
    made("programs")
    return BUILT


def made(*words: str, makefile: Path | None = None) -> None:
    """Runs make, one process at a time, with the rules of one more file."""
    BUILT.mkdir(parents=True, exist_ok=True)
    files = ["-f", "Makefile", "-f", str(makefile)] if makefile else []
    making = ["flock", str(BUILT), "make", "-s", "-j2", "-C", str(SOURCES), *files, *words]
    run = subprocess.run(making, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr


class Program:
    """A running bench."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def ask(self, verb: str, *words: object) -> list[str]:
        """The lines of the answer. Bytes among the words are written as the bench reads them."""
        stdin, stdout = pipes(self._process)
        try:
            stdin.write(" ".join([verb, *map(_word, words)]) + "\n")
            stdin.flush()
        except BrokenPipeError:
            raise BenchError(f"{verb}: the bench has ended") from None
        lines = []
        while (line := stdout.readline().rstrip("\n")) != ".":
            if not line:
                raise BenchError(f"{verb} {words}: the bench ended, {self._process.wait(PATIENCE)}")
            lines.append(line)
        return lines

    def value(self, verb: str, *words: object) -> str:
        """The single line of the answer without its first word."""
        (line,) = self.ask(verb, *words)
        return line.partition(" ")[2]

    def values(self, verb: str, *words: object) -> dict[str, str]:
        """All lines of the answer by their first words."""
        return {name: value for name, _, value in (line.partition(" ") for line in self.ask(verb, *words))}


@contextmanager
def running() -> Iterator[Program]:
    """A bench of its own."""
    with subprocess.Popen([programs() / "tsl-bench"], stdin=-1, stdout=-1, text=True, bufsize=1) as process:
        try:
            yield Program(process)
        finally:
            stdin, _ = pipes(process)
            stdin.close()
            process.wait(PATIENCE)


class FirmwareLink:
    """An end of the link in a session, as `test_links.OpenLink`."""

    def __init__(self, vector: Vector, program: Program) -> None:
        self._program = program
        keys = vector.get("keys", {})
        program.ask("link", keys.get("to_host", "-"), keys.get("to_device", "-"))

    def do(self, wish: Vector, now: float) -> None:
        for name, value in wish.items():
            getattr(self, f"_{name}")(value, now)

    def feed(self, data: bytes, now: float, happened: StepResult) -> None:
        _note(self._program.ask("link-feed", microseconds(now), data), happened)

    def tick(self, now: float, happened: StepResult) -> None:
        _note(self._program.ask("link-tick", microseconds(now)), happened)

    def take(self, now: float) -> bytes:
        return unhex(self._program.value("link-speak", microseconds(now)))

    def deadline(self, now: float) -> float:
        return seconds(self._program.value("link-deadline", microseconds(now)))

    def _send(self, wish: Vector, _now: float) -> None:
        payload = built(wish["message"]).SerializeToString()
        assert not self._program.ask("link-send", wish["channel"], int(wish["critical"]), payload)

    def _control(self, message: Vector, _now: float) -> None:
        self._program.ask("link-control", built(message).SerializeToString())

    def _repeat(self, frames: Vector, now: float) -> None:
        words = (frames["count"], frames["channel"], frames["payload"])
        taken = self._program.ask("link-repeat", microseconds(now), *words)
        assert len(taken) == frames["count"]

    def _acknowledged(self, vector: Vector, now: float) -> None:
        words = (vector["count"], vector["channel"], built(vector["message"]).SerializeToString())
        assert not self._program.ask("link-acknowledged", microseconds(now), *words)


class FirmwareDevice:
    """The whole device, as `test_devices.Device`."""

    def __init__(self, vector: Vector, program: Program) -> None:
        self.program = program
        self._reports: list[str] = []
        stated, memory = vector["device"], vector["memory"]
        names = (stated[name] for name in ("device_class", "id", "hardware", "firmware"))
        provisioned = vector["provisioning"]
        record = (vector.get("key", "-"), provisioned["boots"], provisioned["seed"])
        program.ask("device", *names, *record, memory["slots"], steps_of(vector))
        self._reboot({"reset": vector["reset"]}, 0.0)

    def do(self, wish: Vector, now: float) -> None:
        for name, value in wish.items():
            getattr(self, f"_{name}")(value, now)

    def feed(self, data: bytes, now: float, happened: StepResult) -> None:
        self._reports += self.program.ask("feed", microseconds(now), data)
        self._tell(happened)

    def tick(self, now: float, happened: StepResult) -> None:
        self._reports += self.program.ask("tick", microseconds(now))
        self._tell(happened)

    def take(self, now: float) -> bytes:
        return unhex(self.program.value("speak", microseconds(now)))

    def deadline(self, now: float) -> float:
        return seconds(self.program.value("deadline", microseconds(now)))

    def _reboot(self, facts: Vector, now: float) -> None:
        self._reports.clear()
        self.program.ask("boot", microseconds(now), facts["reset"])

    def _format(self, facts: Vector, now: float) -> None:
        self.program.ask("format")
        self._reboot(facts, now)

    def _record(self, event: Vector, now: float) -> None:
        for name, fields in event.items():
            self.program.ask("record", microseconds(now), event_body(EVENTS[name](**fields)))

    def _card(self, card: str, now: float) -> None:
        self.program.ask("card-begins")
        self.program.ask("card", microseconds(now), card)

    def _card_begins(self, _nothing: Vector, _now: float) -> None:
        self.program.ask("card-begins")

    def _power_goes_at_next_action(self, _nothing: Vector, _now: float) -> None:
        self.program.ask("power-goes-at-next-action")

    def _tell(self, happened: StepResult) -> None:
        happened.reports += map(read_report, self._reports)
        self._reports.clear()


class UpdatableFirmwareDevice(FirmwareDevice):
    """With two slots of firmware that outlive its reboots, as `test_update_scripts.UpdatableDevice`."""

    def __init__(self, vector: Vector, program: Program) -> None:
        self._known, self._blank, self._off = vector["update"], True, False
        super().__init__(vector, program)

    def tick(self, now: float, happened: StepResult) -> None:
        super().tick(now, happened)
        happened.restarts = "state restarts 1" in self.program.ask("state")

    def _reboot(self, facts: Vector, now: float) -> None:
        if self._blank:
            keys = self._known["public_key"], self._known["root_key"]
            self.program.ask("slots", *keys, self._known["version"], LARGEST_IMAGE)
            self._blank = False
        version = self.program.value("start-slots")
        self._off = version == NOTHING_STARTS
        if not self._off:
            self.program.ask("firmware", self._known["firmware"][version])
            super()._reboot(facts, now)

    def feed(self, data: bytes, now: float, happened: StepResult) -> None:
        if not self._off:
            super().feed(data, now, happened)

    def take(self, now: float) -> bytes:
        return b"" if self._off else super().take(now)

    def deadline(self, now: float) -> float:
        return inf if self._off else super().deadline(now)

    def _damage(self, slot: str, _now: float) -> None:
        self.program.ask("damage", slot)


def read_report(line: str) -> Vector:
    """One line about the body of a device, in the form of the vectors."""
    word, _, rest = line.partition(" ")
    if word != "command":
        return {word: {}}
    body = codec.command_body(tsl.Command.FromString(unhex(rest.split()[1])))
    assert not isinstance(body, codec.Unreadable)
    fields = {
        name: value.hex() if isinstance(value, bytes) else value for name, value in asdict(body).items()
    }
    return {"command": {NAMES[type(body)]: fields}}


def event_body(body: EventBody) -> bytes:
    """An event of which only the body counts."""
    return codec.event_message(0, 0, b"", body).event.SerializeToString()


def microseconds(now: float) -> int:
    return round(now * 1_000_000)


def seconds(deadline: str) -> float:
    number = int(deadline)
    return inf if number == NO_DEADLINE else number / 1_000_000


def unhex(word: str) -> bytes:
    return b"" if word == "-" else bytes.fromhex(word)


def _word(word: object) -> str:
    return (word.hex() if isinstance(word, bytes) else str(word)) or "-"


def _note(lines: list[str], happened: StepResult) -> None:
    for line in lines:
        word, _, rest = line.partition(" ")
        if word == "ended":
            happened.ended.append(rest)
        else:
            name, message = _message(unhex(rest))
            happened.taken.append({name: message})


def _message(payload: bytes) -> tuple[str, Vector]:
    read = codec.parse(payload)
    assert not isinstance(read, codec.Unreadable)
    return read[0], shown(read[1])


def pipes(process: subprocess.Popen[str]) -> tuple[IO[str], IO[str]]:
    """Pipes to and from a process."""
    assert process.stdin is not None
    assert process.stdout is not None
    return process.stdin, process.stdout
