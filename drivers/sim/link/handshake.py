"""The device's half of the handshake: its answers to a host's Hello and Proof (section 6.1 of
firmware-protocol/README.md)."""

import hmac
from collections.abc import Callable
from dataclasses import dataclass, field

from drivers.link.key_schedule import (
    SessionKeys,
    agreement,
    host_mac,
    seal_of,
    share_of,
    share_size,
    shared_secret,
    transcript,
)
from drivers.protocol import common_pb2 as common
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import MAJOR, MINOR, SCHEMA, DeviceClass, RefuseReason, Reset, Seal, Side
from drivers.sim.link.memory import Memory
from drivers.sim.link.randomness import DeviceRandom

ANSWER_LIFETIME = 5.0
"""Seconds from the answer to a Hello in which the same Hello bytes get the same answer, and in which its
Proof may come."""
NONCE = 16
STEPS = 2 * 306
"""Steps of both multiplications of X25519, as the C code counts them."""


@dataclass(frozen=True, slots=True)
class PendingHandshake:
    """A handshake that the host has not proved yet."""

    hello: bytes
    nonce: bytes
    answer: tsl.Frame
    transcript: bytes
    since: float


@dataclass(frozen=True, slots=True, repr=False)
class Computation:
    """A proved handshake whose session keys are being computed. `secret`: of our share; empty where nothing
    is sealed."""

    pending: PendingHandshake
    proof: bytes
    host_share: bytes
    secret: bytes


@dataclass(frozen=True, slots=True)
class InstalledProof:
    """The Proof that installed the session, and its answer."""

    proof: bytes
    answer: tsl.Frame


@dataclass(frozen=True, slots=True)
class ProofAnswer:
    """The answer to a Proof; no frame: it comes later, from `work`. `begins`: a session, with these keys
    unless it is clear. `bad`: the host has another key."""

    frame: tsl.Frame | None = None
    begins: bool = False
    keys: SessionKeys | None = field(default=None, repr=False)
    bad: bool = False


class DeviceHandshake:
    """Keeps at most one pending handshake. A new Hello replaces it and ends nothing else.

    `steps`: how many steps of X25519 one call of `work` does; 0: all of them at once, in `proof`.
    """

    def __init__(self, describe: Callable[[], common.Hello], random: DeviceRandom, steps: int = 0) -> None:
        self._describe = describe
        self._random = random
        self._key = random.key
        self._steps = steps
        self._left = 0
        self._pending: PendingHandshake | None = None
        self._computation: Computation | None = None
        self._installed: InstalledProof | None = None

    @property
    def computing(self) -> bool:
        """Whether a proved handshake waits for its keys."""
        return self._computation is not None

    def hello(self, message: common.Hello, raw: bytes, now: float) -> tsl.Frame | None:
        """Answers a Hello with step 2 or a Refuse. None for what no host sends, and while it computes."""
        if self.computing or message.side != Side.HOST or len(message.nonce) != NONCE:
            return None
        reason = _refusal(message, seal_of(self._key))
        if reason is not None:
            return _refuse(message.nonce, *reason)
        pending = self._live(now)
        if pending is None or pending.hello != raw:
            self._pending = pending = self._begin(message, raw, now)
        return pending.answer

    def proof(self, message: common.Proof, raw: bytes, now: float) -> ProofAnswer | None:
        """Answers a Proof with step 4, a Refuse, or later. None for a Proof that belongs to no handshake of
        ours, and while it computes."""
        if self.computing:
            return None
        if self._installed and raw == self._installed.proof:
            return ProofAnswer(self._installed.answer)
        pending = self._live(now)
        if pending is None or message.side != Side.HOST or message.transcript != pending.transcript[:8]:
            return None
        if len(message.share) != share_size(self._key):
            return None
        if not hmac.compare_digest(message.mac, host_mac(self._key, pending.transcript, message.share)):
            return _bad_proof(pending)
        self._pending = None
        secret = self._random.secret() if self._key else b""
        self._computation = Computation(pending, raw, message.share, secret)
        self._left = STEPS
        return ProofAnswer() if self._key and self._steps else self.work(self._left)

    def work(self, steps: int = 0) -> ProofAnswer | None:
        """Computes on. Returns the answer to the Proof once it is there."""
        computation = self._computation
        if computation is None:
            return None
        self._left -= steps or self._steps
        if self._left > 0:
            return None
        self._computation = None
        return self._finish(computation)

    def forget(self) -> None:
        """Forgets the Proof of a session that is over."""
        self._installed = None

    def _live(self, now: float) -> PendingHandshake | None:
        if self._pending and now - self._pending.since >= ANSWER_LIFETIME:
            self._pending = None
        return self._pending

    def _begin(self, message: common.Hello, raw: bytes, now: float) -> PendingHandshake:
        own = self._describe()
        own.seal, own.nonce, own.echo = seal_of(self._key), self._random.nonce(), message.nonce
        answer = tsl.Frame(hello=own)
        return PendingHandshake(raw, message.nonce, answer, transcript(raw, answer.SerializeToString()), now)

    def _finish(self, computation: Computation) -> ProofAnswer:
        pending, share, shared = computation.pending, b"", b""
        if self._key:
            share = share_of(computation.secret)
            shared = shared_secret(computation.secret, computation.host_share)
            if not shared:
                return _bad_proof(pending)
        agreed = agreement(self._key, pending.transcript, computation.host_share, share, shared)
        answer = tsl.Frame(
            proof=common.Proof(
                side=Side.DEVICE, transcript=pending.transcript[:8], mac=agreed.device_mac, share=share
            )
        )
        self._installed = InstalledProof(computation.proof, answer)
        return ProofAnswer(answer, begins=True, keys=agreed.keys if self._key else None)


def _bad_proof(pending: PendingHandshake) -> ProofAnswer:
    return ProofAnswer(_refuse(pending.nonce, RefuseReason.PROOF, "the proof is of another key"), bad=True)


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
