"""A slip as one HTML page of half a sheet: no scripts, and nothing from another address. The logo is part of
the page."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from functools import cache

from jinja2 import Environment

from controller.currency import currency_in_use
from controller.currency.formatting import exact_text
from controller.games.spots import spot_title
from controller.jackpot import Claim
from controller.jackpot.claims import State
from controller.languages import translate
from controller.languages.templating import template_environment, translating
from controller.past.slips.letterhead import NO_LETTERHEAD, Letterhead
from controller.past.slips.slip import JackpotSlip
from controller.past.slips.style import TEMPLATES, style
from controller.past.slips.words import amount_in_words

MARKS: dict[State, str] = {
    "pending": "pending",
    "confirmed": "pending",
    "checked": "pending",
    "verified": "",
    "paid": "copy",
    "void": "void",
}
"""The mark across the slip. Only a slip without a mark, verified and not paid yet, is to be paid."""
SUITS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}


@dataclass(frozen=True, slots=True)
class ClaimStepLine:
    """A step of a claim: what was done, by whom, and when; times are empty if it is still to come."""

    what: str
    who: str
    local: str
    utc: str


def slip_html(slip: JackpotSlip, zone: tzinfo | None = None, house: Letterhead = NO_LETTERHEAD) -> str:
    """The document in the language in use, with amounts in the currency in use. Local times are in `zone`, by
    default in that of the process."""

    def clock(at: float) -> str:
        return f"{datetime.fromtimestamp(at, UTC).astimezone(zone):%H:%M:%S}"

    return (
        _environment()
        .get_template("slip.html")
        .render(
            slip=slip,
            claim=slip.claim,
            house=house,
            style=style(),
            mark=MARKS[slip.claim.state],
            words=_words(slip.claim),
            clock=clock,
            taken=[_step_line(slip, *step, zone) for step in _steps(slip)],
        )
    )


NOT_DECIDED = "the linked progressive has not decided the amount"


def _words(claim: Claim) -> str:
    """In the language in use."""
    decided = claim.decided
    words_ = amount_in_words(claim.cents, currency_in_use()) if decided else translate(NOT_DECIDED)
    return words_[0].upper() + words_[1:]


def _steps(slip: JackpotSlip) -> Iterator[tuple[str, str, State]]:
    """Each step, the person, and the state that it leads to. Of a void claim, only the steps that were
    taken."""
    void = slip.claim.state == "void"
    for step in _all_steps(slip.claim):
        if not void or step[-1] in slip.times:
            yield step
    if void:
        yield "Voided", slip.claim.voided_by, "void"


def _all_steps(claim: Claim) -> Iterator[tuple[str, str, State]]:
    yield "Jackpot hit", "", "pending"
    yield "Confirmed by dealer", claim.dealer, "confirmed"
    yield "Verified by supervisor", claim.supervisor, "checked" if claim.by_two else "verified"
    if claim.by_two:
        yield "Verified by second", claim.second, "verified"
    yield "Paid", claim.payer, "paid"


def _step_line(slip: JackpotSlip, what: str, who: str, state: State, zone: tzinfo | None) -> ClaimStepLine:
    at = slip.times.get(state)
    if at is None:
        return ClaimStepLine(what, who, "", "")
    utc = datetime.fromtimestamp(at, UTC)
    return ClaimStepLine(what, who, f"{utc.astimezone(zone):%Y-%m-%d %H:%M:%S %Z}", f"{utc:%H:%M:%S UTC}")


@cache
def _environment() -> Environment:
    environment_ = template_environment(TEMPLATES)
    environment_.filters.update(figures=exact_text, grouped=_grouped, spot_title=translating(spot_title))
    environment_.globals.update(SUITS=SUITS)
    return environment_


def _grouped(digest: str) -> str:
    """Eight characters at a time, so that people can compare them."""
    return " ".join(digest[at : at + 8] for at in range(0, len(digest), 8))
