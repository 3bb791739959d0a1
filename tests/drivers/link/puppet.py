"""A device whose every message the test chooses, on the device's side of an Endpoint."""

from collections.abc import Callable
from dataclasses import replace
from math import inf
from typing import Any

from drivers.link.codec import Unreadable, command_body, event_message
from drivers.link.endpoint import Ended, Endpoint, Received, Vitals
from drivers.link.key_schedule import agreement, share_of, shared_secret, transcript
from drivers.messages import CommandBody, EventBody
from drivers.protocol import common_pb2 as common
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import MAJOR, MINOR, SCHEMA, ByeReason, Channel, DeviceClass, Seal, Side, Status

LOG = b"LOG-ONE."
BOOT = b"BOOT-ONE"
SECRET = bytes(range(64, 96))
"""The secret of its share."""
Answer = Status | None


class Puppet:
    """Polite by default: it answers the handshake, and each command with DONE. `hello` and `proof` override
    fields; `silent` holds the names of messages it does not answer; `answers` gives a status for a type of
    command, None for no answer; `commands` is every command it received."""

    def __init__(self, now: float, **hello: Any) -> None:
        self.key = b""
        self.hello: dict[str, Any] = hello
        self.proof: dict[str, Any] = {}
        self.silent: set[str] = set()
        self.answers: dict[type, Answer] = {}
        self.heard: list[Received | Ended] = []
        self.commands: list[CommandBody] = []
        self.keys: list[int] = []
        counts = {"newest": 1, "committed": 0 if "newest" in hello else 1, "cards": 0, **hello}
        self.vitals = Vitals(**{name: counts[name] for name in ("newest", "committed", "cards")})
        self._endpoint = Endpoint(Side.DEVICE, now, lambda: self.vitals)
        self._now = now
        self._transcript = b""
        self._serves = b""
        self._nonces = 0

    @property
    def installed(self) -> bool:
        return self._endpoint.installed

    def named(self, name: str) -> list[Any]:
        """Messages of that name, in the order they came."""
        return [item.message for item in self.heard if isinstance(item, Received) and item.name == name]

    def feed(self, data: bytes, now: float) -> list[Any]:
        self._now = now
        for item in self._endpoint.feed(data, now):
            self.heard.append(item)
            if isinstance(item, Received) and item.name not in self.silent:
                self._react(item)
        return []

    def tick(self, now: float) -> list[Any]:
        self._now = now
        self.heard += self._endpoint.tick(now)
        return []

    def take(self, now: float) -> bytes:
        self._now = now
        return self._endpoint.take(now)

    def deadline(self, now: float) -> float:
        return self._endpoint.deadline(now) if self._endpoint.installed else inf

    def say(self, frame: tsl.Frame) -> None:
        """Sends anything on channel 0."""
        self._endpoint.send_control(frame)

    def event(self, number: int, body: EventBody, *, critical: bool = False) -> None:
        """An event in the window; heartbeats count it from now on."""
        self.vitals = replace(self.vitals, newest=max(number, self.vitals.newest))
        self._endpoint.send(Channel.EVENTS, event_message(number, 1000, BOOT, body), critical=critical)

    def payload(self, channel: Channel, payload: bytes, *, critical: bool) -> None:
        """Bytes that may not be a message."""
        self._endpoint.send_payload(channel, payload, critical=critical)

    def lost(self, first: int, last: int, *, exist: bool = True) -> None:
        """EventsLost; heartbeats count these numbers from now on, if they `exist`."""
        self.vitals = replace(self.vitals, newest=max(last * exist, self.vitals.newest))
        frame = tsl.Frame(events_lost=common.EventsLost(first=first, last=last))
        self._endpoint.send(Channel.EVENTS, frame)

    def reboot(self) -> None:
        """The session is forgotten without a message."""
        self._endpoint.drop()

    def leave(self, reason: ByeReason) -> None:
        self._endpoint.end(reason, "as the test wants it", self._now)

    def greet(self, host_nonce: bytes, **fields: Any) -> tsl.Frame:
        """Our Hello to a host's."""
        said = {
            "side": Side.DEVICE,
            "major": MAJOR,
            "minor": MINOR,
            "schema": SCHEMA,
            "seal": Seal.NONE,
            "nonce": bytes(15) + bytes([self._nonces % 256]),
            "echo": host_nonce,
            "boot": BOOT,
            "id": "SH-1",
            "device_class": DeviceClass.SHOE,
            "hardware": "1",
            "firmware": "2",
            "reset": 1,
            "log": LOG,
            "oldest": 1,
            "committed": self.vitals.committed,
        }
        return tsl.Frame(hello=common.Hello(**{**said, **self.hello, "newest": self.vitals.newest, **fields}))

    def _react(self, item: Received) -> None:
        if reaction := _REACTIONS.get(item.name):
            reaction(self, item)

    def _hello(self, received: Received) -> None:
        self._nonces += 1
        answer = self.greet(received.message.nonce)  # type: ignore[attr-defined]
        self._transcript = transcript(received.raw, answer.SerializeToString())
        self.say(answer)

    def _proof(self, received: Received) -> None:
        theirs = received.message.share  # type: ignore[attr-defined]
        share, shared = (share_of(SECRET), shared_secret(SECRET, theirs)) if theirs else (b"", b"")
        said = {
            "side": Side.DEVICE,
            "transcript": self._transcript[:8],
            "mac": agreement(self.key, self._transcript, theirs, share, shared).device_mac,
            "share": share,
        }
        if self._serves != self._transcript:
            self._serves = self._transcript
            self._endpoint.install(self._now)
        self.say(tsl.Frame(proof=common.Proof(**{**said, **self.proof})))

    def _command(self, received: Received) -> None:
        command: Any = received.message
        body = command_body(command)
        assert not isinstance(body, Unreadable)
        self.commands.append(body)
        self.keys.append(command.key)
        status = self.answers.get(type(body), Status.DONE)
        if status is not None:
            result = common.Result(key=command.key, status=status)
            self._endpoint.send(Channel.COMMANDS, tsl.Frame(result=result))

    def _nobody(self, _received: Received) -> None:
        self.say(tsl.Frame(no_session=common.NoSession()))


_REACTIONS: dict[str, Callable[[Puppet, Received], None]] = {
    "hello": Puppet._hello,
    "proof": Puppet._proof,
    "command": Puppet._command,
    "stray": Puppet._nobody,
}
