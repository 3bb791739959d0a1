"""The charts of good play, as text."""

from controller.games import strategy
from controller.games.strategy import Chart


def charts_by_name() -> dict[str, Chart]:
    """All charts by what a page calls them: "quick-pay"."""
    return {
        name.lower().replace("_", "-"): chart
        for name, chart in vars(strategy).items()
        if isinstance(chart, Chart)
    }
