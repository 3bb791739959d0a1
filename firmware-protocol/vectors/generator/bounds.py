"""Vectors of section 8.1: impossible numbers, sent to a host and to a device."""

from collections.abc import Iterator

from generator.device import (
    DONE,
    Moment,
    again,
    arm,
    armed,
    commit,
    device,
    opening,
    order,
    recall,
    resume,
)
from generator.device import beat as host_beat
from generator.framing import Vector
from generator.host_handshake import arrived, beat, event, host, refuse
from generator.host_handshake import opening as met
from generator.messages import Message, payload
from generator.proving import BOOT, SERIAL, clear, device_hello
from generator.script import Step, bye
from generator.wire import CRITICAL, Frame

HIGHEST = 2**52
STEP = 2**32
ONES = 2**64 - 1
TOP = 2**53 - 1
"""The greatest number that a message can carry."""
RANGE = 5
NEVER = 9
FORGOTTEN = 10
UNARMED = 3
GAP = 5
STOPPING = 1
SHUFFLER = 2
DISPLAY = 4
DOWN = {"down": {"reason": "gap"}}


def hellos() -> Iterator[Vector]:
    """Devices whose Hello cannot be used."""
    for word, reason, name, shows, changes in (
        ("HELLO", 8, "last_key", "In a Hello: last_key above 2^52.", {"last_key": HIGHEST + 1}),
        ("HELLO", 8, "newest-0", "In a Hello: newest 0, although Booted is event 1.", {"newest": 0}),
        ("HELLO", 8, "newest", "In a Hello: newest above 2^52.", {"newest": HIGHEST + 1}),
        ("HELLO", 8, "oldest", "In a Hello: oldest above newest + 1.", {"oldest": 3}),
        ("HELLO", 8, "oldest-0", "In a Hello: oldest 0; numbers start at 1.", {"oldest": 0}),
        ("HELLO", 8, "committed", "In a Hello: committed above newest.", {"committed": 50}),
        ("HELLO", 8, "cards", "In a Hello: as many cards as events, and Booted is one.", {"cards": 1}),
        ("HELLO", 8, "log-missing", "In a Hello: no log.", {"log": b""}),
        ("HELLO", 8, "boot-missing", "In a Hello: no boot.", {"boot": b""}),
        ("HELLO", 8, "id-missing", "In a Hello: no serial number.", {"id": ""}),
    ):
        refused = Step(0.01).gets(clear(device_hello(**changes))).sends(refuse(reason))
        yield host(
            f"refuses-{name}", shows, Step(0.0), refused.reports({"refused": {"reason": word}}), Step(0.1)
        )
    display = {"device_class": DISPLAY, "newest": 9, "cards": 3}
    refused = Step(0.01).gets(clear(device_hello(**display))).sends(refuse(8))
    yield host(
        "refuses-cards-of-display",
        "In a Hello: cards of a device that is not a shoe.",
        Step(0.0),
        refused.reports({"refused": {"reason": "HELLO"}}),
        Step(0.1),
        expected={"device_class": DISPLAY, "id": SERIAL},
    )
    for name, shows, changes in (
        (
            "last_key-ones",
            "A last_key as erased flash reads is unreadable: the program is told, and there is no Refuse.",
            {"last_key": ONES},
        ),
        ("log-short", "So is a log of 3 bytes.", {"log": b"log"}),
        ("log-long", "So is a log of 9 bytes.", {"log": b"l" * 9}),
        (
            "nonce-short",
            "So is a nonce of 5 bytes.",
            {"nonce": b"short"},
        ),
        ("nonce-missing", "No nonce: there is nothing to echo, so no Refuse goes out.", {"nonce": b""}),
    ):
        refused = Step(0.01).gets(clear(device_hello(**changes))).sends()
        yield host(
            f"refuses-{name}", shows, Step(0.0), refused.reports({"refused": {"reason": "HELLO"}}), Step(0.1)
        )


def used_up() -> Iterator[Vector]:
    """A device whose last_key leaves no keys."""
    for name, key in (("greatest", HIGHEST), ("near", HIGHEST - STEP + 1)):
        *opened, proved = met(device_hello(last_key=key))
        ends = proved.sends(bye(STOPPING)).reports({"down": {"reason": "keys"}})
        shows = f"In a Hello: last_key {key} leaves no keys for a session, so the host ends it."
        yield host(f"keys-used-up-{name}", shows, *opened, ends, Step(0.05))


