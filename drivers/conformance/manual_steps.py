"""What a run asks of the one who stands at the device, beyond what a class has of its own."""

from typing import Any

from drivers.conformance.matchers import answers, says
from drivers.conformance.operator import Deed
from drivers.conformance.outcome import Finding, NotRun
from drivers.conformance.probe import Greeting, Probe
from drivers.errors import Absent
from drivers.protocol import common_pb2 as common
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import DeviceClass, Side
from drivers.sim.link.tamper import TAMPER_EVERY

REBOOT = Deed("Switch the device off and on again", {"do": "reboot", "seconds": 0})
FREEZE = Deed("Stop the device's processor for 4 s (a debugger can)", {"do": "freeze", "seconds": 4.0})
STARTS = 20.0
"""So long a device may take to start."""
BEATS = 2
"""Heartbeats that may pass before one counts an event."""
HAPPENINGS: dict[DeviceClass, Deed] = {
    DeviceClass.SHOE: Deed("Open the shoe's cover", {"do": "cover", "open": True}),
    DeviceClass.SENSORS: Deed("Put chips on the main spot of seat 1", {"do": "put", "seat": 1, "spot": 0}),
    DeviceClass.CONSOLE: Deed("Press HIT for seat 1", {"do": "press", "action": "hit", "seat": 1}),
}
"""What makes an event of each class that a hand can make one of."""
UNDONE: dict[DeviceClass, Deed] = {
    DeviceClass.SHOE: Deed("Close the shoe's cover", {"do": "cover", "open": False}),
    DeviceClass.SENSORS: Deed("Take the chips from seat 1", {"do": "take", "seat": 1, "spot": 0}),
}
"""What puts it back."""


async def done(p: Probe, deed: Deed) -> None:
    """It must be possible."""
    if not await p.does(deed):
        raise NotRun(f"this could not be done: {deed.words}")


async def event_made(p: Probe) -> None:
    """Make the device record an event in the current session: by hand, or else by a bad mac, which causes a
    Tamper at most once in 60 s."""
    newest = p.hello.newest
    if await _by_hand(p) and await _recorded(p, newest):
        return
    greeting, since = await p.greet(), p.wire.now()
    await _spoilt(p, greeting)
    if not await _recorded(p, newest):
        await p.wait(since + TAMPER_EVERY + 1 - p.wire.now())
        await _spoilt(p, await p.greet())
        if not await _recorded(p, newest):
            raise Finding(f"newest above {newest} in a Heartbeat: a bad mac is recorded as a Tamper event")


async def _by_hand(p: Probe) -> bool:
    device = p.subject.device_class
    try:
        made = device in HAPPENINGS and await p.does(HAPPENINGS[device])
    except NotRun:
        return False
    if made and device in UNDONE:
        await done(p, UNDONE[device])
    return made


async def _spoilt(p: Probe, greeting: Greeting) -> None:
    """The Proof of this handshake with a bad mac; the current session goes on."""
    message = common.Proof(side=Side.HOST, transcript=greeting.transcript[:8], mac=bytes(32))
    p.line.handshake(tsl.Frame(proof=message).SerializeToString(), "a mac of zeros")
    await p.expect("Refuse, to a mac of zeros", says("refuse", echo=p.nonce_of(greeting.ours)), 0.5)


async def _recorded(p: Probe, newest: int) -> bool:
    return any([(await p.heartbeat()).newest > newest for _ in range(BEATS)])


async def rebooted(p: Probe) -> common.Hello:
    """Has the device started anew; its Hello in a new session."""
    before = p.hello.boot
    p.session.over = True
    if not await p.hand.does(REBOOT):
        raise NotRun(f"this could not be done: {REBOOT.words}")
    until = p.wire.now() + STARTS
    while p.wire.now() < until:
        try:
            hello = await _hello(p)
        except Absent:
            await p.wire.reopen(until - p.wire.now())
            continue
        if getattr(hello, "boot", before) != before:
            return await p.open()
        await p.wait(0.1)
    raise Finding("a Hello with another boot after the device was started anew")


async def _hello(p: Probe) -> Any:
    payload = p.say_hello()
    entry = await p.heard(answers(p.nonce_of(payload)), 0.25)
    return entry and entry.message
