"""The door: whoever has a session, and asks from a page of ours."""

import hmac
from typing import Final

from fastapi import HTTPException, Request

from controller.access.desk import AccessDesk
from controller.access.people import Person
from controller.access.sessions import Session
from controller.monitor.live.stream import MEDIA_TYPE
from controller.monitor.sign_in.cookies import HEADER, address, token

SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
OURS: Final = frozenset({"", "same-origin", "none"})
"""Where a browser may say that a request comes from; empty: it is no browser, or an old one."""


class Entrance:
    """A `Door`."""

    def __init__(self, access: AccessDesk) -> None:
        self._access = access

    def person(self, request: Request, /) -> Person | None:
        """Raises HTTPException 403 for what is forged, which the journal is told."""
        session = self._session(request, heard=not _follows(request))
        if session is None:
            return None
        if request.method not in SAFE and not _meant(request, session):
            self._access.forged(session.person, address(request), f"{request.method} {request.url.path}")
            raise HTTPException(403, "this request was not made by a page of this table")
        return session.person

    def stays(self, request: Request, /) -> bool:
        """Whether whoever came in with this request may still be here."""
        return self._session(request, heard=False) is not None

    def _session(self, request: Request, *, heard: bool) -> Session | None:
        shown = token(request)
        return self._access.sessions.of(shown, heard=heard) if shown else None


def from_here(request: Request) -> bool:
    """Whether the browser, if it is one, sends this from a page of ours."""
    origin = request.headers.get("origin", "")
    same = not origin or origin.partition("://")[2] == request.headers.get("host")
    return same and request.headers.get("sec-fetch-site", "") in OURS


def _follows(request: Request) -> bool:
    """Whether a page asks by itself, as it does for its stream; nobody makes that with a finger."""
    return request.headers.get("accept", "") == MEDIA_TYPE


def _meant(request: Request, session: Session) -> bool:
    shown = request.headers.get(HEADER, "")
    return from_here(request) and hmac.compare_digest(shown.encode(), session.csrf.encode())
