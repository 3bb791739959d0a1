"""The OpenAPI document: the routes with their roles, and how clients authenticate."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from fastapi import FastAPI
from fastapi.responses import JSONResponse, Response

from controller.monitor.authorization import ANYONE, ROLES_KEY, TOKENS_KEY, for_roles
from controller.monitor.sign_in.cookies import CSRF, SESSION, cookie_name

PATH = "/api/v1/openapi.json"
SAFE = frozenset({"get", "head", "options"})
COMMON_RESPONSES: Mapping[str, Mapping[str, str]] = {
    "413": {"description": "The body is too long"},
    "429": {"description": "Too many requests; Retry-After says when again"},
    "503": {"description": "Not now: the table halts, or too many connections"},
}
"""Responses that every operation may give."""


def add(app: FastAPI, *, tls: bool) -> None:

    @cache
    def text() -> bytes:
        return bytes(JSONResponse(openapi_document(app, tls=tls)).body)

    @app.get(PATH, include_in_schema=False, **for_roles(ANYONE))
    async def description() -> Response:
        return Response(text(), media_type="application/json")


def openapi_document(app: FastAPI, *, tls: bool) -> dict[str, Any]:
    """The document, with the authentication and the common responses of each operation. `tls`: whether the
    server uses TLS, because the names of the cookies depend on it."""
    document = app.openapi()
    document.setdefault("components", {})["securitySchemes"] = _security_schemes(tls=tls)
    _allow_text_details(document["components"].get("schemas", {}))
    for method, operation in _operations(document):
        operation["responses"] = {**COMMON_RESPONSES, **operation["responses"]}
        if ANYONE not in operation[ROLES_KEY]:
            schemes = ("session",) if method in SAFE else ("session", "csrf")
            operation["security"] = [{scheme: [] for scheme in schemes}]
            if TOKENS_KEY in operation:
                operation["security"].append({"token": []})
    return document


def _security_schemes(*, tls: bool) -> Mapping[str, Mapping[str, str]]:
    csrf = cookie_name(CSRF, tls=tls)
    return {
        "session": {
            "type": "apiKey",
            "in": "cookie",
            "name": cookie_name(SESSION, tls=tls),
            "description": "Given by POST /api/v1/session",
        },
        "token": {
            "type": "http",
            "scheme": "bearer",
            "description": "Made by `tableside people token make`, for other systems; it only reads",
        },
        "csrf": {
            "type": "apiKey",
            "in": "header",
            "name": "X-CSRF-Token",
            "description": f"The value of the cookie {csrf}, with every request that changes something",
        },
    }


def _operations(document: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for path in document["paths"].values():
        yield from path.items()


def _allow_text_details(schemas: Mapping[str, Any]) -> None:
    """Errors of validation may be a list by place, or one sentence if the place is obvious."""
    fields = schemas.get("HTTPValidationError", {}).get("properties")
    if fields and "anyOf" not in fields["detail"]:
        fields["detail"] = {"anyOf": [{"type": "string"}, fields["detail"]]}
