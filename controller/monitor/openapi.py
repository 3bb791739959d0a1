"""The OpenAPI document: the routes with their groups and roles, and how clients authenticate."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from fastapi import FastAPI
from fastapi.responses import JSONResponse, Response

from controller.monitor.authorization import ANYONE, ROLES_KEY, TOKENS_KEY, for_roles
from controller.monitor.reference import page
from controller.monitor.reference.field_texts import add_field_texts
from controller.monitor.sign_in.cookies import CSRF, SESSION, cookie_name
from controller.monitor.sign_in.place import Place

PATH = "/api/v1/openapi.json"
SAFE = frozenset({"get", "head", "options"})
COMMON_RESPONSES: Mapping[str, Mapping[str, str]] = {
    "413": {"description": "The body is too long"},
    "429": {"description": "Too many requests; Retry-After says when again"},
    "503": {"description": "Not now: the table halts, or too many connections"},
}
"""Responses that every operation may give."""


GROUPS: Mapping[str, str] = {
    "session": "Signing in",
    "table": "Now",
    "events": "Now",
    "health": "Now",
    "tables": "Now",
    "instance": "Now",
    "alerts": "Alerts and notices",
    "own-alerts": "Alerts and notices",
    "notices": "Alerts and notices",
    "keys": "Play and decisions",
    "decisions": "Play and decisions",
    "requests": "Play and decisions",
    "messages": "Play and decisions",
    "closing": "Play and decisions",
    "commands": "Play and decisions",
    "claims": "Jackpots",
    "meters": "Jackpots",
    "jackpots": "Jackpots",
    "levels": "Jackpots",
    "test-mode": "Tests",
    "lamp-report": "Tests",
    "lamp-test": "Tests",
    "rounds": "The past",
    "seats": "The past",
    "reports": "The past",
    "audit": "The past",
    "significant-events": "The past",
}
"""The group of a path, by the last of these words in it."""


def add(app: FastAPI, place: Place) -> None:
    """The document, and the page that shows it."""

    @cache
    def document() -> dict[str, Any]:
        return openapi_document(app, tls=place.tls)

    @cache
    def text() -> bytes:
        return bytes(JSONResponse(document()).body)

    page.add(app, place, document)

    @app.get(PATH, include_in_schema=False, **for_roles(ANYONE))
    async def description() -> Response:
        return Response(text(), media_type="application/json")


def openapi_document(app: FastAPI, *, tls: bool) -> dict[str, Any]:
    """The document, with the authentication and the common responses of each operation. `tls`: whether the
    server uses TLS, because the names of the cookies depend on it."""
    document = app.openapi()
    document.setdefault("components", {})["securitySchemes"] = _security_schemes(tls=tls)
    _allow_text_details(document["components"].get("schemas", {}))
    add_field_texts(app, document["components"].get("schemas", {}))
    used = set[str]()
    for path, method, operation in _operations(document):
        operation["tags"] = [group_of(path)]
        used.update(operation["tags"])
        operation["responses"] = {**COMMON_RESPONSES, **operation["responses"]}
        if ANYONE not in operation[ROLES_KEY]:
            schemes = ("session",) if method in SAFE else ("session", "csrf")
            operation["security"] = [{scheme: [] for scheme in schemes}]
            if TOKENS_KEY in operation:
                operation["security"].append({"token": []})
    document["tags"] = [{"name": name} for name in dict.fromkeys(GROUPS.values()) if name in used]
    return document


def group_of(path: str) -> str:
    """The name of the group of a path. Raises ValueError for a path that has none."""
    for word in reversed(path.removesuffix(".csv").split("/")):
        if word in GROUPS:
            return GROUPS[word]
    raise ValueError(f"{path} has no word of GROUPS")


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


def _operations(document: Mapping[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Path, method, and what is said of them."""
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            yield path, method, operation


def _allow_text_details(schemas: Mapping[str, Any]) -> None:
    """Errors of validation may be a list by place, or one sentence if the place is obvious."""
    fields = schemas.get("HTTPValidationError", {}).get("properties")
    if fields and "anyOf" not in fields["detail"]:
        fields["detail"] = {"anyOf": [{"type": "string"}, fields["detail"]]}
