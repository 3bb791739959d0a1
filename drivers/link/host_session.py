"""An installed session, seen from the host: from Resume to its end.

A `HostSession` decides which command goes out next (sections 6.4, 8, 9 and 12 of
firmware-protocol/README.md). HostLink calls `receive` for each message and `progress` whenever something
may be due. A session has a fixed order:

    Resume, one Recall per open action     at once
    EventCommit                            whenever the journal has more on disk
    the desired state, but no permit       when everything is on disk and all recalls are answered
    Arm                                    after that
    Permit, moments, actions               after Arm is answered DONE: the session is running

Invariants: the device is armed only when the journal has on disk all events that the device had when the
session began; every command has a key above all earlier ones; an action goes out at most once in its life.

What breaks without each rule:

- Arm waits for the disk. Otherwise the device plays while the host still lacks older events, and a card
  that left earlier enters the round late.
- STALE is not an error. Something happened between Hello and Arm; its event is journaled, then Arm goes out
  again.
- EventCommit travels on channel 0, outside the window. Inside it, a device whose ring is full waits for the
  commit, and the commit waits for the window.
- Recalls come before new actions. Each one answers what became of an old action, or burns its key, so the
  action can never run later.
- State commands are sent again in each session, because a device keeps none. Permit waits for the end of
  Arm: a device refuses it unarmed.
- A critical event that this version cannot read disarms the device until a person looks at it. It is
  journaled as bytes and never passed over.
- With an `image` the session stays unarmed, as an update demands. Blocks go out only as the device asks,
  two at a time.

A device that answers wrongly or not in time raises DeviceFault, and HostLink ends the session.
"""

from collections import deque
from collections.abc import Callable
from typing import cast

from drivers.errors import DeviceFault
from drivers.link.codec import command_message
from drivers.link.commands import CommandKeys, DesiredState, PendingCommand, PendingCommands
from drivers.link.endpoint import Endpoint, Received
from drivers.link.facts import Bookmark, DeviceFacts
from drivers.link.intake import KNOWN, Intake
from drivers.link.limits import BLOCK
from drivers.link.reports import (
    ActionEnded,
    BlockSent,
    CommandRefused,
    DeviceEvent,
    DeviceRunning,
    HeartbeatSeen,
    LinkEvent,
    Unarmed,
)
from drivers.link.routes import UNREADABLE_EVENT
from drivers.messages import ACTIONS, Arm, CommandBody, Disarm, Recall, Resume
from drivers.protocol import common_pb2 as common
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import Channel, DeviceClass, Status

MOST_REQUESTED = 2
"""The most blocks that wait to be sent. Further requests are dropped."""


class BlockSender:
    """Sends a device the blocks of one image in the order in which it asks for them."""

    def __init__(self, image: bytes, endpoint: Endpoint) -> None:
        self._image = image
        self._endpoint = endpoint
        self._requested: deque[int] = deque()

    def request(self, offset: int) -> bool:
        """Notes that the device asked for the block at `offset`. Returns False if it cannot have it."""
        if offset >= len(self._image) or len(self._requested) >= MOST_REQUESTED:
            return False
        self._requested.append(offset)
        return True

    def send(self) -> BlockSent | None:
        """Sends the next block if one is due and earlier ones have arrived."""
        if not self._requested or self._endpoint.bulk >= MOST_REQUESTED or not self._endpoint.room:
            return None
        offset = self._requested.popleft()
        block = common.Block(offset=offset, data=self._image[offset : offset + BLOCK])
        self._endpoint.send(Channel.BULK, tsl.Frame(block=block))
        return BlockSent(offset, len(block.data))


MOST_ACTIONS = 8
"""The most unanswered actions."""
Emit = Callable[[LinkEvent], None]
KeyedCommand = tuple[int, CommandBody]
"""A key and its command."""


