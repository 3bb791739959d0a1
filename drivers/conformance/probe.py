"""A host that keeps the rules of firmware-protocol/README.md unless a check breaks one, and that knows
what to expect. Checks are written with it."""

import os
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from drivers import messages as m
from drivers.conformance.listener import POLL_SECONDS, Listener
from drivers.conformance.matchers import answers, in_session, is_event, numbers, says
from drivers.conformance.operator import DeviceOperator
from drivers.conformance.outcome import CheckFailed
from drivers.conformance.probe_link import ProbeSession
from drivers.conformance.subject import DeviceUnderTest
from drivers.conformance.trace import TraceEntry, code_word
from drivers.conformance.wire import Wire
from drivers.errors import Absent
from drivers.link.codec import command_message
from drivers.link.frames import SEQUENCES, WireFrame
from drivers.link.key_schedule import (
    KEY,
    Agreement,
    agreement,
    host_mac,
    share_of,
    share_size,
    shared_secret,
    transcript,
)
from drivers.messages import CommandBody
from drivers.protocol import common_pb2 as common
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import MAJOR, MINOR, SCHEMA, ByeReason, Channel, Flag, Side, Status

REPEAT = 0.25
REPEATS = 8
LONGEST_STEP = 209
"""The most bytes of a Hello or a Proof."""
NONCE = 16
ROOM = 0.5
"""Seconds to wait for room for a frame."""
EVENT = 3.0
"""Seconds to wait for the next of many events, on a slow line."""
RESULT = 1.0
"""Seconds that a device may take for a result."""


@dataclass(frozen=True, slots=True)
class HelloExchange:
    """Steps 1 and 2 of a handshake: both payloads, and the device's Hello. `secret`: of our share; empty
    where nothing is sealed."""

    ours: bytes
    theirs: bytes
    hello: common.Hello
    secret: bytes

    @property
    def transcript(self) -> bytes:
        """T."""
        return transcript(self.ours, self.theirs)

    @property
    def share(self) -> bytes:
        """Our share."""
        return share_of(self.secret) if self.secret else b""


