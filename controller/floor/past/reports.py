"""The answers about gaming days and shifts of all tables. They import what they need when it is needed: the
odds of all games take longer to load than a search."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from controller.calendar import Period, ReportSettings
from controller.currency import using
from controller.floor.past.replies import json_reply, page
from controller.floor.past.settings import PastSettings
from controller.floor.recall.fields import tables_of
from controller.floor.reports.output import SHEETS, percent, report_json, sheet
from controller.floor.reports.report import GROUPS, FloorReport, floor_report
from controller.monitor.past.answers import CSV
from controller.monitor.past.messages import WorkerQuestion, WorkerReply


def _days(question: WorkerQuestion, settings: PastSettings) -> WorkerReply:
    """The gaming days of which there are files, the latest first."""
    days = [
        {"day": settings.calendar.day(day), "shifts": settings.calendar.shifts_of(day)}
        for day in reversed(settings.archive.days())
    ]
    return page("floor_report_days", question, days=days)


def _report(question: WorkerQuestion, settings: PastSettings) -> WorkerReply:
    return json_reply(report_json(_made(question, settings)))


def _sheet(question: WorkerQuestion, settings: PastSettings) -> WorkerReply:
    name = question.fields.get("sheet", SHEETS[0])
    if name not in SHEETS:
        raise ValueError(f"sheet = {name!r}: not allowed; allowed: {', '.join(SHEETS)}")
    return WorkerReply(200, CSV, sheet(_made(question, settings), name))


def _report_page(question: WorkerQuestion, settings: PastSettings) -> WorkerReply:
    report = _made(question, settings)
    context: dict[str, Any] = {"report": report, "groups": GROUPS, "sheets": SHEETS, "percent": percent}
    return page(
        "floor_report", question, **context, pits=tuple(settings.pits), pit=question.fields.get("pit", "")
    )


def _table_page(question: WorkerQuestion, settings: PastSettings) -> WorkerReply:
    """The report of one table, drawn as at the table."""
    from controller.floor.reports.of_table import journal_in, stored_currency, table_facts
    from controller.past.reports.charts import charts
    from controller.past.reports.html import report_html
    from controller.past.reports.report import ReportRequest, build_report

    table, period = question.fields["table"], _period(question, settings)
    name = journal_in(settings.archive, table, period)
    request = ReportRequest(period, ReportSettings(settings.clock))
    with using(stored_currency(settings.archive, name)):
        facts = table_facts(settings.archive, name, request)
        report = build_report(facts, request)
        part = report_html(report, charts(report, facts))
    return page("floor_table_report", question, part=part, of_table=table, period=period)


def _made(question: WorkerQuestion, settings: PastSettings) -> FloorReport:
    tables = tables_of(question.fields, settings.pits)
    period = _period(question, settings)
    return floor_report(settings.archive, period, settings.calendar, settings.pits, tables)


def _period(question: WorkerQuestion, settings: PastSettings) -> Period:
    """As in an address, "2026-11-20T14:00" for a shift. Raises ValueError."""
    return settings.calendar.named(question.fields["period"])


ANSWERS: Final[Mapping[str, Callable[[WorkerQuestion, PastSettings], WorkerReply]]] = {
    "report days page": _days,
    "report": _report,
    "report sheet": _sheet,
    "report page": _report_page,
    "table report page": _table_page,
}
