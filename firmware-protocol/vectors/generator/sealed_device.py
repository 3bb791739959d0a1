"""Parts of a sealed device's script: its sessions as the host conducts them."""

from generator.device import Moment, beat, device
from generator.framing import Vector
from generator.messages import Message, payload
from generator.proving import HOST_NONCE, HOST_SECRET, Agreed, agreed, clear, transcript
from generator.script import Step
from generator.sealing import (
    DEVICE_SECRET,
    KEY,
    SEALED_DRAWN,
    Voice,
    sealed_device_hello,
    sealed_host_hello,
    session_of,
)
from generator.wire import OPEN, Frame

FOURTH_NONCE = bytes(range(0xE0, 0xF0))
NO_SESSION = payload({"no_session": {}})
BYE = Frame(0, payload({"bye": {"reason": 1}}), 0, 0, OPEN)


class Talk:
    """One session of a device: its handshake, its keys, and the host's frames in it."""

    def __init__(
        self,
        hello: bytes,
        answer: bytes,
        device_secret: bytes = DEVICE_SECRET,
        host_secret: bytes = HOST_SECRET,
    ) -> None:
        self.hello = hello
        self.answer = answer
        self.transcript = transcript(hello, answer)
        self._secrets = host_secret, device_secret
        self._session = session_of(self.agreed(KEY))

    @property
    def host(self) -> Voice:
        """Seals for the host."""
        return self._session.host

    @property
    def keys(self) -> dict[str, str]:
        """As a script states them."""
        return self._session.keys()

    @property
    def device(self) -> Voice:
        """Seals as the device does."""
        return self._session.device

    @property
    def proof(self) -> bytes:
        return self.proved(KEY)

    @property
    def confirmed(self) -> bytes:
        """Step 4."""
        return self.agreed(KEY).device_proof

    def proved(self, key: bytes) -> bytes:
        """Step 3 with that key."""
        return self.agreed(key).host_proof

    def agreed(self, key: bytes) -> Agreed:
        """Steps 3 and 4 with that key."""
        return agreed(self.transcript, key, *self._secrets)

    def say(self, *frames: Frame) -> tuple[Frame, ...]:
        """The host's frames, sealed in this order."""
        return self.host.all(*frames)

    def back(self, *frames: Frame) -> tuple[Frame, ...]:
        """The device's frames, sealed in this order."""
        return self.device.all(*frames)

    def begin(self, at: float) -> Moment:
        """Steps 1 and 2."""
        return Moment(at).gets(clear(self.hello)).says(self.answer)

    def install(self, at: float) -> Moment:
        """Steps 3 and 4, and the host's first heartbeat."""
        installed = Moment(at).installs(self.keys)
        return installed.gets(clear(self.proof), *self.say(beat())).says(self.confirmed)

    def opening(self, at: float = 0.0) -> list[Step]:
        return [self.begin(at), self.install(at + 0.01)]


def talk(
    host_nonce: bytes = HOST_NONCE, nonce: int = 0, share: int = 0, boots: int = 1, **changes: object
) -> Talk:
    """A session with that nonce of the host, with these nonce and share of that boot of the device, and its
    Hello with those changes."""
    drawn = {"nonce": SEALED_DRAWN.nonce(nonce, boots), "boot": SEALED_DRAWN.boot(boots)}
    answer = sealed_device_hello(**drawn | {"echo": host_nonce} | changes)
    return Talk(sealed_host_hello(nonce=host_nonce), answer, SEALED_DRAWN.secret(share, boots))


def sealed(name: str, shows: str, *steps: Step, **more: object) -> Vector:
    """A script for a shoe that has a key."""
    return device(f"sealed-{name}", shows, *steps, key=KEY, **more)


def refuse(reason: int, nonce: bytes = HOST_NONCE) -> Message:
    """A Refuse that must go out; its text is free."""
    return {"refuse": {"echo": nonce, "reason": reason}}
