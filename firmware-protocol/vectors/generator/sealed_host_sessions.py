"""Vectors of sections 6 to 9 for a host that has a key: what it accepts in a session."""

from collections.abc import Iterator

from generator.framing import Vector
from generator.host_handshake import arrived, beat, command, event, up
from generator.host_log import commit
from generator.messages import Message, payload
from generator.proving import BOOT, OTHER_LOG, clear
from generator.script import Step, bye
from generator.sealed_device import BYE, NO_SESSION, Talk, talk
from generator.sealed_host_handshake import first_steps, installed, opening, sealed
from generator.wire import CRITICAL, OPEN, RETRANSMIT, Frame

TAGS = 3
SILENT = clear(NO_SESSION)
DOWN: dict[str, dict[str, object]] = {
    word: {"down": {"reason": word}} for word in ("tags", "no session", "heartbeat", "bye", "gap")
}


def news() -> Iterator[Vector]:
    """How a host handles frames in a sealed session."""
    yield from events()
    yield from logs()
    yield from repeats()
    yield from sieges()
    yield from hints()
    yield from clear_words()


def events() -> Iterator[Vector]:
    """Cards, repeats and gaps."""
    one = talk(newest=2)
    start = opening(one)
    yield sealed(
        "card",
        "A sealed card event comes up and is committed, sealed.",
        *start,
        Step(0.04).gets(*one.back(beat(0, newest=2), card(0, 2))).reports(arrived(2)).sends(),
        Step(0.06).does("commit", 2).sends(commit(2), command(1, 2, "arm", {"seen": 2})),
        Step(0.08),
    )
    one = talk(newest=3)
    start = opening(one)
    again = card(0, 2).flagged(CRITICAL | RETRANSMIT)
    yield sealed(
        "card-again",
        "A card comes again as a replay, as a retransmission, and under a new sequence: it counts once.",
        *start,
        Step(0.04).gets(*(first := one.back(beat(0, newest=3), card(0, 2)))).reports(arrived(2)),
        Step(0.05).gets(first[1], *one.back(again, card(1, 2))).reports().answers(2),
        Step(0.06).gets(*one.back(card(2, 3))).reports(arrived(3)),
        Step(0.08),
    )
    one = talk(newest=3)
    start = opening(one)
    yield sealed(
        "events-gap",
        "An event above the next number: Bye(GAP), sealed.",
        *start,
        Step(0.04).gets(*one.back(beat(0, newest=3), card(0, 3))).sends(bye(5)).reports(DOWN["gap"]),
        Step(0.06),
    )


def logs() -> Iterator[Vector]:
    """What changed since the last session."""
    one = talk(log=OTHER_LOG, newest=6, committed=4)
    start = first_steps(one)
    yield sealed(
        "log-changed",
        "The log changed since the journal: events up to `newest` are history, those after it are play.",
        *start,
        installed(one).sends(command(0, 1, "resume", {"next": 5})).reports(up("new log")),
        Step(0.04)
        .gets(*one.back(beat(0, newest=6, committed=4), event(0, 5), event(1, 6), event(2, 7)))
        .reports(arrived(5, history=True), arrived(6, history=True), arrived(7)),
        Step(0.06),
    )
    one = talk(newest=6, committed=4)
    start = first_steps(one)
    yield sealed(
        "log-served-elsewhere",
        "Committed above the journal: another table with the same key took events.",
        *start,
        installed(one).sends(command(0, 1, "resume", {"next": 2})).reports(up("served elsewhere")),
        Step(0.04)
        .gets(*one.back(beat(0, newest=6, committed=4), *(event(n, n + 2) for n in range(4))))
        .reports(*(arrived(n, history=n <= 4) for n in range(2, 6))),
        Step(0.06),
    )


def repeats() -> Iterator[Vector]:
    """What the host sends again."""
    one = talk()
    start = first_steps(one)
    resume: Message = {"next": 2}
    yield sealed(
        "resume-again",
        "Resume is not acknowledged: it goes out again as RETRANSMIT, under a fresh counter.",
        *start,
        installed(one).sends(command(0, 1, "resume", resume)),
        Step(0.2).sends(command(0, 1, "resume", resume) | {"flags": CRITICAL | RETRANSMIT}),
        Step(0.32),
    )


