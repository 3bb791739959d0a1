"""The charts of good play, as text."""

from itertools import groupby

from controller.games import strategy
from controller.games.strategy import COLUMNS, Chart

LAST = 31
"""No hand has a higher total."""


def charts_by_name() -> dict[str, Chart]:
    """All charts by what a page calls them: "quick-pay"."""
    return {
        name.lower().replace("_", "-"): chart
        for name, chart in vars(strategy).items()
        if isinstance(chart, Chart)
    }


def chart_text(chart: Chart) -> str:
    """A line for each row; neighbours that are alike share one: H8-, S13-14, H18+."""
    rows = (
        (label[0], int(label[1:]), " ".join(row[up] for up in COLUMNS)) for label, row in chart.rows.items()
    )
    lines = [f"{'':<8}{' '.join(COLUMNS)}"]
    for (kind, letters), alike in groupby(rows, key=lambda row: (row[0], row[2])):
        totals = [total for _, total, _ in alike]
        lines.append(f"{kind + _named(totals[0], totals[-1]):<8}{letters}")
    return "\n".join(lines)


def _named(first: int, last: int) -> str:
    if first == 0:
        return f"{last}-"
    if last == LAST:
        return f"{first}+"
    return str(first) if first == last else f"{first}-{last}"
