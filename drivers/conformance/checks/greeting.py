"""Steps 1 and 2 of the handshake, and what is refused. Section 6.1."""

from typing import Any

from drivers import messages as m
from drivers.conformance.check import TRIES, Check
from drivers.conformance.matchers import of_handshake, says
from drivers.conformance.outcome import CheckFailed
from drivers.conformance.probe import Probe
from drivers.link.frames import WireFrame
from drivers.link.limits import HIGHEST
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import MAJOR, MINOR, Channel, RefuseReason, Reset, Seal, Side

UNKNOWN_FIELD = b"\xa2\x3f\x03abc"
"""Field 1012, bytes."""
OTHER_SEAL = {Seal.NONE: Seal.SEALED, Seal.SEALED: Seal.NONE}


async def _hello(p: Probe) -> None:
    hello = (await p.greet()).hello
    wrong = [text for so, text in _claims(p, hello) if not so]
    if wrong:
        raise CheckFailed("a Hello of the device with " + "; ".join(wrong))


def _claims(p: Probe, hello: Any) -> tuple[tuple[bool, str], ...]:
    subject = p.subject
    return (
        (hello.side == Side.DEVICE, "side 2"),
        (hello.major == MAJOR, f"major {MAJOR}"),
        (hello.seal == subject.seal, f"seal {int(subject.seal)}"),
        (len(hello.nonce) == 16, "a nonce of 16 bytes"),
        (len(hello.boot) == 8, "a boot of 8 bytes"),
        (len(hello.log) == 8, "a log of 8 bytes"),
        (hello.id == subject.serial, f"id {subject.serial}"),
        (hello.device_class == subject.device_class, f"class {int(subject.device_class)}"),
        (hello.reset in list(Reset), "a reset from 1 to 5"),
        (hello.newest >= 1, "newest at least 1, as Booted is an event"),
        (1 <= hello.oldest <= hello.newest + 1, "oldest from 1 to newest + 1"),
        (hello.committed <= hello.newest <= HIGHEST, "committed not above newest, newest not above 2^52"),
        (hello.last_key <= HIGHEST, "last_key not above 2^52"),
        (hello.cards < max(hello.newest, 1), "cards below newest, as each card is an event"),
    )


async def _same(p: Probe) -> None:
    first, began = await p.greet(), p.wire.now()
    for at in (0.3, 1.8, 4.2):
        await p.wait(began + at - p.wire.now())
        if (await p.greet(first.ours)).theirs != first.theirs:
            raise CheckFailed("the same answer bytes to the same Hello bytes within 5 s")
    await p.wait(began + 5.1 + p.subject.margin - p.wire.now())
    if (await p.greet(first.ours)).hello.nonce == first.hello.nonce:
        raise CheckFailed(
            "a fresh nonce in the answer to Hello bytes that were first answered more than 5 s ago"
        )


async def _fresh(p: Probe) -> None:
    nonces = [(await p.greet()).hello.nonce for _ in range(8)]
    if len(set(nonces)) < len(nonces) or bytes(16) in nonces:
        raise CheckFailed("another nonce in each answer to another Hello")


async def _dropped(p: Probe, note: str, **changes: Any) -> None:
    p.say_hello(note, **changes)
    await p.never(f"answer to a Hello with {note}", of_handshake, 0.3)


async def _reflected(p: Probe) -> None:
    await _dropped(p, "side 2, as an echo on the line would be", side=Side.DEVICE)
    theirs = (await p.greet()).theirs
    p.link.handshake(theirs, "the device's own Hello")
    await p.never("answer to the device's own Hello", of_handshake, 0.3)


async def _nonce_size(p: Probe) -> None:
    await _dropped(p, "a nonce of 15 bytes", nonce=bytes(range(15)))
    await _dropped(p, "no nonce", nonce=b"")


async def _numbered(p: Probe) -> None:
    hello = tsl.Frame(hello=p.host_hello()).SerializeToString()
    for sequence, acknowledgement, credit in ((1, 0, 0), (0, 1, 0), (0, 0, 1)):
        frame = WireFrame(0, Channel.CONTROL, sequence, acknowledgement, credit, hello)
        p.link.put(frame, frame, "a Hello that is numbered")
        await p.never("answer to a Hello with a sequence, acknowledgement or credit", of_handshake)


async def _refused(p: Probe, reason: RefuseReason, note: str, **changes: Any) -> None:
    """It is refused, and that ends neither the session nor the pending handshake."""
    await p.open()
    under_way = await p.greet()
    nonce = p.nonce_of(p.say_hello(note, **changes))
    refuse = await p.expect(
        f"Refuse({reason:d} {reason.name}) that echoes the nonce of a Hello with {note}",
        lambda entry: entry.name in ("refuse", "hello") and entry.message.echo == nonce,
        0.5,
    )
    if getattr(refuse, "reason", None) != reason:
        raise CheckFailed(f"Refuse({reason:d} {reason.name}) to a Hello with {note}")
    await p.alive()
    await p.prove(under_way)
    await p.alive()


