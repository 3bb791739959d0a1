"""All that people say to the table: a further resource is one more module and one more entry."""

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError

from controller.monitor.api import alerts, answers, claims, decisions, keys, meters, requests
from controller.monitor.api.faults import invalid_body
from controller.monitor.context import WebContext

MODULES = (keys, decisions, requests, answers, claims, meters, alerts)


def add(app: FastAPI, parts: WebContext) -> None:
    """Adds all of them, and what they answer where nobody understands a body."""
    app.add_exception_handler(RequestValidationError, invalid_body)
    for resource in MODULES:
        resource.add(app, parts)
