"""A question about the past, asked for somebody who reads its answer without a page around it."""

import json

from fastapi import HTTPException
from fastapi.responses import Response

from controller.monitor.context import WebContext, journal_path
from controller.monitor.past.messages import WorkerQuestion, WorkerReply


async def answer_from_worker(parts: WebContext, what: str, fields: dict[str, str]) -> Response:
    """The answer to `what` of ANSWERS; raises HTTPException with what cannot be told."""
    reply = await parts.worker(WorkerQuestion(what, str(journal_path(parts)), fields))
    if reply.status != 200:
        raise HTTPException(reply.status, json.loads(reply.body)["detail"])
    return http_response(reply)


def http_response(reply: WorkerReply) -> Response:
    """What a browser gets of it."""
    return Response(reply.body, reply.status, media_type=reply.media_type)
