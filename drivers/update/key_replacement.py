"""The host's side of another maker's key: section 12.6 of firmware-protocol/README.md.

`KeyReplacement` takes the events of the link and says when the action is due. A device does not say which
key it has. So if the power failed while the device noted the key, or the result is lost, the action goes out
again, and a refusal of the same generation then means that the device has it, or a newer one.
"""

from math import inf
from typing import Literal

from drivers.link.facts import DeviceFacts
from drivers.link.reports import ActionEnded, DeviceRefused, DeviceUp, Down, LinkEvent, Unarmed
from drivers.messages import CommandBody, MakerKey
from drivers.protocol.codes import Status
from drivers.update.course import UpdateEnd, UpdateResult
from drivers.update.maker_key import SignedMakerKey

KeyPhase = Literal["meeting", "sending"]
LIMITS: dict[KeyPhase, tuple[float, str]] = {
    "meeting": (60.0, "it does not answer: look at cable and power, then run this again"),
    "sending": (30.0, "it does not take the key: run this again"),
}
"""By phase: the seconds without progress after which the host gives up, and what it says then."""
UNCERTAIN = frozenset({Status.INTERRUPTED, Status.FORGOTTEN})
"""Results that do not say whether the key was noted."""
PERHAPS = "; an earlier attempt was interrupted, so the device may have this key already"


class KeyReplacement:
    """Another maker's key for one device, an UpdateCourse."""

    def __init__(self, signed: SignedMakerKey, now: float) -> None:
        self.ended: UpdateEnd | None = None
        self.phase: KeyPhase = "meeting"
        self._signed = signed
        self._since = now
        self._ready = self._uncertain = False
        self._sent: set[int] = set()
        self._pending_key = 0
        """The key of the action that this session has not answered. 0 if there is none."""

    @property
    def deadline(self) -> float:
        return inf if self.ended else self._since + LIMITS[self.phase][0]

    def handle(self, event: LinkEvent, now: float) -> None:
        if self.ended:
            return
        match event:
            case DeviceUp(facts=facts):
                self._up(facts, now)
            case Unarmed():
                self._ready = True
            case ActionEnded(key=key) if key in self._sent:
                self._action_ended(event)
            case Down():
                self._ready = False
                self._advance("meeting", now)
            case DeviceRefused(text=text):
                self._end("failed", text)

    def tick(self, now: float) -> None:
        limit, text = LIMITS[self.phase]
        if self.ended is None and now >= self._since + limit:
            self._end("failed", text)

    def due(self, _now: float) -> CommandBody | None:
        return self._signed.action if self._ready and not self._pending_key and not self.ended else None

    def action_sent(self, key: int, _record: CommandBody) -> None:
        self._sent.add(key)
        self._pending_key = key

    def _up(self, facts: DeviceFacts, now: float) -> None:
        self._pending_key = 0
        self._advance("sending", now)
        if why := facts.distrust_reason or facts.unfit_reason or self._misfit(facts.hardware):
            self._end("failed", why)

    def _misfit(self, hardware: str) -> str:
        wanted = self._signed.hardware
        return "" if hardware == wanted else f"the key is for hardware {wanted!r}, this is {hardware!r}"

    def _action_ended(self, result: ActionEnded) -> None:
        self._pending_key = 0
        self._uncertain |= result.status in UNCERTAIN
        if result.status is Status.DONE:
            self._end("replaced", f"it trusts the maker's key of generation {self._signed.generation}")
        elif result.status is not Status.NEVER and result.status not in UNCERTAIN:
            hint = PERHAPS if self._uncertain else ""
            self._end("failed", f"the device answers {MakerKey.__name__} with {_words(result)}{hint}")

    def _advance(self, phase: KeyPhase, now: float) -> None:
        self.phase, self._since = phase, now

    def _end(self, result: UpdateResult, text: str) -> None:
        self.ended = UpdateEnd(result, text)


def _words(result: ActionEnded) -> str:
    return f"{result.status.name}: {result.text}"
