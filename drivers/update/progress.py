"""The course of one update, from the host's side, over as many sessions as it takes.

Pure: it is told what a link tells, and says which action is due. It decides by what the device says of itself
in each Hello, so it may be begun anew at any moment. Section 12 of firmware-protocol/README.md.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf
from types import MappingProxyType
from typing import Any, Literal

from drivers.link import facts as told
from drivers.messages import CommandBody, UpdateApply, UpdateBegin, UpdateConfirm
from drivers.protocol.codes import Mode, Status
from drivers.update.image import Update

Phase = Literal["meeting", "beginning", "sending", "restarting", "trying"]
Result = Literal["confirmed", "runs already", "reverted", "reverts", "failed"]
AGAIN = 1.0
"""So long after BUSY the same is asked for again."""
BEATS = 3
"""Heartbeats without a fault that a test slot is confirmed after."""
LIMITS: Mapping[Phase, tuple[float, str]] = MappingProxyType({
    "meeting": (60.0, "it does not answer: look at cable and power, then run this again"),
    "beginning": (30.0, "it does not begin: run this again"),
    "sending": (30.0, "it asks for no more of the image: run this again, it goes on where it stopped"),
    "restarting": (180.0, "it does not come back after its restart: it reverts by itself; look at its power"),
    "trying": (60.0, "it could not be confirmed: it reverts by itself within 120 s of its restart"),
})  # fmt: skip
"""By phase the seconds without any progress after which the host gives up, and what is said then."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How an update ended; `text` is a sentence for a technician."""

    result: Result
    text: str


class Course:
    """One update of one device. `phase`, `sent` and `before` (the firmware that ran) tell how far it is."""

    def __init__(self, update: Update, now: float) -> None:
        self.ended: Ending | None = None
        self.phase: Phase = "meeting"
        self.sent = 0
        """The image is sent up to here, as far as this course knows."""
        self.before = ""
        self._update = update
        self._since = now
        self._ready = self._applied = False
        self._asked: dict[int, CommandBody] = {}
        """All actions of this course, by key."""
        self._waits_for = 0
        """The key of the action that this session has not answered; 0: none."""
        self._not_before = -inf
        self._mode = 0
        self._beats = 0
        self._errors = 0

    @property
    def deadline(self) -> float:
        """When `tick` has something to do."""
        return inf if self.ended else self._since + LIMITS[self.phase][0]

    def heed(self, event: told.HostEvent, now: float) -> None:
        """What the link told."""
        if self.ended is None and (listen := _LISTEN.get(type(event))):
            listen(self, event, now)

    def tick(self, now: float) -> None:
        """Time passed."""
        limit, text = LIMITS[self.phase]
        if self.ended is None and now >= self._since + limit:
            self._end("failed", text)

    def due(self, now: float) -> CommandBody | None:
        """The action that is to be journaled and sent now; `asked` says that it was."""
        if self.ended or not self._ready or self._waits_for or now < self._not_before:
            return None
        record, may = _DUE[self.phase]
        return record(self) if may(self) else None

    def asked(self, key: int, record: CommandBody) -> None:
        """The action goes out under this key."""
        self._asked[key] = record
        self._waits_for = key

    def _up(self, event: told.Up, now: float) -> None:
        facts, wanted = event.facts, self._update.manifest.version
        self.before = self.before or facts.firmware
        self._waits_for, self._beats, self._mode, self._not_before = 0, 0, 0, -inf
        runs = version_of(facts.firmware)
        if facts.distrusted:
            self._end("failed", facts.distrusted)
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

    def _runs(self, facts: told.Facts) -> tuple[Result, str]:
        asked = any(isinstance(record, UpdateConfirm) for record in self._asked.values())
        return "confirmed" if asked else "runs already", f"firmware {facts.firmware} runs, confirmed"

    def _unarmed(self, _event: told.Unarmed, _now: float) -> None:
        self._ready = True

    def _sent(self, event: told.BlockSent, now: float) -> None:
        self.sent = event.offset + event.size
        self._since = now

    def _beat(self, event: told.Beat, _now: float) -> None:
        self._mode = event.mode
        if self.phase != "trying":
            return
        self._errors = event.errors if self._beats == 0 else self._errors
        self._beats += 1
        if event.mode == Mode.FAULT or event.errors > self._errors:
            self._end("reverts", f"the new firmware reports a fault (errors: {event.errors}): not confirmed")

    def _action_ended(self, event: told.ActionEnded, now: float) -> None:
        record = self._asked.get(event.key)
        if record is None:
            return  # an earlier attempt's
        if event.key != self._waits_for:
            self._recalled(record, event.status)
            return
        self._waits_for = 0
        if conclude := _CONCLUDE.get((type(record), event.status)):
            conclude(self, now)
        else:
            name = type(record).__name__
            self._end("failed", f"the device answers {name} with {event.status.name}: {event.text}")

    def _recalled(self, record: CommandBody, status: Status) -> None:
        """What an earlier session did not say. It needs no answer where the Hello of this one says enough."""
        if self.phase == "beginning" and (type(record), status) == (UpdateApply, Status.DONE):
            self._end("reverted", REVERTED)

    def _began(self, now: float) -> None:
        self._mode = 0  # what counts is the first heartbeat from now on
        self._advance("sending", now)

    def _busy(self, now: float) -> None:
        self._not_before, self._mode = now + AGAIN, 0

    def _apply_done(self, now: float) -> None:
        self._applied = True
        self._advance("restarting", now)

    def _confirmed(self, _now: float) -> None:
        self._end("confirmed", f"version {self._update.manifest.version} runs, confirmed")

    def _down(self, _event: told.Down, now: float) -> None:
        self._ready = False
        if self.phase != "restarting":
            self._advance("meeting", now)

    def _refused(self, event: told.RefusedDevice, _now: float) -> None:
        self._end("failed", event.text)

    def _advance(self, phase: Phase, now: float) -> None:
        self.phase, self._since = phase, now

    def _end(self, result: Result, text: str) -> None:
        self.ended = Ending(result, text)


