"""An application without pages that load scripts from the internet, and without telemetry."""

from fastapi import APIRouter, FastAPI


def bare_app(title: str, summary: str) -> FastAPI:
    """An application without any route."""
    return FastAPI(
        title=title,
        summary=summary,
        docs_url=None,
        redoc_url=None,  # these pages would load scripts from the internet
        openapi_url=None,  # openapi.py adds it as a route with roles
        telemetry={
            "tracing": False,
            "metrics": False,
            "logs": False,
            "operation_spans": False,
            "auto_configure": False,  # no environment variable makes a server send telemetry
        },
    )


def add_routes(app: FastAPI, *routers: APIRouter) -> None:
    """Adds the routes of modules. All applications of a process share these routes, because FastAPI takes
    longer to analyze what routes receive and return than to build the rest of an application."""
    for router in routers:
        app.router.routes.extend(router.routes)  # include_router would hide them from app.routes
