"""What the streams of a floor of simulated tables hold when it has played."""

from collections.abc import AsyncIterator

from nats.aio.msg import Msg
from nats.js import JetStreamContext
from nats.js.api import ConsumerConfig, DeliverPolicy

from controller.floor.batch import FIRST, LAST
from controller.floor.day_file import JournalName
from controller.floor.demo.checks import Range
from controller.floor.demo.level import LEVEL
from controller.floor.ordered_consumer import ordered_consumer
from controller.floor.progressive.log_stream import LogStream
from controller.floor.streams import JOURNAL, PROGRESSIVE_IN
from controller.jackpot.linked.entries import LogEntry
from controller.jackpot.linked.messages import ClaimMessage, read_input
from controller.property.subjects import PropertySubjects

ANSWER_LIMIT = 10.0
"""Seconds to wait for the next message that the stream has."""


async def published_ranges(
    stream: JetStreamContext, subjects: PropertySubjects
) -> dict[JournalName, list[Range]]:
    """The rows of each message that the servers have acknowledged."""
    found: dict[JournalName, list[Range]] = {}
    async for message in _messages(stream, JOURNAL, subjects.journals, headers_only=True):
        table, epoch = message.subject.split(".")[-2:]
        headers = message.headers or {}
        rows = int(headers[FIRST]), int(headers[LAST])
        found.setdefault(JournalName(table, epoch), []).append(rows)
    return found


async def received_claims(stream: JetStreamContext, subjects: PropertySubjects) -> dict[int, ClaimMessage]:
    """The claims of all tables, by their sequence in PROGRESSIVE_IN."""
    found: dict[int, ClaimMessage] = {}
    async for message in _messages(stream, PROGRESSIVE_IN, subjects.reading(LEVEL, "*")):
        read = read_input(message.data)
        if isinstance(read, ClaimMessage):
            found[message.metadata.sequence.stream] = read
    return found


async def log_entries(stream: JetStreamContext, subjects: PropertySubjects) -> list[LogEntry]:
    """All entries of PROGRESSIVE_LOG."""
    log, sequence = LogStream(stream, subjects.progressive_log(LEVEL)), 0
    entries: list[LogEntry] = []
    while more := await log.after(sequence, 0):
        sequence = more[-1].sequence
        entries += (stored.entry for stored in more)
    return entries


async def _messages(
    stream: JetStreamContext, name: str, subject: str, *, headers_only: bool = False
) -> AsyncIterator[Msg]:
    """All messages under a subject that the stream has now."""
    state = (await stream.stream_info(name, subjects_filter=subject)).state
    count = sum((state.subjects or {}).values())
    config = ConsumerConfig(deliver_policy=DeliverPolicy.ALL, headers_only=headers_only or None)
    async with ordered_consumer(stream, name, subject, config) as reading:
        for _ in range(count):
            yield await reading.next_msg(ANSWER_LIMIT)
