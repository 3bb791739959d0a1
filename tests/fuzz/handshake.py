"""Both ends of a sealed link and a tape that delivers, drops, delays, changes, repeats, reflects and invents
frames: a handshake under every attack that the fuzzer finds.

Nobody gets a session without the key: when the host serves, the device has proved itself.
"""

from collections.abc import Callable
from functools import cache
from typing import Final

from drivers.link.frames import LONGEST_PAYLOAD, WireFrame, encode
from tests.fuzz.ends import Ends, Way, changed
from tests.fuzz.tape import Tape

MOST_STEPS = 200
WAYS: Final[tuple[Way, Way]] = ("down", "up")


def run(data: bytes) -> str:
    """A sentence about how the two ended."""
    ends, tape = Ends(), Tape(data)
    for _ in range(MOST_STEPS):
        if tape.over:
            break
        step = tape.byte()
        way = WAYS[step >> 7]
        _STEPS[(step & 127) % len(_STEPS)](ends, tape, way)
    ends.check()
    sentence = ends.said()
    _recovers(ends)
    return sentence


def _recovers(ends: Ends) -> None:
    """Left alone, on a good cable, they always find each other."""
    for _ in range(60):
        if ends.host.phase == "over":
            ends.host_again()
        if ends.host.phase == "running":
            break
        ends.settle(0.2)
    assert ends.host.phase == "running", f"no way back: {ends.said()}"
    ends.check()


def _deliver(ends: Ends, _tape: Tape, way: Way) -> None:
    if ends.waiting[way]:
        ends.give(way, ends.waiting[way].popleft())


def _deliver_all(ends: Ends, _tape: Tape, _way: Way) -> None:
    ends.settle(0.05)


def _drop(ends: Ends, _tape: Tape, way: Way) -> None:
    if ends.waiting[way]:
        ends.waiting[way].popleft()


def _wait(ends: Ends, tape: Tape, _way: Way) -> None:
    ends.wait(tape.byte() * 0.02)


def _change(ends: Ends, tape: Tape, way: Way) -> None:
    place, bits = tape.byte(), tape.byte()
    if ends.waiting[way]:
        ends.give(way, changed(ends.waiting[way].popleft(), place, bits))


def _replay(ends: Ends, tape: Tape, way: Way) -> None:
    _whence, past = ends.past[tape.byte() % len(ends.past)]
    ends.give(way, past)


def _invent(ends: Ends, tape: Tape, way: Way) -> None:
    channel, flags = divmod(tape.byte(), 16)
    payload = tape.text()[:LONGEST_PAYLOAD]
    ends.give(way, encode(WireFrame(flags, channel, 0, 0, 0, payload)))


def _handshake_message(ends: Ends, tape: Tape, way: Way) -> None:
    payload = bytes([(0x0A, 0x12, 0x1A, 0x22)[tape.byte() % 4]])
    inner = tape.text()[:127]
    ends.give(way, encode(WireFrame(0, 0, 0, 0, 0, payload + bytes([len(inner)]) + inner)))


def _raw(ends: Ends, tape: Tape, way: Way) -> None:
    ends.give(way, tape.text())


def _reboot(ends: Ends, _tape: Tape, _way: Way) -> None:
    ends.reboot()


def _host_again(ends: Ends, _tape: Tape, _way: Way) -> None:
    ends.host_again()


_STEPS: Final[tuple[Callable[[Ends, Tape, Way], None], ...]] = (
    _deliver,
    _drop,
    _wait,
    _change,
    _replay,
    _invent,
    _handshake_message,
    _raw,
    _reboot,
    _host_again,
    _deliver_all,
)


@cache
def _recorded() -> tuple[bytes, ...]:
    """The payloads of a whole conversation."""
    ends = Ends()
    ends.settle(0.5)
    return tuple(run for _way, run in ends.past)


SEEDS: Final = (
    bytes([0, 128, 0, 128, 0, 128, 10, 2, 20]),
    bytes([0, 131, 20, 1, 0, 3, 30, 4, 128, 2, 13, 0, 128]),
    bytes([0, 128, 4, 0, 132, 1, 0, 132, 0, 4, 2, 10, 8, 2, 60, 9, 10]),
    bytes([1, 2, 13, 0, 129, 2, 13, 0, 128, 1, 2, 13, 0, 129, 10]),
    b"".join(bytes([7, len(run)]) + run for run in _recorded()[:6]),
    bytes([10, 133, 16, 3]) + b"\x22\x00\x00" + bytes([6, 1, 10]) + bytes(10) + bytes([8, 9, 10]),
)
