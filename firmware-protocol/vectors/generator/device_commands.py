"""Vectors of sections 9 and 11 for a device: commands, actions, the end of a session."""

from collections.abc import Iterator

from generator.device import (
    OPENED,
    Moment,
    again,
    arm,
    armed,
    beat,
    device,
    level,
    opening,
    order,
    permit,
    rebooted,
    recall,
    resume,
)
from generator.framing import Vector
from generator.messages import Message, nested, payload, varint
from generator.wire import CRITICAL, Frame

DONE = 1
UNARMED = 3
STALE = 4
RANGE = 5
UNSUPPORTED = 7
INTERRUPTED = 8
NEVER = 9
FORGOTTEN = 10
SHUFFLER = 2
DISPLAY = 4


def commands() -> Iterator[Vector]:
    """State commands, Arm, and what an unarmed device does."""
    yield from arming()
    yield from strange_commands()


def arming() -> Iterator[Vector]:
    """What waits for Arm, and what needs it."""
    yield device(
        "arm-stale",
        "Arm without the events that were there at the start of the session is STALE.",
        Moment(0.0).does(*OPENED),
        *opening(0.1, newest=2),
        Moment(0.2).does(*OPENED),
        Moment(0.21).gets(arm(0, 1, 1)).results((1, STALE)).reports(),
        Moment(0.22).gets(arm(1, 2, 2)).results((2, DONE)).reports({"armed": {}}),
        Moment(0.25),
    )
    yield device(
        "state-waits",
        "Unarmed, a state command is kept: done at Arm, the newest of a kind alone.",
        *opening(device_class=DISPLAY),
        Moment(0.02)
        .gets(order(0, 1, "level", level(400)), order(1, 2, "level", level(500)))
        .reports()
        .results((1, DONE), (2, DONE)),
        Moment(0.04)
        .gets(arm(2, 3))
        .results((3, DONE))
        .reports({"armed": {}}, {"command": {"level": level(500)}}),
        Moment(0.06)
        .gets(order(3, 4, "level", level(600)))
        .results((4, DONE))
        .reports({"command": {"level": level(600)}}),
        Moment(0.08),
        device_class=DISPLAY,
    )
    yield from unarmed()


def unarmed() -> Iterator[Vector]:
    """What is refused before Arm and after Disarm."""
    yield device(
        "unarmed",
        "Unarmed, a permit is refused.",
        *opening(),
        Moment(0.02).gets(permit(0, 1, 1)).results((1, UNARMED)).reports(),
        Moment(0.04),
    )
    yield device(
        "disarm",
        "Disarm: the safe state, and permits are refused again.",
        *opening(),
        armed(),
        Moment(0.04)
        .gets(order(1, 2, "disarm", {}), permit(2, 3, 1))
        .results((2, DONE), (3, UNARMED))
        .reports({"safe": {}}),
        Moment(0.06),
    )


def strange_commands() -> Iterator[Vector]:
    """Commands that are not for this device, or of a later version."""
    unknown = nested(24, varint(8) + varint(2) + nested(99, b""))
    yield device(
        "command-unknown",
        "An unknown command is answered UNSUPPORTED with CRITICAL, and ignored without.",
        *opening(),
        armed(),
        Moment(0.04).gets(Frame(2, unknown, 1, 0, 8)).results(),
        Moment(0.06).gets(Frame(2, unknown, 2, 0, 8, CRITICAL)).results((2, UNSUPPORTED)),
        Moment(0.08),
    )
    yield device(
        "command-of-another-class",
        "A shoe has no lamps.",
        *opening(),
        armed(),
        Moment(0.04)
        .gets(order(1, 2, "lamps", {"ttl_ms": 1000, "lamps": bytes(54)}))
        .results((2, UNSUPPORTED))
        .reports(),
        Moment(0.06),
    )


def actions() -> Iterator[Vector]:
    """Every action happens once."""
    start: Message = {"decks": 8}
    yield device(
        "action-once",
        "An action key that is not above the highest seen is never executed.",
        *opening(device_class=SHUFFLER),
        armed(),
        Moment(0.03)
        .gets(order(1, 5, "start", start))
        .results((5, DONE))
        .reports({"command": {"start": start}}),
        Moment(0.04)
        .gets(order(2, 5, "start", start), order(3, 4, "eject", {}))
        .results((5, FORGOTTEN), (4, FORGOTTEN))
        .reports(),
        Moment(0.06),
        device_class=SHUFFLER,
    )
    yield from recalls()
    yield from results()


