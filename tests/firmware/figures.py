"""`python -m tests.firmware.figures`: what the firmware takes on the emulated Cortex-M3, as the tables of
firmware-protocol/c/README.md.

Flash and memory come from the linker, stack frames from the compiler. The rest is measured while a host on
the line opens sessions and takes cards: the board counts instructions, and paints its stack before each call
of the core.
"""

import asyncio
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from drivers import messages as m
from drivers.conformance.matchers import is_event
from drivers.conformance.operator import ControlSocketOperator, OperatorAction
from drivers.conformance.probe import Probe
from drivers.conformance.subject import DeviceUnderTest
from drivers.conformance.wire import PortWire
from drivers.key_files import key_text, store_key
from drivers.ports.opening import open_port
from drivers.protocol.codes import DeviceClass
from drivers.update.image import sign
from tests.drivers.conformance.rig import KEY, MAKER, SERIAL
from tests.firmware.bench import images
from tests.firmware.board import BOARD, EMULATOR
from tests.firmware.powered import asked, powered

INSTRUCTIONS: Final = 40
"""Of a nanosecond each, in a cycle of the board's 25 MHz clock."""
CLOCK: Final = 48_000_000
PER_INSTRUCTION: Final = 1.5
"""Cycles: a Cortex-M3 takes one to two on average, with flash that keeps it waiting now and then."""
SESSIONS: Final = 20
CARDS: Final = 40
IDLE_SECONDS: Final = 5
DRAW: Final = OperatorAction("Draw one card", {"do": "pull"})
PATIENCE: Final = 10.0
CODE: Final = (".text", ".rodata", ".vectors", ".ARM.exidx")
PLACE: Final = re.compile(
    r"^ (?P<section>\.\w+)\S*(?:\n +| +)0x[0-9a-f]+ +0x(?P<size>[0-9a-f]+) (?P<file>\S+)$", re.M
)
PARTS: Final = (
    ("/core/", "core"),
    ("/messages/", "tables of the messages"),
    ("nanopb.a", "nanopb"),
    ("crypto.a", "primitives: libsodium"),
    ("/x25519/", "X25519"),
    ("flash_file.o", "an image in memory, instead of mapped flash"),
    ("/sample/", "the sample: what the machine does, and its hand"),
    ("main-", "the sample: what the machine does, and its hand"),
    ("/board/", "board"),
    ("", "libc, libgcc"),
)


@dataclass(frozen=True)
class Cost:
    """Of some calls of the core."""

    instructions: float
    longest: float
    """Instructions of the longest call."""
    stack: int


def milliseconds(instructions: float) -> float:
    """On the part of the estimate."""
    return instructions * PER_INSTRUCTION / CLOCK * 1000


def sizes(image: str) -> Iterator[str]:
    """A row for each part of an image: flash, initialised and cleared memory."""
    whole = (images() / f"{image}.map").read_text().partition("Linker script and memory map")[2]
    found: Counter[tuple[str, str]] = Counter()
    for place in PLACE.finditer(whole):
        name = next(name for mark, name in PARTS if mark in place["file"])
        kind = "flash" if place["section"] in CODE else place["section"]
        found[name, kind] += int(place["size"], 16)
    for name in dict.fromkeys(name for _, name in PARTS):
        flash, data, bss = (found[name, kind] for kind in ("flash", ".data", ".bss"))
        yield f"| {name} | {flash + data:,} | {data + bss:,} |"


def memory() -> str:
    """The memory of a device, as the target itself says."""
    command = [EMULATOR, *BOARD, "-kernel", str(images() / "tsl-memory.bin"), "-serial", "none"]
    debugger = ["-semihosting-config", "enable=on,target=native"]
    run = subprocess.run([*command, *debugger], capture_output=True, text=True, check=True, timeout=PATIENCE)
    return run.stdout


