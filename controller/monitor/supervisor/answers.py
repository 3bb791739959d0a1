"""The forms of what others ask for or have begun: requests, claims of jackpots, corrections of a meter."""

from collections.abc import Mapping

from controller.access.people import Person
from controller.jackpot import same
from controller.monitor.supervisor.approvals import ANSWERS, labels, title
from controller.monitor.supervisor.claims import STEPS, barred
from controller.monitor.supervisor.form import Form
from controller.monitor.wording import amount
from controller.table.request_view import RequestView
from controller.table.view import TableView

MONEY = "Shows from now on"


def request(view: TableView, number: int, answer: str, person: Person) -> Form:
    """The form of an answer. Raises LookupError where there is nothing to be answered by this person."""
    asked = _asked(view, number)
    if answer not in ANSWERS or (answer == "withdraw") != same(asked.who, person.name):
        raise LookupError(f"request {number} cannot be answered so by {person.name}")
    grants, label = answer == "grant", labels(asked)[answer]
    foreseen = grants and asked.about != "help"
    return Form(
        f"{label}: {title(asked)}",
        (f"{asked.who}: {asked.why}", *(() if foreseen else asked.sentences)),
        label,
        f"POST /api/v1/requests/{number}/answer",
        {"grant": grants},
        f"GET /api/v1/requests/{number}/preview" if foreseen else "",
        grave=grants and asked.about == "void",
        because=BECAUSE.get(f"{answer} {asked.about}", BECAUSE[answer]),
    )


def claim(view: TableView, number: int, step: str, person: Person) -> Form:
    """The form of a step of a claim. Raises LookupError where this person cannot take it now."""
    found = next((one for one in view.claims if one.number == number), None)
    if found is None or step not in found.steps or step not in STEPS:
        raise LookupError(f"claim {number} cannot be taken on by {step} now")
    if bar := barred(found, step, person.name):
        raise LookupError(bar)
    words = STEPS[step]
    return Form(
        f"Claim {number}: {words.title}",
        (f"Seat {found.seat}, round {found.round}: {found.hit}, {amount(found.cents)}.", words.does),
        words.do,
        f"POST /api/v1/claims/{number}/steps",
        {"step": step},
        grave=step == "void",
        because=words.because,
    )


def meter(view: TableView, spot: str) -> Form:
    """The form that asks for another amount of a jackpot. Raises LookupError."""
    found = next((one for one in view.meters if one.spot == spot), None)
    if found is None:
        raise LookupError(f"there is no jackpot {spot}")
    return Form(
        f"Correct the meter of {spot.replace('-', ' ')}",
        (
            f"It shows {amount(found.cents)}. It is corrected between rounds only.",
            "Another supervisor has to agree: this asks for it.",
        ),
        "Ask for it",
        f"POST /api/v1/meters/{spot}",
        because=("A win was not counted", "The display was compared"),
        amount=MONEY,
    )


def _asked(view: TableView, number: int) -> RequestView:
    found = next((one for one in view.requests if one.number == number), None)
    if found is None:
        done = next((one for one in view.answered if one.request.number == number), None)
        told = f"it was {done.request.state} by {done.who}" if done and done.who else "there is none such"
        raise LookupError(f"request {number} is not open: {told}")
    return found


BECAUSE: Mapping[str, tuple[str, ...]] = {
    "grant": ("Seen on the table", "Seen on camera"),
    "decline": ("It is right as it is", "Come and see me first"),
    "withdraw": ("Asked by mistake",),
    "grant help": ("I come",),
    "decline help": ("Wait for me",),
}
