"""The streams of a property: how each is set up, and whether the servers have it so."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nats.js import JetStreamContext
from nats.js.api import DiscardPolicy, RetentionPolicy, StorageType, StreamConfig
from nats.js.errors import APIError, NotFoundError

from controller.property.subjects import PropertySubjects

JOURNAL = "JOURNAL"
DAY = 86400
LARGEST_MESSAGE = 1 << 20
COMPARED = (
    "subjects",
    "retention",
    "discard",
    "max_age",
    "max_bytes",
    "max_msg_size",
    "storage",
    "num_replicas",
    "allow_direct",
    "deny_delete",
    "deny_purge",
)
"""The settings on which the floor relies."""


class StreamError(Exception):
    """A stream is missing, or set up in another way than the floor needs. The message names both."""


@dataclass(frozen=True, slots=True)
class Deployment:
    """`replicas`: 1 or 3 servers keep each stream; `journal_bytes`: the room for the journals of 7 days."""

    property: str
    replicas: int = 1
    journal_bytes: int = 4 << 30

    def streams(self) -> Mapping[str, StreamConfig]:
        """The streams by name."""
        subjects = PropertySubjects(self.property)
        journal = StreamConfig(
            name=JOURNAL,
            subjects=[subjects.journals],
            retention=RetentionPolicy.LIMITS,
            discard=DiscardPolicy.NEW,
            max_age=7.0 * DAY,
            max_bytes=self.journal_bytes,
            max_msg_size=LARGEST_MESSAGE,
            storage=StorageType.FILE,
            num_replicas=self.replicas,
            allow_direct=True,
            deny_delete=True,
            deny_purge=True,
        )
        return {JOURNAL: journal}


async def prepare(stream: JetStreamContext, deployment: Deployment) -> list[str]:
    """Create the streams that are missing. Returns their names. Raises StreamError for one that is set up in
    another way."""
    made = []
    for name, wanted in deployment.streams().items():
        try:
            await check_stream(stream, name, wanted)
        except NotFoundError:
            try:
                await stream.add_stream(wanted)
            except APIError as error:
                raise StreamError(f"stream {name} cannot be made: {error.description}") from error
            made.append(name)
    return made


async def check(stream: JetStreamContext, deployment: Deployment) -> None:
    """Raises StreamError for a stream that is missing, or set up in another way."""
    for name, wanted in deployment.streams().items():
        try:
            await check_stream(stream, name, wanted)
        except NotFoundError:
            raise StreamError(f"stream {name} is missing: tableside floor prepare makes it") from None


async def check_stream(stream: JetStreamContext, name: str, wanted: StreamConfig) -> None:
    """Raises NotFoundError, StreamError."""
    found = (await stream.stream_info(name)).config
    different = [
        f"{setting} is {_shown(getattr(found, setting))}, needed: {_shown(getattr(wanted, setting))}"
        for setting in COMPARED
        if _shown(getattr(found, setting)) != _shown(getattr(wanted, setting))
    ]
    if different:
        raise StreamError(f"stream {name}: {'; '.join(different)}")


def _shown(value: Any) -> str:
    return str(getattr(value, "value", value))
