"""Builds the web application from its middleware and routes. Every route declares the roles that it
serves."""

from collections.abc import Callable
from functools import cache

from fastapi import APIRouter, FastAPI
from fastapi.responses import Response

from controller.monitor import openapi
from controller.monitor.api import alerts, answers, claims, decisions, keys, meters, requests, sending
from controller.monitor.authorization import ANYONE, for_roles, for_watchers, for_watching_readers
from controller.monitor.bare_app import add_routes, bare_app
from controller.monitor.console import page as console
from controller.monitor.context import Context, WebContext
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
from controller.monitor.technician import actions
from controller.monitor.technician import page as technician
from controller.socket.results import TableHealth
from controller.table.record.views import TableView

ROUTERS = (
    language_routes.texts_router,
    language_routes.router,
    *(module.router for module in (entrance, session, account)),
    *(module.router for module in (keys, decisions, requests, answers, claims, meters, alerts, actions)),
    *(module.router for module in (significant_routes, slip_routes, supervisor, recall, seat_routes)),
)
"""Routes that are the same in each application."""
OWN_ROUTES: tuple[Callable[[FastAPI, WebContext], None], ...] = (
    json_stream.add,
    console.add,
    supervisor.add,
    technician.add,
    reports.add,
)
"""Routes that keep something for their application: what was rendered, encoded or made last."""


def build(context: WebContext) -> FastAPI:
    """The application for one table."""
    app = bare_app("Tableside", "One casino table")
    if context.steady:
        app.add_middleware(ResponseCache, paths=MONITORING_PATHS, steady=context.steady)
    app.add_middleware(OutageGate, outage=context.outage)
    app.add_middleware(MetricsGuard, token=context.metrics_token)
    app.add_middleware(
        RequestLimits,
        names=context.host_names,
        steady=context.steady,
        signed_in=context.authentication.is_still_signed_in,
    )
    app.add_middleware(SecurityHeaders, tls=context.tls)
    app.add_middleware(RequestLanguage)
    app.mount("/static", PageFiles(directory=STATIC))
    app.mount(HOUSE, house_files(context.house))
    app.state.authentication = context.authentication
    app.state.context = context
    app.state.place = _place(context)
    for page in PAGES:
        page_routes.add(app, context, page, for_watchers(watching=context.public))
    add_routes(app, _table_routes(watching=context.public), *ROUTERS)
    openapi.add(app, app.state.place)
    sending.add(app)
    entrance.add_refusals(app)
    for add in OWN_ROUTES:
        add(app, context)
    return app


def _place(context: WebContext) -> Place:
    return Place(
        context.core, lambda: context.view().table, tls=context.tls, session_limits=context.session_limits
    )


@cache
def _table_routes(*, watching: bool) -> APIRouter:
    """`watching`: whether anyone may look at the table."""
    router = APIRouter()

    @router.get("/api/v1/table", summary="The table as it is now", **for_watching_readers(watching=watching))
    async def table(context: Context) -> TableView:
        """What the page shows. Cards are two characters ("Ts"), "??" one face down; money is in cents."""
        return context.view()

    @router.get("/health", summary="Whether the table plays", **for_roles(ANYONE))
    async def health(context: Context) -> TableHealth:
        """Status 200 also while play is suspended: the daemon works, the table waits for somebody."""
        return await context.core.health()

    @router.get("/metrics", include_in_schema=False, **for_roles(ANYONE))
    async def metrics(context: Context) -> Response:
        return await metrics_response(context.metrics)

    return router
