"""Vectors of sections 6 and 7 for a device that has a key: shares, the time that X25519 takes, nonces."""

from collections.abc import Iterator

from generator.device import THIRD_NONCE, Moment, arm, device, event, order, resume
from generator.framing import Vector
from generator.messages import payload
from generator.primitives import x25519
from generator.proving import (
    HOST_NONCE,
    SECOND_NONCE,
    clear,
    device_hello,
    host_hello,
    host_mac,
    proof,
    proved,
    transcript,
)
from generator.sealed_device import FOURTH_NONCE, Talk, refuse, sealed, talk
from generator.sealed_device_handshake import BAD_PROOF, PROOF
from generator.sealing import KEY, SEALED_DRAWN, sealed_device_hello, sealed_host_hello
from generator.wire import OPEN, Frame

OTHER_SHARE = x25519(bytes(range(1, 33)))
COMPUTING = 0.6
"""Seconds that both multiplications take in a script about them."""


def shares() -> Iterator[Vector]:
    """What a device does with the host's share, with time, and with a random source that gives nothing."""
    yield from wrong_shares()
    yield from expiry()
    yield from dropped()
    yield from computing()
    yield from nonces()


def wrong_shares() -> Iterator[Vector]:
    """Step 3 with another share than the host's."""
    one = talk()
    absent = proved(1, one.transcript, host_mac(one.transcript, KEY, b""))
    yield sealed(
        "share-absent",
        "A Proof without a share, its mac right, is dropped, and is no tamper; the right one still counts.",
        one.begin(0.0),
        Moment(0.1).gets(clear(absent)).says(),
        one.install(0.2),
        Moment(0.3).gets(*one.say(resume(0, 1, 2))).results((1, 1)).events(),
        Moment(0.35),
    )
    one = talk()
    exchanged = proved(
        1, one.transcript, host_mac(one.transcript, KEY, one.agreed(KEY).host_share), OTHER_SHARE
    )
    yield sealed(
        "share-exchanged",
        "An attacker's share under the host's mac: Refuse(PROOF) and a tamper event.",
        one.begin(0.0),
        Moment(0.1).gets(clear(exchanged)).says_like(refuse(PROOF)),
        one.install(0.2),
        Moment(0.3).gets(*one.say(resume(0, 1, 2))).results((1, 1)).events(BAD_PROOF),
        Moment(0.35),
    )
    for name, shows, share in (
        ("zero", "A share of zeros", bytes(32)),
        ("low", "A share of small order", b"\1" + bytes(31)),
    ):
        one, two = talk(), talk(THIRD_NONCE, nonce=1, share=1, newest=2)
        low = proved(1, one.transcript, host_mac(one.transcript, KEY, share), share)
        yield sealed(
            f"share-{name}",
            f"{shows} under a right mac: Refuse(PROOF), a tamper event, and the handshake is over.",
            one.begin(0.0),
            Moment(0.1).gets(clear(low)).says_like(refuse(PROOF)),
            Moment(0.2).gets(clear(one.proof)).says(),
            *two.opening(0.3),
            Moment(0.4).gets(*two.say(resume(0, 1, 2))).results((1, 1)).events(BAD_PROOF),
            Moment(0.45),
        )
    whole = transcript(host_hello(), device_hello())
    sharing = proved(1, whole, host_mac(whole, bytes(32), OTHER_SHARE), OTHER_SHARE)
    yield device(
        "share-present",
        "Where nothing is sealed a Proof with a share is dropped, and is no tamper.",
        Moment(0.0).gets(clear(host_hello())).says(device_hello()),
        Moment(0.1).gets(clear(sharing)).says(),
        Moment(0.2).gets(clear(proof(1, whole))).says(proof(2, whole)),
        Moment(0.25),
    )


def expiry() -> Iterator[Vector]:
    """A pending handshake ends 5 s after its answer."""
    one = talk()
    yield sealed(
        "proof-in-time",
        "A Proof 4.9 s after the answer installs the session.",
        one.begin(0.0),
        one.install(4.9),
        Moment(4.95),
    )
    one, two = talk(), talk(nonce=1)
    yield sealed(
        "proof-late",
        "A Proof 5.2 s after the answer is dropped, though the answer was repeated meanwhile.",
        one.begin(0.0),
        Moment(4.0).gets(clear(one.hello)).says(one.answer),
        Moment(5.2).gets(clear(one.proof)).says(),
        *two.opening(5.3),
        Moment(5.35),
    )


