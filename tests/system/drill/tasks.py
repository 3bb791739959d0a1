"""What only a person may settle at a table, and what must have happened before the table asks for it.

Every other suspension ends by itself once its cause is gone.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tests.system.drill.troubles import Trouble


@dataclass(frozen=True, slots=True)
class Task:
    """`text`: how the table names it. `cause`: the trouble that brings at most one such task."""

    text: re.Pattern[str]
    cause: re.Pattern[str]


TASKS: Final[Mapping[str, Task]] = {
    "person names an unreadable card": Task(
        re.compile(r"Card \d+ could not be read"), re.compile(r"card unreadable")
    ),
    "person looks after a card from the locked shoe": Task(
        re.compile(r"Card \d+ left the shoe although it was locked"), re.compile(r"card forced")
    ),
    "person names a card that left unseen": Task(
        re.compile(r"Card \d+ was on its way when the shoe lost its power"),
        re.compile(r"card unseen|device killed shoe|device disturbed( again)? shoe reboot"),
    ),
}
"""After faults end, a person has nothing else to settle, except at a table that they halted: see HALT."""
HALT: Final = "person starts a halted table"
HALTED_BY: Final = re.compile(r"sick disk")


def task_of(text: str) -> str:
    """The task that a sentence names; empty if it names none."""
    return next((name for name, task in TASKS.items() if task.text.match(text)), "")


def unjustified(named: Iterable[str], history: Sequence[Trouble]) -> list[str]:
    """The sentences that name no known task, or a task without a cause."""
    found, counts = list[str](), Counter[str]()
    for text in named:
        name = task_of(text)
        counts[name] += 1
        causes = sum(bool(TASKS[name].cause.search(str(trouble))) for trouble in history) if name else 0
        if counts[name] > causes:
            found.append(text)
    return found
