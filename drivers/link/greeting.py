"""The host's half of the handshake: steps 1 and 3 with their repeats, and what to make of 2 and 4."""

import hmac
from collections.abc import Callable

from drivers.link import codec
from drivers.link.checks import USELESS, Case, Refusal, refusal
from drivers.link.counters import Counters
from drivers.link.facts import Facts
from drivers.link.proof import mac, seal_of, transcript
from drivers.protocol import common_pb2 as common
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import MAJOR, MINOR, SCHEMA, DeviceClass, RefuseReason, Seal, Side

NONCE = 16
REPEAT = 0.25
REPEATS = 8
"""So often a step is said; then all starts over with a new nonce."""
WRONG_PROOF = Refusal(RefuseReason.PROOF, "its proof is wrong: it has another key; provision it again")


class Greeting:
    """One attempt after another to open a session with the device that `case` describes."""

    def __init__(
        self, case: Case, key: bytes, nonce: Callable[[int], bytes], counters: Counters, now: float
    ) -> None:
        self._case = case
        self._key = key
        self._nonce = nonce
        self._counters = counters
        self._due = now
        self._start(now)

    @property
    def phase(self) -> str:
        """ "hello" or "proof"."""
        return "proof" if self._peer else "hello"

    @property
    def peer_nonce(self) -> bytes:
        """The nonce that our Refuse echoes; empty if the device sent no nonce, or one of the wrong size."""
        return self._heard

    @property
    def transcript(self) -> bytes:
        """T of the handshake that was proved."""
        return self._transcript

    def deadline(self) -> float:
        """When a step is to be said again."""
        return self._due

    def due(self, now: float) -> tsl.Frame | None:
        """The step to be said now, if any."""
        if now < self._due:
            return None
        if self._said == REPEATS:
            self._start(now)
        self._said += 1
        self._due = now + REPEAT
        return self._step

    def hello(self, message: common.Hello, raw: bytes, now: float) -> Refusal | None:
        """Step 2. A welcome device is sent the proof next."""
        if self._peer or not self._for_us(message):
            self._counters.handshake += 1
            return None
        self._heard = message.nonce if len(message.nonce) == NONCE else b""
        declined = refusal(message, self._case)
        if declined is None:
            self._prove(message, raw, now)
        return declined

    def unreadable(self, raw: bytes) -> Refusal | None:
        """Bytes that begin like a Hello and cannot be read. Nothing in them says what they answer."""
        read = codec.parse(raw)
        if self._peer or not isinstance(read, codec.Unreadable):
            return None
        return Refusal(RefuseReason.SCHEMA, f"{USELESS} {read.reason}: update its firmware")

    def proof(self, message: common.Proof) -> Facts | Refusal | None:
        """Step 4: the device's facts when it has proved itself; None: not for us."""
        if not self._peer or message.side != Side.DEVICE or message.transcript != self._transcript[:8]:
            self._counters.handshake += 1
            return None
        if not hmac.compare_digest(message.mac, mac(Side.DEVICE, self._key, self._transcript)):
            return WRONG_PROOF
        return refusal(self._peer, self._case) or _facts(self._peer)

    def refused(self, message: common.Refuse) -> bool:
        """Whether a Refuse is the answer to what we said."""
        ours = message.echo == self._hello.hello.nonce
        self._counters.handshake += not ours
        return ours

    def _start(self, now: float) -> None:
        self._hello = self._step = tsl.Frame(
            hello=common.Hello(
                side=Side.HOST,
                major=MAJOR,
                minor=MINOR,
                schema=SCHEMA,
                seal=seal_of(self._key),
                nonce=self._nonce(NONCE),
            )
        )
        self._peer: common.Hello | None = None
        self._heard = b""
        self._transcript = b""
        self._said = 0
        self._due = now

    def _prove(self, hello: common.Hello, raw: bytes, now: float) -> None:
        self._peer = hello
        self._transcript = transcript(self._hello.SerializeToString(), raw)
        proof = common.Proof(
            side=Side.HOST,
            transcript=self._transcript[:8],
            mac=mac(Side.HOST, self._key, self._transcript),
        )
        self._step = tsl.Frame(proof=proof)
        self._said = 0
        self._due = now

    def _for_us(self, hello: common.Hello) -> bool:
        return hello.side == Side.DEVICE and hello.echo == self._hello.hello.nonce


def _facts(hello: common.Hello) -> Facts:
    return Facts(
        device_class=DeviceClass(hello.device_class),
        serial=hello.id,
        hardware=hello.hardware,
        firmware=hello.firmware,
        boot=hello.boot,
        reset=hello.reset,
        log=hello.log,
        oldest=hello.oldest,
        newest=hello.newest,
        committed=hello.committed,
        last_key=hello.last_key,
        cards=hello.cards,
        insecure=hello.seal == Seal.NONE,
        test_slot=hello.test_slot,
    )
