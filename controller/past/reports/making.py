"""Make a report from a journal, and give it every form that the page and the API need."""

import json
from pathlib import Path

from controller.journal.errors import JournalError
from controller.past.reports.charts import charts
from controller.past.reports.fact_collector import FactCollector
from controller.past.reports.facts import Facts
from controller.past.reports.html import list_html, report_html
from controller.past.reports.json_form import report_json
from controller.past.reports.report import Report, ReportRequest, build_report
from controller.past.reports.sheets import SHEETS, sheet
from controller.past.reports.sources import PeriodSources, ReportMemory, round_times
from controller.past.reports.wire import ReportAnswer, ReportOrder
from controller.past.verify.publishable import newest_anchor


def make_report(path: Path, request: ReportRequest, memory: ReportMemory | None = None) -> Report:
    """What `memory` has of closed files is not read again. Raises JournalError if the journal cannot be read,
    or is damaged in the period."""
    return build_report(collect_facts(path, request, memory), request)


def collect_facts(path: Path, request: ReportRequest, memory: ReportMemory | None = None) -> Facts:
    """What the rows of the period say. Corrections of its rounds count, however late they came. Raises
    JournalError."""
    collector = FactCollector(request.period)
    facts = collector.facts
    with PeriodSources(path, request.period, memory or ReportMemory()) as sources:
        for rows in sources.period_rows():
            collector.read(rows)
        if facts.first_row:
            for row in sources.corrections(facts.first_row, facts.last_row):
                collector.read_correction(row)
        until = sources.last_time()
    facts.anchor = newest_anchor(path)
    return collector.finish(until)


def answer_order(order: ReportOrder, memory: ReportMemory | None = None) -> ReportAnswer:
    """The report of a period, or the list of periods; a journal that cannot be read is an error in it."""
    try:
        return make_answer(order, memory) if order.period else list_periods(order)
    except JournalError as error:
        return ReportAnswer(error=str(error))


def make_answer(order: ReportOrder, memory: ReportMemory | None = None) -> ReportAnswer:
    """The report of a period. Raises JournalError, and ValueError for an order without a period."""
    if order.period is None:
        raise ValueError("period = None: not allowed; allowed: a period with a beginning and an end")
    request = ReportRequest(order.period, order.house)
    facts_ = collect_facts(order.journal, request, memory)
    found = build_report(facts_, request)
    return ReportAnswer(
        page=report_html(found, charts(found, facts_)),
        json=json.dumps(report_json(found)),
        sheets={name: sheet(found, name).decode() for name in SHEETS},
    )


def list_periods(order: ReportOrder) -> ReportAnswer:
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
        for day, counts in calendar.periods(round_times(order.journal)).items()
    ]
    return ReportAnswer(page=list_html(days), json=json.dumps({"zone": calendar.zone, "days": days}))
