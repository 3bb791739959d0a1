"""Parts of a device's script: steps, sessions, frames of the host, events."""

from typing import Self

from generator.drawing import SEED
from generator.framing import Vector
from generator.messages import Message, as_json, payload
from generator.proving import (
    CLEAR,
    HARDWARE,
    SERIAL,
    SIMULATOR,
    clear,
    device_hello,
    host_hello,
    proof,
    transcript,
)
from generator.script import Step, provisioned, script
from generator.wire import CRITICAL, OPEN, Frame

THIRD_NONCE = bytes(range(0xD0, 0xE0))
DONE = 1
OPENED = ("record", {"cover": {"open": True}})
FIRST_PROOF = proof(1, transcript(host_hello(), device_hello()))
JsonObject = dict[str, object]


class Moment(Step):
    """A step of a device's script. `says` excludes heartbeats; events and results have fields of their
    own."""

    def says(self, *payloads: bytes) -> Self:
        """Exactly these payloads go out on channel 0, except heartbeats."""
        return self.with_("says", [{"payload": data.hex()} for data in payloads])

    def says_like(self, *messages: Message) -> Self:
        """Messages on channel 0 with at least these fields."""
        return self.with_("says", [{"message": as_json(message)} for message in messages])

    def events(self, *events: JsonObject) -> Self:
        """Exactly these events go out on channel 1, except repeats."""
        return self.with_("events", list(events))

    def results(self, *results: tuple[int, int]) -> Self:
        """Key and status of each result on channel 2, except repeats."""
        return self.with_("results", [{"key": key, "status": status} for key, status in results])


def device(
    name: str,
    shows: str,
    *steps: Step,
    device_class: int = 1,
    key: bytes = b"",
    firmware: str = "1.0.0",
    **more: object,
) -> Vector:
    """A script for a device that was never used and boots now. With a key, its sessions are sealed. Its
    hardware has no random bits."""
    setting: dict[str, object] = {
        "device": {
            "device_class": device_class,
            "id": SERIAL,
            "hardware": HARDWARE if key else SIMULATOR,
            "firmware": firmware,
        },
        "provisioning": {"boots": 0, "seed": SEED.hex()},
        "reset": 1,
        "memory": {"slots": 1024},
    }
    setting |= provisioned(key) | more
    return script("device", f"device-{name}", shows, "device", steps, **setting)


def opening(at: float = 0.0, **changes: object) -> list[Step]:
    """The first session is installed; the host's first heartbeat opens the window."""
    return installed(at, host_hello(), device_hello(**changes))


def again(at: float, **changes: object) -> list[Step]:
    """The second session is installed."""
    return installed(at, host_hello(nonce=THIRD_NONCE), answer_with(**changes))


def installed(at: float, ours: bytes, answer: bytes) -> list[Step]:
    """Steps 1 to 4 with that answer."""
    whole = transcript(ours, answer)
    return [
        Moment(at).gets(clear(ours)).says(answer),
        Moment(at + 0.01).gets(clear(proof(1, whole)), beat()).says(proof(2, whole)),
    ]


def answer_with(**changes: object) -> bytes:
    """The device's Hello in its second session, which the host opens with the third nonce."""
    return device_hello(**{"nonce": CLEAR.nonce(1), "echo": THIRD_NONCE} | changes)


def rebooted(boots: int = 2, nonce: int = 0) -> dict[str, object]:
    """What that boot changes in the device's Hello, and its nonce."""
    return {"boot": CLEAR.boot(boots), "nonce": CLEAR.nonce(nonce, boots)}


def beat(committed: int = 0) -> Frame:
    """The host's heartbeat."""
    return Frame(0, payload({"heartbeat": {"now_us": 1, "committed": committed}}), 0, 0, OPEN)


def order(sequence: int, key: int, name: str, body: Message, *, acknowledged: int = 0) -> Frame:
    """The host's command. If it acknowledges nothing, the device just repeats what it sent."""
    return Frame(2, payload({"command": {"key": key, name: body}}), sequence, acknowledged, OPEN, CRITICAL)


def event(number: int, name: str, *, critical: bool = False, **fields: object) -> JsonObject:
    """An event that must go out."""
    return {"critical": critical, "event": {"number": number, name: fields}}


def resume(sequence: int, key: int, following: int) -> Frame:
    """Send events from that number on."""
    return order(sequence, key, "resume", {"next": following})


def arm(sequence: int, key: int, seen: int = 1) -> Frame:
    """The host has all up to `seen`."""
    return order(sequence, key, "arm", {"seen": seen})


def armed(at: float = 0.02) -> Moment:
    """Command 0 with key 1 arms the device."""
    return Moment(at).gets(arm(0, 1)).results((1, DONE)).reports({"armed": {}})


def level(cents: int) -> Message:
    """A jackpot's amount."""
    return {"id": 1, "cents": cents}


def permit(sequence: int, key: int, up_to: int) -> Frame:
    """Cards may leave until the count is `up_to`."""
    return order(sequence, key, "permit", {"up_to": up_to})


def recall(sequence: int, key: int, old: int) -> Frame:
    """What became of action `old`?"""
    return order(sequence, key, "recall", {"old_key": old})


def commit(number: int) -> Frame:
    """All up to `number` are on the host's disk."""
    return Frame(0, payload({"event_commit": {"number": number}}), 0, 0, 8)
