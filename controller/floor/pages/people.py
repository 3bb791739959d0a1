"""The people who sign in at the floor: accounts in the floor's own file."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from controller.access.desk import AccessDesk
from controller.access.errors import AccessError, AccountsUnusable, WrongSecret
from controller.access.people import SECRET_WORDS, Person, Role, SecretKind, secret_kind
from controller.socket.client import CallRefused
from controller.socket.codes import Code, as_call_error
from controller.socket.params import Confirmation
from controller.socket.results import ReadTokenView, Roster, SessionView, SignedIn

FLOOR_ROLES: Final[tuple[Role, ...]] = ("supervisor", "technician", "auditor")
"""Who works at the floor's pages. Dealers sign in at their tables only."""


class FloorPeople:
    """Implements `People` with a desk in this process. The desk must refuse dealers (`dealer_from` is
    empty)."""

    def __init__(self, desk: AccessDesk) -> None:
        self._desk = desk

    async def roster(self) -> Roster:
        try:
            accounts = self._desk.accounts.list_all()
        except AccountsUnusable as fault:
            return Roster(any=False, dealers=(), fault=fault.why)
        return Roster(any(one.role in FLOOR_ROLES for one in accounts), ())

    async def session(self, token: str, *, active: bool = True) -> SessionView | None:
        with _refusals():
            found = self._desk.sessions.find(token, active=active)
        if found is None:
            return None
        times = found.begun, found.until, found.address, found.failures, found.since
        return SessionView(found.person, found.csrf, *times, found.badge)

    async def read_token(self, token: str, address: str) -> ReadTokenView:
        with _refusals():
            found = self._desk.check_token(token, address)
        return ReadTokenView(found.name, found.until)

    async def sign_in(
        self,
        kind: SecretKind,
        name: str,
        secret: str,
        address: str,
        *,
        at_table: bool = False,  # noqa: ARG002 no screen of the floor is a table's own
    ) -> SignedIn:
        with _refusals():
            token, found = await self._desk.sign_in(kind, name, secret, address)
            language = self._desk.accounts.language(found.person.name)
        return SignedIn(token, found.csrf, found.person, found.begun, found.until, found.failures, language)

    async def sign_out(self, token: str, address: str) -> None:
        with _refusals():
            self._desk.sessions.end(token, address)

    async def set_secret(self, token: str, old: str, new: str, address: str) -> None:
        with _refusals():
            person = self._person(token)
            try:
                await self._desk.new_secret(person, old, new, address)
            except WrongSecret as wrong:  # the person stays signed in
                raise CallRefused(Code.REFUSED, str(wrong), {}) from None

    async def set_language(self, token: str, language: str) -> None:
        with _refusals():
            self._desk.accounts.choose_language(self._person(token).name, language)

    async def confirm(self, token: str, given: Confirmation | None, address: str) -> None:
        """The person types their secret again, for what takes two persons. Raises CallRefused 403, which
        names the kind of secret, without it or for a wrong one."""
        with _refusals():
            person = self._person(token)
            needed = {"confirm": secret_kind(person.role)}
            if given is None:
                why = f"this takes {person.name}'s {person.secret_word} again, at this moment"
                raise CallRefused(Code.FORBIDDEN, why, needed)
            try:
                await self._desk.confirm(person, given.kind, given.secret, address)
            except WrongSecret:
                wrong = f"this is not {person.name}'s {SECRET_WORDS[given.kind]}"
                raise CallRefused(Code.FORBIDDEN, wrong, needed) from None
            self._person(token)  # the session may be over by now

    def _person(self, token: str) -> Person:
        found = self._desk.sessions.find(token)
        if found is None:
            raise CallRefused(Code.NO_SESSION, "sign in first", {})
        return found.person

    async def forged(self, token: str | None, address: str, what: str) -> None:
        with _refusals():
            found = self._desk.sessions.find(token, active=False) if token else None
            self._desk.report_forged(found.person if found else None, address, what)


@contextmanager
def _refusals() -> Iterator[None]:
    """Errors of the desk become refusals, as the table socket answers them."""
    try:
        yield
    except AccessError as error:
        refused = as_call_error(error)
        if refused is None:
            raise
        raise CallRefused(refused.code, refused.text, refused.data or {}) from None
