"""From a TableView to HTML."""

from functools import cache
from pathlib import Path

from jinja2 import Environment

from controller.monitor import wording
from controller.monitor.pages import Page, Panel
from controller.table.state import ROUNDS_KEPT
from controller.table.view import HIDDEN, RoundView, TableView
from controller.templating import environment

TEMPLATES = Path(__file__).parent / "templates"
OPENING = 12
"""Ended rounds that can be opened on the page; all of them would be half a megabyte after each round."""
MOST_DRAWN = 4 * ROUNDS_KEPT


class Painter:
    """Draws one page. A panel whose fields are as they were is not drawn again."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._drawn: dict[str, tuple[dict[str, object], str]] = {}

    def panels(self, view: TableView) -> dict[str, str]:
        """The page's panels by name."""
        return {panel.name: self._panel(panel, view) for panel in self.page.panels}

    def whole(self, view: TableView) -> str:
        """The whole document."""
        template = _environment().get_template(self.page.template)
        return template.render(page=self.page, table=view.table, panels=self.panels(view))

    def _panel(self, panel: Panel, view: TableView) -> str:
        fields = {name: getattr(view, name) for name in panel.fields}
        last = self._drawn.get(panel.name)
        if last is not None and last[0] == fields:
            return last[1]
        html = _environment().get_template(f"panels/{panel.name}.html").render(fields).strip()
        self._drawn[panel.name] = fields, html
        return html


@cache
def _environment() -> Environment:
    made = environment(TEMPLATES)
    made.globals.update(HIDDEN=HIDDEN, RED=wording.RED)
    made.filters.update(
        amount=wording.amount,
        signed=wording.signed,
        card_name=wording.card_name,
        rank_text=wording.rank_text,
        recalled=_Past(),
    )
    return made


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
        html = _environment().get_template("round.html").render(past=past, opens=place < OPENING).strip()
        self._drawn[key] = past, html
        return html
