"""What is wrong with a body that was not understood: told without the body, which may not even be text."""

import json

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response


def not_understood(_request: Request, error: Exception) -> Response:
    """Status 422, as the OpenAPI document has it: where, what, and of which kind. Written in ASCII: half a
    character of a name that somebody made up has no other form."""
    if not isinstance(error, RequestValidationError):
        raise error
    told = [
        {"loc": one["loc"], "msg": WORDS.get(one["type"], one["msg"]), "type": one["type"]}
        for one in error.errors()
    ]
    return Response(json.dumps({"detail": told}), 422, media_type="application/json")


WORDS = {"string_pattern_mismatch": "a line of text is needed, and nothing else"}
"""By kind of fault, where people understand other words better."""
