"""The technician's page and its routes."""

from fastapi import FastAPI

from controller.monitor.authorization import for_roles
from controller.monitor.context import WebContext
from controller.monitor.device_states import DEVICE_STATE_TEXTS
from controller.monitor.live import page_routes
from controller.monitor.live.pages import Page, Panel
from controller.monitor.live.renderer import templates
from controller.monitor.technician import facts
from controller.monitor.technician.advice import TOOLS
from controller.table.record.views import TableView
from controller.table.state.test_session import PATTERNS
from controller.telemetry.host import HostStatus

PATH = "/technician"
TEST_REASONS = ("Lamps", "Chip sensors", "Console keys", "Regular test")
"""Usual reasons for test mode, to choose from."""


def add(app: FastAPI, context: WebContext) -> None:
    """Adds the page and its stream."""
    templates().globals.update(
        DEVICE_STATES=DEVICE_STATE_TEXTS, TOOLS=TOOLS, PATTERNS=PATTERNS, TEST_REASONS=TEST_REASONS
    )
    page_routes.add(app, context, _page(context), for_roles("technician"))


def _page(context: WebContext) -> Page:
    def computer(view: TableView) -> tuple[HostStatus, tuple[facts.Fact, ...]]:
        machine = context.machine()
        return machine, facts.host_facts(view, machine)

    return Page(
        path=PATH,
        events=f"{PATH}/events",
        template="technician.html",
        panels=(
            Panel("bench", ("testing", "lamp_test", "echo", "prompt", "display", "shoe")),
            Panel("lamps", ("testing", "seats"), content=facts.faulty_lamps),
            Panel("faulty", ("devices",), content=facts.faulty_devices),
            Panel("inventory", content=facts.healthy_devices),
            Panel("computer", content=computer),
            Panel("opened", content=facts.accessible_parts),
        ),
    )
