"""The streams of a property: how each is set up, and whether the servers have it so."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nats.js import JetStreamContext
from nats.js.api import DiscardPolicy, RetentionPolicy, StorageType, StreamConfig
from nats.js.errors import APIError, NotFoundError, ServerError

from controller.property.subjects import HUB, PropertySubjects

JOURNAL = "JOURNAL"
STATUS = "STATUS"
PROGRESSIVE_IN = "PROGRESSIVE_IN"
PROGRESSIVE_LOG = "PROGRESSIVE_LOG"
FLOOR_LOG = "FLOOR_LOG"
DIRECTORY = "DIRECTORY"
LEASE = "LEASE"
"""The bucket of leases."""
LEASE_SECONDS = 3.0
"""After so many seconds without a renewal, another instance may take a lease."""
DAY = 86400
HOUR = 3600
LARGEST_MESSAGE = 1 << 20
LARGEST_STATUS = 1 << 15
"""Bytes of a status with its headers, at most."""
COMPARED = (
    "subjects",
    "retention",
    "discard",
    "max_age",
    "max_bytes",
    "max_msg_size",
    "max_msgs_per_subject",
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
    """`replicas`: 1 or 3 servers keep each stream; `journal_bytes`: the room for the journals of 7 days;
    `levels`: the linked progressives of the property; `log_bytes`: the room for their logs;
    `floor_log_bytes`: the room for the floor's own journal."""

    property: str
    replicas: int = 1
    journal_bytes: int = 4 << 30
    levels: tuple[str, ...] = ()
    log_bytes: int = 16 << 30
    floor_log_bytes: int = 1 << 30

    def streams(self) -> Mapping[str, StreamConfig]:
        """The streams by name."""
        progressive = self.progressive_streams() if self.levels else {}
        if self.property == HUB:
            return progressive
        return {
            JOURNAL: self._journal(),
            STATUS: self._statuses(),
            FLOOR_LOG: self._floor_log(),
            DIRECTORY: self._directories(),
            f"KV_{LEASE}": self._leases(),
            **progressive,
        }

    def progressive_streams(self) -> Mapping[str, StreamConfig]:
        """The streams of the linked progressives, and the bucket of leases, by name."""
        subjects = PropertySubjects(self.property)
        incoming = subjects.incoming()
        inputs = StreamConfig(
            name=PROGRESSIVE_IN,
            subjects=[
                subject
                for level in self.levels
                for subject in (incoming.reading(level, "*"), incoming.administration(level))
            ],
            retention=RetentionPolicy.LIMITS,
            discard=DiscardPolicy.NEW,
            max_age=7.0 * DAY,
            max_bytes=-1,
            max_msg_size=LARGEST_MESSAGE,
            storage=StorageType.FILE,
            num_replicas=self.replicas,
            allow_direct=True,
            deny_delete=True,
            deny_purge=True,
        )
        log = StreamConfig(
            name=PROGRESSIVE_LOG,
            subjects=[subjects.progressive_log(level) for level in self.levels],
            retention=RetentionPolicy.LIMITS,
            discard=DiscardPolicy.NEW,
            max_age=0.0,
            max_bytes=self.log_bytes,
            max_msg_size=LARGEST_MESSAGE,
            storage=StorageType.FILE,
            num_replicas=self.replicas,
            allow_direct=False,
            deny_delete=True,
            deny_purge=True,
        )
        return {PROGRESSIVE_IN: inputs, PROGRESSIVE_LOG: log, f"KV_{LEASE}": self._leases()}

    def _floor_log(self) -> StreamConfig:
        return StreamConfig(
            name=FLOOR_LOG,
            subjects=[PropertySubjects(self.property).floor_log],
            retention=RetentionPolicy.LIMITS,
            discard=DiscardPolicy.NEW,
            max_age=0.0,
            max_bytes=self.floor_log_bytes,
            max_msg_size=LARGEST_MESSAGE,
            storage=StorageType.FILE,
            num_replicas=self.replicas,
            allow_direct=False,
            deny_delete=True,
            deny_purge=True,
        )

    def _leases(self) -> StreamConfig:
        """The bucket, as clients of key-value buckets expect it. It is in files, because a single server
        forgets a stream in memory when it ends, and its settings too."""
        return StreamConfig(
            name=f"KV_{LEASE}",
            subjects=[f"$KV.{LEASE}.>"],
            retention=RetentionPolicy.LIMITS,
            discard=DiscardPolicy.NEW,
            max_age=LEASE_SECONDS,
            max_bytes=-1,
            max_msg_size=-1,
            max_msgs_per_subject=1,
            duplicate_window=LEASE_SECONDS,
            storage=StorageType.FILE,
            num_replicas=self.replicas,
            allow_direct=False,
            allow_rollup_hdrs=True,
            deny_delete=True,
            deny_purge=False,
        )

    def _statuses(self) -> StreamConfig:
        """The last status of each table, for a floor that starts. A single server keeps it in files, as it
        would forget a stream in memory when it ends, and its settings too. Of three servers, one keeps it."""
        return StreamConfig(
            name=STATUS,
            subjects=[PropertySubjects(self.property).statuses],
            retention=RetentionPolicy.LIMITS,
            discard=DiscardPolicy.OLD,
            max_age=1.0 * HOUR,
            max_bytes=-1,
            max_msg_size=LARGEST_STATUS,
            max_msgs_per_subject=1,
            storage=StorageType.FILE if self.replicas == 1 else StorageType.MEMORY,
            num_replicas=1,
            allow_direct=False,
            deny_delete=True,
            deny_purge=True,
        )

    def _directories(self) -> StreamConfig:
        """The last directory of each table, for a table that comes back."""
        return StreamConfig(
            name=DIRECTORY,
            subjects=[PropertySubjects(self.property).directory("*")],
            retention=RetentionPolicy.LIMITS,
            discard=DiscardPolicy.OLD,
            max_age=0.0,
            max_bytes=-1,
            max_msg_size=LARGEST_MESSAGE,
            max_msgs_per_subject=1,
            storage=StorageType.FILE,
            num_replicas=self.replicas,
            allow_direct=True,
            deny_delete=True,
            deny_purge=True,
        )

    def _journal(self) -> StreamConfig:
        subjects = PropertySubjects(self.property)
        return StreamConfig(
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
                more = "; the log of the server says why" if isinstance(error, ServerError) else ""
                raise StreamError(f"stream {name} cannot be made: {error.description}{more}") from error
            made.append(name)
    return made


async def check(stream: JetStreamContext, streams: Mapping[str, StreamConfig]) -> None:
    """Raises StreamError for a stream that is missing, or set up in another way, and the errors of nats for
    one that does not answer. Only STATUS need not answer: the one server that keeps it may be down, and
    then the floor waits for the next statuses."""
    for name, wanted in streams.items():
        try:
            await check_stream(stream, name, wanted)
        except NotFoundError:
            raise StreamError(f"stream {name} is missing: tableside floor prepare makes it") from None
        except (APIError, TimeoutError):
            if name != STATUS:
                raise


async def check_level(stream: JetStreamContext, deployment: Deployment) -> None:
    """Raises StreamError unless the streams of linked progressives are set up for the levels of `deployment`;
    they may have more levels, and any room."""
    for name, wanted in deployment.progressive_streams().items():
        try:
            found = (await stream.stream_info(name)).config
        except NotFoundError:
            raise StreamError(f"stream {name} is missing: tableside floor prepare makes it") from None
        if missing := set(wanted.subjects or ()) - set(found.subjects or ()):
            raise StreamError(f"stream {name} does not have {', '.join(sorted(missing))}")
        _compare(name, found, wanted.evolve(subjects=found.subjects, max_bytes=found.max_bytes))


async def check_stream(stream: JetStreamContext, name: str, wanted: StreamConfig) -> None:
    """Raises NotFoundError, StreamError."""
    _compare(name, (await stream.stream_info(name)).config, wanted)


def _compare(name: str, found: StreamConfig, wanted: StreamConfig) -> None:
    compared = (setting for setting in COMPARED if getattr(wanted, setting) is not None)
    different = [
        f"{setting} is {_shown(getattr(found, setting))}, needed: {_shown(getattr(wanted, setting))}"
        for setting in compared
        if _shown(getattr(found, setting)) != _shown(getattr(wanted, setting))
    ]
    if different:
        raise StreamError(f"stream {name}: {'; '.join(different)}")


def _shown(value: Any) -> str:
    return str(getattr(value, "value", value))
