"""Somebody asks for what others must grant."""

from dataclasses import replace

from controller.table.errors import NotAllowed
from controller.table.events import Asked, Supervisor
from controller.table.preview import Preview
from controller.table.requests.request import Mark, Request
from controller.table.requests.subjects import SUBJECTS
from controller.table.requests.telling import move, sentences
from controller.table.state import TableState

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
