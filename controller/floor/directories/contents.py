"""Who may work at a table: the content of its directory, from the floor's accounts."""

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final

from controller.property.directory import DirectoryAccount, DirectoryContent

SHOWN: Final = ("id", "name", "role", "password", "pin", "badge_code", "locked", "tables", "pits")
"""The columns of an account that a directory depends on."""
AccountFields = tuple[Any, ...]
"""Their values, in this order."""
MOST_REVOKED: Final = 256
"""Accounts that a directory lists as revoked: the ones that were taken away last."""


def fields_of(rows: Iterable[Mapping[str, Any]]) -> tuple[AccountFields, ...]:
    return tuple(tuple(row[column] for column in SHOWN) for row in rows)


def content_for(
    table: str, pits: Collection[str], accounts: Iterable[AccountFields], listed_before: Sequence[str]
) -> DirectoryContent:
    """`pits`: those that the table belongs to; `listed_before`: the ids that its directories have listed, the
    oldest first."""
    listed = tuple(
        _account(fields)
        for fields in accounts
        if table in _words(fields, "tables") or not _words(fields, "pits").isdisjoint(pits)
    )
    present = {one.id for one in listed}
    revoked = [one for one in listed_before if one not in present]
    return DirectoryContent(v=1, accounts=listed, revoked=tuple(revoked[-MOST_REVOKED:]))


def digest_of(content: DirectoryContent, public: bytes) -> str:
    """What differs between any two directories that must have different versions."""
    return hashlib.sha256(public + content.payload).hexdigest()


def _words(fields: AccountFields, column: str) -> set[str]:
    return set(fields[SHOWN.index(column)].split())


def _account(fields: AccountFields) -> DirectoryAccount:
    row = dict(zip(SHOWN, fields, strict=True))
    return DirectoryAccount(
        id=row["id"],
        name=row["name"],
        role=row["role"],
        secret=row["pin"] if row["role"] == "dealer" else row["password"],
        badge=row["badge_code"],
        locked=bool(row["locked"]),
    )
