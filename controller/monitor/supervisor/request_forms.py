"""The forms for answers to requests, for steps of jackpot claims, and for corrections of a meter."""

from collections.abc import Mapping

from controller.access.people import Person
from controller.currency.formatting import amount_text
from controller.games.spots import spot_title
from controller.jackpot.claims import APPROVALS
from controller.monitor.live.formatting import claim_text
from controller.monitor.supervisor.claims import STEP_WORDS, bar_reason
from controller.monitor.supervisor.form import Form
from controller.monitor.supervisor.requests import labels, title
from controller.table.record.views import OUTCOME_SENTENCES, ClaimView, RequestView, TableView
from controller.text.characters import same_name

AMOUNT_LABEL = "Shows from now on"
REASON = "Reason"
NOTE = "Note, if you want to add one"
"""A person who grants a request, or approves a claim that a supervisor has verified, is not asked for the
reason again."""


def answer_form(view: TableView, number: int, answer: str, person: Person) -> Form:
    """The form of an answer to a request. Raises LookupError if the request is not open, or if this person
    may not give this answer."""
    request_view = _open_request(view, number)
    allowed = ("withdraw",) if same_name(request_view.who, person.name) else ("grant", "decline")
    if answer not in allowed:
        reason = f"{answer} is not possible for {person.name}; allowed: {', '.join(allowed)}"
        raise LookupError(f"request {number} of {request_view.who}: {reason}")
    grants, label = answer == "grant", labels(request_view)[answer]
    return Form(
        f"{label}: {title(request_view)}",
        (f"{request_view.who}: {request_view.why}", *(() if grants else request_view.sentences)),
        label,
        f"POST /api/v1/requests/{number}/answer",
        {"grant": grants},
        f"GET /api/v1/requests/{number}/preview?grant={'true' if grants else 'false'}",
        grave=grants and request_view.about == "void",
        reasons=COMMON_REASONS.get(f"{answer} {request_view.about}", COMMON_REASONS[answer]),
        at_once=True,
        says=NOTE if grants else REASON,
        may_be_silent=grants,
    )


def claim_form(view: TableView, number: int, step: str, person: Person) -> Form:
    """The form of a step of a claim. Raises LookupError if this person cannot take it now."""
    found = _claim(view, number)
    if step not in found.steps or step not in STEP_WORDS:
        allowed = ", ".join(found.steps) or "nothing more"
        raise LookupError(f"claim {number} is {found.state}: {step} is not possible; allowed: {allowed}")
    if bar := bar_reason(found, step, person.name):
        raise LookupError(bar)
    words = STEP_WORDS[step]
    return Form(
        f"Claim {number}: {words.title}",
        (f"Seat {found.seat}, round {found.round}: {found.hit}, {claim_text(found)}.", words.effect),
        words.button,
        f"POST /api/v1/claims/{number}/steps",
        {"step": step},
        f"GET /api/v1/claims/{number}/steps/{step}/preview",
        grave=step == "void",
        reasons=words.reasons,
        at_once=True,
        says=NOTE if step in APPROVALS else REASON,
        may_be_silent=step in APPROVALS,
    )


def meter_form(view: TableView, spot: str) -> Form:
    """The form that requests another amount for a jackpot. Raises LookupError if the jackpot does not
    exist."""
    found = next((one for one in view.meters if one.spot == spot), None)
    if found is None:
        raise LookupError(f"there is no jackpot {spot}")
    return Form(
        f"Correct the meter of {spot_title(spot)}",
        (
            f"It shows {amount_text(found.cents)}. It is corrected between rounds only.",
            "Another supervisor has to agree: this asks for it.",
        ),
        "Ask for it",
        f"POST /api/v1/meters/{spot}",
        preview=f"POST /api/v1/meters/{spot}/preview",
        reasons=("A win was not counted", "The display was compared"),
        amount=AMOUNT_LABEL,
    )


def _open_request(view: TableView, number: int) -> RequestView:
    for request in view.requests:
        if request.number == number:
            return request
    for done in view.answered:
        if done.request.number == number:
            became = OUTCOME_SENTENCES[done.request.state].format(who=done.who, why=done.why)
            raise LookupError(f"request {number} {became}")
    known = ", ".join(str(one.number) for one in view.requests) or "none"
    raise LookupError(f"there is no open request {number}; open: {known}")


def _claim(view: TableView, number: int) -> ClaimView:
    found = next((one for one in view.claims if one.number == number), None)
    if found is None:
        known = ", ".join(str(one.number) for one in view.claims if one.steps) or "none is open"
        raise LookupError(f"there is no claim {number}; open claims: {known}")
    return found


COMMON_REASONS: Mapping[str, tuple[str, ...]] = {
    "grant": ("Seen on the table", "Seen on camera"),
    "decline": ("It is right as it is", "Come and see me first"),
    "withdraw": ("Asked by mistake",),
    "decline help": ("Wait for me",),
}
