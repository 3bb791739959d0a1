"""The floor's accounts at all its instances: each change is an entry of the floor's own journal.

An entry says whose account was changed, and holds the account sealed for the floor's own key, which only the
instances have. It names the entry on which it rests: of two changes of one account that were made at two
computers at the same time, the first one in the journal counts, and the other one is lost. No such merge
gives anybody a right: if the lost change took the account away, or locked it, or gave it another role, the
account is removed, or locked.

| an instance | does |
|---|---|
| that never shared its accounts, and acts, with no account in the journal | writes all its accounts |
| that never shared its accounts, with accounts in the journal | takes these over, and removes its own ones |
| any other | takes over what is new, and writes what was changed at its own computer |
"""

import asyncio
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import structlog

from controller.access.directory import LOCAL_LOCK
from controller.access.errors import AccountsUnusable
from controller.access.store import AccessStore
from controller.floor.account_file import AccountContent, SharedAccounts, SharedState, digest_of
from controller.floor.approvals.acts import FloorActs, NotActing
from controller.floor.floor_log import FloorEntry
from controller.journal.errors import JournalError
from controller.journal.signing import Signer
from controller.property.sealing import SealBroken, SealingKey, seal

ENTRY: Final = "account"
PAUSE: Final = 0.5
"""Seconds between two looks at the accounts and the journal."""
PATIENCE: Final = 0.2
"""Seconds to wait for a program that writes accounts."""
_KEY: Final = b"tableside floor: the key for which accounts are sealed, 1"
"""What the floor signs for nothing else. The signature is the same each time, and known to nobody else."""
Opened = dict[str, Any]
"""The content of an entry: `account` and `badge_key`."""


class AccountLog:
    """`path`: the file of accounts of this instance; `signer`: has the key of the floor."""

    def __init__(self, path: Path, journal: FloorActs, signer: Signer) -> None:
        self._path, self._journal = path, journal
        self._key = SealingKey(hashlib.sha256(signer.sign(_KEY)).digest())
        self._public = self._key.public.hex()
        self._seen: tuple[int, int, bool] | None = None
        self._fault = ""
        self._log = structlog.get_logger("tableside.floor")

    async def run(self) -> None:
        """Until cancelled."""
        while True:
            try:
                store = AccessStore(self._path, PATIENCE)
            except AccountsUnusable as fault:
                self._note(str(fault))
                await asyncio.sleep(PAUSE)
                continue
            try:
                await self._run(SharedAccounts(store))
            except AccountsUnusable as fault:
                self._note(str(fault))
            finally:
                store.close()

    async def _run(self, accounts: SharedAccounts) -> None:
        """Raises AccountsUnusable."""
        self._seen = None
        while True:
            now = accounts.version, self._journal.last, self._journal.leads
            if now != self._seen:
                try:
                    if self._take(accounts):
                        await self._write(accounts)
                        self._note("")
                    self._seen = now
                except (NotActing, JournalError) as why:
                    self._note(str(why))
            await asyncio.sleep(PAUSE)

    def _take(self, accounts: SharedAccounts) -> bool:
        """Take over what is new in the journal. Returns whether everything could be read."""
        found = [one for one in self._journal.entries(accounts.place or 0) if one.kind == ENTRY]
        if name := self._unreadable(found):
            self._note(
                f"the account {name!r} is sealed for another floor.key: all instances need the same one"
            )
            return False
        fresh = accounts.place is None
        with accounts.transaction():
            for entry in found:
                self._take_one(accounts, entry)
                accounts.go_on(entry.n)
            for account in accounts.accounts().keys() - accounts.states().keys() if found and fresh else ():
                self._log.warning("an account that the floor does not have is removed", id=account)
                accounts.remove(account)
        return True

    def _unreadable(self, entries: Sequence[FloorEntry]) -> str:
        """The account of an entry that this key does not open, and that no later entry replaces."""
        readable = {one.body["id"]: one.n for one in entries if self._opened(one) is not None}
        late = (one.body["name"] for one in entries if readable.get(one.body["id"], 0) < one.n)
        return next(late, "")

    def _take_one(self, accounts: SharedAccounts, entry: FloorEntry) -> None:
        account, opened = entry.body["id"], self._opened(entry)
        known, here = accounts.states().get(account), accounts.accounts().get(account)
        if known and entry.body["base"] != known.n:
            return  # it rests on an entry that is not the last one
        if known and opened is None:
            accounts.keep_state(account, SharedState(entry.n, known.digest, known.key))
        elif opened == {}:
            accounts.remove(account)
            accounts.forget_state(account)
        elif opened is not None:
            content = opened["account"]
            state = SharedState(entry.n, digest_of(content), entry.body["key"])
            if key := bytes.fromhex(opened["badge_key"]):
                accounts.badge_key = key
            accounts.keep_state(account, state)
            self._merge(accounts, content, here, known)

    def _merge(
        self,
        accounts: SharedAccounts,
        content: AccountContent,
        here: AccountContent | None,
        known: SharedState | None,
    ) -> None:
        """`here`: the account as it is at this computer; `known`: what was taken over before."""
        digest = digest_of(content)
        if here and digest_of(here) == digest:
            return
        if known and here is None:
            return  # it was removed here meanwhile
        if known and here and digest_of(here) != known.digest:
            self._log.warning("an account was changed at two computers", account=content["name"])
            locks = here["locked"] | (LOCAL_LOCK if here["role"] != content["role"] else 0)
            content = {**content, "locked": content["locked"] | locks}
        accounts.write(content)

    async def _write(self, accounts: SharedAccounts) -> None:
        """Write what was changed at this computer. Raises NotActing."""
        place, last = accounts.place, self._journal.last
        if place is None and not self._journal.leads:
            return
        if place is None or (self._journal.leads and place > last):  # or the journal was begun anew
            accounts.begin(last)
        for body in list(self._changes(accounts)):
            await self._journal.note(ENTRY, body)
        self._take(accounts)

    def _changes(self, accounts: SharedAccounts) -> Iterator[Mapping[str, Any]]:
        here, known = accounts.accounts(), accounts.states()
        badge_key = accounts.badge_key.hex()
        for account, content in here.items():
            state = known.get(account)
            if state and (state.digest, state.key) == (digest_of(content), self._public):
                continue
            sealed = json.dumps({"account": dict(content), "badge_key": badge_key}).encode()
            shown = {name: content[name] for name in ("id", "name", "role", "locked")}
            box = seal(self._key.public, sealed, account.encode()).hex()
            yield {**shown, "base": state.n if state else 0, "key": self._public, "sealed": box}
        for account in known.keys() - here.keys():
            yield {"id": account, "name": "", "base": known[account].n, "removed": True}

    def _opened(self, entry: FloorEntry) -> Opened | None:
        """The content; empty for an account that is removed, None for one that this key does not open."""
        if entry.body.get("removed"):
            return {}
        try:
            box = bytes.fromhex(entry.body["sealed"])
            found: Opened = json.loads(self._key.open(box, entry.body["id"].encode()))
        except SealBroken:
            return None
        return found

    def _note(self, why: str) -> None:
        """Log each fault once."""
        if why and why != self._fault:
            self._log.warning("accounts", why=why)
        self._fault = why
