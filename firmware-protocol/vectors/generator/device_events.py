"""Vectors of sections 8 and 9.4 for a device: events, commits, permits, the count of cards."""

from collections.abc import Iterator

from generator.device import (
    OPENED,
    Moment,
    again,
    arm,
    armed,
    beat,
    commit,
    device,
    event,
    opening,
    order,
    permit,
    rebooted,
    resume,
)
from generator.framing import Vector
from generator.wire import Frame

DONE = 1
RANGE = 5


def events() -> Iterator[Vector]:
    """What is sent, repeated, committed and lost."""
    booted = event(1, "booted", reset=1)
    loose = event(2, "card_unpermitted", critical=True, count=1, card="Ts")
    yield device(
        "events-resume",
        "Nothing is sent before Resume; then from its number on. Card events are CRITICAL.",
        Moment(0.0).does("card", "Ts"),
        Moment(0.0).does(*OPENED),
        *opening(0.1, newest=3, cards=1),
        Moment(0.2).events(),
        Moment(0.3)
        .gets(resume(0, 1, 1))
        .results((1, DONE))
        .events(booted, loose, event(3, "cover", open=True)),
        Moment(0.4).does("record", {"cover": {"open": False}}).events(event(4, "cover")),
        Moment(0.45),
    )
    yield device(
        "events-kept",
        "Acknowledged is not committed: in a new session the host gets the event again.",
        *opening(),
        Moment(0.02).gets(resume(0, 1, 1)).events(booted),
        Moment(0.04).gets(Frame(0, b"", 0, 2, 8)).events(),
        *again(0.1),
        Moment(0.2).gets(resume(0, 2, 1)).events(booted),
        Moment(0.25),
    )
    yield device(
        "resume-twice",
        "Reading is never destructive: a second Resume sends again, committed or not.",
        *opening(),
        Moment(0.02).gets(resume(0, 1, 1)).events(booted),
        Moment(0.04).gets(commit(1), resume(1, 2, 1)).events(booted).results((2, DONE)),
        Moment(0.06),
    )
    yield from commits()
    yield from full_rings()


def full_rings() -> Iterator[Vector]:
    """What is lost and what is locked if the host commits nothing."""
    lost = {"critical": False, "events_lost": {"first": 961, "last": 1001}}
    stored = [event(number, "cover", open=True) for number in (959, 960)]
    yield device(
        "ring-full",
        "Of 1,000 minor events in 1,024 slots 960 are kept, with Booted; 64 slots stay free, 41 are lost.",
        *[Moment(0.0).does(*OPENED) for _ in range(1000)],
        *opening(0.1, newest=1001),
        Moment(0.2).gets(resume(0, 1, 959)).events(*stored, lost),
        Moment(0.3)
        .does("card", "2h")
        .events(event(1002, "card_unpermitted", critical=True, count=1, card="2h")),
        Moment(0.35),
    )
    yield device(
        "ring-full-locks",
        "With 64 slots left no card may start, whatever the permit; a commit makes room again.",
        *opening(),
        armed(),
        Moment(0.03).gets(permit(1, 2, 2)).results((2, DONE)),
        *[Moment(0.04).does(*OPENED) for _ in range(1000)],
        Moment(0.05).does("card", "2h"),
        Moment(0.06).gets(resume(2, 3, 1002)).events(event(1002, "card_unpermitted", critical=True)),
        Moment(0.08).gets(commit(1002)),
        Moment(0.1).does("card", "3h").events(event(1003, "card_drawn", critical=True)),
        Moment(0.12),
    )


def commits() -> Iterator[Vector]:
    """Three ways to say that events are on disk."""
    for name, frame in (("event-commit", commit(1)), ("heartbeat", beat(committed=1)), ("arm", arm(0, 1))):
        yield device(
            f"commit-by-{name}",
            f"Commit by {name}: event 1 is committed, as the next Hello says.",
            *opening(),
            Moment(0.02).gets(frame),
            *again(0.1, committed=1),
            Moment(0.2),
        )


def cards() -> Iterator[Vector]:
    """Permits and the count of cards."""
    card_event = event(2, "card_drawn", critical=True, count=1, card="As")
    loose = event(3, "card_unpermitted", critical=True, count=2, card="Kd")
    yield device(
        "permit-up-to",
        "Cards may leave until the count is up_to; the next one is unpermitted, and counted.",
        *opening(),
        armed(),
        Moment(0.03).gets(resume(1, 2, 2), permit(2, 3, 1)).results((2, DONE), (3, DONE)),
        Moment(0.04).does("card", "As").events(card_event),
        Moment(0.06).does("card", "Kd").events(loose),
        Moment(0.08),
    )
    yield device(
        "permit-not-above",
        "A permit that is not above the count locks the shoe, as Lock does.",
        *opening(),
        armed(),
        Moment(0.03)
        .gets(resume(1, 2, 2), permit(2, 3, 2), permit(3, 4, 0))
        .results((2, DONE), (3, DONE), (4, DONE)),
        Moment(0.04)
        .does("card", "As")
        .events(event(2, "card_unpermitted", critical=True, count=1, card="As")),
        Moment(0.05).gets(permit(4, 5, 3), order(5, 6, "lock", {})).results((5, DONE), (6, DONE)),
        Moment(0.06).does("card", "Kd").events(loose),
        Moment(0.08),
    )
    yield from permit_limits()
    yield from interrupted_cards()


def permit_limits() -> Iterator[Vector]:
    """How far a permit reaches, and how long it holds."""
    yield device(
        "permit-range",
        "At most 64 cards above the count.",
        *opening(),
        armed(),
        Moment(0.04).gets(permit(1, 2, 65), permit(2, 3, 64)).results((2, RANGE), (3, DONE)),
        Moment(0.06),
    )
    yield device(
        "permit-ends-with-session",
        "A permit does not outlive its session.",
        *opening(),
        armed(),
        Moment(0.03).gets(permit(1, 2, 5)).results((2, DONE)),
        *again(0.1, committed=1),
        Moment(0.2).gets(resume(0, 3, 2)),
        Moment(0.22)
        .does("card", "As")
        .events(event(2, "card_unpermitted", critical=True, count=1, card="As")),
        Moment(0.25),
    )


def interrupted_cards() -> Iterator[Vector]:
    """A card that moves while the power goes."""
    interrupted = event(3, "card_interrupted", critical=True, count=1)
    yield device(
        "card-interrupted",
        "The power goes while a card moves: found at boot, counted, told. Which card it was nobody knows.",
        Moment(0.0).does("card_begins", {}),
        Moment(0.1).does("reboot", {"reset": 4}),
        *opening(0.2, newest=3, cards=1, reset=4, **rebooted()),
        Moment(0.3)
        .gets(resume(0, 1, 1))
        .events(event(1, "booted", reset=1), event(2, "booted", reset=4), interrupted),
        Moment(0.35),
    )
