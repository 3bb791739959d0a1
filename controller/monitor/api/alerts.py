"""Alerts stay until somebody has seen them."""

from fastapi import FastAPI, Request

from controller.monitor.api.sending import Number, decision_route, send
from controller.monitor.authorization import caller
from controller.monitor.context import WebContext
from controller.table.record.events import Acknowledged


def add(app: FastAPI, parts: WebContext) -> None:
    """Adds the acknowledgement."""

    @app.post(
        "/api/v1/alerts/{number}/acknowledgement",
        status_code=204,
        summary="Somebody has seen an alert",
        **decision_route("supervisor", "technician"),
    )
    async def acknowledgement(number: Number, request: Request) -> None:
        """409 says who has acknowledged it, or that there is none such."""
        await send(parts, Acknowledged(number, caller(request).name))
