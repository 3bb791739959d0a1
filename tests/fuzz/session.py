"""One end of a sealed session with a peer who knows the key and sends any message with any header in any
order. The first byte says who is the peer.

One word: flags and channel, sequence and acknowledgement beside the right ones, credit, payload.
"""

from typing import Final, cast

from drivers.link.codec import command_message, event_message
from drivers.link.frames import LONGEST_PAYLOAD, SEQUENCES, WireFrame, encode
from drivers.link.seal import OVERHEAD, Sealing
from drivers.link.session import WINDOWED, LinkSession
from drivers.messages import Arm, CardDrawn, Permit, Recall, Resume, Start
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.common_pb2 import Bye, EventCommit, EventsLost, Heartbeat, Result
from drivers.sim.link.memory import RESULTS
from tests.fuzz.ends import Ends, Way
from tests.fuzz.tape import Tape

MOST_WORDS = 100
WAIT = 0x0F
"""The channel that stands for time passing instead."""


class Possessed:
    """The peer of one end: takes over its place in the session once the session runs."""

    def __init__(self, ends: Ends, way: Way) -> None:
        self.ends, self.way = ends, way
        taken = ends.host._endpoint if way == "down" else ends.rig.link._endpoint
        self._session = cast("LinkSession", taken._session)
        self._sealing = cast("Sealing", self._session._sealing)
        self._sequence = self._session.sender._next

    def say(self, tape: Tape) -> None:
        """Sends one word, or lets time pass."""
        first, shifts = tape.byte(), tape.byte()
        if first & 15 == WAIT:
            self.ends.wait(shifts * 0.02)
            return
        payload = tape.text()[: LONGEST_PAYLOAD - OVERHEAD]
        windowed = first & 15 in WINDOWED
        sequence = (self._sequence if windowed else 0) + (shifts & 15)
        expected = self._session.receiver.expected + (shifts >> 4)
        self._sequence = (self._sequence + (windowed and not shifts & 15)) % SEQUENCES
        frame = WireFrame(
            first >> 4 & ~1, first & 15, sequence % SEQUENCES, expected % SEQUENCES, tape.byte(), payload
        )
        self.ends.give(self.way, encode(self._sealing.seal(frame)))


def run(data: bytes) -> str:
    """A sentence about how the end came out of it."""
    tape = Tape(data)
    ends = Ends()
    ends.settle(0.2)
    assert ends.host.phase == "running"
    peer = Possessed(ends, "up" if tape.byte() & 1 else "down")
    for _ in range(MOST_WORDS):
        if tape.over:
            break
        peer.say(tape)
        for way in ("down", "up"):
            ends.waiting[way].clear()
        _bounds(ends)
    ends.check()
    return f"{'host' if peer.way == 'up' else 'device'} under test: {ends.said()}"


def _bounds(ends: Ends) -> None:
    memory, link = ends.rig.memory, ends.rig.link
    assert len(memory._results) <= RESULTS
    assert len(memory._ring) <= memory.capacity
    assert len(link._commands._waiting) <= 8
    assert link.permitted <= 64


def _word(channel: int, message: tsl.Frame, shifts: int = 0) -> bytes:
    payload = message.SerializeToString()
    return bytes([channel, shifts, len(payload)]) + payload + b"\x08"


_TO_DEVICE: Final = (
    _word(0, tsl.Frame(heartbeat=Heartbeat(now_us=5, committed=1))),
    _word(2, command_message(900, Resume(1))),
    _word(2, command_message(901, Recall(40))),
    _word(2, command_message(902, Arm(1))),
    _word(2, command_message(903, Permit(2))),
    _word(2, command_message(904, Start(2))),
    _word(0, tsl.Frame(event_commit=EventCommit(number=1))),
)
_TO_HOST: Final = (
    _word(0, tsl.Frame(heartbeat=Heartbeat(now_us=5, newest=2, cards=1))),
    _word(1, event_message(2, 5, bytes(8), CardDrawn(1, "Ts"))),
    _word(1, tsl.Frame(events_lost=EventsLost(first=3, last=4))),
    _word(2, tsl.Frame(result=Result(key=77, status=1))),
    _word(0, tsl.Frame(bye=Bye(reason=1, text="stops"))),
)
SEEDS: Final = (
    b"\0" + b"".join(_TO_DEVICE),
    b"\1" + b"".join(_TO_HOST),
    b"\0" + b"\x40" + _TO_DEVICE[0][1:] + b"\x0f\x32" + _word(2, command_message(905, Permit(900)), 1),
    b"\1" + _word(1, event_message(9, 5, bytes(8), CardDrawn(1, "Ts"))) + b"\x80\x00\x00\x08" * 9,
)
