"""Vectors of sections 8 and 9 for a host: events, their log, commits, the order before Arm."""

from collections.abc import Iterator

from generator.framing import Vector
from generator.host_handshake import arrived, beat, command, event, host, opening, result, up
from generator.messages import Message, as_json, nested, payload, varint
from generator.proving import OTHER_LOG, device_hello
from generator.script import Step, bye
from generator.wire import CRITICAL, Frame

DONE = 1
STALE = 4
NEVER = 9


def events() -> Iterator[Vector]:
    """Each event comes once and in order, or the session ends."""
    start = opening(device_hello(newest=3))
    yield host(
        "events-in-order",
        "Events 2 and 3 arrive and are committed; the host commits when its program says they are on disk.",
        *start,
        Step(0.04).gets(beat(0, newest=3), event(0, 2), event(1, 3)).reports(arrived(2), arrived(3)).sends(),
        Step(0.06).does("commit", 3).sends(commit(3), command(1, 2, "arm", {"seen": 3})),
        Step(0.08),
    )
    yield host(
        "events-repeated",
        "An event below the next number is a repeat and dropped, in whatever frame it comes.",
        *start,
        Step(0.04)
        .gets(beat(0, newest=3), event(0, 2), event(1, 1), event(2, 2), event(3, 3))
        .reports(arrived(2), arrived(3)),
        Step(0.06),
    )
    yield host(
        "events-gap",
        "An event above the next number: Bye(GAP).",
        *start,
        Step(0.04).gets(beat(0, newest=3), event(0, 3)).sends(bye(5)).reports({"down": {"reason": "gap"}}),
        Step(0.06),
    )
    yield from lost_events()
    yield from unknown_events()


def lost_events() -> Iterator[Vector]:
    """EventsLost in its turn, late and early."""
    start = opening(device_hello(newest=3))
    lost = payload({"events_lost": {"first": 1, "last": 2}})
    yield host(
        "events-lost",
        "EventsLost counts from the next number on: 2 is lost, 3 is next.",
        *start,
        Step(0.04)
        .gets(beat(0, newest=3), Frame(1, lost, 0, 0, 8), event(1, 3))
        .reports({"events_lost": {"first": 2, "last": 2}}, arrived(3)),
        Step(0.06),
    )
    known = payload({"events_lost": {"first": 1, "last": 1}})
    yield host(
        "events-lost-repeated",
        "EventsLost of numbers that are journaled is a repeat.",
        *start,
        Step(0.04).gets(beat(0, newest=3), Frame(1, known, 0, 0, 8), event(1, 2)).reports(arrived(2)),
        Step(0.06),
    )
    ahead = payload({"events_lost": {"first": 3, "last": 4}})
    yield host(
        "events-lost-gap",
        "EventsLost above the next number is a gap.",
        *start,
        Step(0.04)
        .gets(beat(0, newest=3), Frame(1, ahead, 0, 0, 8))
        .sends(bye(5))
        .reports({"down": {"reason": "gap"}}),
        Step(0.06),
    )


def unknown_events() -> Iterator[Vector]:
    """Events of a later minor version."""
    hello = device_hello(newest=2)
    later = nested(16, varint(8) + varint(2) + varint(16) + varint(2) + nested(99, b"\x08\x01"))
    report = {"event": {"number": 2, "body": later.hex()}}
    yield host(
        "event-unknown",
        "An unknown event is journaled as its bytes, committed, and play goes on.",
        *opening(hello),
        Step(0.04).gets(beat(0, newest=2), Frame(1, later, 0, 0, 8)).reports(report),
        Step(0.06).does("commit", 2).sends(commit(2), command(1, 2, "arm", {"seen": 2})),
        Step(0.08),
    )
    yield host(
        "event-unknown-critical",
        "With CRITICAL it is journaled and committed too, but the device stays unarmed.",
        *opening(hello),
        Step(0.04).gets(beat(0, newest=2), Frame(1, later, 0, 0, 8, CRITICAL)).reports(report),
        Step(0.06).does("commit", 2).with_("never", ["arm", "permit"]),
        Step(0.3),
    )


def logs() -> Iterator[Vector]:
    """What the Hello says about the log."""
    yield host(
        "log-unknown",
        "A log the journal does not know: the host starts after `committed`; up to `newest` it is history.",
        *opening(device_hello(log=OTHER_LOG, newest=6, committed=4))[:2],
        installed(device_hello(log=OTHER_LOG, newest=6, committed=4))
        .sends(command(0, 1, "resume", {"next": 5}))
        .reports(up("new log")),
        Step(0.04)
        .gets(beat(0, newest=6, committed=4), event(0, 5), event(1, 6), event(2, 7))
        .reports(arrived(5, history=True), arrived(6, history=True), arrived(7)),
        Step(0.06),
    )
    yield host(
        "log-never-met",
        "So is any log for a journal that never met the device.",
        *opening(device_hello())[:2],
        installed(device_hello()).sends(command(0, 1, "resume", {"next": 1})).reports(up("new log")),
        Step(0.06),
        log="",
        newest=0,
    )
    yield host(
        "log-served-elsewhere",
        "Committed above the journal: another table took events. Up to there they are history.",
        *opening(device_hello(newest=6, committed=4))[:2],
        installed(device_hello(newest=6, committed=4))
        .sends(command(0, 1, "resume", {"next": 2}))
        .reports(up("served elsewhere")),
        Step(0.04)
        .gets(beat(0, newest=6, committed=4), *(event(n, n + 2) for n in range(4)))
        .reports(*(arrived(n, history=n <= 4) for n in range(2, 6))),
        Step(0.06),
    )
    yield from foreign_actions()


