"""The log of what happens at the table."""

import logging
from operator import attrgetter

import structlog

from controller.table.record.events import Input
from controller.table.record.kinds import BY_RECORD, Level
from controller.table.record.notes import Note
from controller.telemetry.logs import ROOT_LOGGER

LEVELS: dict[Level, int] = {"info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}


class TableLog:
    """An observer that logs inputs and notes as the table of record kinds says. Supervision logs lost
    devices."""

    def __init__(self) -> None:
        self._log = structlog.get_logger(f"{ROOT_LOGGER}.table")

    def on_input(self, event: Input) -> None:
        self._write(event)

    def on_note(self, note: Note) -> None:
        self._write(note)

    def on_commit(self, seconds: float) -> None:
        """Does nothing; the metrics count this."""

    def on_outputs(self, seconds: float) -> None:
        """Does nothing; the metrics count this."""

    def _write(self, record: Input | Note) -> None:
        if line := BY_RECORD[type(record)].log:
            fields = {name.rpartition(".")[2]: attrgetter(name)(record) for name in line.fields}
            self._log.log(LEVELS[line.level_of(record)], line.event, **fields)
