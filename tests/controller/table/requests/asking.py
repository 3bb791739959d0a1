"""Persons at a table who ask and answer."""

from typing import Any

from controller.table.record.events import About, Answered, Asked, Choice, MeterCorrection, Supervisor
from controller.table.record.notes import Note, RequestMoved
from tests.fixtures.state_table import of

CHOICES: dict[About, Choice] = {
    "undo": "undo", "void": "void", "correct": "correct", "assign": "assign",
}  # fmt: skip


def word(choice: Choice, who: str = "Dee", **told: Any) -> Supervisor:
    return Supervisor(choice, who, "asked for", told.pop("card", None), **told)


def wish(about: About, who: str = "Dee", role: str = "dealer", **told: Any) -> Asked:
    """Somebody asks."""
    if about == "help":
        return Asked(about, who, role, "asked for")
    if about == "meter":
        meter = MeterCorrection(**told, who=who, second="", why="counted")
        return Asked(about, who, role, "counted", meter=meter)
    choice: Choice = CHOICES[about]
    return Asked(about, who, role, "asked for", word(choice, who, **told))


def granted(request: int, who: str, role: str = "supervisor", **told: Any) -> Answered:
    return Answered(request, True, who, role, **told)


def declined(request: int, who: str, role: str = "supervisor") -> Answered:
    return Answered(request, False, who, role, "no need")


def moves(notes: list[Note]) -> list[tuple[int, str, str]]:
    """What became of which request, and by whom."""
    found = of(RequestMoved, notes)
    return [(note.number, note.state, note.by) for note in found if isinstance(note, RequestMoved)]