def foreign_actions() -> Iterator[Vector]:
    """Actions in another log."""
    hello = device_hello(log=OTHER_LOG, newest=6, last_key=30)
    yield host(
        "log-unknown-actions",
        "Open actions of another log are unknown: they are not recalled. Keys start above both sides' last.",
        *opening(hello)[:2],
        installed(hello).sends(command(0, 31, "resume", {"next": 1})),
        Step(0.04).gets(beat(0, newest=6)).with_("never", ["recall"]),
        Step(0.2),
        open_actions=[11, 12],
        last_key=12,
    )


def arming() -> Iterator[Vector]:
    """The order of a new session, and what goes wrong with it."""
    yield host(
        "order-permit",
        "Permit goes out only when Arm is DONE.",
        Step(0.0).does("want", {"permit": {"up_to": 4}}),
        *opening(device_hello())[1:],
        Step(0.04).gets(beat(1)).sends(command(1, 2, "arm", {"seen": 1})),
        Step(0.06).gets(result(0, 1, DONE, 2)).sends().reports(),
        Step(0.08)
        .gets(result(1, 2, DONE, 2))
        .reports({"running": {}})
        .sends(command(2, 3, "permit", {"up_to": 4})),
        Step(0.1),
    )
    display = device_hello(device_class=4, id="DISPLAY-1")
    level: Message = {"id": 1, "cents": 500, "state": 0}
    yield host(
        "order-state",
        "The whole state goes out before Arm, of each kind the newest wish.",
        Step(0.0).does("want", {"level": {"id": 1, "cents": 400, "state": 0}}),
        Step(0.0).does("want", {"level": as_json(level)}),
        *opening(display)[1:],
        Step(0.04).gets(beat(1)).sends(command(1, 2, "level", level), command(2, 3, "arm", {"seen": 1})),
        Step(0.06).gets(result(0, 1, DONE, 3), result(1, 2, DONE, 3)).sends().reports(),
        Step(0.08).gets(result(2, 3, DONE, 3)).reports({"running": {}}).sends(),
        Step(0.1),
        expected={"device_class": 4, "id": "DISPLAY-1"},
    )
    yield from arm_and_disk()
    yield from recalls()


def arm_and_disk() -> Iterator[Vector]:
    """Arm comes after the journal's disk."""
    yield host(
        "arm-waits-for-disk",
        "Events that the device had at the start must be on disk before Arm.",
        *opening(device_hello(newest=2)),
        Step(0.04).gets(beat(1, newest=2), event(0, 2, 1), result(1, 1, DONE, 1)).reports(arrived(2)).sends(),
        Step(0.3).does("commit", 2).sends(commit(2), command(1, 2, "arm", {"seen": 2})),
        Step(0.32),
    )
    yield host(
        "arm-stale",
        "STALE: one more event must be on disk, then Arm again.",
        *opening(device_hello()),
        Step(0.04).gets(beat(1)).sends(command(1, 2, "arm", {"seen": 1})),
        Step(0.06)
        .gets(result(0, 1, DONE, 2), result(1, 2, STALE, 2), event(2, 2, 2))
        .reports(arrived(2))
        .sends(),
        Step(0.08).does("commit", 2).sends(commit(2), command(2, 3, "arm", {"seen": 2})),
        Step(0.1),
    )


def recalls() -> Iterator[Vector]:
    """What became of actions that were open, and of cards."""
    hello = device_hello(last_key=11)
    ended = [{"action": {"key": 11, "status": DONE}}, {"action": {"key": 12, "status": NEVER}}]
    yield host(
        "recalls",
        "Open actions are recalled in key order before Arm; the result carries the key of the Recall.",
        *opening(hello)[:2],
        installed(hello).sends(command(0, 13, "resume", {"next": 2})),
        Step(0.04)
        .gets(beat(1))
        .sends(command(1, 14, "recall", {"old_key": 11}), command(2, 15, "recall", {"old_key": 12})),
        Step(0.06).gets(result(0, 13, DONE, 3), result(1, 14, DONE, 3)).reports(ended[0]).sends(),
        Step(0.08).gets(result(2, 15, NEVER, 3)).reports(ended[1]).sends(command(3, 16, "arm", {"seen": 1})),
        Step(0.1),
        open_actions=[12, 11],
        last_key=12,
    )
    yield host(
        "cards-missing",
        "All is committed and the shoe counts more cards than the journal: cards were lost.",
        *opening(device_hello(newest=5, cards=3)),
        Step(0.04).gets(beat(1, newest=5, committed=5, cards=3)).reports(),
        Step(0.5)
        .gets(beat(1, newest=5, committed=5, cards=4))
        .reports({"cards_missing": {"shoe_cards": 4, "ours": 3}}),
        Step(0.52),
        newest=5,
        cards=3,
    )
    silent = payload({"no_session": {}})
    yield host(
        "no-session",
        "NoSession is heeded only after 1 s without anything good.",
        *opening(device_hello()),
        Step(0.5).gets(beat(1)),
        Step(1.4).gets(Frame(0, silent)).reports(),
        Step(1.6).gets(Frame(0, silent)).reports({"down": {"reason": "no session"}}),
        Step(1.65),
    )


def installed(hello: bytes) -> Step:
    return opening(hello)[2]


def commit(number: int) -> dict[str, object]:
    """An EventCommit that must go out."""
    return {"flags": 0, "channel": 0, "sequence": 0, "message": {"event_commit": {"number": number}}}
