"""Somebody asks for what others must grant.

Requests that come too late by what happens at the table.
"""

from collections.abc import Callable
from dataclasses import replace

from controller.money import text
from controller.table.apply import jackpots
from controller.table.errors import NotAllowed
from controller.table.people.requests.recording import end, move, sentences
from controller.table.people.requests.subjects import SUBJECTS
from controller.table.record.events import Asked, Supervisor
from controller.table.record.notes import RoundCorrected
from controller.table.record.preview import Preview
from controller.table.state.requests import Mark, Request
from controller.table.state.table_state import ROUNDS_KEPT, TableState

MOST_OPEN = 20
SUPERVISOR = "supervisor"
ASKS: dict[str, frozenset[str]] = {
    "dealer": frozenset({"undo", "help", "void", "correct"}),
    SUPERVISOR: frozenset({"void", "correct", "assign", "meter"}),
}
"""Who may ask for what."""


def ask(state: TableState, asked: Asked) -> None:
    """What they ask for waits to be granted; raises NotAllowed where it could not be done now."""
    request = _request(state, asked)
    if before := state.shift.requests.of(asked.about, asked.who):
        raise NotAllowed(f"request {before.number} of {before.who} asks for that already")
    if len(state.shift.requests.open) >= MOST_OPEN:
        raise NotAllowed(f"{MOST_OPEN} requests are open: answer some first")
    seen = foresee(state, asked)
    told = replace(request, sentences=tuple(sentences(asked.about, seen)), needs=persons(seen, request))
    move(state, state.shift.requests.add(told), asked.who)


def foresee(state: TableState, asked: Asked) -> Preview:
    """What it would do once it is granted; raises NotAllowed."""
    return SUBJECTS[asked.about].foresee(state, _request(state, asked))


def persons(seen: Preview, request: Request) -> int:
    """How many must grant it, beside a supervisor who asks."""
    return 1 + (seen.by_two and not request.signs)


def mark(state: TableState, request: Request) -> Mark:
    """Where the table is now, as far as it matters to what is asked for."""
    out = state.ledger.out + len(state.strays)
    cents = state.meters[request.meter.spot].cents if request.meter else 0
    return Mark(state.number, len(state.course.events), out, cents)


def _request(state: TableState, asked: Asked) -> Request:
    _check(asked)
    if asked.meter and asked.meter.spot not in state.meters:
        known = ", ".join(state.meters) or "none"
        raise NotAllowed(f"there is no jackpot {asked.meter.spot}; allowed: {known}")
    signs = asked.role == SUPERVISOR
    request = Request(
        0, asked.about, asked.who, asked.why, state.shift.at, Mark(state.number), 1, signs,
        word=asked.word, meter=asked.meter,
    )  # fmt: skip
    return replace(request, mark=mark(state, request))


def _check(asked: Asked) -> None:
    allowed = ASKS.get(asked.role, frozenset())
    if asked.about not in allowed:
        known = ", ".join(sorted(allowed)) or "nothing"
        raise NotAllowed(f"a {asked.role} cannot ask for {asked.about}; allowed: {known}")
    wanted = {"meter": "meter", "help": "help"}.get(asked.about, "word")
    told = "meter" if asked.meter else "word" if asked.word else "help"
    if wanted != told or (isinstance(asked.word, Supervisor) and asked.word.choice != asked.about):
        raise NotAllowed(f"{asked.about} is not what is told with it")


def lapse(state: TableState) -> None:
    """After each input: what cannot be done any more as it was shown is open no more."""
    for request in state.shift.requests.open:
        if why := LATE.get(request.about, _never)(state, request):
            end(state, request, "failed", "", why)
    _forget(state)


def _forget(state: TableState) -> None:
    """Answers go with the rounds in which they were given: each snapshot holds them."""
    requests = state.shift.requests
    while requests.done and state.number - requests.done[-1].round > ROUNDS_KEPT:
        requests.done = requests.done[:-1]


def _never(_state: TableState, _request: Request) -> str:
    return ""


def _ended(state: TableState, request: Request) -> str:
    if state.number == request.mark.round:
        return ""
    outcome = next((one.outcome for one in state.rounds if one.number == request.mark.round), "")
    return f"round {request.mark.round} {'is void' if outcome == 'void' else 'has ended'}"


def _dealt(state: TableState, request: Request) -> str:
    if mark(state, request).cards != request.mark.cards:
        return "a card has come since"
    return ""


def _played(state: TableState, request: Request) -> str:
    if mark(state, request).events != request.mark.events:
        return "the round has gone on since"
    return ""


def _late_word(state: TableState, request: Request) -> str:
    """Of a round in play everything that happens in it may make it another word."""
    if request.word is not None and request.word.round not in {0, request.mark.round}:
        return _retold(state, request.word.round)
    return _ended(state, request) or _dealt(state, request) or _played(state, request)


def _retold(state: TableState, number: int) -> str:
    """Of a round that had ended before anybody asked: only another correction makes it another word."""
    notes = (note for note in state.notes if isinstance(note, RoundCorrected))
    if any(note.number == number for note in notes):
        return f"round {number} was corrected since"
    if all(ended.round.number != number for ended in state.ended):
        return f"round {number} is not kept any more"
    return ""


def _late_void(state: TableState, request: Request) -> str:
    return _ended(state, request) or _dealt(state, request) or jackpots.held(state)


def _late_meter(state: TableState, request: Request) -> str:
    now, asked = mark(state, request).cents, request.mark.cents
    return f"the jackpot has gone from {text(asked)} to {text(now)} since" if now != asked else ""


LATE: dict[str, Callable[[TableState, Request], str]] = {
    "undo": _late_word,
    "correct": _late_word,
    "assign": _late_word,
    "void": _late_void,
    "meter": _late_meter,
}
"""What makes a request fail by itself; others wait until somebody answers."""
