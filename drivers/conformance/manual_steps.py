"""Manual steps that checks of several classes need."""

from collections.abc import Callable
from typing import Any

from drivers.conformance.matchers import answers, says
from drivers.conformance.operator import OperatorAction
from drivers.conformance.outcome import CheckFailed, NotRun
from drivers.conformance.probe import HelloExchange, Probe
from drivers.errors import Absent
from drivers.link.limits import TAMPER_INTERVAL
from drivers.protocol import common_pb2 as common
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import DeviceClass, Side

REBOOT = OperatorAction("Switch the device off and on again", {"do": "reboot", "seconds": 0})
FREEZE = OperatorAction(
    "Stop the device's processor for 4 s (a debugger can)", {"do": "freeze", "seconds": 4.0}
)
STARTS = 20.0
"""Seconds that a device may take to start."""
BEATS = 2
"""Heartbeats that may pass before one counts an event."""
EVENT_ACTIONS: dict[DeviceClass, OperatorAction] = {
    DeviceClass.SHOE: OperatorAction("Open the shoe's cover", {"do": "cover", "open": True}),
    DeviceClass.SENSORS: OperatorAction(
        "Put chips on the main spot of seat 1", {"do": "put", "seat": 1, "spot": 0}
    ),
    DeviceClass.CONSOLE: OperatorAction("Press HIT for seat 1", {"do": "press", "action": "hit", "seat": 1}),
}
"""What makes a device of each class record an event, for the classes on which a person can do so."""
REVERSE_ACTIONS: dict[DeviceClass, OperatorAction] = {
    DeviceClass.SHOE: OperatorAction("Close the shoe's cover", {"do": "cover", "open": False}),
    DeviceClass.SENSORS: OperatorAction("Take the chips from seat 1", {"do": "take", "seat": 1, "spot": 0}),
}
"""What reverses it."""


async def perform(p: Probe, action: OperatorAction) -> None:
    """Raises NotRun if it cannot be done."""
    if not await p.perform(action):
        raise NotRun(f"this could not be done: {action.words}")


async def cause_event(p: Probe) -> None:
    """Makes the device record an event in the current session: by hand, else by a bad mac, which causes a
    Tamper event at most once in 60 s."""
    newest = p.hello.newest
    if await _by_hand(p) and await _event_recorded(p, newest):
        return
    greeting, since = await p.greet(), p.wire.now()
    await _send_bad_mac(p, greeting)
    if not await _event_recorded(p, newest):
        await p.wait(since + TAMPER_INTERVAL + 1 - p.wire.now())
        await _send_bad_mac(p, await p.greet())
        if not await _event_recorded(p, newest):
            raise CheckFailed(
                f"newest above {newest} in a Heartbeat: a bad mac is recorded as a Tamper event"
            )


async def _by_hand(p: Probe) -> bool:
    device = p.subject.device_class
    try:
        caused = device in EVENT_ACTIONS and await p.perform(EVENT_ACTIONS[device])
    except NotRun:
        return False
    if caused and device in REVERSE_ACTIONS:
        await perform(p, REVERSE_ACTIONS[device])
    return caused


async def _send_bad_mac(p: Probe, greeting: HelloExchange) -> None:
    """Sends the Proof of this handshake with a bad mac. The current session goes on."""
    short, share = greeting.transcript[:8], greeting.share
    message = common.Proof(side=Side.HOST, transcript=short, mac=bytes(32), share=share)
    p.link.handshake(tsl.Frame(proof=message).SerializeToString(), "a mac of zeros")
    await p.expect("Refuse, to a mac of zeros", says("refuse", echo=p.nonce_of(greeting.ours)), 0.5)


async def _event_recorded(p: Probe, newest: int) -> bool:
    return any([(await p.heartbeat()).newest > newest for _ in range(BEATS)])


async def reboot(p: Probe) -> common.Hello:
    """Has the device restarted. Returns its Hello in a new session."""
    before = p.hello.boot
    p.session.over = True
    if not await p.operator.perform(REBOOT):
        raise NotRun(f"this could not be done: {REBOOT.words}")
    return await restarted(p, lambda hello: hello.boot != before)


async def restarted(p: Probe, is_later: Callable[[common.Hello], bool]) -> common.Hello:
    """Waits until the Hello of the device is one of a later boot. Returns that of a new session."""
    until = p.wire.now() + STARTS
    while p.wire.now() < until:
        try:
            hello = await _hello(p)
        except Absent:
            await p.wire.reopen(until - p.wire.now())
            continue
        if isinstance(hello, common.Hello) and is_later(hello):
            return await p.open()
        await p.wait(0.1)
    raise CheckFailed("a Hello of another boot after the device restarted")


async def _hello(p: Probe) -> Any:
    payload = p.say_hello()
    entry = await p.next_frame(answers(p.nonce_of(payload)), 0.25)
    return entry and entry.message
