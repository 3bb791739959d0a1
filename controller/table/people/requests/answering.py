"""Requests are granted, declined and withdrawn; what is granted is done."""

from dataclasses import replace

from controller.table.errors import NeedsSecondPerson, NotAllowed
from controller.table.people.requests.lifecycle import SUPERVISOR, persons_needed
from controller.table.people.requests.recording import close_request, note_request, sentences
from controller.table.people.requests.subjects import SUBJECTS
from controller.table.record.events import RequestAnswered
from controller.table.record.preview import Preview
from controller.table.state.requests import Request
from controller.table.state.table_state import TableState
from controller.text.characters import same_name

REFRESHED = frozenset({"parameters"})
"""Requests that nobody can repeat: they are granted as they stand now."""


def answer_request(state: TableState, event: RequestAnswered) -> None:
    """Raises NotAllowed, and has then changed nothing; also where somebody else has answered it."""
    request = state.shift.requests.find(event.request)
    take = _grant if event.grant else _decline
    take(state, request, event)


def preview_answer(state: TableState, event: RequestAnswered) -> Preview:
    """What the answer would do now; `by_two`: a granted request needs yet another person. Raises NotAllowed,
    also if granting it would do something other than what was requested."""
    request = state.shift.requests.find(event.request)
    if not event.grant:
        outcome = "withdrawn" if same_name(event.who, request.who) else "declined"
        return Preview((f"Request {request.number} is {outcome}: nothing changes at the table",))
    preview = SUBJECTS[request.about].preview(state, request)
    lines = tuple(sentences(request.about, preview))
    if lines != request.sentences and request.about not in REFRESHED:
        raise NotAllowed(
            f"request {request.number} would do something else now than {request.who} asked for: "
            "decline it, and have it asked for again"
        )
    needs = max(request.needs, persons_needed(preview, request))
    return replace(preview, sentences=lines, by_two=len(request.grants) + 1 < needs)


def _grant(state: TableState, request: Request, event: RequestAnswered) -> None:
    _check(request, event)
    granted = replace(request, grants=(*request.grants, event.who))
    if len(granted.grants) < request.needs:
        _wait(state, granted, event)
        return
    try:
        SUBJECTS[request.about].apply(state, granted)
    except NeedsSecondPerson:  # a jackpot has moved since it was asked for
        _wait(state, replace(granted, needs=len(granted.grants) + 1), event)
        return
    close_request(state, granted, "granted", event.who, event.why)


def _wait(state: TableState, granted: Request, event: RequestAnswered) -> None:
    """It takes yet another person."""
    state.shift.requests.update(granted)
    note_request(state, granted, event.who, event.why)


def _check(request: Request, event: RequestAnswered) -> None:
    """Whether they may grant it."""
    if event.role != SUPERVISOR:
        raise NotAllowed(f"{event.who} is {event.role}: a supervisor grants requests")
    if same_name(event.who, request.who):
        raise NotAllowed(f"{event.who} has asked for it: another person grants it")
    for name in request.grants:
        if same_name(event.who, name):
            raise NotAllowed(f"{name} has granted it already: it takes another person too")


def _decline(state: TableState, request: Request, event: RequestAnswered) -> None:
    own = same_name(event.who, request.who)
    if event.role != SUPERVISOR and not own:
        raise NotAllowed(
            f"{event.who} is {event.role}: a supervisor declines what {request.who} has asked for"
        )
    if request.about == "parameters":
        state.shift.requests.declined = request.fed
    close_request(state, request, "withdrawn" if own else "declined", event.who, event.why)
