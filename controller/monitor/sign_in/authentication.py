"""Authentication of requests by session cookie and CSRF token."""

import hmac
from typing import Final

from fastapi import HTTPException, Request

from controller.access.people import Person
from controller.access.read_tokens import UNKNOWN
from controller.monitor.authorization import CHALLENGE, WebSession, bearer_token
from controller.monitor.live.stream import MEDIA_TYPE
from controller.monitor.sign_in.cookies import HEADER, client_address, session_token
from controller.monitor.sign_in.place import People
from controller.socket.client import CallRefused, CoreAway
from controller.socket.codes import Code
from controller.socket.results import SessionView

SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
OWN_ORIGINS: Final = frozenset({"", "same-origin", "none"})
"""Allowed values of the header Sec-Fetch-Site. Old browsers and other programs do not send it."""
FORGED = "this request was not made by a page of this table"


class SessionAuthentication:
    """Implements `Authentication` with the sessions of these people."""

    def __init__(self, people: People) -> None:
        self._people = people

    async def session(self, request: Request, /) -> WebSession | None:
        """The sender's session; None without a valid one. Raises HTTPException 403 for a forged request, and
        reports it; 401 for a token that must not be used."""
        if sent := bearer_token(request):
            return await self._reader(request, sent)
        token = usable_token(request)
        session = await self._session(token, active=not _is_stream(request))
        if session is None:
            return None
        if request.method not in SAFE and not _has_csrf_token(request, session):
            what = f"{request.method} {request.url.path}"
            await self._people.forged(token, client_address(request), what[:MOST_WHAT])
            raise HTTPException(403, FORGED)
        return WebSession(session.person, token)

    async def _reader(self, request: Request, token: str) -> WebSession:
        """The system that reads the API with this token, as an auditor. Raises HTTPException 401 for one that
        must not be used."""
        try:
            if len(token) > MOST_TOKEN or not token.isascii():
                raise CallRefused(Code.NO_SESSION, UNKNOWN, {})
            found = await self._people.read_token(token, client_address(request))
        except CallRefused as refused:
            if refused.code != Code.NO_SESSION:
                raise
            raise HTTPException(401, str(refused), CHALLENGE) from None
        return WebSession(Person(f"token {found.name}", "auditor"), "", reads_only=True)

    async def is_still_signed_in(self, request: Request, /) -> bool:
        """Whether the session of this request is still valid."""
        try:
            if token := bearer_token(request):
                return bool(await self._reader(request, token))
            return await self._session(usable_token(request), active=False) is not None
        except (CallRefused, CoreAway, HTTPException):
            return False

    async def _session(self, token: str, *, active: bool) -> SessionView | None:
        return await self._people.session(token, active=active) if token else None


MOST_TOKEN = 100
MOST_WHAT = 300
"""The longest token of a session and the longest description of a forged request, in characters."""


def usable_token(request: Request) -> str:
    """The token of the session in the request's cookie; empty without one, and for one that the core cannot
    have made."""
    token = session_token(request)
    return token if len(token) <= MOST_TOKEN and token.isascii() else ""


def is_same_origin(request: Request) -> bool:
    """Whether the request comes from a page of this server, or from a program that is not a browser."""
    origin = request.headers.get("origin", "")
    same = not origin or origin.partition("://")[2] == request.headers.get("host")
    return same and request.headers.get("sec-fetch-site", "") in OWN_ORIGINS


def _is_stream(request: Request) -> bool:
    """Whether a page's script opens its stream. This is not an action of the person, so it does not extend
    the session."""
    return request.headers.get("accept", "") == MEDIA_TYPE


def _has_csrf_token(request: Request, session: SessionView) -> bool:
    header = request.headers.get(HEADER, "")
    return is_same_origin(request) and hmac.compare_digest(header.encode(), session.csrf.encode())