def sieges() -> Iterator[Vector]:
    """Bad tags and replays."""
    one = talk()
    start = opening(one)
    yield sealed(
        "tags",
        "Five bad tags in ten seconds: Bye(TAGS), sealed, and the session is down.",
        *start,
        Step(0.04).gets(*one.back(beat(0)), *forged(one, 4)).reports(),
        Step(0.1).gets(*forged(one, 1)).reports(DOWN["tags"]).sends(bye(TAGS)),
        Step(0.2),
    )
    one = talk(newest=2)
    start = opening(one)
    yield sealed(
        "tags-four",
        "Four bad tags end nothing; the event that follows counts.",
        *start,
        Step(0.04).gets(*one.back(beat(0, newest=2)), *forged(one, 4)).reports().sends(),
        Step(0.1).gets(*one.back(event(0, 2))).reports(arrived(2)),
        Step(0.2),
    )
    one = talk(newest=2)
    start = opening(one)
    first = one.back(beat(0, newest=2))
    yield sealed(
        "replays",
        "Replays are only counted: 40 of them end nothing.",
        *start,
        Step(0.04).gets(*first).reports(),
        *(Step(0.05 + n / 40).gets(*first).reports() for n in range(40)),
        Step(1.1).gets(*one.back(event(0, 2))).reports(arrived(2)),
        Step(1.2),
    )


def hints() -> Iterator[Vector]:
    """NoSession is clear, so that anyone can send it."""
    one = talk()
    start = opening(one)
    yield sealed(
        "no-session",
        "NoSession is heeded when nothing good was heard for 1 s.",
        *start,
        Step(0.5).gets(*one.back(beat(1))),
        Step(1.4).gets(SILENT).reports(),
        Step(1.6).gets(SILENT).reports(DOWN["no session"]),
        Step(1.65),
    )
    one = talk()
    start = opening(one)
    pulse = one.back(beat(1))
    yield sealed(
        "no-session-noise",
        "A replay, a clear heartbeat and bad tags are nothing good.",
        *start,
        Step(0.5).gets(*pulse),
        Step(1.45).gets(*pulse, beat(1), *forged(one, 2)).reports(),
        Step(1.6).gets(SILENT).reports(DOWN["no session"]),
        Step(1.65),
    )
    one = talk()
    start = opening(one)
    yield sealed(
        "no-session-sealed",
        "A sealed NoSession is none: dropped, even after 1 s of silence.",
        *start,
        Step(1.2).gets(*one.back(Frame(0, NO_SESSION))).reports(),
        Step(1.3),
    )


def clear_words() -> Iterator[Vector]:
    """Clear frames in a sealed session."""
    one = talk(newest=2)
    start = opening(one)
    yield sealed(
        "clear-frames",
        "A clear event and a clear Bye are dropped; sealed ones with the same sequence count.",
        *start,
        Step(0.04).gets(beat(0), card(0, 2), BYE).reports().sends(),
        Step(0.06).gets(*one.back(beat(0, newest=2), event(0, 2))).reports(arrived(2)),
        Step(0.08).gets(*one.back(BYE)).reports(DOWN["bye"]),
        Step(0.1),
    )
    one = talk()
    start = opening(one)
    yield sealed(
        "clear-heartbeats",
        "Clear heartbeats keep no session alive.",
        *start,
        *(Step(0.5 + n / 2).gets(beat(0)) for n in range(5)),
        Step(2.9).gets(beat(0)).reports(DOWN["heartbeat"]),
        Step(3.1),
    )


def card(sequence: int, number: int) -> Frame:
    """The card of event `number`. `Booted` was the first event."""
    body: Message = {"number": number, "uptime_us": number, "boot": BOOT}
    card_event: Message = {"count": number - 1, "card": "Ts"}
    return Frame(1, payload({"event": body | {"card_drawn": card_event}}), sequence, 0, OPEN, CRITICAL)


def forged(one: Talk, count: int) -> list[Frame]:
    """That many events with a bad tag."""
    return [one.device.forged(card(0, 2))] * count
