"""Vectors of sections 6 and 7 for a host that has a key: the handshake."""

from collections.abc import Iterator
from dataclasses import replace

from generator.framing import Vector
from generator.host_handshake import SECOND_SECRET, beat, command, control, host, result, up
from generator.host_handshake import refuse as clear_refuse
from generator.messages import payload
from generator.primitives import x25519
from generator.proving import HOST_NONCE, HOST_SECRET, SECOND_NONCE, SERIAL, Agreed, clear, proved
from generator.script import Step
from generator.sealed_device import Talk, talk
from generator.sealing import (
    DEVICE_SECRET,
    KEY,
    OTHER_KEY,
    SEALED_DRAWN,
    sealed_device_hello,
    sealed_host_hello,
)
from generator.wire import Frame

VERSION = 1
SCHEMA = 2
IDENTITY = 3
SEAL = 4
PROOF = 5
KNOWN = up("known")


def sealed(name: str, shows: str, *steps: Step, **journal: object) -> Vector:
    """A script for the host of a shoe whose key it has."""
    known = {"log": SEALED_DRAWN.log().hex()}
    return host(f"sealed-{name}", shows, *steps, key=KEY, **known | journal)


def refuse(reason: int) -> dict[str, object]:
    """A Refuse that must go out."""
    return clear_refuse(reason, SEALED_DRAWN.nonce())


def first_word(nonce: bytes = HOST_NONCE) -> dict[str, object]:
    """Step 1."""
    return control(sealed_host_hello(nonce=nonce))


def first_steps(one: Talk) -> list[Step]:
    """Steps 1 to 3."""
    return [Step(0.0).sends(first_word()), Step(0.01).gets(clear(one.answer)).sends(control(one.proof))]


def installed(one: Talk, at: float = 0.03) -> Step:
    """Step 4."""
    return Step(at).installs(one.keys).gets(clear(one.confirmed))


def opening(one: Talk) -> list[Step]:
    """All four steps; Resume goes out."""
    return [*first_steps(one), installed(one)]


def handshakes() -> Iterator[Vector]:
    """From the first Hello to the first sealed frames."""
    one = talk()
    yield sealed(
        "handshake",
        "Steps 1 to 4 in clear, then all is sealed: Resume, and after the results Arm.",
        *first_steps(one),
        installed(one).sends(command(0, 1, "resume", {"next": 2})).reports(KNOWN),
        Step(0.04).gets(*one.back(beat(1))).sends(command(1, 2, "arm", {"seen": 1})),
        Step(0.06).gets(*one.back(result(0, 1, 1, 2), result(1, 2, 1, 2))).reports({"running": {}}),
        Step(0.1),
    )
    one = talk()
    yield sealed(
        "first-frame",
        "The first frame of the session is a heartbeat, sealed under counter 0.",
        *first_steps(one),
        installed(one).with_("beats", {"count": 1, "last": {"committed": 1}}),
        Step(0.05),
    )
    yield from lost_replies()
    yield from silent_devices()
    yield from proofs()
    yield from shares()
    yield from other_proofs()
    yield from strangers()
    yield from refusals()
    yield from refused()


def lost_replies() -> Iterator[Vector]:
    """A line that loses answers, or brings them twice."""
    one = talk()
    yield sealed(
        "lost-hello",
        "The device's Hello is lost: step 1 again, the same bytes; the answer to the second one is as good.",
        Step(0.0).sends(first_word(), first_word()),
        Step(0.3).gets(clear(one.answer)).sends(control(one.proof)),
        installed(one, 0.4).reports(KNOWN),
        Step(0.45),
    )
    one = talk()
    yield sealed(
        "lost-proof",
        "The device's Proof is lost: step 3 again, the same bytes; the device's is the same, too.",
        Step(0.0).sends(first_word()),
        Step(0.01).gets(clear(one.answer)).sends(control(one.proof), control(one.proof)),
        installed(one, 0.3).reports(KNOWN),
        Step(0.35),
    )
    one = talk()
    yield sealed(
        "proof-twice",
        "The device's Proof comes twice: the second one changes nothing, counters go on.",
        *first_steps(one),
        Step(0.03).installs(one.keys).gets(clear(one.confirmed), clear(one.confirmed)).reports(KNOWN),
        Step(0.04).gets(*one.back(beat(1))).sends(command(1, 2, "arm", {"seen": 1})),
        Step(0.06).gets(clear(one.confirmed)).sends().reports(),
        Step(0.08).gets(*one.back(result(0, 1, 1, 2), result(1, 2, 1, 2))).reports({"running": {}}),
        Step(0.1),
    )


