"""The host's side of one firmware update, over as many sessions as it takes.

A pure state machine (section 12 of firmware-protocol/README.md). It takes the events of the link and says
which action is due. It decides by what the device says of itself in each Hello, so it may start over at any
moment.
"""

import re
from collections.abc import Callable, Mapping
from math import inf
from types import MappingProxyType
from typing import Any, Literal

from drivers.link.facts import DeviceFacts
from drivers.link.reports import (
    ActionEnded,
    BlockSent,
    DeviceRefused,
    DeviceUp,
    Down,
    HeartbeatSeen,
    LinkEvent,
    Unarmed,
)
from drivers.messages import CommandBody, UpdateApply, UpdateBegin, UpdateConfirm
from drivers.protocol.codes import Mode, Status
from drivers.update.course import UpdateEnd, UpdateResult
from drivers.update.image import FirmwareUpdate

UpdatePhase = Literal["meeting", "beginning", "sending", "restarting", "trying"]
BUSY_RETRY = 1.0
"""Seconds after BUSY until the same action goes out again."""
TRIAL_HEARTBEATS = 3
"""How many heartbeats without a fault confirm a test slot."""
LIMITS: Mapping[UpdatePhase, tuple[float, str]] = MappingProxyType(
    {
        "meeting": (60.0, "it does not answer: look at cable and power, then run this again"),
        "beginning": (30.0, "it does not begin: run this again"),
        "sending": (30.0, "it asks for no more of the image: run this again, it goes on where it stopped"),
        "restarting": (
            180.0,
            "it does not come back after its restart: it reverts by itself; look at its power",
        ),
        "trying": (60.0, "it could not be confirmed: it reverts by itself within 120 s of its restart"),
    }
)
"""By phase: the seconds without progress after which the host gives up, and what it says then."""


class UpdateProgress:
    """One update of one device, an UpdateCourse. `phase`, `sent` and `previous_firmware` say how far it
    is."""

    def __init__(self, update: FirmwareUpdate, now: float) -> None:
        self.ended: UpdateEnd | None = None
        self.phase: UpdatePhase = "meeting"
        self.sent = 0
        """How many bytes of the image were sent, as far as is known."""
        self.previous_firmware = ""
        self._update = update
        self._since = now
        self._ready = self._applied = False
        self._sent_actions: dict[int, CommandBody] = {}
        """All actions of this update, by key."""
        self._pending_key = 0
        """The key of the action that this session has not answered. 0 if there is none."""
        self._not_before = -inf
        self._mode = 0
        self._heartbeats = 0
        self._errors = 0

    @property
    def deadline(self) -> float:
        return inf if self.ended else self._since + LIMITS[self.phase][0]

    def handle(self, event: LinkEvent, now: float) -> None:
        if self.ended is None and (handler := _EVENT_HANDLERS.get(type(event))):
            handler(self, event, now)

    def tick(self, now: float) -> None:
        limit, text = LIMITS[self.phase]
        if self.ended is None and now >= self._since + limit:
            self._end("failed", text)

    def due(self, now: float) -> CommandBody | None:
        if self.ended or not self._ready or self._pending_key or now < self._not_before:
            return None
        record, may = _DUE[self.phase]
        return record(self) if may(self) else None

    def action_sent(self, key: int, record: CommandBody) -> None:
        self._sent_actions[key] = record
        self._pending_key = key

    def _up(self, event: DeviceUp, now: float) -> None:
        facts, wanted = event.facts, self._update.manifest.version
        self.previous_firmware = self.previous_firmware or facts.firmware
        self._pending_key, self._heartbeats, self._mode, self._not_before = 0, 0, 0, -inf
        runs = version_of(facts.firmware)
        if facts.distrust_reason:
            self._end("failed", facts.distrust_reason)
        elif facts.test_slot and runs != wanted:
            self._end(
                "failed", f"firmware {facts.firmware} is on trial: it reverts by itself; then run again"
            )
        elif facts.test_slot:
            self._advance("trying", now)
        elif runs == wanted:
            self._end(*self._runs(facts))
        elif self._applied:
            self._end("reverted", REVERTED)
        else:
            self._advance("beginning", now)

    def _runs(self, facts: DeviceFacts) -> tuple[UpdateResult, str]:
        confirmed = any(isinstance(record, UpdateConfirm) for record in self._sent_actions.values())
        return "confirmed" if confirmed else "runs already", f"firmware {facts.firmware} runs, confirmed"

    def _unarmed(self, _event: Unarmed, _now: float) -> None:
        self._ready = True

    def _sent(self, event: BlockSent, now: float) -> None:
        self.sent = event.offset + event.size
        self._since = now

    def _beat(self, event: HeartbeatSeen, _now: float) -> None:
        self._mode = event.mode
        if self.phase != "trying":
            return
        self._errors = event.errors if self._heartbeats == 0 else self._errors
        self._heartbeats += 1
        if event.mode == Mode.FAULT or event.errors > self._errors:
            self._end("reverts", f"the new firmware reports a fault (errors: {event.errors}): not confirmed")

    def _action_ended(self, event: ActionEnded, now: float) -> None:
        record = self._sent_actions.get(event.key)
        if record is None:
            return  # an earlier attempt's
        if event.key != self._pending_key:
            self._recalled(record, event.status)
            return
        self._pending_key = 0
        if conclude := _RESULT_HANDLERS.get((type(record), event.status)):
            conclude(self, now)
        else:
            name = type(record).__name__
            self._end("failed", f"the device answers {name} with {event.status.name}: {event.text}")

    def _recalled(self, record: CommandBody, status: Status) -> None:
        """Takes the result of an earlier session's action. It matters only where the Hello of this one
        does not say enough."""
        if self.phase == "beginning" and (type(record), status) == (UpdateApply, Status.DONE):
            self._end("reverted", REVERTED)

    def _began(self, now: float) -> None:
        self._mode = 0  # what counts is the first heartbeat from now on
        self._advance("sending", now)

    def _busy(self, now: float) -> None:
        self._not_before, self._mode = now + BUSY_RETRY, 0

    def _apply_done(self, now: float) -> None:
        self._applied = True
        self._advance("restarting", now)

    def _confirmed(self, _now: float) -> None:
        self._end("confirmed", f"version {self._update.manifest.version} runs, confirmed")

    def _down(self, _event: Down, now: float) -> None:
        self._ready = False
        if self.phase != "restarting":
            self._advance("meeting", now)

    def _refused(self, event: DeviceRefused, _now: float) -> None:
        self._end("failed", event.text)

    def _advance(self, phase: UpdatePhase, now: float) -> None:
        self.phase, self._since = phase, now

    def _end(self, result: UpdateResult, text: str) -> None:
        self.ended = UpdateEnd(result, text)


