"""All charts of a report that there is something to draw in, by name."""

from controller.past.reports.facts import Facts
from controller.past.reports.plots.hits import hits_chart
from controller.past.reports.plots.meter import meter_chart
from controller.past.reports.plots.pace import pace_chart
from controller.past.reports.plots.totals import totals_chart
from controller.past.reports.report import Report


def charts(report: Report, facts: Facts) -> dict[str, str]:
    """As SVG files. Those of meters are named by their spots."""
    paced = any(bar.per_hour is not None for bar in report.bars)
    drawn = {"pace": pace_chart(report)} if paced else {}
    if report.totals.hands:
        drawn["totals"] = totals_chart(report)
    if report.hits:
        drawn["hits"] = hits_chart(report)
    for meter in report.meters:
        drawn[f"meter {meter.spot}"] = meter_chart(report, meter.spot, facts.movements)
    return drawn