def version_of(firmware: str) -> int:
    """The version that a device's `firmware` tells of; -1 for none."""
    digits = re.match(r"[0-9]+", firmware)
    return int(digits[0]) if digits else -1


REVERTED = "the old firmware runs again: the new one was not confirmed in time"
_LISTEN: Mapping[type, Callable[[Course, Any, float], None]] = MappingProxyType({
    told.Up: Course._up,
    told.Unarmed: Course._unarmed,
    told.BlockSent: Course._sent,
    told.Beat: Course._beat,
    told.ActionEnded: Course._action_ended,
    told.Down: Course._down,
    told.RefusedDevice: Course._refused,
})  # fmt: skip
_CONCLUDE: Mapping[tuple[type, Status], Callable[[Course, float], None]] = MappingProxyType({
    (UpdateBegin, Status.DONE): Course._began,
    (UpdateApply, Status.DONE): Course._apply_done,
    (UpdateApply, Status.BUSY): Course._busy,
    (UpdateConfirm, Status.DONE): Course._confirmed,
})  # fmt: skip
_DUE: Mapping[Phase, tuple[Callable[[Course], CommandBody], Callable[[Course], bool]]] = MappingProxyType({
    "meeting": (lambda _: UpdateApply(), lambda _: False),
    "beginning": (lambda course: course._update.manifest.begin, lambda _: True),
    "sending": (lambda _: UpdateApply(), lambda course: course._mode not in {0, Mode.UPDATING}),
    "restarting": (lambda _: UpdateApply(), lambda _: False),
    "trying": (lambda _: UpdateConfirm(), lambda course: course._beats >= BEATS),
})  # fmt: skip
"""By phase the action and whether it may go out now."""
