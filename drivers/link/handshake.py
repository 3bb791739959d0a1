"""The host's half of the handshake: the checks of a device's Hello, then the steps and their repeats.

Section 6.1 of firmware-protocol/README.md. A refusal carries a sentence that tells a technician what to do.
"""

import hmac
from collections.abc import Callable
from dataclasses import dataclass

from drivers.link import codec
from drivers.link.counters import Counters
from drivers.link.facts import Bookmark, DeviceFacts, Expected
from drivers.link.key_schedule import (
    KEY,
    SessionKeys,
    agreement,
    host_mac,
    seal_of,
    share_of,
    share_size,
    shared_secret,
    transcript,
)
from drivers.link.limits import HIGHEST
from drivers.protocol import common_pb2 as common
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import MAJOR, MINOR, SCHEMA, DeviceClass, RefuseReason, Seal, Side


@dataclass(frozen=True, slots=True)
class HelloRefusal:
    """Why a device is refused, with a sentence that says what to do about it. `proved`: the device has
    proved its key, so nobody else can be the cause."""

    reason: RefuseReason
    text: str
    proved: bool = False


@dataclass(frozen=True, slots=True)
class HelloContext:
    """What a Hello is checked against. `other_ports` says where else a serial number is connected, as "on
    A and on B"; empty: nowhere."""

    expected: Expected
    seal: Seal
    bookmark: Bookmark
    other_ports: Callable[[str], str]


SIZES = (("nonce", 16), ("schema", 8), ("boot", 8), ("log", 8))
"""Sizes, in bytes, of fields that every Hello of a device has."""
NUMBER_RULE = 4
"""The rule of section 5 that erased flash breaks: a number is above its type."""
UNUSABLE = "answers, but its Hello cannot be used:"
REFUSAL_ADVICE = {
    RefuseReason.VERSION.value: "update the older of the two",
    RefuseReason.SCHEMA.value: "update its firmware",
    RefuseReason.SEAL.value: "provision both with one key",
    RefuseReason.PROOF.value: "provision both with one key",
}
"""What to do about a device that refuses us, by the reason it gives."""


def first_refusal(hello: common.Hello, case: HelloContext, *, proved: bool) -> HelloRefusal | None:
    """Returns the first check that fails, of those before the proof or of those after it. None if the
    device is welcome."""
    for reason, check in CHECKS_AFTER_PROOF if proved else CHECKS_BEFORE_PROOF:
        if text := check(hello, case):
            return HelloRefusal(reason, text, proved)
    return None


def _version(hello: common.Hello, _case: HelloContext) -> str:
    if hello.major == MAJOR:
        return ""
    return f"speaks TSL/{hello.major}, we TSL/{MAJOR}: update the older of the two"


def _schema(hello: common.Hello, _case: HelloContext) -> str:
    if hello.minor != MINOR or hello.schema == SCHEMA:
        return ""
    return f"schema {hello.schema.hex()}, ours {SCHEMA.hex()}: update its firmware"


def _seal(hello: common.Hello, case: HelloContext) -> str:
    if hello.seal == case.seal:
        return ""
    return _SEALS.get(hello.seal, f"seal {hello.seal} is unknown: update its firmware")


def _sizes(hello: common.Hello, _case: HelloContext) -> str:
    for field, size in SIZES:
        found = len(getattr(hello, field))
        if found != size:
            return f"{UNUSABLE} {field} has {found} bytes, must have {size}: update its firmware"
    return "" if hello.id else f"{UNUSABLE} id is empty, must be its serial number: provision it again"


def _numbers(hello: common.Hello, _case: HelloContext) -> str:
    contradiction = _contradiction(hello)
    return f"{UNUSABLE} {contradiction}: format its memory" if contradiction else ""


def _contradiction(hello: common.Hello) -> str:
    """Returns the first impossible number, in a clause."""
    newest, cards, key = hello.newest, hello.cards, hello.last_key
    faults = {
        f"newest {newest} is not possible": newest > HIGHEST,
        f"last_key {key} is not possible": key > HIGHEST,
        "newest is 0, and Booted is event 1": newest == 0,
        f"oldest {hello.oldest} does not fit newest {newest}": not 1 <= hello.oldest <= newest + 1,
        f"committed {hello.committed} is above newest {newest}": hello.committed > newest,
        f"cards {cards}, and it is not a shoe": cards > 0 and hello.device_class != DeviceClass.SHOE,
        f"cards {cards} for newest {newest}, and each card is an event": cards >= newest,
    }
    return next((fault for fault, found in faults.items() if found), "")


def _duplicate(hello: common.Hello, case: HelloContext) -> str:
    where = case.other_ports(hello.id)
    return f"{hello.id} is connected {where}: unplug one" if where else ""


def _identity(hello: common.Hello, case: HelloContext) -> str:
    if (hello.device_class, hello.id) == (case.expected.device_class, case.expected.serial):
        return ""
    found = f"{_class_name(hello.device_class)} {hello.id}"
    wanted = f"{_class_name(case.expected.device_class)} {case.expected.serial}"
    return f"says it is {found}, expected {wanted}: check cables"


def _memory(hello: common.Hello, case: HelloContext) -> str:
    if hello.log != case.bookmark.log or hello.newest >= case.bookmark.newest:
        return ""
    return f"memory ends at {hello.newest}, journal at {case.bookmark.newest}: rolled back? format it"


def _class_name(number: int) -> str:
    names = {member.value: member.name.lower() for member in DeviceClass}
    return names.get(number, f"class {number}")


