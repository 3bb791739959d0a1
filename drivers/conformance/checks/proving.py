"""Steps 3 and 4 of the handshake, and sessions that follow one another. Sections 6.1 and 6.3."""

import hmac
from itertools import pairwise

from drivers import messages as m
from drivers.conformance.bad_frames import flipped
from drivers.conformance.check import Check
from drivers.conformance.matchers import of_handshake, says
from drivers.conformance.outcome import CheckFailed
from drivers.conformance.probe import HelloExchange, Probe
from drivers.conformance.trace import TraceEntry
from drivers.link.key_schedule import host_mac, subkey
from drivers.link.limits import TAMPER_INTERVAL
from drivers.link.session import MICROSECONDS
from drivers.protocol import common_pb2 as common
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import RefuseReason, Side, TamperCause

STRANGER = bytes(range(32))
"""A key that no device has."""


async def _session(p: Probe) -> None:
    await p.open()
    first = await p.expect_frame("the first frame of the session", lambda entry: entry.nth == 1, 0.5)
    if first.name != "heartbeat":
        raise CheckFailed("a Heartbeat as the first frame of the session")
    await p.alive()


async def _repeated(p: Probe) -> None:
    proof = await p.prove(await p.greet())
    answer = next(entry.payload for entry in p.trace.entries if entry.name == "proof" and not entry.ours)
    for _ in range(3):
        await p.alive()
        p.link.handshake(proof, "the same Proof again")
        again = await p.expect_frame("the device's Proof again", says("proof"), 0.5, fresh=True)
        if again.payload != answer:
            raise CheckFailed(f"the same bytes as the first time to the same Proof: {answer.hex()}")
    await p.alive()


def _proof(greeting: HelloExchange, code: bytes) -> bytes:
    message = common.Proof(side=Side.HOST, transcript=greeting.transcript[:8], mac=code, share=greeting.share)
    return tsl.Frame(proof=message).SerializeToString()


async def _refused(p: Probe, code: bytes, greeting: HelloExchange, note: str) -> None:
    p.link.handshake(_proof(greeting, code), note)
    nonce = p.nonce_of(greeting.ours)
    await p.expect(
        f"Refuse({RefuseReason.PROOF:d} PROOF) that echoes our nonce, to {note}",
        says("refuse", reason=int(RefuseReason.PROOF), echo=nonce),
        0.5,
        fresh=True,
    )


def _device_text(p: Probe, greeting: HelloExchange) -> bytes:
    content = b"TSL/1 device proof" + greeting.transcript + greeting.share
    return hmac.digest(subkey(p.subject.key, b"TSL/1 proof"), content, "sha256")


async def _bad_mac(p: Probe) -> None:
    await p.open()
    greeting = await p.greet()
    good = host_mac(p.subject.key, greeting.transcript, greeting.share)
    for code, note in (
        (flipped(good, -1), "a mac of which the last bit is wrong"),
        (flipped(good, 0), "a mac of which the first byte is wrong"),
        (flipped(good, 4), "a mac of which the first four bytes are right"),
        (_device_text(p, greeting), 'a mac over "TSL/1 device proof"'),
        (host_mac(STRANGER, greeting.transcript, greeting.share), "a mac made with another key"),
        (host_mac(p.subject.key, greeting.transcript, bytes(32)), "a mac over another share"),
    ):
        await _refused(p, code, greeting, note)
        await p.alive()
    await p.prove(greeting)
    await p.alive()


async def _short_mac(p: Probe) -> None:
    await p.open()
    greeting = await p.greet()
    good = host_mac(p.subject.key, greeting.transcript, greeting.share)
    for size in (0, 4, 31):
        p.link.handshake(_proof(greeting, good[:size]), f"a mac of {size} bytes")
        await p.never(f"Proof for a mac of {size} bytes", says("proof"), 0.2)
    await p.alive()


async def _tamper(p: Probe) -> None:
    await p.open()
    greeting = await p.greet()
    await _refused(p, bytes(32), greeting, "a mac of zeros")
    hello = await p.open()
    beat = await p.heartbeat()
    events = await p.events(max(hello.oldest, hello.newest - 100), hello.newest)
    tampers = [entry.message for entry in events if _of_proofs(entry, hello.boot)]
    ages = [(beat.now_us - event.uptime_us) / MICROSECONDS for event in tampers]
    if not ages or ages[-1] > TAMPER_INTERVAL + 2:
        raise CheckFailed("a Tamper(what 2) event of the last 60 s, after a bad proof")
    if any(older - newer < TAMPER_INTERVAL - 1 for older, newer in pairwise(ages)):
        raise CheckFailed("Tamper(what 2) events at least 60 s apart, however many proofs are bad")


