"""All routes by which people act on the table, and the answer to a body that is not valid."""

import json

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response

from controller.monitor.api import alerts, answers, claims, decisions, keys, meters, requests
from controller.monitor.context import WebContext

MESSAGES = {"string_pattern_mismatch": "a line of text is needed, and nothing else"}
"""By type of error, where pydantic's own message helps nobody."""

MODULES = (keys, decisions, requests, answers, claims, meters, alerts)


def add(app: FastAPI, _context: WebContext) -> None:
    app.add_exception_handler(RequestValidationError, invalid_body)
    for module in MODULES:
        app.router.routes.extend(module.router.routes)  # include_router would hide them from app.routes


def invalid_body(_request: Request, error: Exception) -> Response:
    """Status 422, as the OpenAPI document says. The answer leaves out the body, and is ASCII because the
    body may contain surrogates, which UTF-8 cannot encode."""
    if not isinstance(error, RequestValidationError):
        raise error
    faults = [
        {"loc": one["loc"], "msg": MESSAGES.get(one["type"], one["msg"]), "type": one["type"]}
        for one in error.errors()
    ]
    return Response(json.dumps({"detail": faults}), 422, media_type="application/json")
