"""What a level is after the last entry of its log, and what persons have decided about it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Self

import nats.errors
from nats.aio.msg import Msg
from nats.js import JetStreamContext
from nats.js.api import ConsumerConfig, DeliverPolicy
from nats.js.errors import APIError

from controller.floor.levels.acts import LevelAct, acts_in
from controller.floor.ordered_consumer import ordered_consumer
from controller.floor.progressive.log_stream import ANSWER_LIMIT, LogStream, StreamAway
from controller.floor.streams import PROGRESSIVE_LOG
from controller.jackpot.books import Unbalanced
from controller.jackpot.linked.apply import apply
from controller.jackpot.linked.entries import Alarm, LogFault, read_entry
from controller.jackpot.linked.level import LinkedLevel
from controller.jackpot.linked.messages import Meters
from controller.jackpot.linked.wire import MalformedMessage


@dataclass(frozen=True, slots=True)
class LevelHistory:
    """`state`: after the last entry that can be followed; `acts`: all of them, oldest first; `fell`: by
    table, the reading with which its meter fell last; `sequence`: of the log's last message, 0 for none;
    `fault`: why the next entry cannot be followed, empty if all were."""

    state: LinkedLevel
    acts: tuple[LevelAct, ...] = ()
    fell: Mapping[str, Meters] = field(default_factory=dict)
    sequence: int = 0
    fault: str = ""

    def after(self, sequence: int, payload: bytes) -> Self:
        """With the entry in this message. After a fault no entry is followed any more."""
        if self.fault:
            return replace(self, sequence=sequence)
        try:
            entry = read_entry(payload)
            begun = self.state if self.state.n else replace(self.state, demo=entry.demo)
            state = apply(begun, entry)
        except (MalformedMessage, LogFault, Unbalanced) as fault:
            return replace(self, sequence=sequence, fault=str(fault))
        fallen = {
            one.table: one.reading
            for one in entry.out
            if isinstance(one, Alarm) and one.code == "meter fell" and one.reading
        }
        acts = (*self.acts, *acts_in([entry]))
        return replace(self, state=state, acts=acts, fell={**self.fell, **fallen}, sequence=sequence)

    def act(self, id_: str) -> LevelAct | None:
        """The answer to the message of this id, if there is one."""
        return next((one for one in self.acts if one.id == id_), None)


async def read_end(stream: JetStreamContext, subject: str) -> LevelHistory:
    """Only where the log under `subject` ends, without what its entries say. Raises StreamAway; LogFault if
    its last message is not an entry."""
    level, end = subject.rpartition(".")[2], await LogStream(stream, subject).end()
    if end is None:
        return LevelHistory(LinkedLevel(level))
    state = LinkedLevel(level, demo=end.entry.demo, n=end.entry.n, hash=end.entry.hash, at=end.entry.at)
    return LevelHistory(state, sequence=end.sequence)


async def read_history(stream: JetStreamContext, subject: str) -> LevelHistory:
    """Read the log under `subject`, whose last part is the level, from its first entry to its last one.
    Raises StreamAway; LogFault if its last message is not an entry."""
    found = LevelHistory(LinkedLevel(subject.rpartition(".")[2]))
    end = await LogStream(stream, subject).end()
    if end is None:
        return found
    try:
        config = ConsumerConfig(deliver_policy=DeliverPolicy.ALL)
        async with ordered_consumer(stream, PROGRESSIVE_LOG, subject, config) as reading:
            while found.sequence < end.sequence:
                message: Msg = await reading.next_msg(ANSWER_LIMIT)
                found = found.after(message.metadata.sequence.stream, message.data)
    except (TimeoutError, nats.errors.Error, APIError) as error:
        raise StreamAway(f"{PROGRESSIVE_LOG} cannot be read: {error!r}") from error
    return found
