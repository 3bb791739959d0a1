"""What a computer of the floor has, asked before and after something that must leave it as it is."""

from dataclasses import dataclass
from typing import Self

from tests.package.machine import Machine, must
from tests.package.one_unit import HASHES

CONFIG = "/etc/tableside/floor.toml"
KEYS = "find /etc/tableside -name '*.key' -o -name '*.seed' -o -name '*.crt' | sort | xargs sha256sum"
STORED = "/var/lib/tableside-floor/stores /var/lib/tableside-progressive /mnt/second/tableside-progressive"


@dataclass(frozen=True, slots=True)
class Holdings:
    """`rows`, `entries`: the hash of each row that the floor has of the table, and of each entry of the
    linked progressive. `accounts`, `keys`: as commands print them."""

    rows: list[str]
    entries: list[str]
    accounts: str
    keys: str

    @classmethod
    def of(cls, floor: Machine) -> Self:
        """Raises MachineError, too, if the rows are not a whole journal."""
        (floor.root / "srv/hashes.py").write_text(HASHES)
        floor.run(f"rm -f now.journal* && tableside floor journal bj-1 now.journal --config {CONFIG}")
        floor.run("tableside journal verify now.journal --rules")
        return cls(
            floor.run("python3 hashes.py now.journal").split(),
            floor.run("python3 hashes.py /var/lib/tableside-progressive/sevens.journal").split(),
            floor.run(f"tableside people list --json --config {CONFIG}"),
            floor.run(KEYS),
        )

    def must_go_on(self, before: Self) -> None:
        """The same accounts and keys, and no row or entry has changed."""
        for name in ("rows", "entries"):
            was, now = getattr(before, name), getattr(self, name)
            must(bool(was) and now[: len(was)] == was, f"{name} before: {was}\nafter: {now}")
        must(before.accounts == self.accounts, f"accounts: {before.accounts}\nafter: {self.accounts}")
        must(before.keys == self.keys, f"keys before: {before.keys}\nafter: {self.keys}")


def stored(floor: Machine) -> str:
    """The sums of all files that are evidence. No service may write meanwhile."""
    return floor.run(f"find {STORED} -type f | sort | xargs sha256sum")