def losses() -> Iterator[Vector]:
    """EventsLost beyond the events that the device has said to exist."""
    start = met(device_hello(newest=3))
    report = {"events_lost": {"first": 2, "last": 3}}
    far = lost(0, 1, TOP)
    yield host(
        "events-lost-beyond",
        "EventsLost above newest is taken up to there; a heartbeat that contradicts the rest: Bye(GAP).",
        *start,
        Step(0.04).gets(beat(0, newest=3), far).reports(report),
        Step(0.06).gets(beat(0, newest=3)).reports(DOWN).sends(bye(GAP)),
        Step(0.08),
    )
    yield host(
        "events-lost-confirmed-by-heartbeat",
        "A heartbeat with a newest that reaches as far confirms the rest of the loss.",
        *start,
        Step(0.04).gets(beat(0, newest=3), lost(0, 2, 6)).reports(report),
        Step(0.06).gets(beat(0, newest=6)).reports({"events_lost": {"first": 4, "last": 6}}).sends(),
        Step(0.08),
    )
    yield host(
        "events-lost-confirmed-by-event",
        "So does the event behind it.",
        *start,
        Step(0.04).gets(beat(0, newest=3), lost(0, 2, 6)).reports(report),
        Step(0.06).gets(event(1, 7)).reports({"events_lost": {"first": 4, "last": 6}}, arrived(7)).sends(),
        Step(0.08),
    )
    yield host(
        "events-lost-contradicted-by-event",
        "An event among those that are lost: Bye(GAP).",
        *start,
        Step(0.04).gets(beat(0, newest=3), lost(0, 2, 6)).reports(report),
        Step(0.06).gets(event(1, 5)).reports(DOWN).sends(bye(GAP)),
        Step(0.08),
    )
    yield host(
        "events-lost-backwards",
        "EventsLost whose first is above its last: Bye(GAP).",
        *start,
        Step(0.04).gets(beat(0, newest=3), lost(0, 2, 1)).reports(DOWN).sends(bye(GAP)),
        Step(0.06),
    )
    yield host(
        "event-far",
        "No session has more than 2^32 events: one that is further up confirms no loss.",
        *start,
        Step(0.04).gets(beat(0, newest=3), lost(0, 2, 3 + STEP)).reports(report),
        Step(0.06).gets(event(1, 4 + STEP)).with_("out", [bye(GAP)]),
        Step(0.08),
    )


def counts() -> Iterator[Vector]:
    """Card events that count more cards than there are events."""
    start = met(device_hello(newest=2))
    for name, shows, count in (
        ("top", "A card event whose count is as high as it can be: Bye(GAP).", TOP),
        ("above", "A card event that counts as many cards as there are events: Bye(GAP).", 2),
        ("0", "A card event with count 0: Bye(GAP).", 0),
    ):
        card: Message = {"number": 2, "uptime_us": 1, "boot": BOOT, "card_unreadable": {"count": count}}
        came = Frame(1, payload({"event": card}), 0, 0, 8, CRITICAL)
        ends = Step(0.04).gets(beat(0, newest=2), came).reports(DOWN).sends(bye(GAP))
        yield host(f"card-count-{name}", shows, *start, ends, Step(0.06))


def heartbeats() -> Iterator[Vector]:
    """Heartbeats that contradict what the device said before."""
    start = met(device_hello(newest=9, committed=4, cards=3), end=0.03)
    for name, shows, counts in (
        ("newest", "In a heartbeat: newest that goes back: Bye(GAP).", {"newest": 8}),
        ("committed", "In a heartbeat: committed that goes back: Bye(GAP).", {"committed": 3}),
        ("cards", "In a heartbeat: cards that go back: Bye(GAP).", {"cards": 2}),
        ("committed-above", "In a heartbeat: committed above newest: Bye(GAP).", {"committed": 10}),
        ("cards-above", "In a heartbeat: as many cards as events: Bye(GAP).", {"cards": 9}),
        (
            "newest-far",
            "In a heartbeat: newest more than 2^32 above the Hello's: Bye(GAP).",
            {"newest": 10 + STEP},
        ),
    ):
        fields = {"newest": 9, "committed": 4, "cards": 3} | counts
        ends = Step(0.04).gets(beat(0, **fields)).reports(DOWN).sends(bye(GAP))
        yield host(f"heartbeat-{name}", shows, *start, ends, Step(0.06), newest=9, cards=3)


