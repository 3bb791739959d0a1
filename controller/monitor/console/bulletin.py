"""What a dealer should know beside the play: own requests and what came of them, claims, alerts."""

from collections.abc import Iterator
from dataclasses import dataclass

from controller.table.jackpot_view import ClaimView
from controller.table.request_view import AnsweredView, RequestView
from controller.table.view import TableView

ASKED = {"undo": "Undo", "help": "Call"}
BECAME = {"granted": "granted by", "declined": "declined by", "withdrawn": "withdrawn by", "failed": "failed"}


@dataclass(frozen=True, slots=True)
class News:
    """A request of the dealer's: `state` is open, or what became of it."""

    text: str
    state: str


@dataclass(frozen=True, slots=True)
class Bulletin:
    """`claims` wait for the dealer, who confirms the hand. `alerts` are why play stands still, too, where
    more than one thing is wrong."""

    news: tuple[News, ...]
    claims: tuple[ClaimView, ...]
    alerts: tuple[str, ...]


def bulletin(view: TableView) -> Bulletin:
    """All of it; what was answered stays for its round and the next one."""
    asked = tuple(_open(one) for one in view.requests if one.about in ASKED)
    done = tuple(_answered(view))
    claims = tuple(claim for claim in view.claims if "confirm" in claim.steps)
    return Bulletin((*asked, *done), claims, (*view.suspended[1:], *view.alerts))


def _open(request: RequestView) -> News:
    waits = "a supervisor is called" if request.about == "help" else "waits for a supervisor"
    return News(f"{ASKED[request.about]}: {waits}", "open")


def _answered(view: TableView) -> Iterator[News]:
    """The last answer about each."""
    asked = {one.about for one in view.requests}
    for done in view.answered:
        about = done.request.about
        if about in ASKED and about not in asked and done.request.round >= view.round - 1:
            asked.add(about)
            yield _told(done)


def _told(done: AnsweredView) -> News:
    became, why = f"{BECAME[done.request.state]} {done.who}".strip(), f": {done.why}" if done.why else ""
    return News(f"{ASKED[done.request.about]} {became}{why}", done.request.state)
