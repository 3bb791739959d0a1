"""The state of a linked progressive after an entry of its log."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from controller.currency import Currency, named_currency
from controller.jackpot.books import UNITS, JackpotReset, Unbalanced
from controller.jackpot.linked.entries import first_hash
from controller.jackpot.linked.messages import AnnouncedClaim, ClaimState, Meters
from controller.jackpot.linked.wire import Tally
from controller.jackpot.meter import Meter


@dataclass(frozen=True, slots=True)
class Position:
    """Up to which message PROGRESSIVE_IN is decided, and that message's digest. A stream that was rewound
    begins a new incarnation."""

    incarnation: int = 1
    last: int = 0
    digest: str = ""


@dataclass(frozen=True, slots=True)
class Contributor:
    """An epoch of a table's journal. `known`: its last meters; `counted` and `refused`: its wagers that are
    not void, and did or did not contribute; `fell`: a meter fell, and this is not settled yet."""

    public: str
    admitted: bool = True
    known: Meters = field(default_factory=Meters)
    counted: Tally = field(default_factory=Tally)
    refused: Tally = field(default_factory=Tally)
    fell: bool = False

    def counting(self, reading: Meters) -> "Contributor":
        """After a reading that contributes. Its void wagers are taken from the refused ones if those are as
        many, and else from those that were counted."""
        placed = reading.placed.minus(self.known.placed)
        void = reading.taken_back.minus(self.known.taken_back)
        counted, refused = self.counted.plus(placed), self.refused.minus(void)
        if refused.possible:
            return replace(self, known=reading, counted=counted, refused=refused)
        return replace(self, known=reading, counted=counted.minus(void))

    def refusing(self, reading: Meters) -> "Contributor":
        """After a reading that is known from now on, and of which nothing counts."""
        placed = reading.placed.minus(self.known.placed)
        return replace(self, known=reading, refused=self.refused.plus(placed))

    def settled(self, reading: Meters) -> "Contributor":
        """It counts on from these meters."""
        return replace(self, known=reading, refused=Tally(), fell=False)


@dataclass(frozen=True, slots=True)
class LinkedClaim:
    """A claim of a table; `n`: the entry that locked its cents."""

    claim: str
    table: str
    seat: int
    cents: int
    order: tuple[int, int]
    n: int
    reset: JackpotReset
    state: ClaimState = "open"

    @property
    def announced(self) -> AnnouncedClaim:
        return AnnouncedClaim(
            claim=self.claim,
            table=self.table,
            seat=self.seat,
            cents=self.cents,
            order=self.order,
            n=self.n,
            state=self.state,
        )


@dataclass(frozen=True, slots=True)
class LinkedLevel:
    """A frozen value: each entry of the log gives a new one.

    `meter`: None until the first parameters; `contributors`: by table and epoch; `open` and `ended`: all
    claims that ever were, because a claim may come again at any time; `answered`: ids of admin messages;
    `changed`: the last entry with a won share, a correction or parameters; `alarmed`: tables and codes whose
    alarm is not raised again; `currency`: the code of the currency of all amounts, empty if no
    parameters have named one.
    """

    level: str
    demo: bool = False
    n: int = 0
    hash: str = ""
    at: float = 0.0
    position: Position = field(default_factory=Position)
    meter: Meter | None = None
    contributors: Mapping[tuple[str, str], Contributor] = field(default_factory=dict)
    open: Mapping[str, LinkedClaim] = field(default_factory=dict)
    ended: Mapping[str, LinkedClaim] = field(default_factory=dict)
    answered: frozenset[str] = frozenset()
    changed: int = 0
    alarmed: frozenset[tuple[str, str]] = frozenset()
    currency: str = ""

    def __post_init__(self) -> None:
        if not self.hash:
            object.__setattr__(self, "hash", first_hash(self.level))

    @property
    def money(self) -> Currency:
        return named_currency(self.currency)

    @property
    def claims(self) -> dict[str, LinkedClaim]:
        return {**self.ended, **self.open}

    def claim(self, claim: str) -> LinkedClaim | None:
        return self.open.get(claim) or self.ended.get(claim)

    @property
    def closed_tables(self) -> tuple[str, ...]:
        """Tables whose meter fell, and tables that are not admitted any more."""
        playing = {table for (table, _), one in self.contributors.items() if one.admitted and not one.fell}
        return tuple(sorted({table for table, _ in self.contributors} - playing))

    def with_contributor(self, table: str, epoch: str, contributor: Contributor) -> "LinkedLevel":
        return replace(self, contributors={**self.contributors, (table, epoch): contributor})

    def without_alarms(self, table: str) -> "LinkedLevel":
        """Alarms of a table may be raised again."""
        return replace(self, alarmed=frozenset(one for one in self.alarmed if one[0] != table))

    def audit(self) -> None:
        """Raises Unbalanced if the locked amount is not that of the open claims. The books check the rest
        by themselves."""
        owed = sum(claim.cents for claim in self.open.values()) * UNITS
        locked = self.meter.books.locked if self.meter else 0
        if locked != owed:
            raise Unbalanced(f"{self.level}: {locked} units are locked, open claims are for {owed}")
