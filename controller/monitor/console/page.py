"""The page of the dealer: it shows what the console shows, and its keys go where the console's go."""

from fastapi import FastAPI

from controller.monitor.authorization import for_roles
from controller.monitor.console.due import due
from controller.monitor.console.felt import felt
from controller.monitor.console.guidance import guidance
from controller.monitor.console.keypad import keypad, undo_is_possible
from controller.monitor.console.notices import notices
from controller.monitor.context import WebContext
from controller.monitor.live import page_routes
from controller.monitor.live.pages import Page, Panel

SPACING = 0.02
"""What a key has done is seen at once, in a burst of keys, too."""
CONSOLE = Page(
    path="/console",
    events="/console/events",
    template="console.html",
    panels=(
        Panel("console-bar", ("game", "round", "shoe", "bank", "jackpots", "croupier")),
        Panel("console-due", content=due),
        Panel("console-dealer", ("dealer",)),
        Panel("console-news", content=notices),
        Panel("console-felt", content=felt),
        Panel("console-guidance", content=guidance),
        Panel("console-asks", content=undo_is_possible),
        Panel("console-pad", content=keypad),
    ),
    spacing=SPACING,
)


def add(app: FastAPI, context: WebContext) -> None:
    """Adds the page and its events."""
    page_routes.add(app, context, CONSOLE, for_roles("dealer"))
