"""Events to a broker of MQTT 5.

Each event is one message under PREFIX/TABLE/EVENT, with quality of service 2, and the broker retains the
last one of each topic. So the broker itself says what it has: the bridge reads the retained messages
whenever it has connected, and goes on after them. It begins each connection without an old session, so
that the broker drops what it has not published yet; whatever it has published is retained. That makes each
event arrive once, as long as the broker or the bridge's own file keeps what it was told (docs/bridge.md).
"""

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from aiomqtt import Client, Message, MqttError, ProtocolVersion, Will

from controller.bridge.events import VERSION, Event, TableName
from controller.bridge.place import Place
from controller.bridge.receiver import NotDelivered, secret_text, tls_context
from controller.config.bridge import EventName, MqttSection

EXACTLY_ONCE: Final = 2
IN_ORDER: Final = 1
"""With quality of service 2, a retained message might come after one of quality 1 that was sent later."""
LIMIT: Final = 10.0
"""Seconds to wait for an answer of the broker."""
KEEPALIVE: Final = 15
"""Seconds of silence after which the broker is asked whether it is there."""
PORTS: Final = {"mqtt": 1883, "mqtts": 8883}
STATUS: Final = "bridge"
"""The topic that says whether the bridge is connected."""
MOST_RETAINED: Final = 100
DENIED: Final = (
    "the broker does not pass on what user {user!r} publishes and reads under {topic}: allow both there"
)


class MqttReceiver:
    """Raises ReceiverError for files that cannot be used. `password`: the file with it, if it is not the
    section's own."""

    name = "mqtt"
    greets = True

    def __init__(self, section: MqttSection, table: TableName, password: Path | None = None) -> None:
        self._section, self._table = section, table
        self._address = urlsplit(section.server)
        self._tls = tls_context(section.ca) if self._address.scheme == "mqtts" else None
        secret = password or (Path(section.password) if section.password else None)
        self._password = secret_text(secret) if section.user and secret else None
        self._topic = f"{section.prefix}/{table.table}"

    @property
    def events(self) -> frozenset[EventName]:
        return frozenset(self._section.events)

    @asynccontextmanager
    async def connection(self) -> AsyncIterator["MqttConnection"]:
        """Raises NotDelivered."""
        try:
            async with self._client() as client:
                connection = MqttConnection(client, self._topic, self._table)
                await self._settle(connection)
                try:
                    yield connection
                except asyncio.CancelledError:
                    with suppress(MqttError):
                        await connection.say_status(online=False)
                    raise
        except MqttError as error:
            raise NotDelivered(f"broker {self._section.server}: {error}") from error

    def _client(self) -> Client:
        address = self._address
        return Client(
            address.hostname or "",
            address.port or PORTS[address.scheme],
            username=self._section.user or None,
            password=self._password,
            identifier=f"tableside-{self._table.table}",
            protocol=ProtocolVersion.V5,
            clean_start=True,
            will=Will(
                f"{self._topic}/{STATUS}", status_payload(self._table, online=False), IN_ORDER, retain=True
            ),
            tls_context=self._tls,
            timeout=LIMIT,
            keepalive=KEEPALIVE,
            max_queued_incoming_messages=MOST_RETAINED,
        )

    async def _settle(self, connection: "MqttConnection") -> None:
        """Read what the broker retains. Raises MqttError, NotDelivered."""
        try:
            async with asyncio.timeout(LIMIT):
                await connection.read_retained()
        except TimeoutError:
            denied = DENIED.format(user=self._section.user, topic=f"{self._topic}/+")
            raise NotDelivered(f"broker {self._section.server}: {denied}") from None


class MqttConnection:
    """A Connection to a broker. Raises MqttError, which the receiver turns into NotDelivered."""

    def __init__(self, client: Client, topic: str, table: TableName) -> None:
        self._client, self._topic, self._table = client, topic, table
        self._retained = list[Place]()

    async def send(self, event: Event) -> None:
        await self._client.publish(
            f"{self._topic}/{event.kind}", event.payload(self._table), EXACTLY_ONCE, retain=True
        )

    async def reached(self) -> Sequence[Place]:
        return self._retained

    async def lost(self) -> None:
        async for _message in self._client.messages:
            pass  # nothing is subscribed any more: the iteration ends with the connection

    async def say_status(self, *, online: bool, nonce: str = "") -> None:
        payload = status_payload(self._table, online=online, nonce=nonce)
        await self._client.publish(f"{self._topic}/{STATUS}", payload, IN_ORDER, retain=True)

    async def read_retained(self) -> None:
        """Take in what the broker retains: it comes before the status that is published after asking for
        it."""
        nonce, topics = secrets.token_hex(8), f"{self._topic}/+"
        await self._client.subscribe(topics, IN_ORDER)
        await self.say_status(online=True, nonce=nonce)
        async for message in self._client.messages:
            fields = _fields(message)
            if fields.get("nonce") == nonce:
                break
            if place := _place(message, fields):
                self._retained.append(place)
        await self._client.unsubscribe(topics)


def status_payload(table: TableName, *, online: bool, nonce: str = "") -> bytes:
    """Whether the bridge of a table is connected. `nonce` tells the connections apart."""
    fields = {"v": VERSION, "table": table.table, "name": table.name, "online": online}
    return json.dumps(fields | ({"nonce": nonce} if nonce else {})).encode("ascii")


def _fields(message: Message) -> dict[str, Any]:
    """Those of a JSON object; none in any other message."""
    try:
        found = json.loads(bytes(message.payload)) if isinstance(message.payload, bytes | bytearray) else {}
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _place(message: Message, fields: dict[str, Any]) -> Place | None:
    """The place of an event that is a row; a state is none. Whatever does not look like one is none
    either."""
    if str(message.topic).endswith(("/state", f"/{STATUS}")):
        return None
    match fields:
        case {"journal": str(journal), "row": int(row), "hash": str(digest)}:
            return Place(journal, row, digest) if _is_hex(digest) else None
    return None


def _is_hex(text: str) -> bool:
    try:
        bytes.fromhex(text)
    except ValueError:
        return False
    return True
