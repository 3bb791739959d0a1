"""The books: what the cable did to frames and what both ends counted must agree exactly."""

from collections import Counter
from collections.abc import Mapping
from operator import attrgetter

from drivers.link.counters import Counters
from drivers.link.endpoint import Endpoint
from drivers.link.frames import LONGEST_RUN, WireFrame, decode
from drivers.link.host import HostLink
from drivers.link.routes import is_handshake
from drivers.link.window import QUEUE
from drivers.sim.link.memory import RESULTS
from tests.drivers.link.hostile.attacker import KINDS
from tests.drivers.link.hostile.hardware import Hardware
from tests.drivers.link.hostile.line import FATES, Came, HostileLine, Unit

NOISE = ("cobs", "length", "crc", "version", "too_long")
CHECKS = (
    *NOISE,
    "seal",
    "tag",
    "replays",
    "acknowledgement",
    "channel",
    "sequence",
    "credit",
    "direction",
    "message",
    "unknown",
    "handshake",
    "duplicates",
    "out_of_order",
    "stray",
)
NEVER = (
    "acknowledgement",
    "channel",
    "sequence",
    "credit",
    "direction",
    "message",
    "unknown",
    "commit",
    "unasked",
)
"""Checks that no frame fails that passed the ones before: both ends keep to the protocol."""
ENDS = ("frames_in", "frames_out", "bytes_in", "bytes_out", "retransmissions", "naks_out", "repeats")
_CHECKS = attrgetter(*CHECKS)
REFUSED = ("reflected", "forged", "lie")
"""Kinds of the attacker's frames that fail exactly one check, whenever they come."""
MOST_REMEMBERED = 5_000
Mark = tuple[Counters, int]
"""An end's counters, and how many frames had failed a check."""


class Audit:
    """`way` names a direction and the end that it leads to: down the device, up the host."""

    def __init__(self, lines: Mapping[str, HostileLine], counters: dict[str, Counters]) -> None:
        self._lines, self._counters = lines, counters
        self._past: dict[str, Counter[str]] = {"down": Counter(), "up": Counter()}
        self._died: dict[str, Counter[str]] = {"down": Counter(), "up": Counter()}
        self._arrived: dict[str, dict[bytes, None]] = {"down": {}, "up": {}}
        self.judged: Counter[str] = Counter()
        """Frames that failed the one check that they had to, by kind."""

    def mark(self, way: str) -> Mark:
        """Before a piece is fed."""
        return self._counters[way], sum(_CHECKS(self._counters[way]))

    def judge(self, way: str, came: Came, before: Mark) -> None:
        """After it was fed: each run of noise failed one check; a frame at most one, a bad one exactly
        one."""
        counters, failed = before
        failed = sum(_CHECKS(counters)) - failed - came.noise
        assert 0 <= failed <= came.frame, f"{came.unit.kind}: {failed} checks failed"
        if came.frame and self._must_fail(way, came.unit):
            assert failed, f"{came.unit.kind}: a frame was taken that must not be"
            self.judged[came.unit.kind] += 1

    def ended(self, way: str, endpoint: Endpoint) -> None:
        """An end's life is over; what it had not written died with it."""
        self._past[way] += _totals(endpoint.counters)
        rest = endpoint._out.take()
        frames = [decode(run) for run in rest.split(b"\0") if run]
        flags = [frame.flags for frame in frames if isinstance(frame, WireFrame)]
        self._died[way] += Counter(
            own=len(frames),
            bytes=len(rest),
            retransmitted=sum(flag >> 1 & 1 for flag in flags),
            naks=sum(flag >> 3 & 1 for flag in flags),
        )

    def begun(self, way: str, counters: Counters) -> None:
        self._counters[way] = counters

    def bounds(self, host: HostLink, device: Hardware) -> None:
        """Nothing has grown beyond its limit."""
        for endpoint in (host._endpoint, device.link._endpoint):
            session = endpoint._session
            assert session is None or 0 <= session.sender.room <= QUEUE
            assert len(endpoint._deframer._run) <= LONGEST_RUN
            assert len(endpoint.counters.resets) <= 12
        memory, orders = device.memory, device.link._commands
        assert len(memory._ring) <= memory.capacity
        assert len(memory._results) <= RESULTS
        assert len(orders._waiting) <= 8
        assert not host._events
        assert len(host._actions) <= 8
        assert len(host._desired._wanted) + len(host._desired._momentary) <= 24
        assert host._session is None or len(host._session._pending._open) <= 2 * QUEUE

    def check(self) -> None:
        """All sums, exactly."""
        for way, other in (("down", "up"), ("up", "down")):
            line, out = self._lines[way], self._lines[way].counts
            reader, writer, died = self.total(way), self.total(other), self._died[other]
            put = out["own"] + out["duplicate"] + sum(out[kind] for kind in KINDS)
            assert put == sum(out[fate] for fate in FATES) + line.under_way
            assert reader["frames_in"] == out["frames"]
            assert reader["bytes_in"] == out["out"]
            assert sum(reader[reason] for reason in NOISE) == out["noise"]
            assert reader["version"] == out["version, intact"]
            assert reader["too_long"] == out["endless, intact"]
            assert reader["seal"] == out["lie, intact"]
            assert not any(reader[check] for check in NEVER), {check: reader[check] for check in NEVER}
            for counted, kept in _WRITTEN.items():
                assert writer[counted] == out[kept] + died[kept], counted

    def total(self, way: str) -> Counter[str]:
        """The counts of all lives of an end."""
        return self._past[way] + _totals(self._counters[way])

    def _must_fail(self, way: str, unit: Unit) -> bool:
        """Known to be bad, or sealed and already seen."""
        arrived = self._arrived[way]
        known = unit.run in arrived
        arrived[unit.run] = None
        if len(arrived) > MOST_REMEMBERED:
            del arrived[next(iter(arrived))]
        frame = decode(unit.run)
        return isinstance(frame, WireFrame) and not is_handshake(frame) and (known or unit.kind in REFUSED)


_WRITTEN = {"frames_out": "own", "bytes_out": "bytes", "retransmissions": "retransmitted", "naks_out": "naks"}
"""What a writer counts, and what the cable saw of it."""


def _totals(counters: Counters) -> Counter[str]:
    return Counter({name: getattr(counters, name) for name in (*CHECKS, *NEVER, *ENDS)})
