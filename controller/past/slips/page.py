"""A slip as one HTML page: no scripts, nothing from elsewhere, half a sheet of paper."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from functools import cache

from jinja2 import Environment

from controller.jackpot import Claim
from controller.jackpot.claims import State
from controller.past.slips.slip import Slip
from controller.past.slips.style import TEMPLATES, style
from controller.past.slips.words import figures, words
from controller.text.templating import environment

MARKS: dict[State, str] = {
    "pending": "pending", "confirmed": "pending", "checked": "pending", "verified": "", "paid": "copy",
    "void": "void",
}  # fmt: skip
"""What stands across it: only what is verified, and not paid yet, is paid on it."""
SUITS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}


@dataclass(frozen=True, slots=True)
class Taken:
    """A step of a claim: what was done, by whom, when; empty where it is still to come."""

    what: str
    who: str
    local: str
    utc: str


def page(slip: Slip, zone: tzinfo | None = None) -> str:
    """The whole document; local times are those of `zone`, the computer's own if absent."""
    return _environment().get_template("slip.html").render(
        slip=slip, claim=slip.claim, style=style(), mark=MARKS[slip.claim.state], words=_words(slip.claim),
        taken=[_taken(slip, *step, zone) for step in _steps(slip)],
    )  # fmt: skip


def _words(claim: Claim) -> str:
    said = words(claim.cents)
    return said[0].upper() + said[1:]


def _steps(slip: Slip) -> Iterator[tuple[str, str, State]]:
    """What is done with a claim, who did it, and the state that it comes to; of a void one what was done."""
    void = slip.claim.state == "void"
    for step in _course(slip.claim):
        if not void or step[-1] in slip.times:
            yield step
    if void:
        yield "Void", slip.claim.voided_by, "void"


def _course(claim: Claim) -> Iterator[tuple[str, str, State]]:
    yield "Hit", "", "pending"
    yield "Confirmed by dealer", claim.dealer, "confirmed"
    yield "Verified by supervisor", claim.supervisor, "checked" if claim.by_two else "verified"
    if claim.by_two:
        yield "Verified by second", claim.second, "verified"
    yield "Paid", claim.payer, "paid"


def _taken(slip: Slip, what: str, who: str, state: State, zone: tzinfo | None) -> Taken:
    at = slip.times.get(state)
    if at is None:
        return Taken(what, who, "", "")
    utc = datetime.fromtimestamp(at, UTC)
    return Taken(what, who, f"{utc.astimezone(zone):%Y-%m-%d %H:%M:%S %Z}", f"{utc:%H:%M:%S} UTC")


@cache
def _environment() -> Environment:
    made = environment(TEMPLATES)
    made.filters.update(figures=figures, grouped=_grouped)
    made.globals.update(SUITS=SUITS)
    return made


def _grouped(digest: str) -> str:
    """Eight characters at a time, so that people can compare them."""
    return " ".join(digest[at : at + 8] for at in range(0, len(digest), 8))
