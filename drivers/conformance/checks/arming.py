"""Arm, Disarm, and the keys of actions. Section 9."""

from drivers import messages as m
from drivers.conformance.check import Check
from drivers.conformance.manual_steps import cause_event, reboot
from drivers.conformance.outcome import CheckFailed
from drivers.conformance.probe import Probe
from drivers.link.limits import HIGHEST, STEP
from drivers.protocol import common_pb2 as common
from drivers.protocol.codes import DeviceClass, Status

RESULTS_KEPT = 32
"""Results that a device must keep."""
SHUFFLER = frozenset({DeviceClass.SHUFFLER})
NEEDS_ARM: dict[DeviceClass, m.CommandBody] = {
    DeviceClass.SHOE: m.Permit(1),
    DeviceClass.SHUFFLER: m.Start(1),
}
"""A command of each class that an unarmed device refuses."""
STATE_COMMANDS: dict[DeviceClass, m.CommandBody] = {
    DeviceClass.SHOE: m.Lock(),
    DeviceClass.SHUFFLER: m.Stop(),
    DeviceClass.SENSORS: m.Lamps(2000, bytes(54)),
    DeviceClass.DISPLAY: m.Level(1, 100, 0),
    DeviceClass.CONSOLE: m.KeyLamps(0),
}
"""A command of each class that an unarmed device keeps until Arm."""


async def _is_armed(p: Probe, wanted: bool) -> common.Heartbeat:
    beat = await p.heartbeat()
    if beat.armed != wanted:
        raise CheckFailed(f"armed {str(wanted).lower()} in a Heartbeat")
    return beat


async def _stale(p: Probe) -> None:
    hello = await p.open()
    await cause_event(p)
    await p.order(m.Resume(hello.newest + 1))
    await p.order(m.Arm(hello.newest - 1), Status.STALE)
    await _is_armed(p, False)
    await p.order(m.Arm(hello.newest))
    await p.order(m.Arm(hello.newest - 1), Status.STALE)
    await _is_armed(p, True)
    await p.order(m.Disarm())


async def _beyond(p: Probe) -> None:
    hello = await p.open()
    await p.order(m.Arm(hello.newest + 1000), Status.RANGE)
    beat = await _is_armed(p, False)
    if beat.committed > hello.newest:
        raise CheckFailed("committed as before: an Arm that was refused commits nothing")


async def _arm(p: Probe) -> None:
    hello = await p.armed()
    beat = await _is_armed(p, True)
    if beat.committed < hello.newest:
        raise CheckFailed(f"committed {hello.newest} in a Heartbeat: Arm(seen) is a commit too")
    await p.order(m.Arm(hello.newest))
    await p.order(m.Disarm())
    await _is_armed(p, False)
    await p.order(m.Disarm())
    await p.order(m.Arm(hello.newest))
    await p.order(m.Disarm())


async def _unarmed(p: Probe) -> None:
    body = NEEDS_ARM[p.subject.device_class]
    await p.open()
    await p.order(body, Status.UNARMED)
    await p.armed()
    await p.order(m.Disarm())
    await p.order(body, Status.UNARMED)


async def _waits(p: Probe) -> None:
    hello = await p.open()
    await p.order(STATE_COMMANDS[p.subject.device_class])
    await _is_armed(p, False)
    await p.order(m.Resume(hello.newest + 1))
    await p.order(m.Arm(hello.newest))
    await p.order(STATE_COMMANDS[p.subject.device_class])
    await p.order(m.Disarm())


async def _never(p: Probe) -> None:
    await p.open()
    key = p.key()
    await p.order(m.Recall(key), Status.NEVER)
    await p.order(m.Recall(key), Status.NEVER)
    burned = (await p.open()).last_key
    if burned != key:
        raise CheckFailed(
            f"last_key {key} in the Hello: a key that is recalled counts as seen; it is {burned}"
        )
    await p.order(m.Recall(key), Status.NEVER)


async def _results(p: Probe) -> None:
    await p.open()
    keys = [p.key() for _ in range(RESULTS_KEPT + 1)]
    for key in keys:
        await p.order(m.Recall(key), Status.NEVER, key=p.key())
    await p.order(m.Recall(keys[-RESULTS_KEPT]), Status.NEVER)
    await p.order(m.Recall(keys[0]), Status.FORGOTTEN)
    await p.order(m.Recall(1), Status.FORGOTTEN)


async def _results_reboot(p: Probe) -> None:
    await p.open()
    key = p.key()
    await p.order(m.Recall(key), Status.NEVER)
    hello = await reboot(p)
    if hello.last_key != key:
        raise CheckFailed(f"last_key {key} in the Hello after a reboot; it is {hello.last_key}")
    await p.order(m.Recall(key), Status.NEVER)