def silent_devices() -> Iterator[Vector]:
    """A device that starts anew in a handshake."""
    one = talk()
    two = Talk(
        sealed_host_hello(nonce=SECOND_NONCE),
        sealed_device_hello(echo=SECOND_NONCE),
        DEVICE_SECRET,
        SECOND_SECRET,
    )
    again = [control(one.proof)] * 8
    yield sealed(
        "both-reboot",
        "The device reboots after step 2 and is silent: after 8 Proofs a fresh nonce, and all is new.",
        Step(0.0).sends(first_word()),
        Step(0.1).gets(clear(one.answer)).sends(*again),
        Step(2.05).sends(first_word(SECOND_NONCE)),
        Step(2.2).gets(clear(one.confirmed)).sends().reports(),
        Step(2.25).gets(clear(two.answer)).sends(control(two.proof)),
        installed(two, 2.4).reports(KNOWN),
        Step(2.45),
    )


def proofs() -> Iterator[Vector]:
    """Step 4, right and wrong."""
    for name, shows, key in (
        ("wrong-key", "A Proof made with another device's K", OTHER_KEY),
        ("no-key", "A Proof made with the 32 zero bytes of seal = none", bytes(32)),
    ):
        one = talk()
        bad = Step(0.03).gets(clear(one.agreed(key).device_proof))
        yield sealed(
            f"proof-{name}",
            f"{shows}: Refuse(PROOF).",
            *first_steps(one),
            bad.sends(refuse(PROOF)).reports({"refused": {"reason": "PROOF"}}),
            Step(0.1),
        )
    one = talk()
    swapped = one.proof.replace(b"\x08\x01", b"\x08\x02", 1)
    yield sealed(
        "proof-host-text",
        "The host's own mac as the device's: each side proves with a text of its own, so it is wrong.",
        *first_steps(one),
        Step(0.03).gets(clear(swapped)).sends(refuse(PROOF)).reports({"refused": {"reason": "PROOF"}}),
        Step(0.1),
    )


def shares() -> Iterator[Vector]:
    """Step 4 with other shares than the device's."""
    one = talk()
    agreement = one.agreed(KEY)
    yield sealed(
        "share-absent",
        "A Proof without a share is dropped; the right one still counts.",
        *first_steps(one),
        Step(0.03).gets(clear(proved(2, one.transcript, agreement.device_mac))).sends().reports(),
        installed(one, 0.04).reports(KNOWN),
        Step(0.05),
    )
    other = replace(agreement, device_share=x25519(SECOND_SECRET))
    attacker = proved(2, one.transcript, agreement.device_mac, other.device_share)
    mixed = replace(other, shared=x25519(HOST_SECRET, other.device_share), key=bytes(32))
    zero = Agreed(one.transcript, KEY, agreement.host_share, bytes(32), bytes(32))
    low = Agreed(one.transcript, KEY, agreement.host_share, b"\1" + bytes(31), bytes(32))
    for name, shows, step_four in (
        ("exchanged", "An attacker's share under the device's mac", attacker),
        (
            "of-attacker",
            "An attacker's share and all that follows from it, but without K",
            mixed.device_proof,
        ),
        ("zero", "A share of zeros, which makes the shared secret zero", zero.device_proof),
        ("low", "A share of small order, which makes the shared secret zero", low.device_proof),
    ):
        bad = Step(0.03).gets(clear(step_four))
        yield sealed(
            f"share-{name}",
            f"{shows}: Refuse(PROOF).",
            *first_steps(one),
            bad.sends(refuse(PROOF)).reports({"refused": {"reason": "PROOF"}}),
            Step(0.1),
        )


