"""The linked progressives of the property, as their services announce them. No clock and no I/O."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from controller.floor.tables.alerts import FloorCause
from controller.jackpot.linked.messages import Amount, AmountState, AnnouncedClaim

SILENCE: Final = 5.0
"""Seconds without an announcement after which a level counts as one without a leader, and tables close it."""
SILENT: Final = "No instance announces the progressive {level}: tables close it"
STANDS: Final = "The progressive {level} stands still: two persons must decide which history holds"
FELL: Final = "A meter of the table for the progressive {level} fell, or the table is not admitted there"


@dataclass(frozen=True, slots=True)
class LinkedJackpot:
    """A level after its last amount, which came at `heard`, in seconds of Unix time. `cents`: None before the
    first amount; `claims`: the open ones, oldest first; `closed`: tables whose level is closed; `currency`:
    the code of the currency of all cents, empty if the level names none."""

    level: str
    heard: float
    n: int = 0
    version: int = 0
    cents: int | None = None
    state: AmountState | None = None
    claims: tuple[AnnouncedClaim, ...] = ()
    closed: tuple[str, ...] = ()
    waits: bool = False
    """Other parameters apply once it is won."""
    currency: str = ""


class LinkedJackpots:
    """`levels`: their names; `now`: when the floor begins to listen."""

    def __init__(self, levels: Iterable[str], now: float) -> None:
        self.shown: dict[str, LinkedJackpot] = {level: LinkedJackpot(level, now) for level in levels}
        """By level. Do not change it."""

    def take(self, amount: Amount, now: float) -> None:
        """An amount that the level's service signed. One that comes late, or of another level, is ignored."""
        known = self.shown.get(amount.level)
        if known is None or (amount.n, amount.version) <= (known.n, known.version):
            return
        changed = {claim.claim: claim for claim in amount.claims}
        claims = {claim.claim: claim for claim in known.claims} | changed
        self.shown[amount.level] = LinkedJackpot(
            amount.level,
            now,
            amount.n,
            amount.version,
            amount.cents,
            amount.state,
            tuple(sorted((one for one in claims.values() if one.state == "open"), key=_by_order)),
            amount.closed,
            amount.parameters_pending,
            amount.currency,
        )

    def faults(self, now: float) -> Iterator[tuple[FloorCause, str]]:
        """What is wrong now, and a sentence about each."""
        for level, jackpot in self.shown.items():
            if now - jackpot.heard > SILENCE:
                yield FloorCause("leader", which=level), SILENT.format(level=level)
            elif jackpot.state == "inoperable":
                yield FloorCause("leader", which=level), STANDS.format(level=level)
            for table in jackpot.closed:
                yield FloorCause("meter fell", table, level), FELL.format(level=level)

    def look(self) -> tuple[LinkedJackpot, ...]:
        """What pages show. Two results are equal if pages would show the same."""
        return tuple(replace(one, heard=0.0, n=0, version=0) for one in self.shown.values())


def _by_order(claim: AnnouncedClaim) -> tuple[int, int]:
    return claim.order