def recalls() -> Iterator[Vector]:
    """What a later session learns about an action."""
    start: Message = {"decks": 8}
    yield device(
        "action-recalled",
        "In a new session Recall answers the kept result, or burns the key: NEVER, and never after.",
        *opening(device_class=SHUFFLER),
        armed(),
        Moment(0.03).gets(order(1, 5, "start", start)).results((5, DONE)),
        *again(0.1, committed=1, last_key=5, device_class=SHUFFLER),
        Moment(0.2).gets(recall(0, 8, 5), recall(1, 9, 7)).results((8, DONE), (9, NEVER)),
        Moment(0.22)
        .gets(arm(2, 10), order(3, 7, "start", start), recall(4, 11, 6))
        .results((10, DONE), (7, FORGOTTEN), (11, FORGOTTEN)),
        Moment(0.25),
        device_class=SHUFFLER,
    )
    yield device(
        "action-refused",
        "A refusal is a result: kept, recalled, and its key is used up.",
        *opening(device_class=SHUFFLER),
        Moment(0.02).gets(order(0, 3, "start", start)).results((3, UNARMED)).reports(),
        *again(0.1, last_key=3, device_class=SHUFFLER),
        Moment(0.2).gets(recall(0, 4, 3)).results((4, UNARMED)),
        Moment(0.25),
        device_class=SHUFFLER,
    )


def results() -> Iterator[Vector]:
    """Which results of actions are kept."""
    start: Message = {"decks": 8}
    yield device(
        "action-interrupted",
        "The power goes after the key was noted as begun: INTERRUPTED, for nobody knows what moved.",
        *opening(device_class=SHUFFLER),
        armed(),
        Moment(0.03).does("power_goes_at_next_action", {}),
        Moment(0.04).gets(order(1, 5, "start", start)).results(),
        Moment(0.1).does("reboot", {"reset": 1}),
        *again(0.2, committed=1, newest=2, last_key=5, device_class=SHUFFLER, **rebooted()),
        Moment(0.3).gets(recall(0, 6, 5)).results((6, INTERRUPTED)),
        Moment(0.35),
        device_class=SHUFFLER,
    )
    yield device(
        "results-kept",
        "The last 32 results are kept; older ones are forgotten.",
        *opening(device_class=SHUFFLER),
        *[
            Moment(0.02 + key / 1000).gets(order(key - 1, key, "eject", {}, acknowledged=key - 1))
            for key in range(1, 34)
        ],
        *again(0.1, last_key=33, device_class=SHUFFLER),
        Moment(0.2)
        .gets(recall(0, 40, 1), recall(1, 41, 2), recall(2, 42, 33))
        .results((40, FORGOTTEN), (41, UNARMED), (42, UNARMED)),
        Moment(0.25),
        device_class=SHUFFLER,
    )


def beats() -> Iterator[Vector]:
    """What heartbeats say."""
    last = {"newest": 2, "committed": 1, "free": 1023, "armed": True, "mode": 1, "cards": 1}
    yield device(
        "heartbeats",
        "A heartbeat every 500 ms, from the start of the session; it tells the state of the moment.",
        *opening(),
        armed(),
        Moment(0.03).does("card", "As"),
        Moment(0.3).with_("beats", {"count": 4, "last": last}),
        Moment(2.3),
    )
    first = {"newest": 1, "committed": 0, "free": 1023, "armed": False, "mode": 1, "cards": 0}
    yield device(
        "heartbeat-first",
        "The first frame of a session is a heartbeat.",
        *opening()[:1],
        opening()[1].with_("beats", {"count": 1, "last": first}),
        Moment(0.02),
    )


def ends() -> Iterator[Vector]:
    """How a session ends, and what the device does then."""
    gone = payload({"no_session": {}})
    bye = Frame(0, payload({"bye": {"reason": 1}}), 0, 0, 8)
    yield device(
        "bye",
        "Bye ends the session: the safe state at once.",
        *opening(),
        armed(),
        Moment(0.04).gets(bye).reports({"safe": {}}).says(),
        Moment(0.06).gets(beat()).says(gone),
        Moment(0.08),
    )
    yield device(
        "heartbeat-lost",
        "Three seconds without a heartbeat end the session, even if commands still come.",
        *opening(),
        armed(),
        Moment(2.0).gets(resume(1, 2, 2)).results((2, DONE)).reports(),
        Moment(2.9).reports({"safe": {}}),
        Moment(3.1),
    )
    yield device(
        "own-sleep",
        "A device that did not run for 3 s ends the session before it reads what waited.",
        *opening(),
        armed(),
        Moment(3.5)
        .with_("slept", True)
        .with_("in", (beat().wire + permit(1, 2, 1).wire).hex())
        .with_("says", [{"message": {"bye": {"reason": 7}}}, {"payload": gone.hex()}])
        .with_("told", [{"safe": {}}])
        .with_("results", []),
        Moment(3.6),
    )
