"""What a dealer should know beside the play: alerts, own requests and what came of them."""

from collections.abc import Iterator
from dataclasses import dataclass

from controller.table.apply.jackpots import claim_alert
from controller.table.record.views import AnsweredView, RequestView, TableView

REQUEST_WORDS = {"undo": "Undo", "help": "Call"}
OUTCOME_SENTENCES = {
    "granted": "{request} granted by {who}",
    "declined": "{request} declined by {who}",
    "withdrawn": "{request} withdrawn by {who}",
    "failed": "{request} failed",
}


@dataclass(frozen=True, slots=True)
class RequestNotice:
    """A request of the dealer's: `state` is open, or what became of it."""

    text: str
    state: str


@dataclass(frozen=True, slots=True)
class Notices:
    """`alerts` are why play stands still, too, where more than one thing is wrong."""

    requests: tuple[RequestNotice, ...]
    alerts: tuple[str, ...]


def notices(view: TableView) -> Notices:
    """All of it. An answer stays for the round in which it came; a jackpot is in the line of what is due."""
    open_requests = tuple(_open_notice(one) for one in view.requests if one.about in REQUEST_WORDS)
    answered = tuple(_answered(view))
    won = {claim_alert(claim.number, claim.seat, claim.hit, claim.amount) for claim in view.claims}
    alerts = (*view.suspended[1:], *(alert for alert in view.alerts if alert not in won))
    return Notices((*open_requests, *answered), alerts)


def _open_notice(request: RequestView) -> RequestNotice:
    waits = "a supervisor is called" if request.about == "help" else "waiting for a supervisor"
    return RequestNotice(f"{REQUEST_WORDS[request.about]}: {waits}", "open")


def _answered(view: TableView) -> Iterator[RequestNotice]:
    """The last answer about each."""
    subjects = {one.about for one in view.requests}
    for done in view.answered:
        about = done.request.about
        if about in REQUEST_WORDS and about not in subjects and done.round == view.round:
            subjects.add(about)
            yield _answered_notice(done)


def _answered_notice(answered: AnsweredView) -> RequestNotice:
    state, about = answered.request.state, REQUEST_WORDS[answered.request.about]
    outcome = OUTCOME_SENTENCES[state].format(request=about, who=answered.who)
    return RequestNotice(f"{outcome}: {answered.why}" if answered.why else outcome, state)
