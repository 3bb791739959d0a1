"""Renders a TableView as HTML."""

from functools import cache
from pathlib import Path

from jinja2 import Environment

from controller.access.people import Person
from controller.currency import Currency, currency_in_use, using
from controller.currency.formatting import amount_text, marks, money_text, signed_text, typed_pattern
from controller.games.spots import spot_short, spot_title
from controller.languages import ENGLISH, Language, language_in_use, speaking
from controller.languages.templating import template_environment, translating
from controller.monitor.live import formatting
from controller.monitor.live.pages import Page, Panel
from controller.monitor.navigation import links_for
from controller.table.record.views import HIDDEN, RoundView, TableView
from controller.table.state.table_state import ROUNDS_KEPT
from controller.text.characters import same_name

TEMPLATES = Path(__file__).parents[1] / "templates"
EXPANDABLE_ROUNDS = 12
"""Ended rounds that a page shows with their hands. All of them would be half a megabyte after each round."""
MOST_RENDERED = 4 * ROUNDS_KEPT


class PageRenderer:
    """Renders one page in one language, for one person if the page is not public. A panel is rendered again
    only if its data has changed."""

    def __init__(self, page: Page, person: Person | None = None, language: Language = ENGLISH) -> None:
        self.page, self.person, self.language = page, person, language
        self._rendered: dict[str, tuple[dict[str, object], str]] = {}

    def panels(self, view: TableView) -> dict[str, str]:
        """The HTML of the page's panels by name."""
        with using(view.money), speaking(self.language):
            return {panel.name: self._panel(panel, view) for panel in self.page.panels}

    def document(self, view: TableView) -> str:
        """The HTML of the whole document."""
        person, links = self.person, links_for(self.person) if self.person else ()
        template = templates().get_template(self.page.template)
        with using(view.money), speaking(self.language):
            return template.render(
                page=self.page,
                table=view.table,
                panels=self.panels(view),
                person=person,
                ways=links,
                here=self.page.path,
            )

    def _panel(self, panel: Panel, view: TableView) -> str:
        fields: dict[str, object] = {name: getattr(view, name) for name in panel.fields}
        fields |= {"money": view.money, "chips": view.chips}
        if panel.content:
            fields["seen"] = panel.content(view)
        last = self._rendered.get(panel.name)
        if last is not None and last[0] == fields:
            return last[1]
        template = templates().get_template(f"panels/{panel.name}.html")
        html = template.render(fields, person=self.person).strip()
        self._rendered[panel.name] = fields, html
        return html


@cache
def templates(*own: Path) -> Environment:
    """The environment of all templates, with the functions of formatting.py as filters. Templates in `own`
    folders come before those of the table's pages."""
    loaded = template_environment(*own, TEMPLATES)
    loaded.globals.update(HIDDEN=HIDDEN, RED=formatting.RED, currency_in_use=currency_in_use)
    loaded.filters.update(
        amount=amount_text,
        claimed=translating(formatting.claim_text),
        signed=signed_text,
        money=money_text,
        marks=marks,
        typed_pattern=typed_pattern,
        card_name=translating(formatting.card_name),
        rank_text=formatting.rank_text,
        clock=formatting.clock_text,
        clock_seconds=formatting.clock_seconds,
        span=translating(formatting.duration_text),
        moment=formatting.date_time_text,
        stamp=formatting.iso_text,
        recalled=_RoundRenderer(),
        spot_title=translating(spot_title),
        spot_short=translating(spot_short),
    )
    loaded.tests.update(among=_is_among)
    return loaded


def _is_among(name: str, names: tuple[str, ...]) -> bool:
    """Whether one of these names belongs to the person with `name`."""
    return any(same_name(name, other) for other in names)


class _RoundRenderer:
    """Renders ended rounds, and caches their HTML, because fifty of them take longer than the rest of a page.

    A cached round is recognized by identity, because a comparison of values takes long too.
    """

    def __init__(self) -> None:
        self._rendered: dict[tuple[int, bool, Currency, Language], tuple[RoundView, str]] = {}

    def __call__(self, past: RoundView, place: int) -> str:
        """The HTML of one round. `place` counts from 0 for the newest; the newest EXPANDABLE_ROUNDS show
        hands."""
        key = past.number, place < EXPANDABLE_ROUNDS, currency_in_use(), language_in_use()
        known = self._rendered.get(key)
        if known is not None and known[0] is past:
            return known[1]
        if len(self._rendered) > MOST_RENDERED:
            self._rendered.clear()
        html = (
            templates().get_template("round.html").render(past=past, opens=place < EXPANDABLE_ROUNDS).strip()
        )
        self._rendered[key] = past, html
        return html
