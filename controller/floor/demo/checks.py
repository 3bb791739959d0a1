"""What must hold after a floor of simulated tables has played, from the files and streams alone."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import chain

from controller.floor.batch import Batch, BatchError, rows_of
from controller.jackpot.books import Unbalanced
from controller.jackpot.linked.apply import apply
from controller.jackpot.linked.entries import LogEntry, LogFault, Won
from controller.jackpot.linked.level import LinkedLevel
from controller.jackpot.linked.messages import ClaimMessage
from controller.journal.chain import JournalRow

Range = tuple[int, int]
"""The first and the last row of a batch."""


@dataclass(frozen=True, slots=True)
class StoredJournal:
    """What the floor has of a table's journal. `stored`: rows, each counted once; `lost`: rows that may leave
    the table and are not stored; `duplicated`: the surplus copies of rows that are stored more than
    once; `chain_ok`: the stored rows are those of the table, and their chain has no break."""

    stored: int
    lost: int
    duplicated: int
    chain_ok: bool


def check_journal(
    own: Iterable[JournalRow], disclosed: int, before: bytes, segments: Iterable[Batch]
) -> StoredJournal:
    """Compare all rows of a table with the batches that the floor has stored, in their order. `disclosed`:
    the last row that may leave the table; `before`: the hash before the table's first row."""
    hashes = {row.row: row.hash for row in own}
    counts, digest, chain_ok = Counter[int](), before, True
    for batch in segments:
        try:
            rows = rows_of(batch)
        except BatchError:
            chain_ok = False
            continue
        same = all(hashes.get(row.row) == row.hash for row in rows)
        chain_ok = chain_ok and same and batch.before == digest
        digest = batch.hash
        counts.update(row.row for row in rows)
    lost = sum(row <= disclosed and row not in counts for row in hashes)
    return StoredJournal(len(counts), lost, counts.total() - len(counts), chain_ok)


def count_rows(ranges: Iterable[Range]) -> int:
    """The rows of these ranges, each counted once."""
    return len(set(chain.from_iterable(range(first, last + 1) for first, last in ranges)))


@dataclass(frozen=True, slots=True)
class JackpotCheck:
    """`balanced`: the books balance after every entry, and the instance's journal is the log; `order_ok`:
    claims have one amount each, in the order in which they were received."""

    claims: int
    balanced: bool
    order_ok: bool


def check_jackpot(
    level: str, log: Sequence[LogEntry], journal: Sequence[LogEntry], received: Mapping[int, ClaimMessage]
) -> JackpotCheck:
    """`log`: PROGRESSIVE_LOG; `journal`: the instance's own; `received`: the claims in PROGRESSIVE_IN, by
    sequence."""
    won = [outcome for entry in log for outcome in entry.out if isinstance(outcome, Won)]
    return JackpotCheck(len(won), _balances(level, log) and [*log] == [*journal], _in_order(won, received))


def _balances(level: str, log: Sequence[LogEntry]) -> bool:
    try:
        reduce(apply, log, LinkedLevel(level, demo=True))
    except (LogFault, Unbalanced):
        return False
    return True


def _in_order(won: Sequence[Won], received: Mapping[int, ClaimMessage]) -> bool:
    """A claim counts where it was received first: tables repeat it until it is decided."""
    wanted = list(
        dict.fromkeys(share.claim for _, message in sorted(received.items()) for share in message.claims)
    )
    orders = [outcome.order for outcome in won]
    return [outcome.claim for outcome in won] == wanted and orders == sorted(set(orders))
