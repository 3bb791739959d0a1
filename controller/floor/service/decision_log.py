"""Decisions of two persons as entries of the floor's own journal.

What persons decide at the computer of an instance waits in its register until the instance has written it as
an entry; a running instance does so whether it acts or follows. Every instance takes every entry into its
register. So all of them admit the same journals, and the floor's own journal proves who admitted them.
"""

import asyncio
from typing import Annotated, Final

import structlog
from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError

from controller.floor.approvals.acts import NotActing
from controller.floor.day_file import JournalName
from controller.floor.floor_log import FloorEntry, SharedJournal
from controller.floor.projector import Admission
from controller.floor.register import Decision, DecisionKind, FloorRegister
from controller.journal.errors import JournalError

ENTRY: Final = "decision"
PAUSE: Final = 0.5
"""Seconds between two looks at the register and the journal."""
Hex = Annotated[str, StringConstraints(pattern="^([0-9a-f]{2})*$")]


class DecisionBody(BaseModel):
    """A decision as the body of an entry."""

    model_config = ConfigDict(frozen=True, strict=True)

    kind: DecisionKind
    table: str
    epoch: str
    first: int
    before: Hex
    public: Hex
    sealing: Hex
    who: str
    second: str
    why: str
    at: float

    @classmethod
    def of(cls, decision: Decision) -> "DecisionBody":
        admission = decision.admission
        return cls(
            kind=decision.kind,
            table=decision.name.table,
            epoch=decision.name.epoch,
            first=admission.first,
            before=admission.before.hex(),
            public=admission.public.hex(),
            sealing=admission.sealing.hex(),
            who=decision.who,
            second=decision.second,
            why=decision.why,
            at=decision.at,
        )

    def decision(self) -> Decision:
        keys = (bytes.fromhex(one) for one in (self.before, self.public, self.sealing))
        name, admission = JournalName(self.table, self.epoch), Admission(self.first, *keys)
        return Decision(self.kind, name, admission, self.who, self.second, self.why, self.at)


class DecisionLog:
    """Keeps the register and the journal of one instance equal."""

    def __init__(self, register: FloorRegister, journal: SharedJournal) -> None:
        self._register, self._journal = register, journal
        self._read = register.last_entry()
        self._waits = False
        self._log = structlog.get_logger("tableside.floor")

    @property
    def complete(self) -> bool:
        """Whether the register has all entries, and the journal all decisions."""
        return self._journal.last <= self._read and not self._register.waiting()

    async def run(self) -> None:
        """Until cancelled."""
        while True:
            await self.look()
            await asyncio.sleep(PAUSE)

    async def look(self) -> None:
        """Take the entries that are new, and write the decisions that wait."""
        try:
            self._take()
            for decision in self._register.waiting():
                await self._journal.note(ENTRY, DecisionBody.of(decision).model_dump())
                self._take()
        except (NotActing, JournalError) as why:
            if not self._waits:
                self._log.warning("decisions wait for the floor's own journal", why=str(why))
            self._waits = True
            return
        self._waits = False

    def _take(self) -> None:
        if self._journal.last <= self._read:
            return
        for entry in self._journal.entries(self._read):
            if entry.kind == ENTRY:
                self._take_one(entry)
            self._read = entry.n

    def _take_one(self, entry: FloorEntry) -> None:
        try:
            decision = DecisionBody.model_validate(entry.body).decision()
        except ValidationError as error:
            self._log.error("an entry is not a decision", entry=entry.n, why=str(error))
            return
        self._register.take(entry.n, decision)
        self._log.info("decision", kind=decision.kind, table=decision.name.table, entry=entry.n)