class Probe(Listener):
    def __init__(self, wire: Wire, subject: DeviceUnderTest, operator: DeviceOperator) -> None:
        super().__init__(wire, subject, operator, self._installs)
        self.greeting: HelloExchange | None = None
        self._pending: HelloExchange | None = None
        self._key = 0

    @property
    def session(self) -> ProbeSession:
        """The open session."""
        if self.link.session is None:
            raise CheckFailed("a session that goes on; none is open")
        return self.link.session

    @property
    def hello(self) -> common.Hello:
        """The device's Hello of the last handshake."""
        if self.greeting is None:
            raise CheckFailed("a device that said Hello")
        return self.greeting.hello

    @property
    def _repeat(self) -> float:
        """Seconds until a step is repeated: more on a slow line, so that no answer to a repeat comes late."""
        return REPEAT + self.subject.line_time(LONGEST_STEP, 2)

    def host_hello(self, **changes: Any) -> common.Hello:
        """Step 1 with a fresh nonce."""
        hello = common.Hello(
            side=Side.HOST,
            major=MAJOR,
            minor=MINOR,
            schema=SCHEMA,
            seal=self.subject.seal,
            nonce=os.urandom(NONCE),
        )
        for name, value in changes.items():
            setattr(hello, name, value)
        return hello

    def say_hello(self, note: str = "", **changes: Any) -> bytes:
        """Sends step 1. Returns its payload."""
        payload = tsl.Frame(hello=self.host_hello(**changes)).SerializeToString()
        self.link.handshake(payload, note)
        return payload

    def nonce_of(self, payload: bytes) -> bytes:
        """The nonce in a Hello's payload."""
        return tsl.Frame.FromString(payload).hello.nonce

    async def greet(self, payload: bytes = b"") -> HelloExchange:
        """Steps 1 and 2."""
        payload = payload or tsl.Frame(hello=self.host_hello()).SerializeToString()
        nonce = self.nonce_of(payload)
        for _ in range(REPEATS):
            self.link.handshake(payload)
            answer = await self.next_frame(answers(nonce), self._repeat)
            if answer is not None:
                break
        else:
            raise CheckFailed("a Hello of the device that echoes the nonce of ours, within 2 s")
        if not isinstance(answer.message, common.Hello):
            raise CheckFailed("a Hello of the device, not a Refuse")
        self.trace.step_done()
        self.greeting = HelloExchange(
            payload, answer.payload, answer.message, os.urandom(share_size(self.subject.key))
        )
        return self.greeting

    def proof(self, greeting: HelloExchange) -> bytes:
        """The payload of step 3."""
        whole, share = greeting.transcript, greeting.share
        own = host_mac(self.subject.key, whole, share)
        message = common.Proof(side=Side.HOST, transcript=whole[:8], mac=own, share=share)
        return tsl.Frame(proof=message).SerializeToString()

    async def prove(self, greeting: HelloExchange) -> bytes:
        """Steps 3 and 4, and the first heartbeat. Returns the payload of step 3."""
        self._end_own()
        self._pending = greeting
        payload = self.proof(greeting)
        short = greeting.transcript[:8]
        for _ in range(REPEATS):
            self.link.handshake(payload)
            if await self.next_frame(says("proof", transcript=short), self._repeat):
                break
        else:
            raise CheckFailed("a Proof of the device with the first 8 bytes of T, within 2 s")
        self._check_installed()
        self.trace.step_done()
        self._key = max(self._key, greeting.hello.last_key)
        return payload

    def _check_installed(self) -> None:
        if self._pending is not None:
            share = f"a share of {KEY} bytes" if self.subject.key else "no share"
            raise CheckFailed(
                f'a Proof with side 2, {share}, and mac = HMAC-SHA-256(confirm, "TSL/1 device proof" + T2),'
                " T2 over T, our share and that of the device"
            )

    async def open(self) -> common.Hello:
        """Opens a fresh session. Returns the device's Hello."""
        self._end_own()
        greeting = await self.greet()
        await self.prove(greeting)
        return greeting.hello

    async def armed(self) -> common.Hello:
        """Opens and arms a fresh session: all existing events count as journaled."""
        hello = await self.open()
        await self.order(m.Resume(hello.newest + 1))
        await self.order(m.Arm(hello.newest))
        return hello

    def bye(self) -> None:
        self.link.send(
            self.link.frame(tsl.Frame(bye=common.Bye(reason=ByeReason.STOPPING)).SerializeToString())
        )
        self.session.over = True

    def leave(self) -> None:
        """Ends the session if there is one and the port still exists."""
        if self.link.session is not None and not self.link.session.over:
            with suppress(Absent):
                self.bye()

    def key(self) -> int:
        self._key += 1
        return self._key

    def payload(self, body: CommandBody, key: int | None = None) -> bytes:
        return command_message(self.key() if key is None else key, body).SerializeToString()

    def draft(
        self, payload: bytes, channel: Channel = Channel.COMMANDS, flags: int = Flag.CRITICAL
    ) -> WireFrame:
        """A clear frame with our next sequence, which it does not use up."""
        return self.link.frame(payload, channel, flags=int(flags), sequence=self.session.sequence)

    def launch(
        self,
        payload: bytes,
        channel: Channel = Channel.COMMANDS,
        flags: int = Flag.CRITICAL,
        note: str = "",
    ) -> WireFrame:
        """Sends a frame under our next sequence. Returns the frame on the line."""
        clear = self.draft(payload, channel, flags)
        self.session.sequence = (self.session.sequence + 1) % SEQUENCES
        return self.link.send(clear, note)

    def command(self, body: CommandBody, key: int | None = None) -> int:
        """Sends a command. Returns its key."""
        used = self.key() if key is None else key
        self.launch(self.payload(body, used))
        return used

    async def result(self, key: int, status: Status | None = Status.DONE) -> common.Result:
        wanted = "" if status is None else f" with status {code_word('Result', 'status', int(status))}"
        came: common.Result = await self.expect(
            f"a Result for key {key}{wanted}", says("result", key=key), RESULT
        )
        if status is not None and came.status != status:
            raise CheckFailed(
                f"a Result for key {key}{wanted}; its status is {code_word('Result', 'status', came.status)}"
            )
        return came

    async def order(
        self, body: CommandBody, status: Status | None = Status.DONE, key: int | None = None
    ) -> common.Result:
        """Sends a command and returns its result."""
        return await self.result(self.command(body, key), status)

    async def room(self, frames: int) -> bool:
        """Whether the device has, or soon gets, room for that many more frames."""
        until = self.wire.now() + ROOM
        while self.wire.now() < until:
            free = (self.session.limit - self.session.sequence) % SEQUENCES
            if frames <= free < SEQUENCES // 2:
                return True
            await self.wait(POLL_SECONDS)
        return False

    async def alive(self) -> None:
        """Checks that the session goes on and answers a command."""
        await self.order(m.Disarm())

    async def events(self, first: int, last: int) -> list[TraceEntry]:
        """Has the device send its events from `first` on, and returns them up to `last`: frames of Event
        and EventsLost whose numbers have no gap."""
        for entry in self.trace.entries:
            entry.consumed = entry.consumed or is_event(entry)
        await self.order(m.Resume(first))
        found: list[TraceEntry] = []
        following = first
        while following <= last:
            what = f"an Event or EventsLost from number {following} on"
            found.append(await self.expect_frame(what, is_event, EVENT))
            begins, ends = numbers(found[-1])
            if begins != following:
                raise CheckFailed(f"event number {following} next; {begins} came")
            following = ends + 1
        return found

    async def over(self, what: str) -> None:
        """Checks that the device has no session: it is silent, and answers a heartbeat with NoSession."""
        self.session.over = True
        await self.wait(self.subject.margin)
        await self.never(f"frame of the session that {what} ended", in_session, 0.6)
        self.link.beat()
        await self.expect(f"NoSession, as {what} ended the session", says("no_session"), 0.3)

    def _end_own(self) -> None:
        """A host that opens a session says nothing more in the old one, whose frames would count as bad
        tags."""
        if self.link.session is not None:
            self.link.session.over = True

    def _installs(self, proof: common.Proof) -> Agreement | None:
        pending, key = self._pending, self.subject.key
        if pending is None or proof.side != Side.DEVICE or proof.transcript != pending.transcript[:8]:
            return None
        if len(proof.share) != share_size(key):
            return None
        shared = shared_secret(pending.secret, proof.share) if key else b""
        agreed = agreement(key, pending.transcript, pending.share, proof.share, shared)
        if proof.mac != agreed.device_mac:
            return None
        self._pending = None
        return agreed
