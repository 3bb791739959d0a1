"""The answers about rounds of all tables.

A round is shown by the code that shows it at its table, from an excerpt of the table's journal.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from controller.currency import using
from controller.floor.day_file import JournalName
from controller.floor.past.replies import json_reply, page
from controller.floor.past.settings import PastSettings
from controller.floor.recall.excerpt import excerpt
from controller.floor.recall.fields import floor_query
from controller.floor.recall.output import rounds_csv, rounds_json
from controller.floor.recall.search import MOST, FoundRounds, search, search_all
from controller.monitor.past import answers
from controller.monitor.past.answers import CSV
from controller.monitor.past.messages import WorkerQuestion, WorkerReply
from controller.monitor.past.queries import whole_number
from controller.past.recorded_currency import recorded_currency

ROUNDS_PER_PAGE: Final = 50
MOST_LINES: Final = 10_000
"""Rounds in one CSV file."""


def form(question: WorkerQuestion, settings: PastSettings, said: str) -> WorkerReply:
    """The page for a query that is not allowed, which keeps its fields."""
    return _page(question, settings, FoundRounds((), None), said, 422)


def _rounds(question: WorkerQuestion, settings: PastSettings) -> WorkerReply:
    return json_reply(rounds_json(_found(question, settings)))


def _rounds_page(question: WorkerQuestion, settings: PastSettings) -> WorkerReply:
    return _page(question, settings, _found(question, settings), "", 200)


def _sheet(question: WorkerQuestion, settings: PastSettings) -> WorkerReply:
    query = floor_query(question.fields, settings.pits, settings.calendar)
    return WorkerReply(200, CSV, rounds_csv(search_all(settings.archive, query, MOST_LINES).rounds))


def _of_table(what: str) -> Callable[[WorkerQuestion, PastSettings], WorkerReply]:
    """The answer of a table to this question, from an excerpt of its journal."""

    def answer(question: WorkerQuestion, settings: PastSettings) -> WorkerReply:
        fields = question.fields
        name = JournalName(fields["table"], fields["epoch"])
        number = whole_number(fields, "number")
        with excerpt(settings.archive, name, number) as path, using(recorded_currency(path)):
            return answers.answer(replace(question, what=what, journal=str(path)))

    return answer


def _found(question: WorkerQuestion, settings: PastSettings) -> FoundRounds:
    query = floor_query(question.fields, settings.pits, settings.calendar)
    most = whole_number(question.fields, "limit", MOST) or ROUNDS_PER_PAGE
    return search(settings.archive, query, most)


def _page(
    question: WorkerQuestion, settings: PastSettings, found: FoundRounds, said: str, status: int
) -> WorkerReply:
    pits = tuple(settings.pits)
    return page("floor_rounds", question, status, found=found, said=said, pits=pits)


ANSWERS: Final[Mapping[str, Callable[[WorkerQuestion, PastSettings], WorkerReply]]] = {
    "rounds": _rounds,
    "rounds page": _rounds_page,
    "rounds sheet": _sheet,
    "round": _of_table("round"),
    "steps": _of_table("steps"),
    "round page": _of_table("round page"),
    "replay page": _of_table("replay page"),
}
