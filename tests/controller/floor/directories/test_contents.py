"""Who is in the directory of which table."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from controller.access.accounts import Accounts
from controller.access.store import AccessStore
from controller.floor.directories.contents import (
    MOST_REVOKED,
    AccountFields,
    content_for,
    digest_of,
    fields_of,
)

KEY = bytes(32)


@pytest.fixture
def accounts(tmp_path: Path) -> Iterator[Accounts]:
    """Ann supervises the pit, Dee deals at one table, and Ted works nowhere yet."""
    store = AccessStore(tmp_path / "access.db")
    found = Accounts(store)
    for name, role, secret in (("Ann", "supervisor", "password"), ("Dee", "dealer", "pin")):
        found.add(name, role, "root")
        found.store_secret(name, secret, f"hash of {name}", "root")  # type: ignore[arg-type]
    found.add("Ted", "technician", "root")
    found.set_places("Ann", (), ["main"], "root")
    found.set_places("Dee", ["bj-1"], (), "root")
    yield found
    store.close()


def fields(accounts: Accounts) -> tuple[AccountFields, ...]:
    return fields_of(accounts.secret_rows())


HASH = "$argon2id$v=19$m=9216,t=4,p=1$5jBBLeb8yRARQnoPKT/Gvg$XpgUx8DqwacvtSALIapeFVvPU31r+0DIscotA75UDqM"


def give_hashes(accounts: Accounts) -> None:
    accounts.store_secret("Ann", "password", HASH, "root")
    accounts.store_secret("Dee", "pin", HASH, "root")


def names(accounts: Accounts, table: str, *pits: str) -> list[str]:
    give_hashes(accounts)
    return [one.name for one in content_for(table, pits, fields(accounts), ()).accounts]


def test_a_table_lists_only_those_who_may_work_there(accounts: Accounts) -> None:
    assert names(accounts, "bj-1", "main") == ["Ann", "Dee"]
    assert names(accounts, "bj-2", "main") == ["Ann"]
    assert names(accounts, "bj-1") == ["Dee"]
    assert names(accounts, "bj-3", "salon") == []


def test_an_account_has_its_secret_by_its_role(accounts: Accounts) -> None:
    give_hashes(accounts)
    accounts.lock("Dee", "root")
    ann, dee = content_for("bj-1", ("main",), fields(accounts), ()).accounts
    assert (ann.role, ann.secret, ann.locked) == ("supervisor", HASH, False)
    assert (dee.role, dee.secret, dee.locked) == ("dealer", HASH, True)
    assert ann.id != dee.id


def test_who_was_listed_and_is_not_any_more_is_revoked(accounts: Accounts) -> None:
    give_hashes(accounts)
    before = [one.id for one in content_for("bj-1", ("main",), fields(accounts), ()).accounts]
    accounts.remove("Ann", "root")
    content = content_for("bj-1", ("main",), fields(accounts), before)
    assert content.revoked == (before[0],)
    many = [f"{number:016x}" for number in range(MOST_REVOKED + 10)]
    assert content_for("bj-1", (), fields(accounts), many).revoked == tuple(many[10:])


def test_a_digest_differs_with_each_change_and_with_the_key(accounts: Accounts) -> None:
    give_hashes(accounts)
    digests: list[str] = []
    changes: tuple[Callable[[], object], ...] = (
        lambda: None,
        lambda: accounts.lock("Dee", "root"),
        lambda: accounts.store_secret("Dee", "pin", HASH[:-1] + "N", "root"),
        lambda: accounts.set_places("Dee", (), (), "root"),
    )
    for change in changes:
        change()
        content = content_for("bj-1", ("main",), fields(accounts), ())
        digests += [digest_of(content, KEY), digest_of(content, bytes(range(32)))]
    assert len(set(digests)) == len(digests)
