"""The pages, each a literal: a further page is one more entry in PAGES and its templates."""

from collections.abc import Callable
from dataclasses import dataclass

from controller.table.record.views import TableView


@dataclass(frozen=True, slots=True)
class Panel:
    """A part of a page that is drawn, and sent to those who follow, by itself.

    Its template is `panels/NAME.html`; it gets `fields` of the TableView, what `look` makes of all of it as
    `seen`, the `person` it is drawn for, and nothing else.
    """

    name: str
    fields: tuple[str, ...] = ()
    content: Callable[[TableView], object] | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """What stands at `path`; `events` is the path of its server-sent events, one a panel.

    `personal`: it is drawn for each person anew. `ages`: panels may look different with time alone.
    `spacing`: seconds between two looks at the table while it changes; None: as everywhere.
    """

    path: str
    events: str
    template: str
    panels: tuple[Panel, ...]
    per_person: bool = True
    time_dependent: bool = False
    spacing: float | None = None


FELT = Panel("felt", ("dealer", "seats", "display", "bank", "jackpots"))
"""Cards, wagers and lamps, as they lie."""

TABLE = Page(
    path="/",
    events="/events",
    template="table.html",
    panels=(
        Panel("head", ("table", "game", "round", "shoe", "bank")),
        Panel("due", ("phase", "window", "prompt", "prompt_seat", "keys", "suspended")),
        Panel("suspension", ("suspended",)),
        Panel("alerts", ("alerts",)),
        FELT,
        Panel("progressive", ("meters", "claims")),
        Panel("lines", ("lines",)),
        Panel("devices", ("devices", "selftest")),
        Panel("rounds", ("rounds",)),
    ),
    per_person=False,
)

PAGES = (TABLE,)