async def _forgotten(p: Probe) -> None:
    await p.open()
    key = p.key()
    await p.order(m.Recall(key), Status.NEVER)
    await p.order(m.Eject(), Status.FORGOTTEN, key=key)
    await p.order(m.Eject(), Status.FORGOTTEN, key=key - 1)
    await p.order(m.Recall(key), Status.NEVER)


async def _range(p: Probe) -> None:
    """Uses update actions, because every device accepts them, if only to answer UNSUPPORTED."""
    seen = (await p.open()).last_key
    for key in (0, seen + STEP + 1, HIGHEST + 1, 2**53 - 1):
        await p.order(m.Recall(key), Status.RANGE, key=p.key())
        await p.order(m.UpdateConfirm(), Status.RANGE, key=key)
    burned = (await p.open()).last_key
    if burned != seen:
        raise CheckFailed(
            f"last_key {seen} in the Hello: a key that is refused burns nothing; it is {burned}"
        )
    await p.order(m.Recall(p.key()), Status.NEVER)


async def _once(p: Probe) -> None:
    await p.armed()
    key = p.key()
    first = await p.order(m.Eject(), None, key=key)
    await p.order(m.Eject(), Status.FORGOTTEN, key=key)
    await p.open()
    await p.order(m.Eject(), Status.FORGOTTEN, key=key)
    await p.order(m.Recall(key), Status(first.status))


async def _refusal(p: Probe) -> None:
    await p.open()
    key = p.key()
    await p.order(m.Eject(), Status.UNARMED, key=key)
    await p.order(m.Recall(key), Status.UNARMED)
    if (await p.open()).last_key != key:
        raise CheckFailed(f"last_key {key} in the Hello: an action that was refused was seen")


_LOOK_KEYS = "the highest action key and the last 32 results, both in non-volatile memory"
CHECKS = (
    Check(
        "commands.arm-stale",
        "9.3",
        "Arm is STALE without the events there were at the start of the session, and needs no later ones.",
        "Arm is compared with the newest event at install, which is kept for the session, never with the one"
        " of now",
        _stale,
    ),
    Check(
        "commands.arm-range",
        "8",
        "Arm above the newest event is answered with RANGE and commits nothing.",
        "the upper bound of seen",
        _beyond,
    ),
    Check(
        "commands.arm",
        "9.3",
        "Arm arms and commits, Disarm disarms, both as often as one likes.",
        "armed of the heartbeat, and what Arm commits",
        _arm,
    ),
    Check(
        "commands.unarmed",
        "9.3",
        "Without Arm nothing moves: such commands are answered with UNARMED.",
        "the table of the session in 6.3: Permit and actions of the shuffler need Arm",
        _unarmed,
        classes=frozenset(NEEDS_ARM),
    ),
    Check(
        "commands.state-waits",
        "9.1",
        "Without Arm a state command is DONE: it says what shall be.",
        "the table of the session in 6.3: keep as wanted, and do at Arm",
        _waits,
    ),
    Check(
        "commands.recall-never",
        "9.2",
        "Recall of an unknown key burns it: NEVER, now and later.",
        _LOOK_KEYS,
        _never,
    ),
    Check(
        "commands.results-kept",
        "9.2",
        "The last 32 results are kept, older ones are FORGOTTEN.",
        _LOOK_KEYS,
        _results,
    ),
    Check(
        "commands.results-reboot",
        "9.2",
        "Keys and results outlive a reboot.",
        _LOOK_KEYS,
        _results_reboot,
    ),
    Check(
        "commands.key-forgotten",
        "9.2",
        "An action whose key is not above the highest seen is FORGOTTEN.",
        _LOOK_KEYS,
        _forgotten,
        classes=SHUFFLER,
    ),
    Check(
        "commands.key-range",
        "9.2",
        "A key of 0, above 2^52, or more than 2^32 above the highest seen is answered with RANGE.",
        "the bounds of the key of an action and of old_key, looked at before anything is noted",
        _range,
    ),
    Check(
        "commands.action-once",
        "9.2",
        "An action is carried out once; Recall tells its result in a later session.",
        _LOOK_KEYS,
        _once,
        classes=SHUFFLER,
    ),
    Check(
        "commands.refusal-kept",
        "9.2",
        "A refusal of an action is a result, and is kept.",
        _LOOK_KEYS,
        _refusal,
        classes=SHUFFLER,
    ),
)
"""In the order in which they run."""
