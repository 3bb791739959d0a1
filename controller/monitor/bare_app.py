"""An application without pages that load scripts from the internet, and without telemetry."""

from fastapi import FastAPI


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
