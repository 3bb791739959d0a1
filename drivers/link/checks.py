"""Why a device is declined before a session: each check of its Hello, with words for a technician."""

from collections.abc import Callable
from dataclasses import dataclass

from drivers.link.bounds import HIGHEST, STEP
from drivers.link.facts import Bookmark, Expected
from drivers.protocol import common_pb2 as common
from drivers.protocol.codes import MAJOR, MINOR, SCHEMA, DeviceClass, RefuseReason, Seal


@dataclass(frozen=True, slots=True)
class Refusal:
    """A reason and a sentence that says what to do about it."""

    reason: RefuseReason
    text: str


@dataclass(frozen=True, slots=True)
class Case:
    """What a Hello is held against. `elsewhere`: where a serial number is connected besides here, as
    "on ports A and B"; empty when it is not."""

    expected: Expected
    seal: Seal
    bookmark: Bookmark
    elsewhere: Callable[[str], str]


SIZES = (("nonce", 16), ("schema", 8), ("boot", 8), ("log", 8))
"""Bytes of the fields that every Hello of a device has."""
USELESS = "answers, but its Hello cannot be used:"
ADVICE = {
    RefuseReason.VERSION.value: "update the older of the two",
    RefuseReason.SCHEMA.value: "update its firmware",
    RefuseReason.SEAL.value: "provision both with one key",
    RefuseReason.PROOF.value: "provision both with one key",
}
"""What to do about a device that refuses us, by its reason."""


def refusal(hello: common.Hello, case: Case) -> Refusal | None:
    """The first check that fails; None: welcome."""
    for reason, check in CHECKS:
        if text := check(hello, case):
            return Refusal(reason, text)
    return None


def _version(hello: common.Hello, _case: Case) -> str:
    if hello.major == MAJOR:
        return ""
    return f"speaks TSL/{hello.major}, we TSL/{MAJOR}: update the older of the two"


def _schema(hello: common.Hello, _case: Case) -> str:
    if hello.minor != MINOR or hello.schema == SCHEMA:
        return ""
    return f"schema {hello.schema.hex()}, ours {SCHEMA.hex()}: update its firmware"


def _seal(hello: common.Hello, case: Case) -> str:
    if hello.seal == case.seal:
        return ""
    return _SEALS.get(hello.seal, f"seal {hello.seal} is unknown: update its firmware")


def _sizes(hello: common.Hello, _case: Case) -> str:
    for field, size in SIZES:
        found = len(getattr(hello, field))
        if found != size:
            return f"{USELESS} {field} has {found} bytes, must have {size}: update its firmware"
    return "" if hello.id else f"{USELESS} id is empty, must be its serial number: provision it again"


def _numbers(hello: common.Hello, _case: Case) -> str:
    contradiction = _contradiction(hello)
    return f"{USELESS} {contradiction}: format its memory" if contradiction else ""


def _contradiction(hello: common.Hello) -> str:
    """The first impossible number, in a clause."""
    newest, cards, key = hello.newest, hello.cards, hello.last_key
    faults = {
        f"newest {newest} is not possible": newest > HIGHEST,
        f"last_key {key} is not possible": key > HIGHEST,
        "newest is 0, and Booted is event 1": newest == 0,
        f"oldest {hello.oldest} does not fit newest {newest}": not 1 <= hello.oldest <= newest + 1,
        f"committed {hello.committed} is above newest {newest}": hello.committed > newest,
        f"cards {cards}, and it is not a shoe": cards > 0 and hello.device_class != DeviceClass.SHOE,
        f"cards {cards} for newest {newest}, and each card is an event": cards >= newest,
        f"last_key {key} leaves no keys": key > HIGHEST - STEP,
    }
    return next((fault for fault, found in faults.items() if found), "")


def _duplicate(hello: common.Hello, case: Case) -> str:
    where = case.elsewhere(hello.id)
    return f"{hello.id} is connected {where}: unplug one" if where else ""


def _identity(hello: common.Hello, case: Case) -> str:
    if (hello.device_class, hello.id) == (case.expected.device_class, case.expected.serial):
        return ""
    found = f"{_class_name(hello.device_class)} {hello.id}"
    wanted = f"{_class_name(case.expected.device_class)} {case.expected.serial}"
    return f"found {found}, expected {wanted}: check cables"


def _memory(hello: common.Hello, case: Case) -> str:
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
"""What to do about a device that seals otherwise than configured."""
CHECKS: tuple[tuple[RefuseReason, Callable[[common.Hello, Case], str]], ...] = (
    (RefuseReason.VERSION, _version),
    (RefuseReason.SCHEMA, _schema),
    (RefuseReason.SEAL, _seal),
    (RefuseReason.SCHEMA, _sizes),
    (RefuseReason.MEMORY, _numbers),
    (RefuseReason.DUPLICATE, _duplicate),
    (RefuseReason.IDENTITY, _identity),
    (RefuseReason.MEMORY, _memory),
)
"""In this order: who speaks another language cannot be asked for a name."""
