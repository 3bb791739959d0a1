"""Pages and their panels. A further public page needs an entry in PAGES and templates."""

from collections.abc import Callable
from dataclasses import dataclass

from controller.table.record.views import TableView


@dataclass(frozen=True, slots=True)
class Panel:
    """A part of a page that is rendered and sent to followers separately.

    Its template is `panels/NAME.html`. The template receives the `fields` of the TableView, the result of
    `content` as `seen`, the `money` and the `chips` of the table, and the `person` for whom it is rendered.
    """

    name: str
    fields: tuple[str, ...] = ()
    content: Callable[[TableView], object] | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """A page at `path`. `events` is the path of its server-sent events, one for each panel.

    `per_person`: the page is rendered for each person. `time_dependent`: panels may change with time alone.
    `spacing`: the least seconds between two updates; None: the default of `ChangeNotifier`.
    """

    path: str
    events: str
    template: str
    panels: tuple[Panel, ...]
    per_person: bool = True
    time_dependent: bool = False
    spacing: float | None = None


FELT = Panel("felt", ("dealer", "seats", "display", "bank", "jackpots"))
"""Cards, wagers and lamps as on the table."""

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
        Panel("rounds", ("rounds",)),
    ),
    per_person=False,
)

PAGES = (TABLE,)
