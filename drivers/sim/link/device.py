"""The device's end of a link, as simulators and tests run it: handshake, events out of the ring, commands.

`DeviceLink` is a pure state machine like Endpoint (section 6.3 of firmware-protocol/README.md). After
`feed`, `tick` and `record` its owner calls `take` and writes the bytes.
"""

from collections.abc import Callable
from math import inf
from typing import Any

from google.protobuf.message import Message

from drivers import messages as m
from drivers.link.codec import Unreadable, command_body, event_message
from drivers.link.counters import Counters
from drivers.link.endpoint import Ended, Endpoint, Received, Timing, Vitals
from drivers.link.key_schedule import SessionKeys
from drivers.link.limits import TAMPER_INTERVAL
from drivers.link.seal import Sealing
from drivers.messages import EventBody
from drivers.protocol import common_pb2 as common
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import (
    ByeReason,
    Channel,
    Mode,
    Reset,
    Side,
    Status,
    TamperCause,
)
from drivers.sim.link.commands import Body, BodyVitals, CommandRunner
from drivers.sim.link.handshake import DeviceHandshake, DeviceIdentity, ProofAnswer, device_hello
from drivers.sim.link.memory import Memory, MissingEvents
from drivers.sim.link.randomness import DeviceRandom
from drivers.sim.link.slots import Slots
from drivers.sim.link.updating import DeviceUpdate

__all__ = ["Body", "BodyVitals", "DeviceIdentity", "DeviceLink"]

CARDS = (m.CardDrawn, m.CardUnreadable, m.CardUnpermitted, m.CardInterrupted, m.CutCard)
"""Events for which the ring keeps its reserve. All others are minor."""
CRITICAL = (*CARDS, m.Tamper)
RESERVED_FOR_RESULTS = 16
"""Places in the queue that events leave free. Each command for which room was promised has one result."""
NO_SESSION_INTERVAL = 0.25
LONGEST_TEXT = 80


class TamperAlarm:
    """Limits the tamper events of one cause. Each one counts what came since the one before."""

    def __init__(self) -> None:
        self._reported_at = -inf
        self._count = 0

    def due(self, times: int, now: float) -> int:
        """Adds `times` attacks. Returns how many to report now, or 0 if it is too early."""
        self._count += times
        if now - self._reported_at < TAMPER_INTERVAL:
            return 0
        count, self._count, self._reported_at = self._count, 0, now
        return count


