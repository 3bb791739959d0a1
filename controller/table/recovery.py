"""Rebuilds the state from the journal: the last snapshot, and every input after it.

The loop writes a snapshot behind each round that ends, and each file of the journal begins with one. A
start restores the last snapshot and applies the inputs behind it, some dozens at most, with the code that
runs the table. Notes are not applied: applying their inputs makes them again. Two things are not in a
snapshot:

- Ended rounds. Their rows, of kind "round", are read instead; those of closed files are in the snapshot
  with which the live file begins. Rounds that were corrected afterwards are in each snapshot, and replace
  the rows.
- The round in play. A snapshot is taken when it has just begun, so that its inputs are all behind the
  snapshot.

A journal that cannot be replayed halts the daemon. Playing on from a state that differs from the journal
would make every later row wrong. The message names the class of the error but no value: a card that lies
face down could be one.
"""

from controller.currency import UNNAMED, named_currency
from controller.jackpot import Unbalanced
from controller.journal.chain import JournalRow
from controller.journal.errors import ForeignCurrency, JournalDamaged
from controller.journal.journal import Journal
from controller.property.subjects import epoch_of
from controller.table.apply import jackpots
from controller.table.errors import TableError
from controller.table.people.corrections.ended_rounds import replace_ended
from controller.table.record.codec import read_ended, read_input
from controller.table.record.events import Started
from controller.table.record.kinds import INPUTS, SNAPSHOT
from controller.table.record.notes import RoundEnded
from controller.table.sealer import Sealer
from controller.table.state.snapshot import read_snapshot, restore_snapshot
from controller.table.state.table_state import TableState
from controller.table.state_machine import apply, begin


def recover(journal: Journal, started: Started, sealer: Sealer | None = None) -> TableState:
    """The state before `started`, which is neither applied nor written. `sealer` knows all sealed cards
    afterwards.

    Raises SealUnusable if a card that is still secret cannot be opened, ForeignCurrency if the journal counts
    in another currency, JournalError for a journal whose rows are whole and yet make no sense.
    """
    try:
        state = _replay(journal, started, sealer or Sealer())
        _check_currency(state.coming.currency, started.currency)
        return with_epoch(journal, state)
    except (KeyError, TypeError, ValueError, Unbalanced, TableError) as error:
        raise JournalDamaged(f"the journal cannot be replayed: {_of(error)}") from error


def with_epoch(journal: Journal, state: TableState) -> TableState:
    """The same state, which knows the epoch from now on if the journal has a row. If row 1 was deleted before
    any version recorded the epoch, the oldest row that is left takes its place. Raises JournalError."""
    if not state.epoch and (oldest := journal.oldest()):
        state.epoch = epoch_of(oldest.hash)
    return state


def _check_currency(recorded: str, configured: str) -> None:
    """Raises ForeignCurrency. A jackpot of 10,000 dollars must not become one of 10,000 euros. A journal of a
    version that recorded no currency has hundredths, and takes any currency that has them."""
    fits = recorded == configured or (not recorded and named_currency(configured).digits == UNNAMED.digits)
    if not fits:
        counts = f"in {recorded}" if recorded else "in hundredths of a unit without a name"
        allowed = f'"{recorded}"' if recorded else "a currency with two decimals"
        written = f'table.currency = "{configured}"' if configured else "table.currency is missing"
        raise ForeignCurrency(
            f"{written}, but the amounts of this journal are {counts}; allowed: {allowed}, or a new journal"
        )


def _replay(journal: Journal, started: Started, sealer: Sealer) -> TableState:
    snapshots = journal.latest(SNAPSHOT)
    since = snapshots[0].row if snapshots else 0
    rows = sealer.read([*snapshots[:1], *journal.since(since)])
    state = _restored(journal, rows.pop(0), sealer) if snapshots else None
    for entry in rows:
        if entry.content.kind not in INPUTS:
            continue
        event = read_input(entry.content)
        if state is None and isinstance(event, Started):
            state = begin(event)
        if state is None:
            raise JournalDamaged(f"row {entry.row} comes before the first start")
        apply(state, event, entry.content.at)
        sealer.replayed(entry.row, state)
    return state or begin(started)


def _restored(journal: Journal, snapshot: JournalRow, sealer: Sealer) -> TableState:
    """The state of the last snapshot, with the rounds that had ended."""
    kept = read_snapshot(snapshot.content)
    state = restore_snapshot(kept)
    jackpots.audit(state)
    ended = (entry.content for entry in journal.latest("round") if entry.row < snapshot.row)
    state.ended_rounds.extend(_carried(journal))
    state.ended_rounds.extendleft(map(read_ended, ended))
    for corrected in kept.corrected:
        replace_ended(state, corrected)
    sealer.restored(kept, state)
    return state


def _carried(journal: Journal) -> tuple[RoundEnded, ...]:
    """The ended rounds whose rows are in closed files, the latest first."""
    opening = journal.first_snapshot()
    if opening is None or opening.content.kind != SNAPSHOT:
        return ()
    return read_snapshot(opening.content).ended


def _of(error: Exception) -> str:
    """What is wrong with a row, without what stands in it: a card that lies face down might."""
    return str(error) if isinstance(error, Unbalanced) else type(error).__name__
