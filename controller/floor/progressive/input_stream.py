"""PROGRESSIVE_IN: the messages of tables and of the floor to a level, in the order of the stream.

An ordered consumer reads them from a place on. The message at that place tells whether the stream is still
the one of which the log speaks: its digest covers subject, time and payload.
"""

import asyncio
import base64
import hashlib
import json
import re
from collections import deque
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from typing import Any, Final

import nats.errors
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js import JetStreamContext
from nats.js.api import ConsumerConfig, DeliverPolicy, StreamState
from nats.js.errors import APIError

from controller.floor.ordered_consumer import ordered_consumer
from controller.floor.progressive.log_stream import ANSWER_LIMIT, StreamAway
from controller.floor.streams import PROGRESSIVE_IN
from controller.jackpot.linked.decide import Received
from controller.jackpot.linked.events import InputsRead
from controller.jackpot.linked.level import Position
from controller.jackpot.linked.messages import InputMessage, read_input
from controller.jackpot.linked.wire import MalformedMessage
from controller.property.signed import SignedMessage, UnsignedError
from controller.property.subjects import PropertySubjects

MOST_MESSAGES: Final = 64
"""Messages that one entry decides."""
MOST_WAITING: Final = 1024
"""Messages that are read ahead."""
HEARTBEAT: Final = 0.5
"""Seconds after which the server reports that no message is waiting."""
NO_MESSAGE: Final = 10037
"""The server's error code for a message that it does not have."""
KIND, FROM_TABLE = 3, "in"
"""The part of a subject that tells messages of tables from those of the floor."""
NANOSECONDS: Final = 10**9
_TIME: Final = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z")


@dataclass(frozen=True, slots=True)
class StoredMessage:
    """A message of the stream. `time`: when it was stored, in nanoseconds of Unix time."""

    sequence: int
    time: int
    subject: str
    payload: bytes
    headers: Mapping[str, str]

    @property
    def digest(self) -> str:
        begin = f"{self.subject}\n{self.time}\n".encode()
        return hashlib.sha256(begin + self.payload).hexdigest()


