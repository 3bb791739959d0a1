"""The host's end of a link: one attempt at a session, from the first Hello to the end of the session.

`HostLink` is a pure state machine: bytes and time in, bytes and LinkEvents out. It joins the endpoint, the
host's half of the handshake and, once that succeeds, a HostSession (section 6.4 of
firmware-protocol/README.md). After Down or DeviceRefused it emits nothing more; the next attempt is a new
HostLink.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Any, cast

from drivers.errors import DeviceFault, Misuse
from drivers.link.commands import CommandKeys, DesiredState, key_floor
from drivers.link.counters import Counters
from drivers.link.endpoint import Ended, Endpoint, Received, Vitals
from drivers.link.facts import Bookmark, DeviceFacts, Expected
from drivers.link.handshake import REFUSAL_ADVICE, HelloContext, HelloRefusal, HostHandshake
from drivers.link.host_session import HostSession, KeyedCommand
from drivers.link.key_schedule import seal_of
from drivers.link.limits import Timing
from drivers.link.reports import DeviceRefused, DeviceUp, Down, HeartbeatLate, LinkEvent
from drivers.link.routes import UNREADABLE_HELLO
from drivers.link.seal import Sealing
from drivers.messages import CommandBody
from drivers.protocol import common_pb2 as common
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import ByeReason, RefuseReason, Side

NO_SESSION_QUIET = 1.0
"""Seconds without a good frame after which the host believes a NoSession, which anyone can forge."""
REFUSE_TEXT = 80


@dataclass(frozen=True, slots=True)
class HostTimeouts:
    """Seconds that a host waits for a device: for the `answer` to a command, and for a first Hello
    (`silence`)."""

    answer: float = 5.0
    silence: float = 10.0


def _no_other_ports(_serial: str) -> str:
    return ""


class HostLink:
    """One attempt at a session. Its phases are "hello", "proof", "catching up", "running" and "over".

    `draw` gives random bytes of the operating system, for the nonce and the share of each attempt. `key` is
    the device's key of 32 bytes; an empty one stands for `seal = none`. With an `image` the
    session serves a firmware update: it stays unarmed, `act` accepts only the actions of an update, and the
    device gets the blocks it asks for.
    """

    def __init__(
        self,
        expected: Expected,
        bookmark: Bookmark,
        draw: Callable[[int], bytes],
        now: float,
        alive: Callable[[], bool],
        *,
        key: bytes = b"",
        other_ports: Callable[[str], str] = _no_other_ports,
        keys: CommandKeys | None = None,
        hold: bool = False,
        image: bytes | None = None,
        timeouts: HostTimeouts | None = None,
        timing: Timing | None = None,
    ) -> None:
        self._device = expected.name
        self._bookmark, self._alive, self._hold, self._image = bookmark, alive, hold, image
        self._timeouts = timeouts or HostTimeouts()
        self._keys = keys or CommandKeys(bookmark.last_key)
        self._key = key
        self._endpoint = Endpoint(Side.HOST, now, self._vitals, timing, sealed=bool(key))
        context = HelloContext(expected, seal_of(key), bookmark, other_ports)
        self._handshake = HostHandshake(context, key, draw, self.counters, now)
        self._silence_deadline = now + self._timeouts.silence
        self._desired = DesiredState()
        self._actions: deque[KeyedCommand] = deque()
        self._last_action = bookmark.last_key
        self._session: HostSession | None = None
        self._over = self._late = False
        self._events: list[LinkEvent] = []

    @property
    def phase(self) -> str:
        if self._over:
            return "over"
        if self._session is None:
            return self._handshake.phase
        return "running" if self._session.running else "catching up"

    @property
    def counters(self) -> Counters:
        return self._endpoint.counters

    @property
    def peer(self) -> common.Heartbeat | None:
        """The device's last heartbeat; None without a session."""
        return self._endpoint.peer

    def heartbeat_age(self, now: float) -> float | None:
        """Seconds since the device's last heartbeat; None without a session."""
        return self._endpoint.heartbeat_age(now)

    def late(self, now: float) -> bool:
        """Whether the device's heartbeat is overdue."""
        return self._endpoint.late(now)

    def feed(self, data: bytes, now: float) -> list[LinkEvent]:
        """Takes bytes that arrived."""
        for item in self._endpoint.feed(data, now):
            if not self._over:
                self._receive(item, now)
        return self._take_events(now)

    def tick(self, now: float) -> list[LinkEvent]:
        """Lets time-outs happen."""
        for ended in self._endpoint.tick(now):
            self._finish(Down(ended.reason, ended.text))
        if self._session:
            self._guarded(self._session.check, now, now)
        elif not self._over and now >= self._silence_deadline:
            self._finish(Down("silent", f"no answer for {self._timeouts.silence:g} s"))
        return self._take_events(now)

    def take(self, now: float) -> bytes:
        """Returns the bytes to write now. Call it after every feed, tick, want, act, commit and close."""
        if self._session:
            self._guarded(self._session.progress, now, now)
        elif not self._over and (step := self._handshake.due(now)):
            self._endpoint.send_control(step)
        return self._endpoint.take(now)

    def deadline(self, now: float) -> float:
        """When tick and take must run at the latest."""
        if self._events:
            return now  # an event came up while something was written: tick returns it
        if self._over:
            return inf
        if self._session is None:
            return min(self._handshake.deadline(), self._silence_deadline)
        return min(self._endpoint.deadline(now), self._session.deadline())

    def commit(self, number: int) -> None:
        """All events up to `number` are in the journal, on disk."""
        if self._session:
            self._session.commit(number)

    def want(self, record: CommandBody) -> None:
        """Sets a part of the desired state. The newest command of a kind counts and goes out as soon as
        the session allows."""
        self._desired.want(record)

    def act(self, key: int, record: CommandBody) -> None:
        """Sends an action whose key is in the journal.

        It ends with ActionEnded, or the next session recalls it. An action that this session already
        recalls is not sent again. Raises Misuse for a key that is not above all earlier ones: the device
        would never execute it.
        """
        if key in self._bookmark.open_actions:
            return
        if key <= self._last_action:
            raise Misuse(f"action key {key} is not above {self._last_action}")
        self._last_action = key
        self._actions.append((key, record))

    def close(self, now: float) -> None:
        """Says goodbye. Write what `take` still returns."""
        self._endpoint.end(ByeReason.STOPPING, "the controller stops", now)
        self._over, self._session = True, None

    def _vitals(self) -> Vitals:
        committed = self._session.intake.committed if self._session else 0
        return Vitals(committed=committed, alive=self._alive())

    def _receive(self, item: Received | Ended, now: float) -> None:
        if isinstance(item, Ended):
            self._finish(Down(item.reason, item.text))
        elif item.name == "no_session":
            self._no_session(now)
        elif item.name == UNREADABLE_HELLO:
            self._unreadable(item.raw)
        elif item.name in _HANDSHAKE_HANDLERS:
            self._receive_handshake(item, now)
        elif self._session:
            self._guarded(self._session.receive, item, now)

    def _receive_handshake(self, item: Received, now: float) -> None:
        if self._session:
            self.counters.handshake += 1  # anyone can forge it: it ends nothing
        else:
            _HANDSHAKE_HANDLERS[item.name](self, item, now)

    def _guarded(self, step: Callable[[Any], None], argument: Received | float, now: float) -> None:
        """Runs a step. If the device breaks the protocol in it, the session ends with a Bye."""
        try:
            step(argument)
        except DeviceFault as fault:
            bye = BYE_REASONS.get(fault.reason, ByeReason.STOPPING)
            self._endpoint.end(bye, fault.reason, now, counted=fault.reason)
            self._finish(Down(fault.reason, str(fault)))

    def _unreadable(self, hello: bytes) -> None:
        if self._session is None and (declined := self._handshake.unreadable(hello)):
            self._refuse(declined)

    def _no_session(self, now: float) -> None:
        if self._session and now - self._endpoint.last_received >= NO_SESSION_QUIET:
            self._endpoint.counters.count_session_end("no session")
            self._endpoint.drop()
            self._finish(Down("no session", "the device has no session: it has restarted"))

    def _hello(self, received: Received, now: float) -> None:
        declined = self._handshake.hello(cast("common.Hello", received.message), received.raw, now)
        if declined:
            self._refuse(declined)

    def _proof(self, received: Received, now: float) -> None:
        answer = self._handshake.proof(cast("common.Proof", received.message))
        if isinstance(answer, HelloRefusal):
            self._refuse(answer)
        elif answer:
            self._install(answer, now)

    def _refused(self, received: Received, _now: float) -> None:
        message = cast("common.Refuse", received.message)
        if self._handshake.refused(message):
            advice = REFUSAL_ADVICE.get(message.reason, "ask its maker")
            text = f"the device refuses us: {message.text}: {advice}"
            self._finish(DeviceRefused(_reason_word(message.reason), text))

    def _install(self, facts: DeviceFacts, now: float) -> None:
        keys = self._handshake.take_keys()
        self._endpoint.install(now, Sealing(keys, Side.HOST) if keys else None)
        self._keys.skip_to(self._bookmark.last_key)
        self._guarded(self._keys.begin_session, facts.last_key, now)
        if self._over:
            return
        self._last_action = min(self._last_action, key_floor(self._bookmark.last_key, facts.last_key))
        up = len(self._events)
        self._session = HostSession(
            self._endpoint,
            self._device,
            facts,
            self._bookmark,
            desired=self._desired,
            actions=self._actions,
            keys=self._keys,
            emit=self._emit,
            limit=self._timeouts.answer,
            hold=self._hold,
            image=self._image,
        )
        self._events.insert(up, DeviceUp(self._device, facts, self._session.intake.relation))

    def _refuse(self, refusal: HelloRefusal) -> None:
        if nonce := self._handshake.peer_nonce:
            text = refusal.text.encode()[:REFUSE_TEXT].decode(errors="ignore")
            refuse = common.Refuse(echo=nonce, reason=refusal.reason, text=text)
            self._endpoint.send_control(tsl.Frame(refuse=refuse))
        self._finish(DeviceRefused(_reason_word(refusal.reason), refusal.text, refusal.proved))

    def _finish(self, last: Down | DeviceRefused) -> None:
        self._over, self._session = True, None
        self._events.append(last)

    def _emit(self, event: LinkEvent) -> None:
        self._events.append(event)

    def _take_events(self, now: float) -> list[LinkEvent]:
        if self._session and self._late != self._endpoint.late(now):
            self._late = not self._late
            self._events.append(HeartbeatLate(self._late))
        events, self._events = self._events, []
        return events


BYE_REASONS = {"gap": ByeReason.GAP, "unreadable": ByeReason.UNSUPPORTED}
_HANDSHAKE_HANDLERS: dict[str, Callable[[HostLink, Received, float], None]] = {
    "hello": HostLink._hello,
    "proof": HostLink._proof,
    "refuse": HostLink._refused,
}


def _reason_word(number: int) -> str:
    names = {member.value: member.name.lower() for member in RefuseReason}
    return names.get(number, f"reason {number}")
