"""The HTML document of the simulator's page: what never changes at one table."""

from functools import cache
from pathlib import Path
from typing import Final

from jinja2 import Environment

from controller.demo.simulator.places import MOST_HANDS
from controller.demo.simulator.table import Layout
from controller.monitor.live.formatting import RANKS, SUITS
from controller.monitor.live.renderer import templates

TEMPLATES: Final = Path(__file__).parent / "templates"


def document(layout: Layout, title: str, table_url: str) -> str:
    """The page without what changes, which its script draws. `table_url`: the table's own web server."""
    return (
        _templates()
        .get_template("simulator.html")
        .render(
            table=title,
            game=layout.game,
            seats=range(1, layout.seats + 1),
            rack=layout.rack,
            most_hands=MOST_HANDS,
            ranks=RANKS,
            suits=SUITS,
            table_url=table_url,
            crew_deals=layout.crew_deals,
        )
    )


@cache
def _templates() -> Environment:
    return templates(TEMPLATES)
