"""The pages, each a literal: a further page is one more entry in PAGES and its templates."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Panel:
    """A part of a page that is drawn, and sent to those who follow, by itself.

    Its template is `panels/NAME.html`; it gets `fields` of the TableView and nothing else.
    """

    name: str
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """What stands at `path`; `events` is the path of its server-sent events, one a panel."""

    path: str
    events: str
    template: str
    panels: tuple[Panel, ...]


TABLE = Page(
    path="/",
    events="/events",
    template="table.html",
    panels=(
        Panel("head", ("table", "game", "round", "shoe", "bank")),
        Panel("due", ("phase", "window", "prompt", "prompt_seat", "keys", "suspended")),
        Panel("suspension", ("suspended",)),
        Panel("alerts", ("alerts",)),
        Panel("felt", ("dealer", "seats", "display", "bank", "jackpots")),
        Panel("progressive", ("meters", "claims")),
        Panel("lines", ("lines",)),
        Panel("devices", ("devices", "selftest")),
        Panel("rounds", ("rounds",)),
    ),
)

PAGES = (TABLE,)
