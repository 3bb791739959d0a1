"""The one thing that is due now, and whose word is missing where play stands still."""

from dataclasses import dataclass
from typing import Literal

from controller.table.view import TableView

Mood = Literal["calm", "stopped", "testing"]


@dataclass(frozen=True, slots=True)
class DueNow:
    """The prompt of the hardware console: `text` from what `seat` is to do on, `beside` what stands before;
    `seat` 0: nobody. `help` says what to do where play stands still."""

    beside: str
    text: str
    seat: int
    mood: Mood
    help: str


def due(view: TableView) -> DueNow:
    """What the dealer is to do."""
    text, seat = view.prompt, view.prompt_seat
    if view.testing:
        return DueNow("", text, seat, "testing", "Nothing counts: deal when the test is over")
    if view.suspended:
        return DueNow("", text, seat, "stopped", _stopped(view))
    begins = max(text.find(f"Seat {seat}"), 0)
    return DueNow(text[:begins], text[begins:], seat, "calm", "")


def _stopped(view: TableView) -> str:
    if all(reason.passes for reason in view.ruling.reasons):
        return "It goes on by itself as soon as that is well. Touch no card"
    return "Touch no card. A supervisor has to say what it was: call one"
