"""The one thing that is due now, claims that wait, and whose word is missing where play stands still."""

from dataclasses import dataclass
from typing import Literal

from controller.monitor.live.formatting import rank_text
from controller.round.prompts import PlayHand, parse
from controller.table.apply.claims import announcement
from controller.table.record.views import HIDDEN, ClaimView, TableView

Mood = Literal["calm", "jackpot", "stopped", "testing"]
WAITING_FOR = {
    "confirmed": "a supervisor must verify it",
    "checked": "another person must verify it",
    "verified": "ready to be paid",
}
"""By the state of a claim that the dealer has confirmed, what it waits for."""


@dataclass(frozen=True, slots=True)
class DueNow:
    """The prompt of the hardware console: `text` from what `seat` is to do on, `beside` what stands before;
    `seat` 0: no seat. `help` says what to do where play stands still.

    `claim` is the one whose hand the dealer is to confirm; `waiting` tells of the other open ones.
    """

    prefix: str
    text: str
    seat: int
    mood: Mood
    help: str
    claim: ClaimView | None = None
    waiting: tuple[str, ...] = ()


def due(view: TableView) -> DueNow:
    """What the dealer is to do."""
    text, seat = _without_keys(view), view.prompt_seat
    opened = [claim for claim in reversed(view.claims) if claim.steps]
    claim = next((claim for claim in opened if claim.state == "pending"), None)
    waiting = tuple(_waiting(one) for one in opened if one is not claim)
    if view.testing:
        return DueNow(
            "",
            text,
            seat,
            "testing",
            "Nothing counts. Deal when the test is over",
            claim,
            waiting,
        )
    if view.suspended:
        return DueNow("", text, seat, "stopped", _suspension_help(view), claim, waiting)
    if claim:
        begins = len(announcement(claim.number, claim.seat, claim.amount))
        return DueNow(text[:begins], text[begins:], seat, "jackpot", "", claim, waiting)
    begins = max(text.find(f"Seat {seat}"), 0)
    return DueNow(text[:begins], text[begins:], seat, "calm", "", claim, waiting)


def _without_keys(view: TableView) -> str:
    """ "Seat 2 has hard 14 against 3": the keys below show the choices that the hardware console lists."""
    begins = max(view.prompt.rfind("Seat "), 0)
    hand = parse(view.prompt[begins:])
    if not isinstance(hand, PlayHand):
        return view.prompt
    whose = f"Seat {hand.seat} hand {hand.hand}" if hand.hand else f"Seat {hand.seat}"
    total = hand.total if hand.total.startswith("soft") else f"hard {hand.total}"
    up_card = next((card for card in view.dealer.cards if card != HIDDEN), None)
    has = f"{whose} has {total} against {rank_text(up_card)}" if up_card else f"{whose} has {total}"
    return view.prompt[:begins] + has


def _waiting(claim: ClaimView) -> str:
    wants = WAITING_FOR.get(claim.state, "confirm its hand") if claim.decided else "its amount is pending"
    return f"Claim {claim.number}, seat {claim.seat}: {wants}"


def _suspension_help(view: TableView) -> str:
    if all(reason.passes for reason in view.ruling.reasons):
        return "Play resumes automatically. Don't touch the cards"
    return "Don't touch the cards. Call a supervisor to decide"
