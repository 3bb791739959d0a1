"""Which of two instances of the floor acts, as the lease says: its name there, and what pages say of it."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

_PAGE: Final = re.compile(r"https?://[A-Za-z0-9.:\[\]-]+/")


@dataclass(frozen=True, slots=True)
class InstanceName:
    """What an instance writes into the lease: the same after a restart, so that it takes its own lease at
    once. `host`: the name of its computer; `journal`: the path of its journal there; `page`: the URL of its
    pages, empty if other computers do not reach them."""

    host: str
    journal: Path
    page: str = ""

    def __str__(self) -> str:
        return f"{self.host}:{self.journal} {self.page}".rstrip()

    @classmethod
    def read(cls, text: str) -> Self:
        """The name in a lease. `page` is empty for anything else than the plain address of a page."""
        host, _, rest = text.partition(":")
        path, _, page = rest.rpartition(" ")
        if _PAGE.fullmatch(page):
            return cls(host, Path(path), page)
        return cls(host, Path(rest))


@dataclass(frozen=True, slots=True)
class Standing:
    """Whether this instance acts. If it does not: `why`, and the computer `host` of the one that acts, with
    the URL `page` of its pages; each is empty if it is not known."""

    acts: bool = True
    host: str = ""
    page: str = ""
    why: str = ""


ACTS: Final = Standing()