def version_of(firmware: str) -> int:
    """The version in a device's `firmware`. -1 if there is none."""
    digits = re.match(r"[0-9]+", firmware)
    return int(digits[0]) if digits else -1


REVERTED = "the old firmware runs again: the new one was not confirmed in time"
_EVENT_HANDLERS: Mapping[type, Callable[[UpdateProgress, Any, float], None]] = MappingProxyType(
    {
        DeviceUp: UpdateProgress._up,
        Unarmed: UpdateProgress._unarmed,
        BlockSent: UpdateProgress._sent,
        HeartbeatSeen: UpdateProgress._beat,
        ActionEnded: UpdateProgress._action_ended,
        Down: UpdateProgress._down,
        DeviceRefused: UpdateProgress._refused,
    }
)
_RESULT_HANDLERS: Mapping[tuple[type, Status], Callable[[UpdateProgress, float], None]] = MappingProxyType(
    {
        (UpdateBegin, Status.DONE): UpdateProgress._began,
        (UpdateApply, Status.DONE): UpdateProgress._apply_done,
        (UpdateApply, Status.BUSY): UpdateProgress._busy,
        (UpdateConfirm, Status.DONE): UpdateProgress._confirmed,
    }
)
_DUE: Mapping[
    UpdatePhase, tuple[Callable[[UpdateProgress], CommandBody], Callable[[UpdateProgress], bool]]
] = MappingProxyType(
    {
        "meeting": (lambda _: UpdateApply(), lambda _: False),
        "beginning": (lambda course: course._update.manifest.begin, lambda _: True),
        "sending": (lambda _: UpdateApply(), lambda course: course._mode not in {0, Mode.UPDATING}),
        "restarting": (lambda _: UpdateApply(), lambda _: False),
        "trying": (lambda _: UpdateConfirm(), lambda course: course._heartbeats >= TRIAL_HEARTBEATS),
    }
)
"""By phase: the action, and whether it may go out now."""
