"""The page of the dealer: it shows what the console shows, and its keys go where the console's go."""

from fastapi import FastAPI

from controller.monitor.authorization import only
from controller.monitor.console.due import due
from controller.monitor.console.guidance import guidance
from controller.monitor.console.keypad import keypad, undoable
from controller.monitor.console.notices import bulletin
from controller.monitor.context import Parts
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
        Panel("console-due", look=due),
        Panel("console-dealer", ("dealer",)),
        Panel("console-news", look=bulletin),
        Panel("console-felt", ("seats", "bank")),
        Panel("console-guidance", look=guidance),
        Panel("console-asks", look=undoable),
        Panel("console-pad", look=keypad),
    ),
    spacing=SPACING,
)


def add(app: FastAPI, parts: Parts) -> None:
    """Adds the page and its events."""
    page_routes.add(app, parts, CONSOLE, only("dealer"))