class HostSession:
    """One session. Raises DeviceFault when the device breaks the protocol."""

    def __init__(
        self,
        endpoint: Endpoint,
        device: str,
        facts: DeviceFacts,
        bookmark: Bookmark,
        *,
        desired: DesiredState,
        actions: deque[KeyedCommand],
        keys: CommandKeys,
        emit: Emit,
        limit: float,
        hold: bool,
        image: bytes | None = None,
    ) -> None:
        self.running = False
        self.intake = Intake(device, bookmark, facts, endpoint.counters)
        self._endpoint, self._device, self._facts, self._emit = endpoint, device, facts, emit
        self._desired, self._actions, self._keys = desired, actions, keys
        self._pending = PendingCommands(limit)
        self._opening: deque[CommandBody] = deque([Resume(self.intake.next)])
        self._recalls = 0
        self._need = facts.newest
        self._arming = False
        self._hold = hold or (bool(facts.unfit_reason) and image is None)
        self._blocks = None if image is None else BlockSender(image, endpoint)
        self._unarmed_emitted = False
        self._commit_due = False
        self._recall(bookmark.open_actions)

    def receive(self, received: Received) -> None:
        if listen := _MESSAGE_HANDLERS.get(received.name):
            listen(self, received)

    def commit(self, number: int) -> None:
        """Notes that all events up to `number` are on disk."""
        self._commit_due |= self.intake.commit(number)

    def progress(self, now: float) -> None:
        """Hands everything that is due to the endpoint."""
        if self._commit_due:
            self._commit_due = False
            self._endpoint.send_control(
                tsl.Frame(event_commit=common.EventCommit(number=self.intake.committed))
            )
        while self._endpoint.room and (command := self._next_command(now)):
            self._send(command, now)
        while self._blocks and (sent := self._blocks.send()):
            self._emit(sent)

    def check(self, now: float) -> None:
        """Raises DeviceFault when an answer is overdue."""
        if late := self._pending.overdue(now):
            waited = now - late.sent_at
            raise DeviceFault("unanswered", f"no answer to {late.record} for {waited:.1f} s")

    def deadline(self) -> float:
        """When progress() or check() has something to do."""
        return min(self._pending.deadline(), self._desired.deadline())

    def _recall(self, keys: tuple[int, ...]) -> None:
        if self.intake.relation == KNOWN:
            self._opening.extend(Recall(key) for key in sorted(keys))
            self._recalls = len(keys)
            return
        for key in sorted(keys):
            text = f"unknown: the device's log is {self.intake.relation}"
            self._emit(ActionEnded(self._device, key, Status.FORGOTTEN, text))

    def _next_command(self, now: float) -> KeyedCommand | None:
        if self._opening:
            return self._keys.next(), self._opening.popleft()
        if not (self.running or self._caught_up()):
            return None
        if self._blocks:
            return self._unarmed_command()
        if record := self._desired.next(now, permits=self.running):
            return self._keys.next(), record
        return self._next_action() if self.running else self._arm_command()

    def _next_action(self) -> KeyedCommand | None:
        if not self._actions or self._pending.actions >= MOST_ACTIONS:
            return None
        return self._actions.popleft()

    def _unarmed_command(self) -> KeyedCommand | None:
        if not self._unarmed_emitted:
            self._unarmed_emitted = True
            self._emit(Unarmed())
        return self._next_action()

    def _arm_command(self) -> KeyedCommand | None:
        if self._arming:
            return None
        self._arming = True
        return self._keys.next(), Arm(self.intake.committed)

    def _caught_up(self) -> bool:
        return not self._hold and not self._recalls and self.intake.committed >= self._need

    def _send(self, command: KeyedCommand, now: float) -> None:
        key, record = command
        self._pending.add(PendingCommand(key, record, now))
        self._endpoint.send(Channel.COMMANDS, command_message(key, record), critical=True)

    def _block_wanted(self, received: Received) -> None:
        offset = cast("common.BlockWanted", received.message).offset
        if not (self._blocks and self._blocks.request(offset)):
            self._endpoint.counters.unasked += 1

    def _heartbeat(self, received: Received) -> None:
        heartbeat = cast("common.Heartbeat", received.message)
        for lost in self.intake.heartbeat(heartbeat):
            self._emit(lost)
        if self._blocks:
            self._emit(HeartbeatSeen(heartbeat.mode, heartbeat.errors))
        if self._facts.device_class is not DeviceClass.SHOE:
            return
        missing = self.intake.missing(heartbeat.newest, heartbeat.cards)
        if missing:
            self._emit(missing)

    def _unreadable(self, received: Received) -> None:
        """A critical event without a number can neither be journaled nor passed over."""
        if received.critical and received.channel == Channel.EVENTS:
            raise DeviceFault("unreadable", "a critical message of a later version: update the controller")

    def _event(self, received: Received) -> None:
        message = cast("tsl.Event", received.message)
        readable = received.name != UNREADABLE_EVENT
        for event in self.intake.event(message, received.raw, critical=received.critical, readable=readable):
            if isinstance(event, DeviceEvent) and event.critical:
                self._disarm()
            self._emit(event)

    def _events_lost(self, received: Received) -> None:
        for lost in self.intake.lost(cast("common.EventsLost", received.message)):
            self._emit(lost)

    def _disarm(self) -> None:
        """A critical event came that this version cannot read."""
        self._hold, self.running = True, False
        self._opening.append(Disarm())

    def _result(self, received: Received) -> None:
        message = cast("common.Result", received.message)
        command = self._pending.take(message.key)
        if command is None:
            self._endpoint.counters.unasked += 1
            return
        conclude = _RESULT_HANDLERS.get(type(command.record), HostSession._state_ended)
        conclude(self, command, _status(message.status), message.text)

    def _resumed(self, command: PendingCommand, status: Status, text: str) -> None:
        if status is not Status.DONE:
            raise DeviceFault("resume", f"{command.record} was answered {status.name}: {text}")

    def _recalled(self, command: PendingCommand, status: Status, text: str) -> None:
        self._recalls -= 1
        self._emit(ActionEnded(self._device, cast("Recall", command.record).old_key, status, text))

    def _armed(self, command: PendingCommand, status: Status, text: str) -> None:
        self._arming = False
        if status is Status.STALE:
            self._need = cast("Arm", command.record).seen + 1
        elif status is not Status.DONE:
            raise DeviceFault("arm", f"{command.record} was answered {status.name}: {text}")
        elif not self._hold:
            self.running = True
            self._emit(DeviceRunning(self._device))

    def _action_ended(self, command: PendingCommand, status: Status, text: str) -> None:
        self._emit(ActionEnded(self._device, command.key, status, text))

    def _state_ended(self, command: PendingCommand, status: Status, text: str) -> None:
        if status is Status.UNARMED and self.running:
            raise DeviceFault("unarmed", f"{command.record} found the device unarmed")
        if status is not Status.DONE:
            self._emit(CommandRefused(self._device, command.record, status, text))


_MESSAGE_HANDLERS: dict[str, Callable[[HostSession, Received], None]] = {
    "": HostSession._unreadable,
    "heartbeat": HostSession._heartbeat,
    "event": HostSession._event,
    UNREADABLE_EVENT: HostSession._event,
    "events_lost": HostSession._events_lost,
    "result": HostSession._result,
    "block_wanted": HostSession._block_wanted,
}
_RESULT_HANDLERS: dict[type, Callable[[HostSession, PendingCommand, Status, str], None]] = {
    Resume: HostSession._resumed,
    Recall: HostSession._recalled,
    Arm: HostSession._armed,
    **dict.fromkeys(ACTIONS, HostSession._action_ended),
}


def _status(number: int) -> Status:
    """The status for a number. A number of a later minor version counts as FAILED."""
    return next((status for status in Status if status == number), Status.FAILED)
