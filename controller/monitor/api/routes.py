"""All routes by which people act on the table."""

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError

from controller.monitor.api import alerts, answers, claims, decisions, keys, meters, requests
from controller.monitor.api.invalid import invalid_body
from controller.monitor.context import WebContext

MODULES = (keys, decisions, requests, answers, claims, meters, alerts)


def add(app: FastAPI, _context: WebContext) -> None:
    app.add_exception_handler(RequestValidationError, invalid_body)
    for module in MODULES:
        app.router.routes.extend(module.router.routes)  # include_router would hide them from app.routes