async def _version(p: Probe) -> None:
    await _refused(p, RefuseReason.VERSION, f"major {MAJOR + 1}", major=MAJOR + 1, schema=bytes(8))


async def _schema(p: Probe) -> None:
    await _refused(p, RefuseReason.SCHEMA, "another schema", schema=bytes(8))


async def _seal(p: Probe) -> None:
    other = OTHER_SEAL[p.subject.seal]
    await _refused(p, RefuseReason.SEAL, f"seal {other:d}", seal=other)


async def _minor(p: Probe) -> None:
    payload = tsl.Frame(hello=p.host_hello(minor=MINOR + 1, schema=bytes(8))).SerializeToString()
    await p.prove(await p.greet(payload))
    await p.alive()


async def _as_sent(p: Probe) -> None:
    hello = p.host_hello(id="HOST", cards=7).SerializeToString() + UNKNOWN_FIELD
    await p.prove(await p.greet(b"\x0a" + bytes([len(hello)]) + hello))
    await p.alive()


async def _ends_nothing(p: Probe) -> None:
    await p.armed()
    await p.greet()
    if not (await p.heartbeat()).armed:
        raise CheckFailed("a Heartbeat with armed true: an unproved Hello ends nothing")
    await p.order(m.Disarm())


async def _no_session(p: Probe) -> None:
    await p.open()
    p.bye()
    await p.over("Bye")
    await p.wait(0.3)
    p.link.beat()
    await p.expect(
        "NoSession for a frame of a session that the device does not have", says("no_session"), 0.2
    )
    for _ in range(3):
        p.link.beat()
    await p.never("second NoSession within 250 ms", says("no_session"), 0.1)
    await p.wait(0.2)
    p.link.beat()
    await p.expect("NoSession again after 250 ms", says("no_session"), 0.2)


_LOOK_REFUSE = "what a refused Hello touches: it must touch neither the session nor the pending handshake"
CHECKS = (
    Check(
        "handshake.hello",
        "6.1",
        "The device answers a Hello with its own, and says in it what it is.",
        "the fields of Hello in section 14, and which of them the firmware fills",
        _hello,
        session=False,
    ),
    Check(
        "handshake.same-hello",
        "6.1",
        "The same Hello bytes get the same answer bytes, for 5 s.",
        "whether the answer is kept with the Hello that it belongs to, and since when",
        _same,
        tries=TRIES,
    ),
    Check(
        "handshake.fresh-nonce",
        "6.1",
        "Each other Hello gets an answer with a fresh nonce.",
        "the source of random numbers, and when a nonce is drawn",
        _fresh,
    ),
    Check(
        "handshake.reflected",
        "6.3",
        "A Hello that says it comes from a device is dropped.",
        "the check of side before of_handshake else of a Hello",
        _reflected,
    ),
    Check(
        "handshake.nonce-size",
        "5",
        "A Hello without 16 bytes of nonce is dropped.",
        "the check of the nonce's length",
        _nonce_size,
    ),
    Check(
        "handshake.numbered",
        "3",
        "A Hello whose sequence, acknowledgement or credit is not 0 is dropped.",
        "the header of the four handshake messages",
        _numbered,
    ),
    Check(
        "handshake.version",
        "6.1",
        "Another major version is refused, and that ends nothing.",
        _LOOK_REFUSE,
        _version,
    ),
    Check(
        "handshake.schema",
        "6.1",
        "Another schema of the same minor version is refused, and that ends nothing.",
        _LOOK_REFUSE,
        _schema,
    ),
    Check(
        "handshake.seal",
        "6.1",
        "Another seal is refused, and that ends nothing.",
        _LOOK_REFUSE,
        _seal,
    ),
    Check(
        "handshake.minor",
        "6.1",
        "A host of a later minor version is accepted, whatever its schema.",
        "the comparison of schemas: only where the minor versions are the same",
        _minor,
    ),
    Check(
        "handshake.as-sent",
        "6.1",
        "T is made of the Hello bytes as they were sent, unknown fields included.",
        "T must be hashed over the payload received, not over a Hello that is encoded again",
        _as_sent,
    ),
    Check(
        "handshake.hello-ends-nothing",
        "6.1",
        "A Hello without a proof ends neither session nor Arm.",
        "what is reset when a Hello comes: nothing but the pending handshake",
        _ends_nothing,
    ),
    Check(
        "handshake.no-session",
        "6.2",
        "Without a session a session frame gets NoSession, once in 250 ms.",
        "the state NO SESSION of 6.3, and the clock of the last NoSession",
        _no_session,
        tries=TRIES,
    ),
)
"""In the order in which they run."""
