"""Requests are granted, declined and withdrawn; what is granted is done."""

from dataclasses import replace

from controller.table.errors import NeedsAnother, NotAllowed
from controller.table.people.requests.lifecycle import SUPERVISOR, persons
from controller.table.people.requests.recording import end, move, sentences
from controller.table.people.requests.subjects import SUBJECTS
from controller.table.record.events import Answered
from controller.table.record.preview import Preview
from controller.table.state.requests import Request
from controller.table.state.table_state import TableState
from controller.text.characters import same

STANDING = frozenset({"parameters"})
"""Requests that nobody can repeat: they are granted as they stand now."""


def answer(state: TableState, said: Answered) -> None:
    """Raises NotAllowed, and has then changed nothing; also where somebody else has answered it."""
    request = state.shift.requests.named(said.request)
    take = _grant if said.grant else _decline
    take(state, request, said)


def foresee(state: TableState, said: Answered) -> Preview:
    """What the answer would do now; `by_two`: a granted request needs yet another person. Raises NotAllowed,
    also if granting it would do something other than what was requested."""
    request = state.shift.requests.named(said.request)
    if not said.grant:
        became = "withdrawn" if same(said.who, request.who) else "declined"
        return Preview((f"Request {request.number} is {became}: nothing changes at the table",))
    seen = SUBJECTS[request.about].foresee(state, request)
    told = tuple(sentences(request.about, seen))
    if told != request.sentences and request.about not in STANDING:
        raise NotAllowed(
            f"request {request.number} would do something else now than {request.who} asked for: "
            "decline it, and have it asked for again"
        )
    needs = max(request.needs, persons(seen, request))
    return replace(seen, sentences=told, by_two=len(request.grants) + 1 < needs)


def _grant(state: TableState, request: Request, said: Answered) -> None:
    _check(request, said)
    granted = replace(request, grants=(*request.grants, said.who))
    if len(granted.grants) < request.needs:
        _wait(state, granted, said)
        return
    try:
        SUBJECTS[request.about].do(state, granted)
    except NeedsAnother:  # a jackpot has moved since it was asked for
        _wait(state, replace(granted, needs=len(granted.grants) + 1), said)
        return
    end(state, granted, "granted", said.who, said.why)


def _wait(state: TableState, granted: Request, said: Answered) -> None:
    """It takes yet another person."""
    state.shift.requests.put(granted)
    move(state, granted, said.who, said.why)


def _check(request: Request, said: Answered) -> None:
    """Whether they may grant it."""
    if said.role != SUPERVISOR:
        raise NotAllowed(f"{said.who} is {said.role}: a supervisor grants requests")
    if same(said.who, request.who):
        raise NotAllowed(f"{said.who} has asked for it: another person grants it")
    for name in request.grants:
        if same(said.who, name):
            raise NotAllowed(f"{name} has granted it already: it takes another person too")


def _decline(state: TableState, request: Request, said: Answered) -> None:
    own = same(said.who, request.who)
    if said.role != SUPERVISOR and not own:
        raise NotAllowed(f"{said.who} is {said.role}: a supervisor declines what {request.who} has asked for")
    if request.about == "parameters":
        state.shift.requests.declined = request.fed
    end(state, request, "withdrawn" if own else "declined", said.who, said.why)
