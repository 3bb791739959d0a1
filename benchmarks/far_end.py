"""Sealed sensors in their own process, at the far end of a pty: `python -m benchmarks.far_end SECONDS`.

They send RATE events a second over a cable that loses LOSS of all frames each way, then print what became
of them as JSON. Standard input is the pty. They end when nobody has it open any more.
"""

import json
import os
import select
import sys
import time
from collections import deque
from dataclasses import asdict, dataclass
from itertools import pairwise
from statistics import median, quantiles

from drivers.messages import CommandBody, Wager
from drivers.protocol.codes import DeviceClass, Reset, Status
from drivers.sim.cable import Cable, Faults
from drivers.sim.link.device import BodyVitals, DeviceIdentity, DeviceLink
from drivers.sim.link.memory import Memory
from drivers.sim.link.randomness import DeviceRandom, Provisioning

KEY = bytes(range(32))
SERIAL = "BENCH-1"
LOSS = 0.01
RATE = 1000
GIVES_UP = 30.0
"""Seconds after which they stop waiting for the last commit."""


@dataclass(frozen=True, slots=True)
class Sustained:
    """Events over a line with losses. Times are in seconds, loads are shares of one processor. Latency is
    from stored to committed."""

    events: int
    seconds: float
    slowest_second: int
    latency_p50: float
    latency_p99: float
    sent_again: int
    lost_frames: int
    device_cpu: float


class FarEnd:
    """The sensors and their cable."""

    def __init__(self, port: int) -> None:
        self.memory = Memory()
        self.armed = False
        self.down, self.up = (Cable(way, Faults(drop=LOSS)) for way in ("down", "up"))
        self._port = port
        self.link = DeviceLink(
            DeviceIdentity(DeviceClass.SENSORS, SERIAL),
            self.memory,
            self,
            random=DeviceRandom(Provisioning(KEY, os.urandom(32)), os.urandom),
            reset=Reset.POWER,
            now=time.monotonic(),
        )

    def run_once(self, longest: float) -> None:
        """Waits for bytes, takes them and writes what is due. Raises OSError when the pty is gone."""
        now = time.monotonic()
        wait = max(0.0, min(longest, self.link.deadline(now) - now))
        if select.select([self._port], (), (), wait)[0]:
            self.down.put(os.read(self._port, 65_536), time.monotonic())
            self.link.feed(self.down.take(now := time.monotonic()), now)
        self.link.tick(time.monotonic())
        self.write_due()

    def write_due(self) -> None:
        now = time.monotonic()
        self.up.put(self.link.take(now), now)
        if data := self.up.take(now):
            os.write(self._port, data)

    def command(self, _record: CommandBody, _now: float) -> tuple[Status, str]:
        return Status.DONE, ""

    def arm(self, _now: float) -> None:
        self.armed = True

    def safe(self, _now: float) -> None:
        """Does nothing: there is nothing to show."""

    def vitals(self) -> BodyVitals:
        return BodyVitals()


def report_events(end: FarEnd, seconds: float) -> Sustained:
    """Sends RATE events a second once armed. Ends when all are committed."""
    while not end.armed:
        end.run_once(1.0)
    first, total = end.memory.newest, int(RATE * seconds)
    began, worked = time.monotonic(), time.process_time()
    stored: deque[float] = deque()
    committed: list[tuple[float, float]] = []
    while len(committed) < total and time.monotonic() < began + seconds + GIVES_UP:
        now = time.monotonic()
        for _ in range(min(int((now - began) * RATE), total) - len(stored) - len(committed)):
            end.link.record(Wager(1, 0, True, 500), now)
            stored.append(now)
        end.run_once(1 / RATE)
        now = time.monotonic()
        while len(committed) < end.memory.committed - first:
            committed.append((now, now - stored.popleft()))
    return _sustained(end, committed, time.monotonic() - began, time.process_time() - worked)


def _sustained(end: FarEnd, committed: list[tuple[float, float]], took: float, worked: float) -> Sustained:
    latencies = [latency for _, latency in committed]
    ends = [committed[0][0] + second for second in range(int(took) + 1)]
    seconds = [sum(first <= at < last for at, _ in committed) for first, last in pairwise(ends)]
    return Sustained(
        events=len(committed),
        seconds=took,
        slowest_second=min(seconds, default=len(committed)),
        latency_p50=median(latencies),
        latency_p99=quantiles(latencies, n=100)[98],
        sent_again=end.link.counters.retransmissions,
        lost_frames=end.up.counts["dropped"] + end.down.counts["dropped"],
        device_cpu=worked / took,
    )


def main() -> None:
    """Sends events for the time on the command line, then serves the link until the host goes."""
    try:
        end = FarEnd(sys.stdin.fileno())
        print(json.dumps(asdict(report_events(end, float(sys.argv[1])))), flush=True)
        while True:
            end.run_once(1.0)
    except OSError:
        return  # nobody has the other end open any more


if __name__ == "__main__":
    main()
