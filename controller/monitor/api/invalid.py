"""The answer to a body that is not valid."""

import json

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response

MESSAGES = {"string_pattern_mismatch": "a line of text is needed, and nothing else"}
"""By type of error, where pydantic's own message helps nobody."""


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
