"""From a TableView to HTML."""

from functools import cache
from pathlib import Path

from jinja2 import Environment

from controller.access.people import Person
from controller.monitor.live import formatting
from controller.monitor.live.pages import Page, Panel
from controller.monitor.navigation import ways
from controller.table.record.views import HIDDEN, RoundView, TableView
from controller.table.state.table_state import ROUNDS_KEPT
from controller.text.characters import same
from controller.text.templating import environment

TEMPLATES = Path(__file__).parents[1] / "templates"
OPENING = 12
"""Ended rounds that can be opened on the page; all of them would be half a megabyte after each round."""
MOST_DRAWN = 4 * ROUNDS_KEPT


class Painter:
    """Draws one page, for a person where it is not for anyone. A panel that shows what it showed is not drawn
    again."""

    def __init__(self, page: Page, person: Person | None = None) -> None:
        self.page, self.person = page, person
        self._drawn: dict[str, tuple[dict[str, object], str]] = {}

    def panels(self, view: TableView) -> dict[str, str]:
        """The page's panels by name."""
        return {panel.name: self._panel(panel, view) for panel in self.page.panels}

    def whole(self, view: TableView) -> str:
        """The whole document."""
        person, leads = self.person, ways(self.person) if self.person else ()
        template = templates().get_template(self.page.template)
        return template.render(
            page=self.page, table=view.table, panels=self.panels(view), person=person, ways=leads,
            here=self.page.path,
        )  # fmt: skip

    def _panel(self, panel: Panel, view: TableView) -> str:
        fields: dict[str, object] = {name: getattr(view, name) for name in panel.fields}
        if panel.look:
            fields["seen"] = panel.look(view)
        last = self._drawn.get(panel.name)
        if last is not None and last[0] == fields:
            return last[1]
        template = templates().get_template(f"panels/{panel.name}.html")
        html = template.render(fields, person=self.person).strip()
        self._drawn[panel.name] = fields, html
        return html


@cache
def templates() -> Environment:
    """All of them, with the words of formatting.py."""
    made = environment(TEMPLATES)
    made.globals.update(HIDDEN=HIDDEN, RED=formatting.RED)
    made.filters.update(
        amount=formatting.amount,
        signed=formatting.signed,
        card_name=formatting.card_name,
        rank_text=formatting.rank_text,
        clock=formatting.clock,
        clock_seconds=formatting.clock_seconds,
        span=formatting.span,
        moment=formatting.moment,
        stamp=formatting.stamp,
        recalled=_Past(),
    )
    made.tests.update(among=_among)
    return made


def _among(name: str, names: tuple[str, ...]) -> bool:
    """Whether one of these names is the same person's."""
    return any(same(name, other) for other in names)


class _Past:
    """Ended rounds as they were drawn: they never change, and fifty of them take longer than all the rest.

    They are told apart by what they are, for to compare them takes long, too.
    """

    def __init__(self) -> None:
        self._drawn: dict[tuple[int, bool], tuple[RoundView, str]] = {}

    def __call__(self, past: RoundView, place: int) -> str:
        """One of them; `place` counts from 0, the newest one. Only the newest open to their hands."""
        key = past.number, place < OPENING
        known = self._drawn.get(key)
        if known is not None and known[0] is past:
            return known[1]
        if len(self._drawn) > MOST_DRAWN:
            self._drawn.clear()
        html = templates().get_template("round.html").render(past=past, opens=place < OPENING).strip()
        self._drawn[key] = past, html
        return html
