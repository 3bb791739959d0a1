"""The device's half of the handshake: its answers to a host's Hello and Proof (section 6.1 of
firmware-protocol/README.md)."""

import hmac
from collections.abc import Callable
from dataclasses import dataclass

from drivers.link.seal import mac, seal_of, transcript
from drivers.protocol import common_pb2 as common
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import MAJOR, MINOR, SCHEMA, DeviceClass, RefuseReason, Reset, Seal, Side
from drivers.sim.link.memory import Memory

ANSWER_LIFETIME = 5.0
"""Seconds for which the same Hello bytes get the same answer."""
NONCE = 16


@dataclass(frozen=True, slots=True)
class PendingHandshake:
    """A handshake that the host has not proved yet."""

    hello: bytes
    nonce: bytes
    answer: tsl.Frame
    transcript: bytes
    since: float


@dataclass(frozen=True, slots=True)
class InstalledProof:
    """The Proof that installed the session, and its answer."""

    proof: bytes
    answer: tsl.Frame


@dataclass(frozen=True, slots=True)
class ProofAnswer:
    """The answer to a Proof. `begins` is the transcript of the session that it begins, or empty. `bad`:
    the host has another key."""

    frame: tsl.Frame
    begins: bytes = b""
    bad: bool = False


class DeviceHandshake:
    """Keeps at most one pending handshake. A new Hello replaces it and ends nothing else."""

    def __init__(
        self, describe: Callable[[], common.Hello], key: bytes, nonce: Callable[[int], bytes]
    ) -> None:
        self._describe = describe
        self._key = key
        self._nonce = nonce
        self._pending: PendingHandshake | None = None
        self._installed: InstalledProof | None = None

    def hello(self, message: common.Hello, raw: bytes, now: float) -> tsl.Frame | None:
        """Answers a Hello with step 2 or a Refuse. None for what no host sends."""
        if message.side != Side.HOST or len(message.nonce) != NONCE:
            return None
        reason = _refusal(message, seal_of(self._key))
        if reason is not None:
            return _refuse(message.nonce, *reason)
        pending = self._pending
        if pending is None or pending.hello != raw or now - pending.since >= ANSWER_LIFETIME:
            self._pending = pending = self._begin(message, raw, now)
        return pending.answer

    def proof(self, message: common.Proof, raw: bytes) -> ProofAnswer | None:
        """Answers a Proof with step 4 or a Refuse. None for a Proof that belongs to no handshake of ours."""
        if self._installed and raw == self._installed.proof:
            return ProofAnswer(self._installed.answer)
        pending = self._pending
        if pending is None or message.side != Side.HOST or message.transcript != pending.transcript[:8]:
            return None
        if not hmac.compare_digest(message.mac, mac(Side.HOST, self._key, pending.transcript)):
            refused = _refuse(pending.nonce, RefuseReason.PROOF, "the proof is of another key")
            return ProofAnswer(refused, bad=True)
        self._installed = InstalledProof(raw, self._proof(pending.transcript))
        self._pending = None
        return ProofAnswer(self._installed.answer, begins=pending.transcript)

    def forget(self) -> None:
        """Forgets the Proof of a session that is over."""
        self._installed = None

    def _begin(self, message: common.Hello, raw: bytes, now: float) -> PendingHandshake:
        own = self._describe()
        own.seal, own.nonce, own.echo = seal_of(self._key), self._nonce(NONCE), message.nonce
        answer = tsl.Frame(hello=own)
        return PendingHandshake(raw, message.nonce, answer, transcript(raw, answer.SerializeToString()), now)

    def _proof(self, whole_transcript: bytes) -> tsl.Frame:
        own = mac(Side.DEVICE, self._key, whole_transcript)
        return tsl.Frame(proof=common.Proof(side=Side.DEVICE, transcript=whole_transcript[:8], mac=own))


def _refusal(hello: common.Hello, seal: Seal) -> tuple[RefuseReason, str] | None:
    if hello.major != MAJOR:
        return (
            RefuseReason.VERSION,
            f"version {hello.major}.{hello.minor}, this device speaks {MAJOR}.{MINOR}",
        )
    if hello.minor == MINOR and hello.schema != SCHEMA:
        return RefuseReason.SCHEMA, f"schema {hello.schema.hex()}, this device has {SCHEMA.hex()}"
    if hello.seal != seal:
        return RefuseReason.SEAL, f"this device {'has a key' if seal is Seal.SEALED else 'has no key'}"
    return None


def _refuse(nonce: bytes, reason: RefuseReason, text: str) -> tsl.Frame:
    return tsl.Frame(refuse=common.Refuse(echo=nonce, reason=reason, text=text))


@dataclass(frozen=True, slots=True)
class DeviceIdentity:
    """The identity of a device."""

    device_class: DeviceClass
    serial: str
    hardware: str = "sim"
    firmware: str = "1.0"


def device_hello(
    identity: DeviceIdentity, memory: Memory, boot: bytes, reset: Reset, *, test_slot: bool
) -> common.Hello:
    """What a device says of itself in its Hello. The fields of the handshake are still empty."""
    return common.Hello(
        side=Side.DEVICE,
        major=MAJOR,
        minor=MINOR,
        schema=SCHEMA,
        boot=boot,
        id=identity.serial,
        device_class=identity.device_class,
        hardware=identity.hardware,
        firmware=identity.firmware,
        reset=reset,
        log=memory.log,
        oldest=memory.oldest,
        newest=memory.newest,
        committed=memory.committed,
        last_key=memory.last_key,
        cards=memory.cards,
        test_slot=test_slot,
    )
