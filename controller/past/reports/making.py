"""A report from a journal, which is only read.

A report in every form in which the page and the API give it away.
"""

import json
from pathlib import Path

from controller.past.reports.fact_collector import Taking
from controller.past.reports.facts import Facts
from controller.past.reports.html import drawn_list, drawn_report
from controller.past.reports.json_form import written
from controller.past.reports.plots.all import charts
from controller.past.reports.report import Asked, Report, report
from controller.past.reports.sheets import SHEETS, sheet
from controller.past.reports.sources import corrections, reached, stamps, stretches
from controller.past.reports.wire import Made, Order


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


def made(order: Order) -> Made:
    """The report of a period. Raises JournalError, and ValueError for an order without a period."""
    if order.period is None:
        raise ValueError("no period is ordered")
    asked = Asked(order.period, order.house)
    told = facts(order.journal, asked)
    found = report(told, asked)
    return Made(
        page=drawn_report(found, charts(found, told)),
        json=json.dumps(written(found)),
        sheets={name: sheet(found, name).decode() for name in SHEETS},
    )


def listed(order: Order) -> Made:
    """All days that have rounds, with their shifts. Raises JournalError."""
    calendar = order.house.calendar
    days = [
        {
            "day": day.isoformat(),
            "rounds": counts[day.isoformat()],
            "shifts": [
                {"period": shift.key, "title": shift.title, "rounds": counts.get(shift.key, 0)}
                for shift in calendar.shifts_of(day)
            ],
        }
        for day, counts in calendar.periods(stamps(order.journal)).items()
    ]
    return Made(page=drawn_list(days), json=json.dumps({"zone": calendar.zone, "days": days}))
