"""A report from a journal, which is only read."""

from pathlib import Path

from controller.reports.facts import Facts
from controller.reports.report import Asked, Report, report
from controller.reports.sources import corrections, reached, stretches
from controller.reports.taking import Taking


def make(path: Path, asked: Asked) -> Report:
    """Raises JournalError for a journal that cannot be read, or is damaged where the period is."""
    return report(facts(path, asked), asked)


def facts(path: Path, asked: Asked) -> Facts:
    """What the rows say; corrections of its rounds count whenever they came."""
    taking = Taking(asked.period)
    for stretch in stretches(path, asked.period):
        taking.stretch(stretch.rows)
    if taking.facts.first_row:
        for entry in corrections(path, taking.facts.first_row):
            taking.correct(entry)
    return taking.all(reached(path, asked.period))
