"""Sign-in for the daemon: accounts, sessions and limits on failures in one object."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from math import inf
from pathlib import Path
from typing import Self

from controller.access.accounts import Account, Accounts
from controller.access.authentication import Attempt, Authenticator
from controller.access.clock import AccessClock
from controller.access.directory import Directory
from controller.access.errors import AccessError, AccountsUnusable, TokenRefused, WrongSecret
from controller.access.hashing.process import HashingProcess
from controller.access.origin import LOOPBACK, Network, Origin
from controller.access.people import Person, Role, SecretKind, secret_kind
from controller.access.read_tokens import ReadToken, ReadTokens
from controller.access.refusal_sums import RefusalSums
from controller.access.sessions import LIMITS, Session, SessionLimits, Sessions
from controller.access.store import AccessRecord, AccessStore
from controller.text.characters import visible_text

DAEMON_PATIENCE = 0.2
"""Seconds that the daemon waits for a transaction of a command. The table stands still meanwhile."""
SEALED = "sealed account"
"""The kind of the records about the use of sealed accounts."""
SEALED_USE = "{name} signed in: a sealed account of the house, for a table without a floor"
MOST_FORGED = 300
"""Characters of a forged request that the journal keeps."""


class AccessDesk:
    """Everything about access that the daemon needs. `wall`: Unix time; `steady`: a monotonic clock in
    seconds; `dealer_from`: the networks from which dealers may sign in; `hashing` checks passwords and PINs.

    Methods that take a secret also take the address where it was typed, and whether this is the table's own
    screen (`at_table`).

    `offline_for`: seconds for which a directory of the floor counts without a newer one. `failures` counts
    the attempts to sign in that failed since this object was made.

    Raises AccountsUnusable if the file cannot be used.
    """

    def __init__(
        self,
        path: Path,
        wall: Callable[[], float],
        steady: Callable[[], float],
        limits: Mapping[Role, SessionLimits] = LIMITS,
        *,
        dealer_from: tuple[Network, ...] = LOOPBACK,
        hashing: HashingProcess | None = None,
        offline_for: float = inf,
    ) -> None:
        self._store = AccessStore(path, DAEMON_PATIENCE)
        clock = AccessClock(wall, steady, self._store.set_back, self._store.latest_time())
        self.accounts = Accounts(self._store, wall)
        self.sessions = Sessions(self._store, clock, limits)
        self.tokens = ReadTokens(self._store, clock)
        self.directory = Directory(self._store, wall, steady, offline_for)
        self.failures = 0
        self._repeated = RefusalSums(self._store.add_record, steady)
        self.hashing = hashing or HashingProcess()
        self._authenticator = Authenticator(
            self._store,
            self.accounts,
            self.directory,
            self.hashing,
            dealer_from,
            clock,
            steady,
            self._report_refusal,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_ending: object) -> None:
        with suppress(AccountsUnusable):
            self._repeated.sum_up(0)
        self._store.close()

    async def sign_in(
        self, kind: SecretKind, name: str, secret: str, address: str, *, at_table: bool = False
    ) -> tuple[str, Session]:
        """The token of a new session, and the session. Raises WrongSecret, LockedOut or TooOften, and records
        each refusal for the journal."""
        attempt = Attempt(kind, name.strip(), secret, Origin(address, at_table))
        account = await self._authenticator.account(attempt)
        if account.sealed:
            text = SEALED_USE.format(name=account.name)
            self._store.add_record(AccessRecord(SEALED, account.name, account.role, address, text))
        return self.sessions.begin(account, address)

    async def confirm(
        self, person: Person, kind: SecretKind, secret: str, address: str, *, at_table: bool = False
    ) -> None:
        """The person proves again who they are, for an act that takes more than a session. Failures count as
        failures to sign in; each confirmation and each refusal is recorded for the journal. Raises
        WrongSecret, LockedOut or TooOften."""
        account = await self._prove(person, kind, secret, Origin(address, at_table))
        self._store.add_record(AccessRecord("confirmed", account.name, account.role, address))

    async def new_secret(
        self, person: Person, old: str, new: str, address: str, *, at_table: bool = False
    ) -> None:
        """Change the person's password or, for a dealer, PIN, and end their session. Raises AccessError."""
        kind, word = secret_kind(person.role), person.secret_word
        try:
            account = await self._prove(person, kind, old, Origin(address, at_table))
        except WrongSecret:
            raise WrongSecret(f"the old {word} is not right") from None
        if new == old:
            raise AccessError(f"the new {word} is the old one; nothing is changed")
        self.accounts.check_secret(account.name, kind, new)
        self.accounts.store_secret(account.name, kind, await self.hashing.hash(new), account.name)

    def check_token(self, token: str, address: str) -> ReadToken:
        """The token with which another system at this address reads the API. Raises TokenRefused, and records
        each refusal for the journal."""
        try:
            return self.tokens.check(token)
        except TokenRefused as refused:
            self._report_refusal(AccessRecord("refused", "", "", address, f"API: {refused}"))
            raise

    def report_directory(self, why: str) -> None:
        """Record that a directory was refused."""
        self._repeated.add(AccessRecord("refused", "", text=f"A directory of the floor was refused: {why}"))

    def report_forged(self, person: Person | None, address: str, what: str) -> None:
        """Record a forged request, that is, one that a page of another server made. `what`: method and path,
        which the other server chose."""
        who, role = (person.name, person.role) if person else ("", "")
        text = visible_text(what[:MOST_FORGED])
        self._repeated.add(AccessRecord("forged", who, role, address, text))

    def expire_and_sum_up(self) -> None:
        """End sessions that are over, record the sums of refusals, and store for how long the floor is away.
        To be called once a second."""
        self.sessions.expire()
        self._repeated.sum_up()
        self.directory.store_time()

    def pending_records(self) -> list[tuple[int, AccessRecord]]:
        """The records that the journal does not have yet, with their numbers, oldest first."""
        return self._store.pending_records()

    def confirm_record(self, number: int) -> None:
        """Delete a record that the journal now has."""
        self._store.delete_record(number)

    def _report_refusal(self, record: AccessRecord) -> None:
        self.failures += 1
        self._repeated.add(record)

    async def _prove(self, person: Person, kind: SecretKind, secret: str, origin: Origin) -> Account:
        """The person's account, if the secret is theirs."""
        return await self._authenticator.account(Attempt(kind, person.name, secret, origin, person.name))