def frames() -> Iterator[str]:
    """The largest stack frames that the compiler knows of, without those of the sample's hand."""
    symbols = subprocess.check_output(["arm-none-eabi-nm", images() / "shoe.elf"], text=True)
    linked = {line.split()[-1] for line in symbols.splitlines()}
    found = {}
    for path in images().rglob("*.su"):
        if {"core", "library", "messages", "sodium"} & set(path.relative_to(images()).parts):
            for line in path.read_text().splitlines():
                place, size, _ = line.split("\t")
                if (name := place.rpartition(":")[2]) in linked:
                    found[name] = int(size)
    for name, frame in Counter(found).most_common(8):
        yield f"| `{name}` | {frame:,} |"


async def measured() -> dict[str, Cost]:
    """What the host's wishes cost a shoe."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        store_key(KEY, folder / "shoe.key")
        (folder / "maker.pub").write_text(key_text(MAKER))
        words = ("--maker", str(folder / "maker.pub"), "--serial", SERIAL, "--speed", "max")
        with powered(folder, "shoe", *words, "--image", "shoe-figures", "--counted"):
            return await _costs(folder)


async def _costs(folder: Path) -> dict[str, Cost]:
    wire = PortWire(lambda: open_port(str(folder / "shoe.port")))
    hand = ControlSocketOperator(folder / "shoe.control")
    async with AsyncExitStack() as stack:
        stack.push_async_callback(hand.close)
        stack.push_async_callback(wire.close)
        await hand.open()
        await wire.open()
        probe = Probe(wire, DeviceUnderTest(DeviceClass.SHOE, SERIAL, KEY), hand)
        await probe.open()
        idle = await _cost(folder, lambda: probe.wait(IDLE_SECONDS), IDLE_SECONDS)
        handshake = await _cost(folder, lambda: _sessions(probe), SESSIONS)
        hello = await probe.armed()
        await probe.order(m.Permit(hello.cards + CARDS))
        card = await _cost(folder, lambda: _cards(probe), CARDS)
        await probe.order(m.Disarm())
        begin = sign(bytes(1000), DeviceClass.SHOE, hello.hardware, 7, KEY).begin
        signature = await _cost(folder, lambda: probe.order(begin), 1)
        return {
            "a second of an idle session: heartbeats": idle,
            "a handshake, with the first heartbeat": handshake,
            "a card: recorded, sealed, sent, acknowledged": card,
            "a signature of Ed25519 (the announcement of an update)": signature,
        }


async def _sessions(probe: Probe) -> None:
    for _ in range(SESSIONS):
        await probe.open()


async def _cards(probe: Probe) -> None:
    for _ in range(CARDS):
        assert await probe.perform(DRAW)
        await probe.expect_frame("an event about a card", is_event, PATIENCE)


async def _cost(folder: Path, act: Callable[[], Awaitable[object]], times: int) -> Cost:
    await asyncio.to_thread(asked, folder, "shoe", "figures")  # begins to count
    await act()
    found = await asyncio.to_thread(asked, folder, "shoe", "figures")
    each, longest = found["cycles"] * INSTRUCTIONS / times, found["longest"] * INSTRUCTIONS
    return Cost(each, longest, found["stack"])


def main() -> int:
    """Prints the tables."""
    say("| shoe | flash | RAM |", "|---|---|---|", *sizes("shoe"), "")
    say("| boot loader | flash | RAM |", "|---|---|---|", *sizes("boot"), "")
    say(memory())
    say("| function | stack frame |", "|---|---|", *frames(), "")
    costs = asyncio.run(measured())
    say("| what | instructions | at 48 MHz | longest call | deepest stack |", "|---|---|---|---|---|")
    for what, cost in costs.items():
        spent, longest = (f"{milliseconds(part):.1f} ms" for part in (cost.instructions, cost.longest))
        say(f"| {what} | {cost.instructions:,.0f} | {spent} | {longest} | {cost.stack:,} |")
    return 0


def say(*lines: str) -> None:
    """Prints lines."""
    sys.stdout.write("".join(f"{line}\n" for line in lines))


if __name__ == "__main__":
    raise SystemExit(main())
