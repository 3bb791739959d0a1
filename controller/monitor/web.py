"""Builds the web application from its middleware and routes. Every route declares the roles that it
serves."""

from collections.abc import Callable

from fastapi import FastAPI
from fastapi.responses import Response

from controller.monitor import openapi
from controller.monitor.api import routes, sending
from controller.monitor.authorization import ANYONE, for_roles, for_watchers, for_watching_readers
from controller.monitor.bare_app import bare_app
from controller.monitor.console import page as console
from controller.monitor.context import WebContext
from controller.monitor.house import PATH as HOUSE
from controller.monitor.house import house_files
from controller.monitor.live import json_stream, language_routes, page_routes
from controller.monitor.live.pages import PAGES
from controller.monitor.outage.gate import OutageGate
from controller.monitor.outage.page import metrics_response
from controller.monitor.past import report_routes as reports
from controller.monitor.past import routes as recall
from controller.monitor.past import seat_routes, significant_routes, slip_routes
from controller.monitor.paths import STATIC
from controller.monitor.server.cache import ResponseCache
from controller.monitor.server.headers import SecurityHeaders
from controller.monitor.server.language import RequestLanguage
from controller.monitor.server.metrics_guard import MetricsGuard
from controller.monitor.server.request_limits import MONITORING_PATHS, RequestLimits
from controller.monitor.server.static_files import PageFiles
from controller.monitor.sign_in import account, session
from controller.monitor.sign_in import page as entrance
from controller.monitor.sign_in.place import Place
from controller.monitor.supervisor import page as supervisor
from controller.monitor.technician import page as technician
from controller.socket.results import TableHealth
from controller.table.record.views import TableView

SIGN_IN_GROUPS: tuple[Callable[[FastAPI, Place], None], ...] = (entrance.add, session.add, account.add)
ROUTE_GROUPS: tuple[Callable[[FastAPI, WebContext], None], ...] = (
    json_stream.add,
    routes.add,
    significant_routes.add,
    slip_routes.add,
    console.add,
    supervisor.add,
    technician.add,
    recall.add,
    reports.add,
    seat_routes.add,
)


def build(parts: WebContext) -> FastAPI:
    """The application for one table."""
    app = bare_app("Tableside", "One casino table")
    if parts.steady:
        app.add_middleware(ResponseCache, paths=MONITORING_PATHS, steady=parts.steady)
    app.add_middleware(OutageGate, outage=parts.outage)
    app.add_middleware(MetricsGuard, token=parts.metrics_token)
    app.add_middleware(
        RequestLimits,
        names=parts.host_names,
        steady=parts.steady,
        signed_in=parts.authentication.is_still_signed_in,
    )
    app.add_middleware(SecurityHeaders, tls=parts.tls)
    app.add_middleware(RequestLanguage)
    app.mount("/static", PageFiles(directory=STATIC))
    app.mount(HOUSE, house_files(parts.house))
    app.state.authentication = parts.authentication
    app.state.context = parts
    for page in PAGES:
        page_routes.add(app, parts, page, for_watchers(watching=parts.public))
    _add_table(app, parts)
    language_routes.add(app, _place(parts))
    openapi.add(app, _place(parts))
    sending.add(app)
    for add_sign_in in SIGN_IN_GROUPS:
        add_sign_in(app, _place(parts))
    for add in ROUTE_GROUPS:
        add(app, parts)
    return app


def _place(parts: WebContext) -> Place:
    return Place(parts.core, lambda: parts.view().table, tls=parts.tls, session_limits=parts.session_limits)


def _add_table(app: FastAPI, parts: WebContext) -> None:
    @app.get("/api/v1/table", summary="The table as it is now", **for_watching_readers(watching=parts.public))
    async def table() -> TableView:
        """What the page shows. Cards are two characters ("Ts"), "??" one face down; money is in cents."""
        return parts.view()

    @app.get("/health", summary="Whether the table plays", **for_roles(ANYONE))
    async def health() -> TableHealth:
        """Status 200 also while play is suspended: the daemon works, the table waits for somebody."""
        return await parts.core.health()

    @app.get("/metrics", include_in_schema=False, **for_roles(ANYONE))
    async def metrics() -> Response:
        return await metrics_response(parts.metrics)
