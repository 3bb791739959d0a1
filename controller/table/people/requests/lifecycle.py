"""Requests: one person asks for something, another person grants it, and only then it happens.

Theory of operation
-------------------
A dealer may ask for an undo, a void, a correction or help; a supervisor asks for a second person when a
decision moves a jackpot; a start asks for two persons when the configuration feeds a jackpot differently.
Asking and answering are inputs of the table like any others, so both are in the journal, and the open
requests are part of the state and of each snapshot.

The life of a request:

1. `open_request` (RequestMade): the table predicts what the request would do, refuses it if that is
   impossible now, and stores the decision, the sentences of the prediction and the position of the table.
2. `answer_request` (RequestAnswered): grants, declines or, if the person who asked answers, withdraws it.
   When enough persons have granted it, the stored decision is carried out by the same code that a
   supervisor's own decision runs.
3. `close_late_requests`, after every input: a request fails by itself as soon as what was asked for can no
   longer be done as shown, because the round has ended, a card has come, a meter has moved.

The rules, and what each prevents:

- The loop takes one input at a time: of two answers one is first, and the other is refused with the name of
  the first.
- Nobody grants a request that they made, and nobody grants twice. Names are compared without regard to case
  and blanks.
- A grant is refused if the request would now do something other than what its sentences say: nobody grants
  what they have not seen. Parameters of jackpots are the exception: nobody can repeat that request, so it
  is granted as it is now.
- A jackpot may move between asking and granting; then the grant counts, and one more person is needed.
- A person has at most one open request about the same subject, and the table at most twenty: a stuck key
  cannot fill the page.
- A declined set of parameters is remembered, so that a restart with the same configuration does not ask
  again.

Decision 36 (docs/decisions) gives the reasons.
"""

from collections.abc import Callable
from dataclasses import replace

from controller.money import text
from controller.table.apply import jackpots, linked_levels
from controller.table.errors import NeedsSecondPerson, NotAllowed
from controller.table.people.requests.recording import close_request, note_request, sentences
from controller.table.people.requests.subjects import SUBJECTS
from controller.table.record.events import RequestAnswered, RequestMade, Supervisor
from controller.table.record.notes import RoundCorrected
from controller.table.record.preview import Preview
from controller.table.state.requests import Request, TablePosition
from controller.table.state.table_state import ROUNDS_KEPT, TableState
from controller.text.characters import same_name

MOST_OPEN = 20
SUPERVISOR = "supervisor"
MAY_ASK: dict[str, frozenset[str]] = {
    "dealer": frozenset({"undo", "help", "void", "correct"}),
    SUPERVISOR: frozenset({"void", "correct", "assign", "meter", "relink"}),
}
"""By role, what a person may ask for."""
REFRESHED = frozenset({"parameters"})
"""Requests that nobody can repeat: they are granted as they are now."""


def open_request(state: TableState, event: RequestMade) -> None:
    """Add the request, which then waits for an answer. Raises NotAllowed if it cannot be carried out now."""
    request = _request(state, event)
    if before := state.shift.requests.find_by(event.about, event.who):
        raise NotAllowed(f"request {before.number} of {before.who} asks for that already")
    if len(state.shift.requests.open) >= MOST_OPEN:
        raise NotAllowed(f"{MOST_OPEN} requests are open: answer some first")
    preview = preview_request(state, event)
    complete = replace(
        request, sentences=tuple(sentences(event.about, preview)), needs=persons_needed(preview, request)
    )
    note_request(state, state.shift.requests.add(complete), event.who)


def preview_request(state: TableState, event: RequestMade) -> Preview:
    """What the request would do if it were granted now. Raises NotAllowed."""
    return SUBJECTS[event.about].preview(state, _request(state, event))


def persons_needed(preview: Preview, request: Request) -> int:
    """The number of persons who must grant the request; a supervisor who asks is not one of them."""
    return 1 + (preview.by_two and not request.signs)


def position(state: TableState, request: Request) -> TablePosition:
    """The position of the table now, as far as it matters to the request."""
    out = state.ledger.out + len(state.unplaced)
    cents = state.meters[request.meter.spot].cents if request.meter else 0
    return TablePosition(state.number, len(state.round_log.events), out, cents)


