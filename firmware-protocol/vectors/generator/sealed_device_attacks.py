"""Vectors of section 7 for a device: bad tags, replays and clear frames in its session, and what it
records."""

from collections.abc import Iterator

from generator.device import THIRD_NONCE, Moment, arm, beat, event, order, permit, resume
from generator.framing import Vector
from generator.messages import Message
from generator.proving import HOST_NONCE, SECOND_NONCE, clear
from generator.sealed_device import FOURTH_NONCE, NO_SESSION, Talk, refuse, sealed, talk
from generator.sealed_device_handshake import PROOF
from generator.sealing import OTHER_KEY
from generator.wire import Frame

TAGS = 3
BYE_TAGS: Message = {"bye": {"reason": TAGS}}


def sieges() -> Iterator[Vector]:
    """What an attacker on the line can do to a device, and what it records."""
    one, two = talk(), talk(THIRD_NONCE, nonce=1, share=1, newest=2, committed=1)
    yield sealed(
        "tags",
        "Five bad tags in ten seconds: Bye(TAGS), the safe state; the next session is told.",
        *one.opening(),
        Moment(0.02).gets(*one.say(arm(0, 1))).results((1, 1)).reports({"armed": {}}),
        Moment(0.1).gets(*forged(one, 4)).says().reports().results(),
        Moment(0.2).gets(*forged(one, 1)).says_like(BYE_TAGS).reports({"safe": {}}),
        Moment(0.3).gets(*one.say(beat())).says(NO_SESSION),
        *two.opening(0.4),
        Moment(0.5).gets(*two.say(resume(0, 2, 2))).results((2, 1)).events(tamper(2, 5)),
        Moment(0.55),
    )
    one = talk()
    yield sealed(
        "tags-four",
        "Four bad tags end nothing and tell nothing.",
        *one.opening(),
        Moment(0.1).gets(*forged(one, 4)).says().events(),
        Moment(0.2).gets(*one.say(resume(0, 1, 2))).results((1, 1)).events().says(),
        Moment(0.25),
    )
    yield from per_session()
    yield from limited()
    yield from bad_proofs()
    yield from ignored()
    yield from clear_words()


def per_session() -> Iterator[Vector]:
    """What a new session forgets."""
    one, two = talk(), talk(THIRD_NONCE, nonce=1, share=1)
    openings = one.opening(), two.opening(0.2)
    yield sealed(
        "tags-two-sessions",
        "Bad tags count for each session on its own: three and three end nothing.",
        *openings[0],
        Moment(0.1).gets(*forged(one, 3)).says(),
        *openings[1],
        Moment(0.3).gets(*forged(two, 3)).says(),
        Moment(0.4).gets(*two.say(resume(0, 1, 2))).results((1, 1)).events(),
        Moment(0.45),
    )


def limited() -> Iterator[Vector]:
    """A ring that an attacker must not fill."""
    talks = [
        talk(HOST_NONCE),
        talk(SECOND_NONCE, nonce=1, share=1, newest=2),
        talk(THIRD_NONCE, nonce=2, share=2, newest=2),
        talk(FOURTH_NONCE, nonce=3, share=3, newest=3),
    ]
    sieged = [besieged(one, at) for one, at in zip(talks[:3], (0.0, 20.0, 61.0), strict=True)]
    last = talks[3]
    yield sealed(
        "tags-limited",
        "Three sessions end by bad tags: one tamper event in 60 s; the next one counts what was not told.",
        *(step for steps in sieged for step in steps),
        *last.opening(62.0),
        Moment(62.1).gets(*last.say(resume(0, 1, 2))).results((1, 1)).events(tamper(2, 5), tamper(3, 10)),
        Moment(62.2),
    )


def bad_proofs() -> Iterator[Vector]:
    """An attacker who tries keys."""
    one, two = talk(), talk(SECOND_NONCE, nonce=1, newest=2)
    refused = refuse(PROOF), refuse(PROOF, SECOND_NONCE)
    opening = [two.begin(61.0), Moment(61.1).gets(clear(two.proved(OTHER_KEY))).says_like(refused[1])]
    installed = two.install(61.2)
    yield sealed(
        "proofs-limited",
        "Bad proofs too raise one tamper event in 60 s; the next one counts what was not told.",
        one.begin(0.0),
        *(Moment(n / 10).gets(clear(one.proved(OTHER_KEY))).says_like(refused[0]) for n in range(1, 4)),
        *opening,
        installed,
        Moment(61.3)
        .gets(*two.say(resume(0, 1, 2)))
        .results((1, 1))
        .events(tamper(2, 1, what=2), tamper(3, 3, what=2)),
        Moment(61.4),
    )


def besieged(one: Talk, at: float) -> list[Moment]:
    """A session that five bad tags end."""
    opening = one.begin(at), one.install(at + 0.01)
    return [*opening, Moment(at + 0.1).gets(*forged(one, 5)).says_like(BYE_TAGS)]


def ignored() -> Iterator[Vector]:
    """Replays are only counted."""
    one = talk()
    opening = one.opening()
    first = one.say(resume(0, 1, 2))[0]
    yield sealed(
        "replays",
        "Replays are only counted: 40 of them end nothing, tell nothing, and are not executed again.",
        *opening,
        Moment(0.1).gets(first).results((1, 1)),
        *(Moment(0.2 + n / 40).gets(first).results().says().events() for n in range(40)),
        Moment(1.3).gets(*one.say(arm(1, 2))).results((2, 1)).reports({"armed": {}}),
        Moment(1.35),
    )


def clear_words() -> Iterator[Vector]:
    """Clear frames in a sealed session."""
    one = talk()
    orders = (permit(1, 2, 3), order(1, 2, "disarm", {}))
    yield sealed(
        "clear-frames",
        "Clear commands and a clear heartbeat in a sealed session are dropped, however many come.",
        *one.opening(),
        Moment(0.1).gets(*one.say(arm(0, 1))).results((1, 1)),
        *(Moment(0.2 + n / 20).gets(*orders, beat(1)).results().says().reports() for n in range(20)),
        Moment(1.3).gets(*one.say(permit(1, 2, 1))).results((2, 1)),
        Moment(1.35),
    )
    one = talk()
    yield sealed(
        "clear-heartbeats",
        "A host that goes on in clear is lost after three seconds: the safe state.",
        *one.opening(),
        Moment(0.1).gets(*one.say(arm(0, 1))).results((1, 1)).reports({"armed": {}}),
        *(Moment(0.5 + n / 2).gets(beat(1)).reports() for n in range(5)),
        Moment(2.9).gets(beat(1)).reports({"safe": {}}),
        Moment(3.1),
    )
    one = talk()
    yield sealed(
        "clear-commit",
        "A clear heartbeat commits nothing: the next Hello says so.",
        *one.opening(),
        Moment(0.1).gets(beat(1)),
        *talk(THIRD_NONCE, nonce=1, share=1).opening(0.2),
        Moment(0.3),
    )


def forged(one: Talk, count: int) -> list[Frame]:
    """That many commands with a bad tag."""
    return [one.host.forged(resume(0, 1, 1))] * count


def tamper(number: int, count: int, what: int = 1) -> dict[str, object]:
    """The event that records bad tags, or something else."""
    return event(number, "tamper", critical=True, what=what, count=count)
