"""The answer to each question about rounds of all tables. This runs in a worker process.

A round is shown by the code that shows it at its table, from an excerpt of the table's journal.
"""

import json
import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from controller.floor.day_file import JournalName, StoreError
from controller.floor.recall.excerpt import RoundNotStored, excerpt
from controller.floor.recall.fields import floor_query
from controller.floor.recall.output import rounds_csv, rounds_json
from controller.floor.recall.search import MOST, FoundRounds, search, search_all
from controller.floor.recall.settings import PastSettings
from controller.monitor.past import answers, drawing
from controller.monitor.past.answers import CSV, HTML, JSON
from controller.monitor.past.messages import WorkerQuestion, WorkerReply
from controller.monitor.past.queries import whole_number

TEMPLATES: Final = Path(__file__).parent / "templates"
ROUNDS_PER_PAGE: Final = 50
MOST_LINES: Final = 10_000
"""Rounds in one CSV file."""
SETTINGS: Final = "settings"
"""The field of a question with the settings of the floor."""


def answer(question: WorkerQuestion) -> WorkerReply:
    """A failure is a sentence with status 404, 422 or 503."""
    fields = dict(question.fields)
    settings = PastSettings.decode(fields.pop(SETTINGS))
    question = replace(question, fields=fields)
    try:
        return ANSWERS[question.what](question, settings)
    except RoundNotStored as error:
        return _refused(question, 404, "Not found", error)
    except (StoreError, OSError, sqlite3.Error) as error:
        return _refused(question, 503, "The store cannot be read", error)
    except ValueError as error:
        if question.what == "rounds page":
            return _page(question, settings, FoundRounds((), None), str(error), 422)
        return _refused(question, 422, "Not allowed", error)


def _rounds(question: WorkerQuestion, settings: PastSettings) -> WorkerReply:
    found = _found(question, settings)
    return WorkerReply(200, JSON, json.dumps(rounds_json(found)).encode())


def _rounds_page(question: WorkerQuestion, settings: PastSettings) -> WorkerReply:
    return _page(question, settings, _found(question, settings), "", 200)


def _sheet(question: WorkerQuestion, settings: PastSettings) -> WorkerReply:
    query = floor_query(question.fields, settings.pits, settings.calendar)
    return WorkerReply(200, CSV, rounds_csv(search_all(settings.archive, query, MOST_LINES).rounds))


def _of_table(what: str) -> "FloorAnswer":
    """The answer of a table to this question, from an excerpt of its journal."""

    def answer_it(question: WorkerQuestion, settings: PastSettings) -> WorkerReply:
        fields = question.fields
        name = JournalName(fields["table"], fields["epoch"])
        number = whole_number(fields, "number")
        with excerpt(settings.archive, name, number) as path:
            return answers.answer(replace(question, what=what, journal=str(path)))

    return answer_it


def _found(question: WorkerQuestion, settings: PastSettings) -> FoundRounds:
    query = floor_query(question.fields, settings.pits, settings.calendar)
    most = whole_number(question.fields, "limit", MOST) or ROUNDS_PER_PAGE
    return search(settings.archive, query, most)


def _page(
    question: WorkerQuestion, settings: PastSettings, found: FoundRounds, said: str, status: int
) -> WorkerReply:
    html = drawing.render(
        "floor_rounds", question, TEMPLATES, found=found, said=said, pits=tuple(settings.pits)
    )
    return WorkerReply(status, HTML, html)


def _refused(question: WorkerQuestion, status: int, title: str, error: Exception) -> WorkerReply:
    if question.person is None:
        return WorkerReply(status, JSON, json.dumps({"detail": str(error)}).encode())
    return WorkerReply(status, HTML, drawing.render("refused", question, said=str(error), title=title))


FloorAnswer = Callable[[WorkerQuestion, PastSettings], WorkerReply]
ANSWERS: Final[Mapping[str, FloorAnswer]] = {
    "rounds": _rounds,
    "rounds page": _rounds_page,
    "rounds sheet": _sheet,
    "round": _of_table("round"),
    "steps": _of_table("steps"),
    "round page": _of_table("round page"),
    "replay page": _of_table("replay page"),
}