def _of_proofs(entry: TraceEntry, boot: bytes) -> bool:
    event = entry.message
    return isinstance(event, tsl.Event) and event.boot == boot and event.tamper.what == TamperCause.PROOF


async def _other_transcript(p: Probe) -> None:
    await p.open()
    older, newer = await p.greet(), await p.greet()
    p.link.handshake(p.proof(older), "the Proof of a handshake that another Hello has replaced")
    await p.never("answer to a Proof for another transcript", says("proof"), 0.25)
    p.link.handshake(_proof(older, bytes(32)), "the same with a bad mac")
    await p.never("answer to a bad Proof for another transcript", says("refuse"), 0.25)
    await p.alive()
    await p.prove(newer)
    await p.alive()


async def _old_proof(p: Probe) -> None:
    proof = await p.prove(await p.greet())
    await p.open()
    p.link.handshake(proof, "the Proof of the session before")
    await p.never("answer to the Proof of an ended session", of_handshake, 0.1)
    await p.alive()


async def _unasked(p: Probe) -> None:
    proof = await p.prove(await p.greet())
    p.bye()
    await p.over("Bye")
    p.link.handshake(proof, "the Proof of the ended session")
    await p.never("Proof for a session that was ended", says("proof"), 0.3)


async def _newer(p: Probe) -> None:
    await p.armed()
    await p.open()
    await p.alive()
    if (await p.heartbeat()).armed:
        raise CheckFailed("a Heartbeat with armed false in a new session")


async def _bye(p: Probe) -> None:
    await p.armed()
    p.bye()
    await p.over("Bye")
    await p.open()
    if (await p.heartbeat()).armed:
        raise CheckFailed("a Heartbeat with armed false in a new session")
    await p.order(m.Disarm())


CHECKS = (
    Check(
        "handshake.session",
        "6.1",
        "A handshake opens a session: both proofs are right, a heartbeat comes first.",
        "the transcript T, the mac, and what is sent first once a session is installed",
        _session,
        session=False,
    ),
    Check(
        "handshake.proof-repeated",
        "6.1",
        "The same Proof again gets the same bytes, and nothing is reset.",
        "a repeated Proof must not install again: sequences, counters and keys go on",
        _repeated,
    ),
    Check(
        "handshake.bad-mac",
        "6.1",
        "A bad mac is refused and ends nothing, neither session nor handshake.",
        "the comparison of macs over all 32 bytes, and what is touched when it fails",
        _bad_mac,
    ),
    Check(
        "handshake.short-mac",
        "6.1",
        "A mac of fewer than 32 bytes opens no session.",
        "the length that the comparison of macs uses: 32, never the length received",
        _short_mac,
    ),
    Check(
        "handshake.tamper",
        "6.1",
        "A bad mac leaves a Tamper event, at most one in 60 s.",
        "whether a bad proof is recorded, and the limit of one tamper event in 60 s",
        _tamper,
    ),
    Check(
        "handshake.other-transcript",
        "6.1",
        "A Proof for another transcript is dropped.",
        "one handshake is pending at a time; Proof.transcript is compared with its T before the mac",
        _other_transcript,
    ),
    Check(
        "handshake.old-proof",
        "6.3",
        "The Proof of an older session is dropped.",
        "which Proof bytes are kept: only those of the installed session",
        _old_proof,
    ),
    Check(
        "handshake.ended-proof",
        "6.3",
        "The Proof of an ended session is dropped: no session is resumed.",
        "whether the kept Proof goes with its session",
        _unasked,
    ),
    Check(
        "handshake.newer-session",
        "6.2",
        "A newly proved session ends the older one, and with it Arm.",
        "what is reset at install: sequences, window, queue, permit, Arm",
        _newer,
    ),
    Check(
        "handshake.bye",
        "6.2",
        "Bye ends the session: silence, then NoSession; the next one is unarmed.",
        "what Bye resets, and that no answer is sent to it",
        _bye,
    ),
)
"""In the order in which they run."""
