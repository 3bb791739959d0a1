"""The choice of a language, and the texts of the pages' scripts."""

import json
from typing import Annotated

from fastapi import FastAPI, HTTPException, Query
from fastapi.responses import RedirectResponse, Response

from controller.languages import LANGUAGES, Language, script_texts
from controller.monitor.authorization import ANYONE, for_roles
from controller.monitor.server.language import COOKIE
from controller.monitor.sign_in.page import is_own_path

YEAR = 365 * 86_400
"""Seconds for which a browser keeps the choice."""


def add(app: FastAPI, *, tls: bool) -> None:

    @app.get("/language/{code}", include_in_schema=False, **for_roles(ANYONE))
    async def choose(code: str, next_path: Annotated[str, Query(alias="next")] = "/") -> RedirectResponse:
        """The browser keeps the choice. A link does this without a script."""
        response = RedirectResponse(next_path if is_own_path(next_path) else "/", 303)
        response.set_cookie(
            COOKIE, _language(code).code, max_age=YEAR, httponly=True, samesite="lax", secure=tls
        )
        return response

    @app.get("/texts/{code}.js", include_in_schema=False, **for_roles(ANYONE))
    async def texts(code: str) -> Response:
        """The texts of scripts by their English, as a script, because a page has none of its own."""
        texts = json.dumps(script_texts(_language(code)), ensure_ascii=False)
        return Response(f"window.texts = {texts};", media_type="text/javascript")


def _language(code: str) -> Language:
    """Raises HTTPException 404."""
    if code not in LANGUAGES:
        raise HTTPException(404, f"there is no language {code}; allowed: {', '.join(LANGUAGES)}")
    return LANGUAGES[code]
