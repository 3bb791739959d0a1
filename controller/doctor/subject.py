"""What is examined: a table with its configuration on this computer."""

import os
import pwd
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from controller.config import Config

SERVICE_USER: Final = "tableside"
"""The user of the installed daemon."""


@dataclass(frozen=True, slots=True)
class Account:
    """A user of this computer, with all groups."""

    name: str
    uid: int
    groups: frozenset[int]

    def may_use(self, path: Path) -> bool:
        """Whether this user may read and write the file. Raises OSError if it is absent."""
        found = path.stat()
        mode = 0o6 if self.uid != found.st_uid else 0o600
        if self.uid != found.st_uid and found.st_gid in self.groups:
            mode = 0o60
        return not self.uid or found.st_mode & mode == mode


def caller() -> Account:
    """Who runs this program."""
    uid = os.geteuid()
    try:
        name = pwd.getpwuid(uid).pw_name
    except KeyError:
        name = f"user {uid}"
    return Account(name, uid, frozenset((os.getegid(), *os.getgroups())))


def service_account(name: str = SERVICE_USER) -> Account | None:
    """The user of the service; None if the package is not installed."""
    try:
        found = pwd.getpwnam(name)
    except KeyError:
        return None
    return Account(name, found.pw_uid, frozenset(os.getgrouplist(name, found.pw_gid)))


@dataclass(frozen=True, slots=True)
class Subject:
    """`config`: of the table, from the file at `path`. `user`: as whom the table runs. `installed`: whether
    this computer has the user of the service, so that `user` is that one and not the caller. `core`: the
    process of the daemon that answers, 0 if none does."""

    path: Path
    config: Config
    core: int = 0
    user: Account = field(default_factory=caller)
    installed: bool = False

    @property
    def journal(self) -> Path:
        return Path(self.config.journal.path)