def _request(state: TableState, event: RequestMade) -> Request:
    _check_asked(event)
    if event.meter and event.meter.spot not in state.meters:
        allowed = ", ".join(state.meters) or "none"
        raise NotAllowed(f"there is no jackpot {event.meter.spot}; allowed: {allowed}")
    signs = event.role == SUPERVISOR
    request = Request(
        number=0,
        about=event.about,
        who=event.who,
        why=event.why,
        at=state.shift.at,
        mark=TablePosition(state.number),
        needs=1,
        signs=signs,
        word=event.word,
        meter=event.meter,
    )
    return replace(request, mark=position(state, request))


def _check_asked(event: RequestMade) -> None:
    allowed = MAY_ASK.get(event.role, frozenset())
    if event.about not in allowed:
        names = ", ".join(sorted(allowed)) or "nothing"
        raise NotAllowed(f"a {event.role} cannot ask for {event.about}; allowed: {names}")
    expected = {"meter": "meter", "help": "help"}.get(event.about, "word")
    given = "meter" if event.meter else "word" if event.word else "help"
    if expected != given or (isinstance(event.word, Supervisor) and event.word.choice != event.about):
        raise NotAllowed(f"{event.about} does not match the decision in the request")


def answer_request(state: TableState, event: RequestAnswered) -> None:
    """Raises NotAllowed without having changed anything, also if somebody else has answered the request."""
    request = state.shift.requests.find(event.request)
    take = _grant if event.grant else _decline
    take(state, request, event)


def preview_answer(state: TableState, event: RequestAnswered) -> Preview:
    """What the answer would do now; `by_two`: the request needs yet another person. Raises NotAllowed, also
    if a grant would now do something other than what was asked for."""
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
    check_grant(request, event)
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
    """The request needs another person."""
    state.shift.requests.update(granted)
    note_request(state, granted, event.who, event.why)


def check_grant(request: Request, event: RequestAnswered) -> None:
    """Raises NotAllowed if this person may not grant the request."""
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


def close_late_requests(state: TableState) -> None:
    """After each input, close the requests that can no longer be carried out as they were shown."""
    for request in state.shift.requests.open:
        if why := LATE.get(request.about, _never)(state, request):
            close_request(state, request, "failed", "", why)
    _forget(state)


def _forget(state: TableState) -> None:
    """Drop old answers: each snapshot contains those that are kept."""
    requests = state.shift.requests
    while requests.done and state.number - requests.done[-1].round > ROUNDS_KEPT:
        requests.done = requests.done[:-1]


def _never(_state: TableState, _request: Request) -> str:
    return ""


def _ended(state: TableState, request: Request) -> str:
    if state.number == request.mark.round:
        return ""
    outcome = next((one.outcome for one in state.ended_views if one.number == request.mark.round), "")
    return f"round {request.mark.round} {'is void' if outcome == 'void' else 'has ended'}"


def _dealt(state: TableState, request: Request) -> str:
    if position(state, request).cards != request.mark.cards:
        return "a card has come since"
    return ""


def _played(state: TableState, request: Request) -> str:
    if position(state, request).events != request.mark.events:
        return "the round has gone on since"
    return ""


def _late_correction(state: TableState, request: Request) -> str:
    """Everything that happens in the round in play may change what the correction does."""
    if request.word is not None and request.word.round not in {0, request.mark.round}:
        return _late_ended_round(state, request.word.round)
    return _ended(state, request) or _dealt(state, request) or _played(state, request)


def _late_ended_round(state: TableState, number: int) -> str:
    """In a round that had ended before, only another correction can change what this one does."""
    notes = (note for note in state.notes if isinstance(note, RoundCorrected))
    if any(note.number == number for note in notes):
        return f"round {number} was corrected since"
    if all(ended.round.number != number for ended in state.ended_rounds):
        return f"round {number} is not kept any more"
    return ""


def _late_void(state: TableState, request: Request) -> str:
    return _ended(state, request) or _dealt(state, request) or jackpots.claim_hold(state)


def _late_meter(state: TableState, request: Request) -> str:
    now, then = position(state, request).cents, request.mark.cents
    return f"the jackpot has gone from {text(then)} to {text(now)} since" if now != then else ""


def _late_relink(state: TableState, _request: Request) -> str:
    return "" if linked_levels.conflicts(state) else "no linked jackpot contradicts itself any more"


LATE: dict[str, Callable[[TableState, Request], str]] = {
    "undo": _late_correction,
    "correct": _late_correction,
    "assign": _late_correction,
    "void": _late_void,
    "meter": _late_meter,
    "relink": _late_relink,
}
"""Why a request fails by itself, empty if it does not; other requests wait until somebody answers."""