class InputStream:
    """The messages to `level`. `floor`: the public keys of the floor; `news` is set when a message
    arrives."""

    def __init__(
        self,
        client: Client,
        subjects: PropertySubjects,
        level: str,
        floor: Collection[bytes],
        news: asyncio.Event,
    ) -> None:
        self._client, self._floor, self._news = client, floor, news
        self._stream: JetStreamContext = client.jetstream()
        self._subjects = [subjects.reading(level, "*"), subjects.administration(level)]
        self._reading: asyncio.Task[None] | None = None
        self._reached = self._reached_before = 0
        self._last_before = self._settled = 0
        self._room = asyncio.Event()
        self.waiting = deque[Received]()

    @property
    def reads(self) -> bool:
        return self._reading is not None and not self._reading.done()

    async def begin(self, after: int) -> None:
        """Read the messages after a sequence, instead of what was read before. Raises StreamAway."""
        await self.end()
        self._reached = after
        self._reading = asyncio.create_task(self._read(after))

    async def end(self) -> None:
        """Read no more."""
        if self._reading:
            self._reading.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await self._reading
        self._reading = None
        self.waiting.clear()
        self._room.set()

    async def next_inputs(self, cursor: Position) -> InputsRead:
        """The messages that wait, and whether the stream has the one at `cursor`. Raises StreamAway."""
        while self.waiting and self.waiting[0].sequence <= cursor.last:
            self.waiting.popleft()
        if len(self.waiting) < MOST_WAITING:
            self._room.set()
        messages = tuple(islice(self.waiting, MOST_MESSAGES))
        oldest, last, digest = await self._place(cursor.last)
        if messages:
            last = max(last, messages[-1].sequence)
        return InputsRead(oldest, last, digest, messages)

    async def check(self) -> None:
        """Begin again if the stream had messages at the last check of which none has come since: the servers
        may have forgotten the consumer. Messages to other levels look the same, so this is done once for each
        end of the stream. Raises StreamAway."""
        quiet = self._reached == self._reached_before < self._last_before
        if quiet and self._last_before > self._settled:
            self._settled = self._last_before
            waiting = list(self.waiting)
            await self.begin(self._reached)
            self.waiting.extend(waiting)
        self._reached_before = self._reached
        self._last_before = (await self._state()).last_seq

    async def _place(self, sequence: int) -> tuple[int, int, str]:
        """The oldest and the last sequence of the stream, and the digest of a message, empty if the stream
        does not have it. Without a need, only the last one is asked for. Raises StreamAway."""
        if sequence == 0:
            return 0, 0, ""
        if found := await self._message(sequence):
            return 1, sequence, found.digest
        state = await self._state()
        return state.first_seq, state.last_seq, ""

    async def _state(self) -> StreamState:
        """Raises StreamAway."""
        try:
            async with asyncio.timeout(ANSWER_LIMIT):
                return (await self._stream.stream_info(PROGRESSIVE_IN)).state
        except (TimeoutError, nats.errors.Error, APIError) as error:
            raise StreamAway(f"{PROGRESSIVE_IN} cannot be read: {error!r}") from error

    async def _message(self, sequence: int) -> StoredMessage | None:
        """nats-py shortens times to microseconds, so this asks the leader itself. Raises StreamAway."""
        asked = json.dumps({"seq": sequence}).encode()
        try:
            answer = await self._client.request(
                f"$JS.API.STREAM.MSG.GET.{PROGRESSIVE_IN}", asked, timeout=ANSWER_LIMIT
            )
        except (TimeoutError, nats.errors.Error) as error:
            raise StreamAway(f"{PROGRESSIVE_IN} cannot be read: {error!r}") from error
        found: Any = json.loads(answer.data)
        if "error" in found:
            if found["error"].get("err_code") == NO_MESSAGE:
                return None
            raise StreamAway(f"{PROGRESSIVE_IN} cannot be read: {found['error'].get('description')}")
        return _stored(found["message"])

    async def _read(self, after: int) -> None:
        """Until cancelled, or until the servers end it."""
        config = ConsumerConfig(
            deliver_policy=DeliverPolicy.BY_START_SEQUENCE,
            opt_start_seq=after + 1,
            filter_subjects=self._subjects,
        )
        async with ordered_consumer(
            self._stream, PROGRESSIVE_IN, self._subjects[0], config, HEARTBEAT
        ) as reading:
            while True:
                message = _delivered(await reading.next_msg(None))
                if message.sequence > after:
                    self.waiting.append(self._received(message))
                    after = self._reached = message.sequence
                    self._news.set()
                if len(self.waiting) >= MOST_WAITING:
                    self._room.clear()
                await self._room.wait()

    def _received(self, stored: StoredMessage) -> Received:
        parts = stored.subject.split(".")
        table = parts[-1] if parts[KIND] == FROM_TABLE else ""
        signer = self._signer(stored, of_floor=not table)
        at = stored.time / NANOSECONDS
        return Received(stored.sequence, at, stored.digest, table, signer, _message(stored.payload))

    def _signer(self, stored: StoredMessage, *, of_floor: bool) -> str:
        """The public key that signed a message, empty if none did, or if it is not a key of the floor where
        it has to be."""
        try:
            signed = SignedMessage.received(stored.subject, stored.payload, stored.headers)
            signed.verify(self._floor if of_floor else {signed.key})
        except UnsignedError:
            return ""
        return signed.key.hex()


def _message(payload: bytes) -> InputMessage | MalformedMessage:
    try:
        return read_input(payload)
    except MalformedMessage as error:
        return error


def _delivered(message: Msg) -> StoredMessage:
    """A message of a consumer; the subject of its acknowledgement says where it is in the stream."""
    tokens = message.reply.split(".")
    sequence, _, time = tokens[5:8] if len(tokens) < 11 else tokens[7:10]
    return StoredMessage(int(sequence), int(time), message.subject, message.data, message.headers or {})


def _stored(found: Mapping[str, Any]) -> StoredMessage:
    """A message of which only the digest matters."""
    payload = base64.b64decode(found.get("data", ""))
    return StoredMessage(found["seq"], nanoseconds(found["time"]), found["subject"], payload, {})


def nanoseconds(text: str) -> int:
    """Unix time of a time as the servers write it, as 2026-11-23T15:31:18.5Z."""
    found = _TIME.fullmatch(text)
    if found is None:
        raise StreamAway(f"{text!r} is not a time of a server")
    whole = datetime.fromisoformat(found[1]).replace(tzinfo=UTC)
    return int(whole.timestamp()) * NANOSECONDS + int((found[2] or "").ljust(9, "0"))
