"""Authentication of requests by session cookie and CSRF token."""

import hmac
from typing import Final

from fastapi import HTTPException, Request

from controller.access.desk import AccessDesk
from controller.access.people import Person
from controller.access.sessions import Session
from controller.monitor.live.stream import MEDIA_TYPE
from controller.monitor.sign_in.cookies import HEADER, client_address, session_token

SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
OWN_ORIGINS: Final = frozenset({"", "same-origin", "none"})
"""Allowed values of the header Sec-Fetch-Site. Old browsers and other programs do not send it."""


class SessionAuthentication:
    """Implements `Authentication` with the sessions of an `AccessDesk`."""

    def __init__(self, access: AccessDesk) -> None:
        self._access = access

    async def person(self, request: Request, /) -> Person | None:
        """The signed-in person; None without a valid session. Raises HTTPException 403 for a forged request,
        and records it for the journal."""
        session = self._session(request, active=not _is_stream(request))
        if session is None:
            return None
        if request.method not in SAFE and not _has_csrf_token(request, session):
            self._access.report_forged(
                session.person, client_address(request), f"{request.method} {request.url.path}"
            )
            raise HTTPException(403, "this request was not made by a page of this table")
        return session.person

    async def is_still_signed_in(self, request: Request, /) -> bool:
        """Whether the session of this request is still valid."""
        return self._session(request, active=False) is not None

    def _session(self, request: Request, *, active: bool) -> Session | None:
        cookie = session_token(request)
        return self._access.sessions.find(cookie, active=active) if cookie else None


def is_same_origin(request: Request) -> bool:
    """Whether the request comes from a page of this server, or from a program that is not a browser."""
    origin = request.headers.get("origin", "")
    same = not origin or origin.partition("://")[2] == request.headers.get("host")
    return same and request.headers.get("sec-fetch-site", "") in OWN_ORIGINS


def _is_stream(request: Request) -> bool:
    """Whether a page's script opens its stream. This is not an action of the person, so it does not extend
    the session."""
    return request.headers.get("accept", "") == MEDIA_TYPE


def _has_csrf_token(request: Request, session: Session) -> bool:
    header = request.headers.get(HEADER, "")
    return is_same_origin(request) and hmac.compare_digest(header.encode(), session.csrf.encode())
