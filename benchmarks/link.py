"""What a sealed link costs: a card through the codec, a round trip on a pty, a line full of events."""

import asyncio
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
import tty
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import cast

from benchmarks.far_end import KEY, SERIAL, Sustained
from benchmarks.yardstick import echo, echoing
from drivers.key_files import store_key
from drivers.link.codec import event_body, event_message, parse
from drivers.link.facts import Bookmark, Expected
from drivers.link.frames import Deframer, WireFrame, encode
from drivers.link.host import HostLink
from drivers.link.key_schedule import SessionKeys
from drivers.link.reports import CommandRefused, DeviceEvent, DeviceRunning, LinkEvent
from drivers.link.seal import Sealing
from drivers.link.shell import Shell
from drivers.messages import CardDrawn, Permit
from drivers.ports.opening import open_port
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import Channel, DeviceClass, Flag, Side

FRAMES = 5_000
TRIPS = 2_000
SECONDS = 6.0
WARM = 200
"""Round trips that are not counted."""
CARD = CardDrawn(17, "Ts")
TOO_MANY = 1000
FIRMWARE = Path(__file__).parent.parent / "firmware-protocol" / "c"
SAMPLE = FIRMWARE.parent.parent / "build" / "firmware-protocol" / "fast" / "tsl-sample"


@dataclass(frozen=True, slots=True)
class LinkCosts:
    """Times in seconds. `host_cpu` is the share of one processor while the line was full."""

    card: float
    trip: float
    echo: float
    line: Sustained
    host_cpu: float


def measure() -> LinkCosts:
    """Measures everything. Returns medians."""
    trips, echoes = asyncio.run(round_trips(TRIPS))
    line, host_cpu = asyncio.run(sustain(SECONDS))
    return LinkCosts(median(cards(FRAMES)), median(trips), median(echoes), line, host_cpu)


def cards(number: int) -> list[float]:
    """Returns the seconds of each card event, from record to sealed bytes and back to an equal record."""
    keys = SessionKeys(KEY, bytes(32))
    shoe, host, deframer = Sealing(keys, Side.DEVICE), Sealing(keys, Side.HOST), Deframer()
    times = []
    for count in range(number):
        started = time.perf_counter()
        body = _received(host, deframer, _sent(shoe, count))
        times.append(time.perf_counter() - started)
        assert body == CARD
    return times


async def round_trips(number: int) -> tuple[list[float], list[float]]:
    """Returns the seconds of commands with their results, each followed by one raw echo of 16 bytes.

    The commands are permits for too many cards. The device keeps nothing of them, so only the link is
    measured.
    """
    times, echoes = list[float](), list[float]()
    done = asyncio.get_running_loop().create_future()
    with echoing() as yardstick, shoe_in_c() as port:

        def handle(event: LinkEvent) -> None:
            if isinstance(event, DeviceEvent):
                link.commit(event.number)
            if isinstance(event, CommandRefused):
                times.append(time.perf_counter() - started[-1])
                echoes.append(echo(yardstick))
            if len(times) == number + WARM:
                done.set_result(None)
            elif isinstance(event, CommandRefused | DeviceRunning):
                started.append(time.perf_counter())
                link.want(Permit(TOO_MANY + len(started)))

        started: list[float] = []
        link = host(DeviceClass.SHOE)
        await _until(done, port, link, handle)
    return times[WARM:], echoes[WARM:]


@contextlib.contextmanager
def shoe_in_c() -> Iterator[str]:
    """Runs the sample device in C at the far end of a pty. Yields the name of the near end."""
    subprocess.run(["make", "-s", "-C", str(FIRMWARE), "fast"], check=True)
    with tempfile.TemporaryDirectory(prefix="tableside-") as name:
        folder = Path(name)
        store_key(KEY, folder / "key")
        words = {"class": "shoe", "serial": SERIAL, "speed": "max", "key": folder / "key"}
        words |= {part: folder / part for part in ("link", "control", "memory")}
        command = [str(SAMPLE), *(word for pair in words.items() for word in (f"--{pair[0]}", str(pair[1])))]
        with subprocess.Popen(command) as process:
            try:
                while not (folder / "control").exists():
                    time.sleep(0.01)
                yield str(folder / "link")
            finally:
                process.terminate()


async def sustain(seconds: float) -> tuple[Sustained, float]:
    """Runs a device that sends RATE events a second over a lossy line. Returns also the host's share of a
    processor."""
    loop = asyncio.get_running_loop()
    with far_end(seconds) as (port, process):

        def handle(event: LinkEvent) -> None:
            if isinstance(event, DeviceEvent):
                link.commit(event.number)  # in the same turn: of a disk's time nothing is measured here
            if isinstance(event, DeviceRunning):
                began.extend((time.monotonic(), time.process_time()))

        began: list[float] = []
        link = host(DeviceClass.SENSORS)
        assert process.stdout
        line_read = loop.run_in_executor(None, process.stdout.readline)
        await _until(line_read, port, link, handle)
        share = (time.process_time() - began[1]) / (time.monotonic() - began[0])
    return Sustained(**json.loads(await line_read)), share


def host(device_class: DeviceClass) -> HostLink:
    """The host's end for a device of this class."""
    expected = Expected(device_class, SERIAL)
    return HostLink(expected, Bookmark(), os.urandom, time.monotonic(), lambda: True, key=KEY)


@contextlib.contextmanager
def far_end(seconds: float) -> Iterator[tuple[str, "subprocess.Popen[bytes]"]]:
    """Runs a process at the far end of a raw pty. Yields the name of the near end."""
    theirs, ours = os.openpty()
    tty.setraw(ours)
    command = [sys.executable, "-m", "benchmarks.far_end", str(seconds)]
    with subprocess.Popen(command, stdin=theirs, stdout=subprocess.PIPE) as process:
        os.close(theirs)
        try:
            yield os.ttyname(ours), process
        finally:
            os.close(ours)
            process.terminate()


async def _until(
    done: Awaitable[object], port: str, link: HostLink, handle: Callable[[LinkEvent], None]
) -> None:
    transport = await open_port(port)
    running = asyncio.ensure_future(Shell(transport, link, handle, time.monotonic).run())
    try:
        await asyncio.wait([asyncio.ensure_future(done), running], return_when=asyncio.FIRST_COMPLETED)
        if running.done():
            running.result()
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        await transport.close()


def _sent(shoe: Sealing, count: int) -> bytes:
    payload = event_message(count, 1_500_000, bytes(8), CARD).SerializeToString()
    return encode(shoe.seal(WireFrame(int(Flag.CRITICAL), Channel.EVENTS, count % 65_536, 5, 8, payload)))


def _received(host: Sealing, deframer: Deframer, line: bytes) -> object:
    [frame] = deframer.feed(line)
    assert isinstance(frame, WireFrame)
    opened = host.open(frame)
    assert isinstance(opened, WireFrame)
    read = parse(opened.payload)
    assert isinstance(read, tuple)
    return event_body(cast("tsl.Event", read[1]))
