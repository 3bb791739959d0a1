"""A report in every form in which the page and the API give it away."""

import json

from controller.reports.drawn import drawn_list, drawn_report
from controller.reports.making import facts
from controller.reports.plots.all import charts
from controller.reports.report import Asked, report
from controller.reports.sheets import SHEETS, sheet
from controller.reports.sources import stamps
from controller.reports.wire import Made, Order
from controller.reports.written import written


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
