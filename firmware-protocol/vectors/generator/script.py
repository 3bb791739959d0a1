"""Scripts: what happens to one side over time, and what it must send and report."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Self

from generator.framing import Vector
from generator.messages import Message, as_json, payload
from generator.wire import Frame


@dataclass(slots=True)
class Step:
    """One moment. Expectations hold from it to the next step."""

    at: float
    parts: dict[str, object] = field(default_factory=dict)

    def gets(self, *frames: Frame) -> Self:
        """These frames arrive."""
        return self.with_("in", b"".join(frame.wire for frame in frames).hex())

    def does(self, what: str, value: object) -> Self:
        """The program of the side under test asks for something."""
        return self.with_("do", {what: value})

    def sends(self, *expected: dict[str, object]) -> Self:
        """Frames that must go out, in this order, except acknowledgements, NAKs and heartbeats."""
        return self.with_("out", list(expected))

    def delivers(self, *messages: Message) -> Self:
        """Messages that must be delivered, in this order."""
        return self.with_("taken", [as_json(message) for message in messages])

    def reports(self, *news: Mapping[str, object]) -> Self:
        """What a host reports to its program, in this order; vectors/README.md has the words."""
        return self.with_("told", list(news))

    def answers(self, acknowledgement: int) -> Self:
        """A frame goes out, and the last one carries this acknowledgement."""
        return self.with_("acknowledgement", acknowledgement)

    def naks(self, *acknowledgements: int) -> Self:
        """Exactly these NAKs go out."""
        return self.with_("naks", list(acknowledgements))

    def installs(self, keys: dict[str, str]) -> Self:
        """From here on, sealed frames are those of a session with these keys."""
        return self.with_("keys", keys)

    def ends(self, reason: str) -> Self:
        return self.with_("ended", reason)

    def with_(self, key: str, value: object) -> Self:
        """The same step with one more part."""
        self.parts[key] = value
        return self

    def as_json(self) -> dict[str, object]:
        """The step as a vector states it."""
        return {"at": self.at, **self.parts}


def sent(channel: int, sequence: int, message: Message, flags: int = 0) -> dict[str, object]:
    """A frame that must go out."""
    return {
        "flags": flags,
        "channel": channel,
        "sequence": sequence,
        "payload": payload(message).hex(),
        "message": as_json(message),
    }


def bye(reason: int) -> dict[str, object]:
    """A Bye that must go out; its text is free."""
    return {"flags": 0, "channel": 0, "sequence": 0, "message": {"bye": {"reason": reason}}}


def script(kind: str, name: str, shows: str, side: str, steps: Iterable[Step], **setting: object) -> Vector:
    """One script. Its last step only says how long to wait."""
    return {
        "name": name,
        "kind": kind,
        "shows": shows,
        "side": side,
        **setting,
        "steps": [step.as_json() for step in steps],
    }


def provisioned(key: bytes) -> dict[str, object]:
    """K as a script states it; empty for seal = none."""
    return {"key": key.hex()} if key else {}
