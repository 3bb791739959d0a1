"""The host's side of bulk: blocks of an image as the device asks for them.

An installed session, seen from the host: Resume, recalls, commits, whole state, Arm, Permit, play.
"""

from collections import deque
from collections.abc import Callable
from typing import cast

from drivers.errors import DeviceFault
from drivers.link.codec import command_message
from drivers.link.commands import Keys, Question, Questions, Wishes
from drivers.link.endpoint import Endpoint, Received
from drivers.link.facts import (
    ActionEnded,
    Beat,
    BlockSent,
    Bookmark,
    CommandRefused,
    EventArrived,
    Facts,
    HostEvent,
    Running,
    Unarmed,
)
from drivers.link.intake import KNOWN, Intake
from drivers.link.limits import BLOCK
from drivers.messages import ACTIONS, Arm, CommandBody, Disarm, Recall, Resume
from drivers.protocol import common_pb2 as common
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import Channel, DeviceClass, Status

MOST_WANTED = 2
"""That a device may ask for at a time; what it asks for beyond is dropped."""


class Blocks:
    """Gives one device the blocks of one image, in the order in which it asks."""

    def __init__(self, image: bytes, endpoint: Endpoint) -> None:
        self._image = image
        self._endpoint = endpoint
        self._wanted: deque[int] = deque()

    def ask(self, offset: int) -> bool:
        """The device wants the image from `offset` on; False: it cannot have it."""
        if offset >= len(self._image) or len(self._wanted) >= MOST_WANTED:
            return False
        self._wanted.append(offset)
        return True

    def send(self) -> BlockSent | None:
        """Hands the endpoint the next block, when it is due and the last ones have arrived."""
        if not self._wanted or self._endpoint.bulk >= MOST_WANTED or not self._endpoint.room:
            return None
        offset = self._wanted.popleft()
        block = common.Block(offset=offset, data=self._image[offset : offset + BLOCK])
        self._endpoint.send(Channel.BULK, tsl.Frame(block=block))
        return BlockSent(offset, len(block.data))


MOST_ACTIONS = 8
"""Unanswered at a time."""
Tell = Callable[[HostEvent], None]
Order = tuple[int, CommandBody]
"""A key and the command that goes out under it."""


