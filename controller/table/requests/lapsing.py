"""Requests that come too late by what happens at the table."""

from collections.abc import Callable

from controller.money import text
from controller.table import jackpots
from controller.table.notes import RoundCorrected
from controller.table.requests.asking import mark
from controller.table.requests.request import Request
from controller.table.requests.telling import end
from controller.table.state import ROUNDS_KEPT, TableState


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
