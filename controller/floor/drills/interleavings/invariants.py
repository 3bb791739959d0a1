"""What must hold in the end: one order, one amount for each claim, every wager counted once."""

from collections.abc import Sequence

from controller.floor.drills.interleavings.world import Table
from controller.jackpot.linked.entries import LogEntry, Won
from controller.jackpot.linked.level import LinkedLevel

CENT = 10_000
PER_CENT = 2_000
"""Units that one cent of a stake contributes."""


class Violation(Exception):
    """A promise is broken."""


def check_claims(log: Sequence[LogEntry], tables: Sequence[Table]) -> int:
    """Each claim is won once, in the order of the stream, with the amount that its table has. Returns how
    many there are; raises Violation."""
    won, order = dict[str, int](), list[tuple[int, int, int]]()
    for entry in log:
        for outcome in entry.out:
            if isinstance(outcome, Won):
                if outcome.claim in won:
                    raise Violation(f"{outcome.claim} is won twice")
                won[outcome.claim] = outcome.cents
                order.append((entry.inputs.incarnation, *outcome.order))
    if order != sorted(set(order)):
        raise Violation(f"claims are not in the order of the stream: {order}")
    rows = {claim: cents for table in tables for claim, cents in table.rows.items()}
    if rows != won:
        raise Violation(f"tables have {rows}, the log has {won}")
    return len(won)


def check_meters(level: LinkedLevel, tables: Sequence[Table]) -> None:
    """The books have the wagers of all tables, to the last unit. Raises Violation."""
    if level.meter is None:
        raise Violation("no parameters")
    books = level.meter.books
    wagered = sum(table.reading.wagered - table.reading.voided for table in tables)
    wagers = sum(table.reading.wagers - table.reading.voided_wagers for table in tables)
    if (books.wagers, books.wagered) != (wagers, wagered):
        raise Violation(f"tables have {wagers} wagers of {wagered}: {books}")
    if books.contributions != wagered * PER_CENT:
        raise Violation(f"{wagered} cents contribute {wagered * PER_CENT}: {books}")
    if books.paid != sum(one.cents for one in level.ended.values() if one.state == "paid") * CENT:
        raise Violation(f"paid is not the sum of paid claims: {books}")