def other_proofs() -> Iterator[Vector]:
    """Proofs and Hellos that are not this device's answer."""
    one, other = talk(), talk(nonce=1)
    yield sealed(
        "proof-other-transcript",
        "A right mac over another transcript is dropped; the right Proof still counts.",
        *first_steps(one),
        Step(0.03).gets(clear(other.confirmed)).sends().reports(),
        installed(one, 0.04).reports(KNOWN),
        Step(0.05),
    )
    one = talk()
    yield sealed(
        "own-words",
        "The host's own Hello and Proof, come back over a bad line, are dropped at any time.",
        Step(0.0).sends(first_word()),
        Step(0.005).gets(clear(one.hello)).sends().reports(),
        Step(0.01).gets(clear(one.answer)).sends(control(one.proof)),
        Step(0.02).gets(clear(one.hello), clear(one.proof)).sends().reports(),
        installed(one).reports(KNOWN),
        Step(0.05).gets(clear(one.hello), clear(one.proof)).sends().reports(),
        Step(0.1),
    )


def strangers() -> Iterator[Vector]:
    """Frames of another session before there is one."""
    one, old = talk(), talk(SECOND_NONCE)
    recorded = old.back(beat(1), result(0, 1, 1, 1))
    yield sealed(
        "old-session",
        "A host that restarts hears its old session: the old Hello, Proof and sealed frames are dropped.",
        Step(0.0).sends(first_word()),
        Step(0.01).gets(clear(old.answer), clear(old.confirmed), *recorded).sends().reports(),
        Step(0.02).gets(clear(one.answer)).sends(control(one.proof)),
        Step(0.03).gets(clear(old.confirmed), *recorded).sends().reports(),
        installed(one, 0.04).reports(KNOWN),
        Step(0.05),
    )


def refusals() -> Iterator[Vector]:
    """Devices that the host refuses."""
    for name, word, reason, shows, hello in (
        ("version", "VERSION", VERSION, "Another major version.", sealed_device_hello(major=2)),
        (
            "schema",
            "SCHEMA",
            SCHEMA,
            "The same minor version, another list.",
            sealed_device_hello(schema=bytes(8)),
        ),
        (
            "none",
            "SEAL",
            SEAL,
            "A device without a key where one is configured.",
            sealed_device_hello(seal=1),
        ),
        ("no-seal", "SEAL", SEAL, "A device that does not say how it seals.", sealed_device_hello(seal=0)),
        ("identity", "IDENTITY", IDENTITY, "Another serial number.", sealed_device_hello(id=f"{SERIAL}-B")),
    ):
        step = Step(0.01).gets(clear(hello)).sends(refuse(reason)).reports({"refused": {"reason": word}})
        yield sealed(f"refuses-{name}", shows, Step(0.0), step, Step(0.1))


def refused() -> Iterator[Vector]:
    """A host that the device refuses."""
    one = talk()
    for name, word, reason, steps in (
        ("seal", "SEAL", SEAL, [Step(0.0).sends(first_word())]),
        ("proof", "PROOF", PROOF, first_steps(one)),
    ):
        refusal = payload({"refuse": {"echo": HOST_NONCE, "reason": reason, "text": "no"}})
        step = Step(0.03).gets(Frame(0, refusal)).sends().reports({"refused": {"reason": word}})
        yield sealed(f"refused-{name}", f"Refuse({word}) ends the attempt.", *steps, step, Step(0.3))
