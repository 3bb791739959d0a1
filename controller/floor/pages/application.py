"""Builds the web application of the floor. Every route declares the roles that it serves."""

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError

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
from controller.monitor.api.invalid import invalid_body
from controller.monitor.authorization import ANYONE, for_roles
from controller.monitor.bare_app import bare_app
from controller.monitor.house import PATH as HOUSE
from controller.monitor.house import house_files
from controller.monitor.live import language_routes
from controller.monitor.paths import STATIC
from controller.monitor.server.headers import SecurityHeaders
from controller.monitor.server.language import RequestLanguage
from controller.monitor.server.request_limits import RequestLimits
from controller.monitor.server.static_files import PageFiles
from controller.monitor.sign_in import account, page, session


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
    sending.add(app)
    app.add_exception_handler(RequestValidationError, invalid_body)
    for add in (page.add, session.add, account.add):
        add(app, context.place)
    language_routes.add(app, context.place)
    routes.add(app, context)
    past_routes.add(app, context)
    acknowledging.add(app)
    commanding.add(app)
    form_routes.add(app, context)
    notice_routes.add(app, context)
    level_routes.add(app, context)
    openapi.add(app, context.place)

    @app.get("/health", summary="Whether the floor's pages are served", **for_roles(ANYONE))
    async def health() -> dict[str, int]:
        """`tables`: the tables on this floor; `attention`: how many of them need attention."""
        context.look()
        tiles = context.view.all()
        return {"tables": len(tiles), "attention": sum(tile.needs_attention for tile in tiles)}

    return app
