"""Builds the web application of the floor. Every route declares the roles that it serves."""

from fastapi import FastAPI

from controller.floor.pages import (
    acknowledging,
    commanding,
    form_routes,
    level_routes,
    notice_routes,
    past_routes,
    routes,
)
from controller.floor.pages.context import FloorContext
from controller.floor.pages.rendering import STATIC as OWN_STATIC
from controller.monitor import openapi
from controller.monitor.api import sending
from controller.monitor.bare_app import add_routes, bare_app
from controller.monitor.house import PATH as HOUSE
from controller.monitor.house import house_files
from controller.monitor.live import language_routes
from controller.monitor.paths import STATIC
from controller.monitor.server.headers import SecurityHeaders
from controller.monitor.server.language import RequestLanguage
from controller.monitor.server.request_limits import RequestLimits
from controller.monitor.server.static_files import PageFiles
from controller.monitor.sign_in import account, page, session

ROUTERS = (
    language_routes.texts_router,
    language_routes.router,
    *(module.router for module in (page, session, account)),
    *(module.router for module in (routes, past_routes, acknowledging, commanding)),
    *(module.router for module in (form_routes, notice_routes, level_routes)),
)
"""Routes that are the same in each application."""


def build(context: FloorContext) -> FastAPI:
    """The application for one floor."""
    app = bare_app("Tableside floor", "All tables of one property")
    app.add_middleware(
        RequestLimits,
        names=context.host_names,
        steady=context.steady,
        signed_in=context.authentication.is_still_signed_in,
    )
    app.add_middleware(SecurityHeaders, tls=context.place.tls)
    app.add_middleware(RequestLanguage)
    app.mount("/static/floor", PageFiles(directory=OWN_STATIC))
    app.mount(HOUSE, house_files(lambda: context.house))
    app.mount("/static", PageFiles(directory=STATIC))
    app.state.authentication = context.authentication
    app.state.context = context
    app.state.place = context.place
    sending.add(app)
    page.add_refusals(app)
    add_routes(app, routes.tile_routes(watching=context.public), *ROUTERS)
    openapi.add(app, context.place)
    return app
