"""Vectors of sections 6 and 7 for a device that has a key: one session after another, replayed, or cut
short."""

from collections.abc import Iterator

from generator.device import THIRD_NONCE, Moment, arm, beat, event, order, resume
from generator.framing import Vector
from generator.proving import HOST_NONCE, clear
from generator.sealed_device import BYE, NO_SESSION, Talk, refuse, sealed, talk
from generator.sealed_device_handshake import BAD_PROOF, PROOF
from generator.sealing import OTHER_KEY

REBOOT = ("reboot", {"reset": 4})


def lives() -> Iterator[Vector]:
    """What ends a session, and what does not."""
    yield from repeats()
    yield from recorded()
    yield from reboots()


def repeats() -> Iterator[Vector]:
    """Lost answers, and a new session over an old one."""
    one = talk()
    yield sealed(
        "proof-same",
        "The same Proof gets the same bytes and resets nothing: sequences and both counters go on.",
        *one.opening(),
        Moment(0.02).gets(*one.say(resume(0, 1, 2))).results((1, 1)),
        Moment(0.03).gets(clear(one.proof)).says(one.confirmed),
        Moment(0.04).gets(*one.say(arm(1, 2))).results((2, 1)).reports({"armed": {}}),
        Moment(0.05).gets(clear(one.proof)).says(one.confirmed).reports(),
        Moment(0.06),
    )
    one, two = talk(), talk(THIRD_NONCE, nonce=1, share=1)
    yield sealed(
        "hello-ends-nothing",
        "In a session another Hello is answered, its Proof with a wrong key refused: the session goes on.",
        *one.opening(),
        two.begin(0.02),
        Moment(0.03).gets(clear(two.proved(OTHER_KEY))).says_like(refuse(PROOF, THIRD_NONCE)),
        Moment(0.04).gets(*one.say(resume(0, 1, 2))).results((1, 1)).events(BAD_PROOF),
        Moment(0.05),
    )
    one, two = talk(), talk(THIRD_NONCE, nonce=1, share=1, committed=1)
    yield sealed(
        "proved-ends-older",
        "A proved handshake ends the older session: new keys, counters and sequences from 0, Arm is gone."
        " A frame of the old session is a bad tag now.",
        *one.opening(),
        Moment(0.02).gets(*one.say(arm(0, 1))).results((1, 1)).reports({"armed": {}}),
        *two.opening(0.1),
        Moment(0.2).gets(*one.say(resume(1, 2, 1))).results().events(),
        Moment(0.3).gets(*two.say(order(0, 3, "permit", {"up_to": 1}))).results((3, 3)),
        Moment(0.35),
    )


def recorded() -> Iterator[Vector]:
    """A whole session, recorded and played again."""
    one, two = talk(), talk(nonce=1, share=1)
    opening = one.opening()
    command, goodbye = one.say(resume(0, 1, 1), BYE)
    yield sealed(
        "session-replayed",
        "A session played again: its Hello gets a new nonce, its Proof fits nothing, all else is stray.",
        *opening,
        Moment(0.02).gets(command).results((1, 1)),
        Moment(0.03).gets(goodbye).says(),
        Moment(0.1).gets(clear(one.proof)).says(),
        Moment(6.0).gets(clear(one.hello)).says(two.answer),
        Moment(6.1).gets(clear(one.proof)).says(),
        Moment(6.2).gets(command).says(NO_SESSION).results().events(),
        two.install(6.3),
        Moment(6.4).gets(command).results().events(),
        Moment(6.5).gets(*two.say(resume(0, 1, 2))).results((1, 1)).events(),
        Moment(6.55),
    )
    one = talk()
    yield sealed(
        "strays",
        "Sealed frames of a session that it does not have get NoSession, in clear, once in 250 ms.",
        Moment(0.0).gets(*one.say(beat(), resume(0, 1, 1))).says(NO_SESSION),
        Moment(0.1).gets(*one.say(beat())).says(),
        Moment(0.3).gets(*one.say(beat())).says(NO_SESSION),
        Moment(0.4),
    )


def after_reboot(host_nonce: bytes) -> Talk:
    """The session after REBOOT, with that nonce of the host."""
    return talk(host_nonce, boots=2, reset=4, newest=2)


def reboots() -> Iterator[Vector]:
    """A power cut at any moment ends in step 1."""
    one, two = talk(), after_reboot(THIRD_NONCE)
    both = [event(1, "booted", reset=1), event(2, "booted", reset=4)]
    yield sealed(
        "reboot",
        "It reboots: the host's frames get NoSession; then a new handshake, new keys, counters from 0.",
        *one.opening(),
        Moment(0.1).does(*REBOOT),
        Moment(0.2).gets(*one.say(resume(0, 1, 1))).says(NO_SESSION).results(),
        *two.opening(0.3),
        Moment(0.4).gets(*two.say(resume(0, 1, 1))).results((1, 1)).events(*both),
        Moment(0.45),
    )
    one, two = talk(), after_reboot(HOST_NONCE)
    yield sealed(
        "reboot-in-handshake",
        "It reboots between steps 2 and 3: the Proof fits nothing; the same Hello gets a new answer.",
        one.begin(0.0),
        Moment(0.1).does(*REBOOT),
        Moment(0.2).gets(clear(one.proof)).says(),
        *two.opening(0.3),
        Moment(0.4).gets(*two.say(resume(0, 1, 1))).results((1, 1)).events(*both),
        Moment(0.45),
    )
    one, two = talk(), after_reboot(THIRD_NONCE)
    yield sealed(
        "both-reboot",
        "Both sides reboot in a session: the host's new Hello is answered as any other.",
        *one.opening(),
        Moment(0.1).does(*REBOOT),
        *two.opening(0.2),
        Moment(0.3).gets(*two.say(arm(0, 1, 2))).results((1, 1)).reports({"armed": {}}),
        Moment(0.35),
    )
