"""From a TableView to HTML."""

from functools import cache, lru_cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from controller.monitor import wording
from controller.monitor.pages import Page, Panel
from controller.table.state import ROUNDS_KEPT
from controller.table.view import HIDDEN, RoundView, TableView

TEMPLATES = Path(__file__).parent / "templates"


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
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(HIDDEN=HIDDEN, RED=wording.RED)
    environment.filters.update(
        amount=wording.amount,
        signed=wording.signed,
        card_name=wording.card_name,
        rank_text=wording.rank_text,
        recalled=_recalled,
    )
    return environment


@lru_cache(maxsize=2 * ROUNDS_KEPT)
def _recalled(past: RoundView) -> str:
    """An ended round: it never changes, and fifty of them take longer to draw than all the rest."""
    return _environment().get_template("round.html").render(past=past).strip()
