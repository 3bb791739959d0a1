"""Questions of the API, whose replies go out without a page around them."""

import json
from typing import Any, Final

from fastapi import HTTPException
from fastapi.responses import Response

from controller.monitor.context import WebContext, journal_path
from controller.monitor.past.messages import WorkerQuestion, WorkerReply

SHEET: Final[dict[str, Any]] = {"content": {"text/csv": {"schema": {"type": "string"}}}}
"""How the OpenAPI document describes a response that is a sheet."""


async def answer_from_worker(context: WebContext, what: str, fields: dict[str, str]) -> Response:
    """The answer to `what`, a name of ANSWERS. Raises HTTPException with the reason of a failure."""
    reply = await context.worker(WorkerQuestion(what, str(journal_path(context)), fields))
    if reply.status != 200:
        raise HTTPException(reply.status, json.loads(reply.body)["detail"])
    return http_response(reply)


def http_response(reply: WorkerReply) -> Response:
    return Response(reply.body, reply.status, media_type=reply.media_type)