def lost(sequence: int, first: int, last: int) -> Frame:
    return Frame(1, payload({"events_lost": {"first": first, "last": last}}), sequence, 0, 8)


def keys() -> Iterator[Vector]:
    """Keys that no host can have reached."""
    for name, shows, key in (
        ("top", "Recall of 2^53 − 1 burns no key.", TOP),
        ("above", "Nor does Recall above 2^52.", HIGHEST + 1),
        ("far", "Recall more than 2^32 above the highest key seen: RANGE, and nothing is noted.", 2 * STEP),
        ("0", "Recall of key 0: RANGE.", 0),
    ):
        yield device(
            f"recall-{name}",
            shows,
            *opening(),
            Moment(0.02).gets(recall(0, 1, key), recall(1, 2, 7)).results((1, RANGE), (2, NEVER)),
            Moment(0.04).gets(recall(2, 3, key), recall(3, 4, 8)).results((3, RANGE), (4, NEVER)),
            Moment(0.06),
        )
    yield device(
        "recall-ones",
        "Recall of 2^64 − 1 is unreadable: no answer, and no key is burned.",
        *opening(),
        Moment(0.02).gets(recall(0, 1, ONES), recall(1, 2, 7)).results((2, NEVER)),
        Moment(0.04),
    )
    yield device(
        "recall-as-far-as-it-goes",
        "Recall 2^32 above the highest key seen burns the key.",
        *opening(),
        Moment(0.02).gets(recall(0, 1, STEP), recall(1, 2, STEP)).results((1, NEVER), (2, NEVER)),
        Moment(0.04).gets(recall(2, 3, 2 * STEP + 1)).results((3, RANGE)),
        Moment(0.06),
    )
    start = {"start": {"decks": 8}}
    for name, shows, key in (
        ("top", "An action under key 2^53 − 1 is not executed and burns no key: the next one runs.", TOP),
        ("above", "So is one above 2^52.", HIGHEST + 1),
        (
            "far",
            "An action more than 2^32 above the highest key seen: RANGE, and the next one runs.",
            STEP + 1,
        ),
        ("0", "An action under key 0: RANGE.", 0),
    ):
        yield device(
            f"action-key-{name}",
            shows,
            *opening(device_class=SHUFFLER),
            armed(),
            Moment(0.03).gets(order(1, key, "start", start["start"])).results((key, RANGE)).reports(),
            Moment(0.04)
            .gets(order(2, 5, "start", start["start"]))
            .results((5, DONE))
            .reports({"command": start}),
            Moment(0.06),
            device_class=SHUFFLER,
        )
    yield device(
        "action-key-range-unarmed",
        "The key is looked at first: an unarmed device answers RANGE, and keeps no result.",
        *opening(device_class=SHUFFLER),
        Moment(0.02).gets(order(0, TOP, "eject", {})).results((TOP, RANGE)),
        Moment(0.03).gets(order(1, 1, "eject", {}), recall(2, 2, 1)).results((1, UNARMED), (2, UNARMED)),
        Moment(0.05),
        device_class=SHUFFLER,
    )


def events() -> Iterator[Vector]:
    """Numbers of events that do not exist, in what a host sends."""
    yield device(
        "resume-range",
        "Resume from 0, or from further than the event after the newest: RANGE.",
        *opening(),
        Moment(0.02)
        .gets(resume(0, 1, 0), resume(1, 2, 3), resume(2, 3, TOP), resume(3, 4, 2))
        .results((1, RANGE), (2, RANGE), (3, RANGE), (4, DONE)),
        Moment(0.04),
    )
    yield device(
        "arm-range",
        "Arm above the newest event: RANGE, and the device stays unarmed.",
        *opening(),
        Moment(0.02).gets(arm(0, 1, 2), arm(1, 2, TOP)).results((1, RANGE), (2, RANGE)).reports(),
        Moment(0.04),
    )
    for name, commits in (("event-commit", commit(2)), ("heartbeat", host_beat(2))):
        yield device(
            f"commit-above-by-{name}",
            f"A commit by {name} above the newest event is dropped: the next Hello says so.",
            *opening(),
            Moment(0.02).gets(commits),
            *again(0.04, committed=0),
            Moment(0.08),
        )
