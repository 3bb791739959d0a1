"""What may be seen of jackpots, by anyone: meters with their books, and claims of won shares."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FedView:
    """How a jackpot is fed; amounts in cents, shares of each stake as text."""

    seed: int
    reset: int
    contribution: str
    reserve: str
    limit: int | None
    threshold: int | None


@dataclass(frozen=True, slots=True)
class BooksView:
    """Where every unit of 1/10,000 cent is: contributions + seeds = display + locked + reserve + overflow +
    paid. `wagered` is in cents; `wins` is what was won, paid or not yet."""

    display: int
    locked: int
    reserve: int
    overflow: int
    paid: int
    contributions: int
    seeds: int
    wagers: int
    wagered: int
    hits: int
    wins: int


@dataclass(frozen=True, slots=True)
class MeterView:
    """The jackpot of a spot; `cents` is what is played for."""

    spot: str
    cents: int
    state: str
    """runs, won (in the round in play), waits (for its game)."""
    books: BooksView
    now: FedView
    pending: FedView | None
    """Parameters that wait until it is won."""


@dataclass(frozen=True, slots=True)
class ClaimView:
    """A won share, in cents; names are empty until somebody signed."""

    number: int
    spot: str
    round: int
    seat: int
    cards: tuple[str, ...]
    """The seat's first two, then the up-card."""
    hit: str
    share: str
    cents: int
    shown: int
    """What the jackpot showed before."""
    base: int
    """What it showed after the round's last share."""
    state: str
    """pending, confirmed, checked (by one of two), verified, paid, void."""
    steps: tuple[str, ...]
    """What may be done about it now."""
    tax: bool
    dealer: str
    supervisor: str
    second: str
    payer: str
    voided_by: str
    why: str
    by_two: bool = False
    """A second person has to verify it."""
