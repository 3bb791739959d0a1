"""The technician's page, followed like the others."""

from fastapi import FastAPI

from controller.monitor import followed
from controller.monitor.gate import only
from controller.monitor.machine import Machine
from controller.monitor.pages import Page, Panel
from controller.monitor.painter import templates
from controller.monitor.parts import Parts
from controller.monitor.technician import actions, look
from controller.monitor.technician.advice import ADVICE, TOOLS
from controller.table.testing.record import PATTERNS
from controller.table.view import TableView

PATH = "/technician"


def add(app: FastAPI, parts: Parts) -> None:
    """Adds the page, its events, and what is said through it."""
    templates().globals.update(ADVICE=ADVICE, TOOLS=TOOLS, PATTERNS=PATTERNS)
    followed.add(app, parts, _page(parts), only("technician"))
    actions.add(app, parts)


def _page(parts: Parts) -> Page:
    def computer(view: TableView) -> tuple[Machine, tuple[look.Fact, ...]]:
        machine = parts.machine()
        return machine, look.computer(view, machine)

    return Page(
        path=PATH,
        events=f"{PATH}/events",
        template="technician.html",
        panels=(
            Panel("bench", ("testing", "lamp_test", "echo", "prompt", "display", "shoe")),
            Panel("inventory", look=look.rows),
            Panel("computer", look=computer),
            Panel("opened", look=look.opened),
        ),
    )
