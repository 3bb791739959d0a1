"""What a dealer should know beside the play: alerts, own requests and what came of them."""

from collections.abc import Iterator
from dataclasses import dataclass

from controller.table.apply.jackpots import locked
from controller.table.record.views import AnsweredView, RequestView, TableView

ASKED = {"undo": "Undo", "help": "Call"}
BECAME = {"granted": "granted by", "declined": "declined by", "withdrawn": "withdrawn by", "failed": "failed"}


@dataclass(frozen=True, slots=True)
class News:
    """A request of the dealer's: `state` is open, or what became of it."""

    text: str
    state: str


@dataclass(frozen=True, slots=True)
class Bulletin:
    """`alerts` are why play stands still, too, where more than one thing is wrong."""

    news: tuple[News, ...]
    alerts: tuple[str, ...]


def bulletin(view: TableView) -> Bulletin:
    """All of it. An answer stays for the round in which it came; a jackpot is in the line of what is due."""
    asked = tuple(_open(one) for one in view.requests if one.about in ASKED)
    done = tuple(_answered(view))
    won = {locked(claim.number, claim.seat, claim.hit, claim.cents) for claim in view.claims}
    alerts = (*view.suspended[1:], *(alert for alert in view.alerts if alert not in won))
    return Bulletin((*asked, *done), alerts)


def _open(request: RequestView) -> News:
    waits = "a supervisor is called" if request.about == "help" else "waits for a supervisor"
    return News(f"{ASKED[request.about]}: {waits}", "open")


def _answered(view: TableView) -> Iterator[News]:
    """The last answer about each."""
    asked = {one.about for one in view.requests}
    for done in view.answered:
        about = done.request.about
        if about in ASKED and about not in asked and done.round == view.round:
            asked.add(about)
            yield _told(done)


def _told(done: AnsweredView) -> News:
    became, why = f"{BECAME[done.request.state]} {done.who}".strip(), f": {done.why}" if done.why else ""
    return News(f"{ASKED[done.request.about]} {became}{why}", done.request.state)
