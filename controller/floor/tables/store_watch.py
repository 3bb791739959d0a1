"""Tells the picture what the floor has stored and decided: admitted journals, heads, incidents."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from controller.floor.day_file import FloorHead, JournalName
from controller.floor.register import Decision, KeptIncident
from controller.floor.tables.picture import FloorPicture, cause_of
from controller.floor.tables.record import StoredHead

NO_EPOCH = ""
"""No journal of the table is admitted."""


class StoreWatch:
    """Call `look` once a second; it compares with what it saw before. `clock`: seconds of Unix time."""

    def __init__(self, picture: FloorPicture, clock: Callable[[], float]) -> None:
        self._picture, self._clock = picture, clock
        self._admitted: dict[str, JournalName] = {}
        self._heads: dict[JournalName, FloorHead] = {}
        self._incidents: dict[int, KeptIncident] = {}

    def look(
        self,
        decisions: Iterable[Decision],
        heads: Mapping[JournalName, FloorHead],
        incidents: Sequence[KeptIncident],
    ) -> None:
        """`decisions`: all of them, oldest first; `incidents`: those that are open."""
        now = self._clock()
        self._look_at_journals(newest_admitted(decisions), heads, now)
        for name, head in heads.items():
            if self._heads.get(name) != head:
                self._take_head(name, head, now)
        self._look_at_incidents({kept.number: kept for kept in incidents}, now)

    def _look_at_journals(
        self, admitted: dict[str, JournalName], heads: Mapping[JournalName, FloorHead], now: float
    ) -> None:
        for table, name in admitted.items():
            if self._admitted.get(table) != name:
                self._picture.admit(name, now)
                if head := heads.get(name):
                    self._take_head(name, head, now)
        for table in self._admitted.keys() - admitted.keys():
            self._picture.admit(JournalName(table, NO_EPOCH), now)
        self._admitted = admitted

    def _take_head(self, name: JournalName, head: FloorHead, now: float) -> None:
        self._heads[name] = head
        self._picture.take_head(name, StoredHead(head.row, head.hash, now), now)

    def _look_at_incidents(self, found: dict[int, KeptIncident], now: float) -> None:
        for number, kept in found.items():
            known = self._incidents.get(number)
            if known is None or known.count != kept.count:
                self._picture.take_incident(kept.incident, now)
        open_now = {cause_of(kept.incident) for kept in found.values()}
        for kept in self._incidents.values():
            if (cause := cause_of(kept.incident)) not in open_now:
                self._picture.report(cause, "", now)
        self._incidents = found


def newest_admitted(decisions: Iterable[Decision]) -> dict[str, JournalName]:
    """For each table, the journal that was admitted last and not removed. `decisions`: oldest first."""
    admitted: dict[JournalName, None] = {}
    for decision in decisions:
        if decision.kind == "admit":
            admitted.pop(decision.name, None)
            admitted[decision.name] = None
        elif decision.kind == "remove":
            admitted.pop(decision.name, None)
    return {name.table: name for name in admitted}
