"""Finds programs that keep the journal's write-ahead log from being emptied.

The table's own readers hold nothing up. A program that root runs, such as a database browser that somebody
left open, is named in an alert: the daemon may not end the programs of other users.
"""

from collections.abc import Iterator, Mapping, Sequence

from controller.journal.log_readers import LogReader
from controller.table.apply.conditions import notice_of_change
from controller.table.record.causes import cause
from controller.table.record.events import Noticed
from controller.table.state.table_state import TableState

HELD_LOG = "The log of the {disk} grows beyond 64 MB: {readers} reads it without a pause. End that program"


class LogWatch:
    """Judges the readers of each check. A reader counts when it was there at the check before, too: a quick
    one may be at work just now."""

    def __init__(self) -> None:
        self._before: Mapping[str, Sequence[LogReader]] = {}

    def judge(self, state: TableState, readers: Mapping[str, Sequence[LogReader]]) -> Iterator[Noticed]:
        """The alerts that have begun, changed or ended. `readers`: processes that keep the log from being
        emptied now, by disk."""
        for disk, found in readers.items():
            stuck = [reader for reader in found if reader in self._before.get(disk, ())]
            names = " and ".join(map(str, stuck))
            text = HELD_LOG.format(disk=disk, readers=names) if stuck else ""
            if noticed := notice_of_change(state, cause("reader", disk), text):
                yield noticed
        self._before = readers
