"""What is wrong with a body that was not understood: told without the body, which may not even be text."""

import json

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response


def invalid_body(_request: Request, error: Exception) -> Response:
    """Status 422, as the OpenAPI document has it: where, what, and of which kind. Written in ASCII: half a
    character of a name that somebody made up has no other form."""
    if not isinstance(error, RequestValidationError):
        raise error
    faults = [
        {"loc": one["loc"], "msg": MESSAGES.get(one["type"], one["msg"]), "type": one["type"]}
        for one in error.errors()
    ]
    return Response(json.dumps({"detail": faults}), 422, media_type="application/json")


MESSAGES = {"string_pattern_mismatch": "a line of text is needed, and nothing else"}
"""By kind of fault, where people understand other words better."""
