"""The choice of a language, and the texts of the pages' scripts."""

import json
from typing import Annotated

from fastapi import APIRouter, HTTPException, Query, Request
from fastapi.responses import RedirectResponse, Response

from controller.languages import LANGUAGES, Language, script_texts
from controller.monitor.authorization import ANYONE, for_roles
from controller.monitor.server.language import COOKIE
from controller.monitor.sign_in import cookies
from controller.monitor.sign_in.authentication import is_same_origin, usable_token
from controller.monitor.sign_in.page import is_own_path
from controller.monitor.sign_in.place import Place, ThisPlace
from controller.socket.client import CallRefused, CoreAway

YEAR = 365 * 86_400
"""Seconds for which a browser keeps the choice."""
router = APIRouter()
"""The choice of a language."""
texts_router = APIRouter()
"""The texts of scripts, also for pages without a choice of language."""


@router.get("/language/{code}", include_in_schema=False, **for_roles(ANYONE))
async def choose(
    place: ThisPlace, request: Request, code: str, next_path: Annotated[str, Query(alias="next")] = "/"
) -> RedirectResponse:
    """Keeps the choice of a person who has signed in with their account, and any other choice with the
    browser. A link does this without a script."""
    chosen = _language(code).code
    response = RedirectResponse(next_path if is_own_path(next_path) else "/", 303)
    if await _is_persons_own(place, request, chosen):
        cookies.set_language(response, chosen, tls=place.tls)
    else:
        response.set_cookie(COOKIE, chosen, max_age=YEAR, httponly=True, samesite="lax", secure=place.tls)
    return response


@texts_router.get("/texts/{code}.js", include_in_schema=False, **for_roles(ANYONE))
async def texts(code: str) -> Response:
    """The texts of scripts by their English, as a script, because a page has none of its own."""
    texts = json.dumps(script_texts(_language(code)), ensure_ascii=False)
    return Response(f"window.texts = {texts};", media_type="text/javascript")


async def _is_persons_own(place: Place, request: Request, code: str) -> bool:
    """Whether the account of the person who is signed in has the language now."""
    token = usable_token(request)
    if not token or not is_same_origin(request):
        return False
    try:
        await place.people.set_language(token, code)
    except (CallRefused, CoreAway):
        return False
    return True


def _language(code: str) -> Language:
    """Raises HTTPException 404."""
    if code not in LANGUAGES:
        raise HTTPException(404, f"there is no language {code}; allowed: {', '.join(LANGUAGES)}")
    return LANGUAGES[code]
