"""A question about the past, asked for somebody who reads its answer without a page around it."""

import json

from fastapi import HTTPException
from fastapi.responses import Response

from controller.monitor.context import Parts, past
from controller.monitor.past.messages import Question, Reply


async def told(parts: Parts, what: str, asked: dict[str, str]) -> Response:
    """The answer to `what` of ANSWERS; raises HTTPException with what cannot be told."""
    reply = await parts.ask(Question(what, str(past(parts)), asked))
    if reply.status != 200:
        raise HTTPException(reply.status, json.loads(reply.body)["detail"])
    return given(reply)


def given(reply: Reply) -> Response:
    """What a browser gets of it."""
    return Response(reply.body, reply.status, media_type=reply.media_type)
