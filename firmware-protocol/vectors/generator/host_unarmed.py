"""Vectors of section 10 for a host: a device that is not armed although it should be.

The uptime of the host is the time of the script, so a heartbeat that it sends at 0.53 s has a `now_us` of
530,000.
"""

from collections.abc import Iterator

from generator.framing import Vector
from generator.host_handshake import beat, command, host, opening, result
from generator.messages import nested, varint
from generator.proving import device_hello
from generator.script import Step, bye
from generator.wire import CRITICAL, Frame

DONE = 1
STOPPING = 1
BEFORE = 30_000
"""`now_us` of the host's first heartbeat, which it sends before Arm is DONE."""
FIRST, SECOND, THIRD = 530_000, 1_030_000, 1_530_000
"""Those of the next three."""
DOWN = {"down": {"reason": "unarmed"}}


def unarmed() -> Iterator[Vector]:
    """Two heartbeats in a row that say so end the session; what is less does not."""
    yield host(
        "unarmed",
        "Not armed, in two heartbeats in a row that answer the host's heartbeats after Arm: Bye(STOPPING).",
        *running(),
        Step(0.6).gets(beat(2, echo_us=FIRST, armed=0)).sends().reports(),
        Step(1.1).gets(beat(2, echo_us=SECOND, armed=0)).sends(bye(STOPPING)).reports(DOWN),
        Step(1.2),
    )
    yield host(
        "unarmed-not-in-a-row",
        "A heartbeat between them that says armed: nothing ends.",
        *running(),
        Step(0.6).gets(beat(2, echo_us=FIRST, armed=0)).sends().reports(),
        Step(1.1).gets(beat(2, echo_us=SECOND, armed=1)).sends().reports(),
        Step(1.6).gets(beat(2, echo_us=THIRD, armed=0)).sends().reports(),
        Step(1.7),
    )
    yield host(
        "unarmed-before-arm",
        "Heartbeats that answer no heartbeat after Arm, or none at all, prove nothing.",
        *running(),
        Step(0.2).gets(beat(2, echo_us=BEFORE, armed=0)).sends().reports(),
        Step(0.7).gets(beat(2, echo_us=BEFORE, armed=0)).sends().reports(),
        Step(1.2).gets(beat(2, armed=0)).sends().reports(),
        Step(1.3),
    )
    later = nested(16, varint(8) + varint(2) + varint(16) + varint(2) + nested(99, b"\x08\x01"))
    yield host(
        "unarmed-by-the-host",
        "The host disarmed the device itself, for an unknown critical event: nothing ends.",
        *running(),
        Step(0.2)
        .gets(Frame(1, later, 2, 2, 8, CRITICAL))
        .reports({"event": {"number": 2, "body": later.hex()}})
        .sends(command(2, 3, "disarm", {})),
        Step(0.22).gets(result(3, 3, DONE, 3)).sends().reports(),
        Step(0.6).gets(beat(3, newest=2, echo_us=FIRST, armed=0)).sends().reports(),
        Step(1.1).gets(beat(3, newest=2, echo_us=SECOND, armed=0)).sends().reports(),
        Step(1.2),
    )


def running() -> list[Step]:
    """A session up to the DONE of Arm, at 0.08 s. The device has sent two frames with a sequence."""
    return [
        *opening(device_hello()),
        Step(0.04).gets(beat(1)).sends(command(1, 2, "arm", {"seen": 1})),
        Step(0.06).gets(result(0, 1, DONE, 2)).sends().reports(),
        Step(0.08).gets(result(1, 2, DONE, 2)).reports({"running": {}}).sends(),
    ]