class DeviceLink:
    """One device, from boot to loss of power. `memory` lasts longer.

    `random` was made for this boot; without a key in it, sessions are clear. Without `slots`, which must
    have been started, the firmware cannot be updated. `steps`: how many steps of X25519 one `tick` does; 0:
    the answer to a Proof comes at once.
    """

    def __init__(
        self,
        identity: DeviceIdentity,
        memory: Memory,
        body: Body,
        *,
        random: DeviceRandom,
        reset: Reset,
        now: float,
        timing: Timing | None = None,
        slots: Slots | None = None,
        steps: int = 0,
    ) -> None:
        self.restarts = False
        """The session is over, and the device must boot again because of an update."""
        self._identity = identity
        self._memory = memory
        self._body = body
        log = random.log()
        self._boot = random.boot()
        self._reset = reset
        if not memory.log:
            memory.begin_log(log)
        self._endpoint = Endpoint(Side.DEVICE, now, self._vitals, timing, sealed=bool(random.key))
        self._handshake = DeviceHandshake(self._describe, random, steps)
        self._updating = DeviceUpdate(slots, identity.device_class, now)
        self._commands = CommandRunner(identity.device_class, memory, body, self._resume, self._updating)
        self._next = 0
        self._no_session_at = -inf
        self._alarms = {cause: TamperAlarm() for cause in TamperCause}
        self._handlers: dict[type[Message], Callable[[Any, Received, float], None]] = {
            common.Hello: self._hello,
            common.Proof: self._proof,
            common.Refuse: self._refuse,
            common.Heartbeat: self._heartbeat,
            common.EventCommit: self._event_commit,
            tsl.Command: self._command,
            common.Block: self._block,
            tsl.Frame: self._unnamed,
        }
        self._record_boot(now)

    @property
    def armed(self) -> bool:
        return self._commands.armed

    @property
    def installed(self) -> bool:
        return self._endpoint.installed

    @property
    def permitted(self) -> int:
        return self._commands.permitted

    @property
    def counters(self) -> Counters:
        return self._endpoint.counters

    def record(self, event: EventBody, now: float) -> int:
        """Stores an event and returns its number. It is sent once the host has resumed.

        Minor events are not kept while only the reserve of the ring is left. Store the event of a card in
        one `memory.transaction` with `end_card`.
        """
        uptime = self._endpoint.uptime_us(now)
        payload = event_message(self._memory.newest + 1, uptime, self._boot, event).SerializeToString()
        minor, critical = not isinstance(event, CARDS), isinstance(event, CRITICAL)
        return self._memory.store(payload, minor=minor, critical=critical)

    def feed(self, data: bytes, now: float) -> None:
        """Takes bytes that arrived."""
        for item in self._endpoint.feed(data, now):
            if isinstance(item, Ended):
                self._session_ended(item, now)
            elif type(item.message) in self._handlers:
                self._handlers[type(item.message)](item.message, item, now)

    def tick(self, now: float) -> None:
        """Lets time-outs happen, and computes on."""
        for ended in self._endpoint.tick(now):
            self._session_ended(ended, now)
        if answer := self._handshake.work():
            self._answer_proof(answer, now)
        if not self.restarts and self._updating.restarts(now, answered=self._endpoint.idle):
            self.restarts = True
            self._endpoint.end(ByeReason.UPDATE, "the device restarts", now)
            self._commands.stop(now)

    def take(self, now: float) -> bytes:
        """Returns the bytes to write now."""
        if not self._endpoint.installed:
            return self._endpoint.take(now)
        self._send_events()
        self._ask_for_blocks()
        out = self._endpoint.take(now)
        self._endpoint.offer(self._endpoint.room)
        # What left made room, and a credit that rises from 0 must go out at once.
        return out + self._endpoint.take(now)

    def deadline(self, now: float) -> float:
        """When `tick` and `take` must run at the latest."""
        if self._handshake.computing:
            return now
        restart = inf if self.restarts else self._updating.deadline
        return min(self._endpoint.deadline(now), restart)

    def _record_boot(self, now: float) -> None:
        memory = self._memory
        with memory.transaction():
            self.record(m.Booted(self._reset), now)
            if memory.begun:
                memory.end_action(memory.begun, Status.INTERRUPTED, "the power went")
            if memory.moving:
                self.record(m.CardInterrupted(memory.end_card()), now)

    def _hello(self, hello: common.Hello, received: Received, now: float) -> None:
        answer = self._handshake.hello(hello, received.raw, now)
        if answer is None:
            self.counters.handshake += 1
        else:
            self._endpoint.send_control(answer)

    def _proof(self, proof: common.Proof, received: Received, now: float) -> None:
        answer = self._handshake.proof(proof, received.raw, now)
        if answer is None:
            self.counters.handshake += 1
        else:
            self._answer_proof(answer, now)

    def _answer_proof(self, answer: ProofAnswer, now: float) -> None:
        if answer.begins:
            self._install(answer.keys, now)
        if answer.bad:
            self._tampered(TamperCause.PROOF, 1, now)
        if answer.frame:
            self._endpoint.send_control(answer.frame)

    def _refuse(self, _refuse: common.Refuse, _received: Received, _now: float) -> None:
        """A Refuse means nothing to a device."""
        self.counters.handshake += 1

    def _install(self, keys: SessionKeys | None, now: float) -> None:
        if self._endpoint.installed:
            self.counters.count_session_end("new session")
            self._endpoint.drop()
            self._commands.stop(now)
        self._next = 0
        self._commands.start()
        self._endpoint.install(now, Sealing(keys, Side.DEVICE) if keys else None)

    def _tampered(self, cause: TamperCause, times: int, now: float) -> None:
        if count := self._alarms[cause].due(times, now):
            self.record(m.Tamper(cause, count), now)

    def _heartbeat(self, heartbeat: common.Heartbeat, _received: Received, _now: float) -> None:
        self._commit(heartbeat.committed)

    def _event_commit(self, commit: common.EventCommit, _received: Received, _now: float) -> None:
        self._commit(commit.number)

    def _commit(self, number: int) -> None:
        if number > self._memory.newest:
            self.counters.commit += 1
        else:
            self._memory.commit(number)

    def _command(self, command: tsl.Command, received: Received, now: float) -> None:
        record = command_body(command)
        if not isinstance(record, Unreadable):
            self._answer(command.key, *self._commands.run(command.key, record, now))
            return
        self.counters.count_unreadable(unknown=record.unknown)
        if record.unknown and received.critical:
            self._answer(command.key, Status.UNSUPPORTED, record.reason)

    def _block(self, block: common.Block, _received: Received, _now: float) -> None:
        self.counters.unasked += not self._updating.block(block.offset, block.data)

    def _answer(self, key: int, status: Status, text: str) -> None:
        result = common.Result(key=key, status=status, text=_shorten(text))
        self._endpoint.send(Channel.COMMANDS, tsl.Frame(result=result))
        self._endpoint.offer(self._endpoint.room)

    def _unnamed(self, _frame: tsl.Frame, received: Received, now: float) -> None:
        if received.name == "stray" and now - self._no_session_at >= NO_SESSION_INTERVAL:
            self._no_session_at = now
            self._endpoint.send_control(tsl.Frame(no_session=common.NoSession()))

    def _session_ended(self, ended: Ended, now: float) -> None:
        if ended.reason == "tags":
            self._tampered(TamperCause.TAGS, self._endpoint.timing.bad_tags, now)
        self._handshake.forget()
        self._commands.stop(now)

    def _resume(self, following: int) -> None:
        self._next = following

    def _send_events(self) -> None:
        while 0 < self._next <= self._memory.newest and self._endpoint.room > RESERVED_FOR_RESULTS:
            found = self._memory.read(self._next)
            if isinstance(found, MissingEvents):
                lost = common.EventsLost(first=found.first, last=found.last)
                self._endpoint.send(Channel.EVENTS, tsl.Frame(events_lost=lost))
                self._next = found.last + 1
            else:
                self._endpoint.send_payload(Channel.EVENTS, found.payload, critical=found.critical)
                self._next += 1

    def _ask_for_blocks(self) -> None:
        for offset in (
            self._updating.blocks_to_request() if self._endpoint.room > RESERVED_FOR_RESULTS else ()
        ):
            wanted = common.BlockWanted(offset=offset)
            self._endpoint.send(Channel.BULK, tsl.Frame(block_wanted=wanted))

    def _describe(self) -> common.Hello:
        return device_hello(
            self._identity, self._memory, self._boot, self._reset, test_slot=self._updating.test_slot
        )

    def _mode(self, own: int) -> int:
        """The mode that matters most if several apply."""
        if own == Mode.FAULT:
            return own
        if self._updating.under_way:
            return Mode.UPDATING
        return Mode.RING_FULL if self._memory.full else own

    def _vitals(self) -> Vitals:
        memory, body = self._memory, self._body.vitals()
        return Vitals(
            committed=memory.committed,
            newest=memory.newest,
            free=memory.free,
            armed=self.armed,
            mode=self._mode(body.mode),
            celsius=body.celsius,
            errors=body.errors,
            cards=memory.cards,
            alive=body.alive,
        )


def _shorten(text: str) -> str:
    return text.encode()[:LONGEST_TEXT].decode(errors="ignore")
