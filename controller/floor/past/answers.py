"""The answer to each question about the past of all tables. This runs in a worker process."""

import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from controller.floor.past import reports, rounds
from controller.floor.past.replies import refused
from controller.floor.past.settings import SETTINGS, PastSettings
from controller.floor.recall.excerpt import RoundNotStored
from controller.floor.store_file import StoreError
from controller.journal.errors import JournalError
from controller.monitor.past.messages import WorkerQuestion, WorkerReply
from controller.process.time_zone import using_time_zone

FloorAnswer = Callable[[WorkerQuestion, PastSettings], WorkerReply]
ANSWERS: Final[Mapping[str, FloorAnswer]] = {**rounds.ANSWERS, **reports.ANSWERS}


def answer(question: WorkerQuestion) -> WorkerReply:
    """A failure is a sentence with status 404, 422 or 503."""
    fields = dict(question.fields)
    settings = PastSettings.decode(fields.pop(SETTINGS))
    question = replace(question, fields=fields)
    try:
        with using_time_zone(settings.clock.clock):
            return ANSWERS[question.what](question, settings)
    except RoundNotStored as error:
        return refused(question, 404, error)
    except (StoreError, JournalError, OSError, sqlite3.Error) as error:
        return refused(question, 503, error)
    except ValueError as error:
        if question.what == "rounds page":
            return rounds.form(question, settings, str(error))
        return refused(question, 422, error)