class HostSession:
    """What is said and heard between Resume and the end. Raises DeviceFault when the device breaks it."""

    def __init__(
        self,
        endpoint: Endpoint,
        facts: Facts,
        bookmark: Bookmark,
        *,
        wishes: Wishes,
        actions: deque[Order],
        keys: Keys,
        tell: Tell,
        limit: float,
        hold: bool,
        image: bytes | None = None,
    ) -> None:
        self.running = False
        self.intake = Intake(bookmark, facts, endpoint.counters)
        self._endpoint, self._facts, self._tell = endpoint, facts, tell
        self._wishes, self._actions, self._keys = wishes, actions, keys
        self._questions = Questions(limit)
        self._script: deque[CommandBody] = deque([Resume(self.intake.next)])
        self._recalls = 0
        self._need = facts.newest
        self._arming = False
        self._hold = hold or (bool(facts.unfit) and image is None)
        self._blocks = None if image is None else Blocks(image, endpoint)
        self._told_unarmed = False
        self._commit_due = False
        self._recall(bookmark.open_actions)

    def hear(self, received: Received) -> None:
        """One message of the device."""
        if listen := _LISTEN.get(received.name):
            listen(self, received)

    def commit(self, number: int) -> None:
        """All events up to `number` are on disk."""
        self._commit_due |= self.intake.commit(number)

    def progress(self, now: float) -> None:
        """Hand the endpoint all that is due now."""
        if self._commit_due:
            self._commit_due = False
            self._endpoint.control(tsl.Frame(event_commit=common.EventCommit(number=self.intake.committed)))
        while self._endpoint.room and (order := self._order(now)):
            self._send(order, now)
        while self._blocks and (sent := self._blocks.send()):
            self._tell(sent)

    def check(self, now: float) -> None:
        """Raises DeviceFault when an answer is overdue."""
        if late := self._questions.overdue(now):
            waited = now - late.since
            raise DeviceFault("unanswered", f"no answer to {late.record} for {waited:.1f} s")

    def deadline(self) -> float:
        """When progress() or check() has something to do."""
        return min(self._questions.deadline(), self._wishes.deadline())

    def _recall(self, keys: tuple[int, ...]) -> None:
        if self.intake.relation == KNOWN:
            self._script.extend(Recall(key) for key in sorted(keys))
            self._recalls = len(keys)
            return
        for key in sorted(keys):
            text = f"unknown: the device's log is {self.intake.relation}"
            self._tell(ActionEnded(key, Status.FORGOTTEN, text))

    def _order(self, now: float) -> Order | None:
        if self._script:
            return self._keys.next(), self._script.popleft()
        if not (self.running or self._caught_up()):
            return None
        if self._blocks:
            return self._unarmed()
        if wish := self._wishes.next(now, permits=self.running):
            return self._keys.next(), wish
        return self._action() if self.running else self._arm()

    def _action(self) -> Order | None:
        if not self._actions or self._questions.actions >= MOST_ACTIONS:
            return None
        return self._actions.popleft()

    def _unarmed(self) -> Order | None:
        if not self._told_unarmed:
            self._told_unarmed = True
            self._tell(Unarmed())
        return self._action()

    def _arm(self) -> Order | None:
        if self._arming:
            return None
        self._arming = True
        return self._keys.next(), Arm(self.intake.committed)

    def _caught_up(self) -> bool:
        return not self._hold and not self._recalls and self.intake.committed >= self._need

    def _send(self, order: Order, now: float) -> None:
        key, record = order
        self._questions.ask(Question(key, record, now))
        self._endpoint.send(Channel.COMMANDS, command_message(key, record), critical=True)

    def _block_wanted(self, received: Received) -> None:
        offset = cast("common.BlockWanted", received.message).offset
        if not (self._blocks and self._blocks.ask(offset)):
            self._endpoint.counters.unasked += 1

    def _heartbeat(self, received: Received) -> None:
        heartbeat = cast("common.Heartbeat", received.message)
        for lost in self.intake.beat(heartbeat):
            self._tell(lost)
        if self._blocks:
            self._tell(Beat(heartbeat.mode, heartbeat.errors))
        if self._facts.device_class is not DeviceClass.SHOE:
            return
        missing = self.intake.missing(heartbeat.newest, heartbeat.cards)
        if missing:
            self._tell(missing)

    def _unreadable(self, received: Received) -> None:
        """A critical event without a number can neither be journaled nor passed over."""
        if received.critical and received.channel == Channel.EVENTS:
            raise DeviceFault("unreadable", "a critical message of a later version: update the controller")

    def _event(self, received: Received) -> None:
        message = cast("tsl.Event", received.message)
        for event in self.intake.event(message, received.raw, critical=received.critical):
            if isinstance(event, EventArrived) and event.critical:
                self._stand_still()
            self._tell(event)

    def _events_lost(self, received: Received) -> None:
        for lost in self.intake.lost(cast("common.EventsLost", received.message)):
            self._tell(lost)

    def _stand_still(self) -> None:
        """Something happened that this version cannot read and may not pass over."""
        self._hold, self.running = True, False
        self._script.append(Disarm())

    def _result(self, received: Received) -> None:
        message = cast("common.Result", received.message)
        question = self._questions.answered(message.key)
        if question is None:
            self._endpoint.counters.unasked += 1
            return
        conclude = _CONCLUDE.get(type(question.record), HostSession._wish_ended)
        conclude(self, question, _status(message.status), message.text)

    def _resumed(self, question: Question, status: Status, text: str) -> None:
        if status is not Status.DONE:
            raise DeviceFault("resume", f"{question.record} was answered {status.name}: {text}")

    def _recalled(self, question: Question, status: Status, text: str) -> None:
        self._recalls -= 1
        self._tell(ActionEnded(cast("Recall", question.record).old_key, status, text))

    def _armed(self, question: Question, status: Status, text: str) -> None:
        self._arming = False
        if status is Status.STALE:
            self._need = cast("Arm", question.record).seen + 1
        elif status is not Status.DONE:
            raise DeviceFault("arm", f"{question.record} was answered {status.name}: {text}")
        elif not self._hold:
            self.running = True
            self._tell(Running())

    def _action_ended(self, question: Question, status: Status, text: str) -> None:
        self._tell(ActionEnded(question.key, status, text))

    def _wish_ended(self, question: Question, status: Status, text: str) -> None:
        if status is Status.UNARMED and self.running:
            raise DeviceFault("unarmed", f"{question.record} found the device unarmed")
        if status is not Status.DONE:
            self._tell(CommandRefused(question.record, status, text))


_LISTEN: dict[str, Callable[[HostSession, Received], None]] = {
    "": HostSession._unreadable,
    "heartbeat": HostSession._heartbeat,
    "event": HostSession._event,
    "events_lost": HostSession._events_lost,
    "result": HostSession._result,
    "block_wanted": HostSession._block_wanted,
}
_CONCLUDE: dict[type, Callable[[HostSession, Question, Status, str], None]] = {
    Resume: HostSession._resumed,
    Recall: HostSession._recalled,
    Arm: HostSession._armed,
    **dict.fromkeys(ACTIONS, HostSession._action_ended),
}


def _status(number: int) -> Status:
    """A status of a later minor version is a failure like any other."""
    return next((status for status in Status if status == number), Status.FAILED)