_SEALS = {
    Seal.NONE.value: "the device has no key, this table seals: provision both with one key",
    Seal.SEALED.value: "the device has a key, this table none: set seal and key of it",
}
"""What to do about a device whose `seal` differs from the configuration."""
Checks = tuple[tuple[RefuseReason, Callable[[common.Hello, HelloContext], str]], ...]
CHECKS_BEFORE_PROOF: Checks = (
    (RefuseReason.VERSION, _version),
    (RefuseReason.SCHEMA, _schema),
    (RefuseReason.SEAL, _seal),
    (RefuseReason.HELLO, _sizes),
    (RefuseReason.HELLO, _numbers),
    (RefuseReason.IDENTITY, _identity),
)
"""The checks of a Hello in their order. Anyone on the line can make it fail them. A device that speaks
another version cannot be asked for its name."""
CHECKS_AFTER_PROOF: Checks = (
    (RefuseReason.DUPLICATE, _duplicate),
    (RefuseReason.MEMORY, _memory),
)
"""What is worth an alarm, because the device has proved that it says so."""

NONCE = 16
REPEAT_INTERVAL = 0.25
MOST_SENDS = 8
"""How often a step is sent. Then the handshake starts over with a new nonce."""
WRONG_PROOF = HelloRefusal(RefuseReason.PROOF, "its proof is wrong: it has another key; provision it again")


class HostHandshake:
    """Tries again and again to open a session with the device of `context`."""

    def __init__(
        self, context: HelloContext, key: bytes, draw: Callable[[int], bytes], counters: Counters, now: float
    ) -> None:
        self._context = context
        self._key = key
        self._draw = draw
        self._counters = counters
        self._due = now
        self._keys: SessionKeys | None = None
        self._start(now)

    @property
    def phase(self) -> str:
        """ "hello" or "proof"."""
        return "proof" if self._peer_hello else "hello"

    @property
    def peer_nonce(self) -> bytes:
        """The nonce that our Refuse echoes. Empty if the device sent none, or one of the wrong size."""
        return self._peer_nonce

    @property
    def transcript(self) -> bytes:
        """The transcript T of the handshake."""
        return self._transcript

    def take_keys(self) -> SessionKeys | None:
        """Hands over the keys of the session that a good Proof began, once. None without a seal."""
        keys, self._keys = self._keys, None
        return keys

    def deadline(self) -> float:
        """When the step is due again."""
        return self._due

    def due(self, now: float) -> tsl.Frame | None:
        """Returns the step to send now, if one is due."""
        if now < self._due:
            return None
        if self._sends == MOST_SENDS:
            self._start(now)
        self._sends += 1
        self._due = now + REPEAT_INTERVAL
        return self._step

    def hello(self, message: common.Hello, raw: bytes, now: float) -> HelloRefusal | None:
        """Takes step 2. The proof goes to a welcome device next."""
        if self._peer_hello or not self._for_us(message):
            self._counters.handshake += 1
            return None
        self._peer_nonce = message.nonce if len(message.nonce) == NONCE else b""
        declined = first_refusal(message, self._context, proved=False)
        if declined is None:
            self._prove(message, raw, now)
        return declined

    def unreadable(self, raw: bytes) -> HelloRefusal | None:
        """Takes bytes that begin like a Hello and cannot be read. Nothing in them says what they answer."""
        read = codec.parse(raw)
        if self._peer_hello or not isinstance(read, codec.Unreadable):
            return None
        advice = "format its memory" if read.rule == NUMBER_RULE else "update its firmware"
        return HelloRefusal(RefuseReason.HELLO, f"{UNUSABLE} {read.reason}: {advice}")

    def proof(self, message: common.Proof) -> DeviceFacts | HelloRefusal | None:
        """Takes step 4. Returns the facts of a device that proved itself, or None for a Proof that is not
        for us."""
        if not self._peer_hello or not self._answers_ours(message):
            self._counters.handshake += 1
            return None
        if not self._agree(message):
            return WRONG_PROOF
        return first_refusal(self._peer_hello, self._context, proved=True) or _facts(self._peer_hello)

    def refused(self, message: common.Refuse) -> bool:
        """Whether a Refuse answers our Hello."""
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
                nonce=self._draw(NONCE),
            )
        )
        self._peer_hello: common.Hello | None = None
        self._peer_nonce = b""
        self._transcript = self._secret = self._share = b""
        self._keys = None
        self._sends = 0
        self._due = now

    def _prove(self, hello: common.Hello, raw: bytes, now: float) -> None:
        self._peer_hello = hello
        self._transcript = transcript(self._hello.SerializeToString(), raw)
        if self._key:
            self._secret = self._draw(KEY)
            self._share = share_of(self._secret)
        proof = common.Proof(
            side=Side.HOST,
            transcript=self._transcript[:8],
            mac=host_mac(self._key, self._transcript, self._share),
            share=self._share,
        )
        self._step = tsl.Frame(proof=proof)
        self._sends = 0
        self._due = now

    def _answers_ours(self, message: common.Proof) -> bool:
        ours = message.side == Side.DEVICE and message.transcript == self._transcript[:8]
        return ours and len(message.share) == share_size(self._key)

    def _agree(self, message: common.Proof) -> bool:
        """Checks the mac of the device, which needs the shared secret. The secret of our share has served
        then."""
        secret, self._secret = self._secret, b""
        shared = shared_secret(secret, message.share) if self._key else b""
        found = agreement(self._key, self._transcript, self._share, message.share, shared)
        if (self._key and not shared) or not hmac.compare_digest(message.mac, found.device_mac):
            return False
        self._keys = found.keys if self._key else None
        return True

    def _for_us(self, hello: common.Hello) -> bool:
        return hello.side == Side.DEVICE and hello.echo == self._hello.hello.nonce


def _facts(hello: common.Hello) -> DeviceFacts:
    return DeviceFacts(
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
