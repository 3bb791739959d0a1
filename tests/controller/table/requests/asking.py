"""Persons at a table who make and answer requests."""

from typing import Any

from controller.table.record.choices import ChoiceName
from controller.table.record.events import (
    MeterCorrection,
    RequestAnswered,
    RequestMade,
    RequestSubject,
    Supervisor,
)
from controller.table.record.notes import Note, RequestMoved
from tests.fixtures.state_table import of_kind

CHOICES: dict[RequestSubject, ChoiceName] = {
    "undo": "undo",
    "void": "void",
    "correct": "correct",
    "assign": "assign",
}


def decision(choice: ChoiceName, who: str = "Dee", **fields: Any) -> Supervisor:
    return Supervisor(choice, who, "asked for", fields.pop("card", None), **fields)


def make_request(about: RequestSubject, who: str = "Dee", role: str = "dealer", **fields: Any) -> RequestMade:
    """A request of a dealer."""
    if about == "help":
        return RequestMade(about, who, role, "asked for")
    if about == "meter":
        meter = MeterCorrection(**fields, who=who, second="", why="counted")
        return RequestMade(about, who, role, "counted", meter=meter)
    choice: ChoiceName = CHOICES[about]
    return RequestMade(about, who, role, "asked for", decision(choice, who, **fields))


def granted(request: int, who: str, role: str = "supervisor", **fields: Any) -> RequestAnswered:
    return RequestAnswered(request, True, who, role, **fields)


def declined(request: int, who: str, role: str = "supervisor") -> RequestAnswered:
    return RequestAnswered(request, False, who, role, "no need")


def moves(notes: list[Note]) -> list[tuple[int, str, str]]:
    """Each move of a request: number, new state, person."""
    found = of_kind(RequestMoved, notes)
    return [(note.number, note.state, note.by) for note in found if isinstance(note, RequestMoved)]