def dropped() -> Iterator[Vector]:
    """Clear messages that mean nothing to a device in a session."""
    one = talk()
    longer = one.proof + b"\xf8\x01\x01"
    mac = host_mac(one.transcript, KEY, OTHER_SHARE)
    words = (
        longer,
        proved(1, one.transcript, mac, OTHER_SHARE),
        payload({"refuse": {"echo": SEALED_DRAWN.nonce(), "reason": PROOF}}),
        payload({"no_session": {}}),
    )
    yield sealed(
        "session-words",
        "The installed transcript in other bytes, Refuse and NoSession are dropped: the session goes on.",
        *one.opening(),
        *(Moment(0.1 + n / 10).gets(clear(word)).says().reports() for n, word in enumerate(words)),
        Moment(0.6).gets(*one.say(resume(0, 1, 2), arm(1, 2))).results((1, 1), (2, 1)).events(),
        Moment(0.65),
    )


def computing() -> Iterator[Vector]:
    """A device that needs a while for X25519."""
    one = talk()
    two = talk(THIRD_NONCE, nonce=1, share=1)
    other = sealed_host_hello(nonce=FOURTH_NONCE)
    armed, heard = order(1, 2, "arm", {"seen": 1}, acknowledged=1), Frame(0, b"", 0, 2, OPEN)
    yield sealed(
        "computing",
        "While it computes it serves the older session, and drops repeats of step 3 and every Hello;"
        " the older session ends when the new one is installed.",
        one.begin(0.0),
        Moment(0.1).gets(clear(one.proof)).says(),
        Moment(0.3).gets(clear(one.proof), clear(one.hello), clear(other)).says(),
        Moment(0.5).installs(one.keys).says(one.confirmed),
        Moment(1.8).gets(*one.say(resume(0, 1, 2))).results((1, 1)),
        two.begin(1.85),
        Moment(1.9).gets(clear(two.proof)).says().results(),
        Moment(2.0).gets(*one.say(armed)).results((2, 1)).reports({"armed": {}}).says(),
        Moment(2.1).gets(*one.say(heard), clear(two.proof), clear(one.proof), clear(other)).says(),
        Moment(2.3).installs(two.keys).says(two.confirmed).reports({"safe": {}}),
        Moment(2.9).gets(*two.say(resume(0, 3, 2))).results((3, 1)),
        Moment(2.95),
        computing=COMPUTING,
    )
    one = talk()
    yield sealed(
        "computing-late",
        "Computing may last beyond the 5 s of the pending handshake: the Proof came in time.",
        one.begin(0.0),
        Moment(4.8).gets(clear(one.proof)).says(),
        Moment(5.1).installs(one.keys).says(one.confirmed),
        Moment(5.8).gets(*one.say(resume(0, 1, 2))).results((1, 1)),
        Moment(5.85),
        computing=COMPUTING,
    )
    one, two = talk(), talk(HOST_NONCE, boots=2, reset=4, newest=2)
    yield sealed(
        "computing-reboot",
        "It reboots while it computes: nothing is left of the handshake.",
        one.begin(0.0),
        Moment(0.1).gets(clear(one.proof)).says(),
        Moment(0.3).does("reboot", {"reset": 4}),
        Moment(0.4).gets(clear(one.proof)).says(),
        two.begin(1.0),
        Moment(1.1).gets(clear(two.proof)).says(),
        Moment(1.3).installs(two.keys).says(two.confirmed),
        Moment(2.0).gets(*two.say(resume(0, 1, 2))).results((1, 1)).events(event(2, "booted", reset=4)),
        Moment(2.05),
        computing=COMPUTING,
    )


def nonces() -> Iterator[Vector]:
    """A random source that gives zeros for ever."""
    hosts = [bytes([place]) * 16 for place in range(1, 9)]
    hellos = [sealed_host_hello(nonce=nonce) for nonce in hosts]
    answers = [
        sealed_device_hello(
            echo=host,
            nonce=SEALED_DRAWN.nonce(number % 4, 1 + number // 4),
            boot=SEALED_DRAWN.boot(1 + number // 4),
            newest=1 + number // 4,
            reset=1 if number < 4 else 2,
        )
        for number, host in enumerate(hosts)
    ]
    asked = [
        Moment(number / 10).gets(clear(hello)).says(answer)
        for number, (hello, answer) in enumerate(zip(hellos, answers, strict=True), start=1)
    ]
    yield sealed(
        "nonces",
        "Without random bits eight nonces and two boots differ, before and after a reboot.",
        *asked[:4],
        Moment(0.45).does("reboot", {"reset": 2}),
        *asked[4:],
        Moment(0.9),
    )
    log = SEALED_DRAWN.log(2)
    yield sealed(
        "formatted",
        "Formatting begins a new log and leaves the provisioning record alone: key and boots go on.",
        talk().begin(0.0),
        Moment(0.1).does("format", {"reset": 1}),
        *Talk(
            sealed_host_hello(nonce=SECOND_NONCE),
            sealed_device_hello(
                echo=SECOND_NONCE, nonce=SEALED_DRAWN.nonce(0, 2), boot=SEALED_DRAWN.boot(2), log=log
            ),
            SEALED_DRAWN.secret(0, 2),
        ).opening(0.2),
        Moment(0.25),
    )
