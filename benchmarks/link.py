"""What a sealed link costs: a card's way through the codec, a round trip on a pty, a line full of events."""

import asyncio
import contextlib
import json
import os
import subprocess
import sys
import time
import tty
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from statistics import median
from typing import cast

from benchmarks.baseline import echo, echoing
from benchmarks.far_end import CLASSES, KEY, SERIAL, Sustained
from drivers.link.codec import event_body, event_message, parse
from drivers.link.facts import ActionEnded, Bookmark, EventArrived, Expected, HostEvent, Running
from drivers.link.frames import Deframer, WireFrame, encode
from drivers.link.host import HostLink
from drivers.link.proof import session_keys
from drivers.link.seal import Sealing
from drivers.link.shell import Shell
from drivers.messages import CardDrawn, Eject
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import Channel, Flag, Side
from drivers.transport import open_port

FRAMES, TRIPS, SECONDS = 5_000, 2_000, 6.0
WARM = 200
"""Round trips that are not counted."""
CARD = CardDrawn(17, "Ts")


@dataclass(frozen=True, slots=True)
class Costs:
    """Seconds; `host_cpu`: share of one processor while the line was full."""

    card: float
    trip: float
    echo: float
    line: Sustained
    host_cpu: float


def measure() -> Costs:
    """All of it, medians."""
    trips, echoes = asyncio.run(round_trips(TRIPS))
    line, host_cpu = asyncio.run(sustain(SECONDS))
    return Costs(median(cards(FRAMES)), median(trips), median(echoes), line, host_cpu)


def cards(number: int) -> list[float]:
    """Seconds for each of so many card events, from record to sealed bytes and back to an equal record."""
    keys = session_keys(KEY, bytes(32))
    shoe, host, deframer = Sealing(keys, Side.DEVICE), Sealing(keys, Side.HOST), Deframer()
    times = []
    for count in range(number):
        started = time.perf_counter()
        body = _received(host, deframer, _sent(shoe, count))
        times.append(time.perf_counter() - started)
        assert body == CARD
    return times


async def round_trips(number: int) -> tuple[list[float], list[float]]:
    """Seconds of actions and their results, each followed by one raw echo of 16 bytes."""
    times, echoes = list[float](), list[float]()
    done = asyncio.get_running_loop().create_future()
    with echoing() as yardstick, far_end("answer") as (port, _):

        def heed(event: HostEvent) -> None:
            if isinstance(event, EventArrived):
                link.commit(event.number)
            if isinstance(event, ActionEnded):
                times.append(time.perf_counter() - started[-1])
                echoes.append(echo(yardstick))
            if len(times) == number + WARM:
                done.set_result(None)
            elif isinstance(event, ActionEnded | Running):
                started.append(time.perf_counter())
                link.act(len(started) + len(CLASSES), Eject())

        started: list[float] = []
        link = host("answer")
        await _until(done, port, link, heed)
    return times[WARM:], echoes[WARM:]


async def sustain(seconds: float) -> tuple[Sustained, float]:
    """A device that tells RATE events a second over a lossy line, and the host's share of a processor."""
    loop = asyncio.get_running_loop()
    with far_end("tell", str(seconds)) as (port, process):

        def heed(event: HostEvent) -> None:
            if isinstance(event, EventArrived):
                link.commit(event.number)  # in the same turn: of a disk's time nothing is measured here
            if isinstance(event, Running):
                began.extend((time.monotonic(), time.process_time()))

        began: list[float] = []
        link = host("tell")
        assert process.stdout
        said = loop.run_in_executor(None, process.stdout.readline)
        await _until(said, port, link, heed)
        share = (time.process_time() - began[1]) / (time.monotonic() - began[0])
    return Sustained(**json.loads(await said)), share


def host(job: str) -> HostLink:
    """Who speaks with a far end that does this job."""
    expected = Expected(CLASSES[job], SERIAL)
    return HostLink(expected, Bookmark(), os.urandom, time.monotonic(), lambda: True, key=KEY)


@contextlib.contextmanager
def far_end(*job: str) -> Iterator[tuple[str, "subprocess.Popen[bytes]"]]:
    """A process at the far end of a raw pty, and the name of the near end."""
    theirs, ours = os.openpty()
    tty.setraw(ours)
    command = [sys.executable, "-m", "benchmarks.far_end", *job]
    with subprocess.Popen(command, stdin=theirs, stdout=subprocess.PIPE) as process:
        os.close(theirs)
        try:
            yield os.ttyname(ours), process
        finally:
            os.close(ours)
            process.terminate()


async def _until(
    done: Awaitable[object], port: str, link: HostLink, heed: Callable[[HostEvent], None]
) -> None:
    transport = await open_port(port)
    running = asyncio.ensure_future(Shell(transport, link, heed, time.monotonic).run())
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
