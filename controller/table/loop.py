"""The table's one task: takes what happened as one batch, has it on disk in one transaction, then acts."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from controller.journal.chain import Row
from controller.journal.errors import JournalError
from controller.journal.journal import Journal
from controller.journal.rollover import Filing, InlineFiling, Opening
from controller.table.devices import Fixtures
from controller.table.errors import NotAllowed
from controller.table.keepalive import LIMIT, STEP, Keepalive
from controller.table.observer import Witness
from controller.table.people.consequences import check, consequences
from controller.table.record.codec import opening_row, row, snapshot_row
from controller.table.record.events import Action, Decision, Input, LampTest, Started
from controller.table.record.notes import (
    Accessed,
    Alert,
    Cleared,
    ClockStepped,
    Note,
    Permitted,
    Refusal,
    Retired,
    RoundEnded,
    SelfTested,
    Suspended,
    refusal,
    sentence,
)
from controller.table.record.preview import Preview
from controller.table.state.table_state import TableState
from controller.table.state_machine import SHUFFLER, apply, due_action, is_repeat
from controller.table.upkeep.clock_watch import Timepiece, notice
from controller.table.view.outputs import Showing
from drivers.devices.reports import DeviceEvent, EventsMissing
from drivers.messages import CardDrawn

PULSE = 0.5
"""Seconds between two turns, at most, when nothing happens: they prove that the loop works."""
CHECK = 1.0
"""The least number of seconds between two checks that the journal's files are still there."""
STUCK = 2.0
"""Seconds without a finished turn after which the table counts as stuck; a wait for the disk does not
count."""
BREATH = 0.02
"""Seconds left for all other work after a turn that waited long for the disk."""
ALARM_MS = 1500
TICK_MS = 150
BUZZES: dict[type, int] = {Alert: ALARM_MS, Suspended: ALARM_MS, Refusal: TICK_MS, LampTest: ALARM_MS}


Observed = SelfTested | ClockStepped | Retired | Accessed
"""Is noted as it is, without anything following from it."""


@dataclass(frozen=True, slots=True)
class Clocks:
    """`wall` gives Unix time for the journal, `steady` seconds that never jump."""

    wall: Callable[[], float]
    steady: Callable[[], float]


@dataclass(frozen=True, slots=True)
class Heard:
    """One thing in the inbox. `event` None: only a pulse. `answer`: somebody waits for the outcome."""

    at: float
    since: float
    event: Input | Observed | None
    answer: asyncio.Future[None] | None = None


@dataclass(slots=True)
class Turn:
    """What one batch comes to."""

    rows: list[Row] = field(default_factory=list)
    inputs: list[Input] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    commits: dict[str, int] = field(default_factory=dict)
    refused: dict[int, NotAllowed] = field(default_factory=dict)
    card_since: float | None = None
    between: bool = False
    """The last thing that happened ended a round; nothing is in the next one yet."""
    commit: float | None = None
    """Seconds that the disk took."""


class Table:
    """The loop. It calls `turned` after each finished turn, `changed` when something may look different, and
    `renew` when a device that could not be understood may serve again. `keepalive` serves the devices' links
    while a turn waits for the disk; `filing` closes full files of the journal."""

    def __init__(
        self,
        journal: Journal,
        state: TableState,
        fixtures: Fixtures,
        clocks: Clocks,
        *,
        witnesses: Sequence[Witness] = (),
        changed: Callable[[], None] = lambda: None,
        turned: Callable[[], None] = lambda: None,
        renew: Callable[[str], None] = lambda _device: None,
        keepalive: Keepalive | None = None,
        filing: Callable[[Journal, Opening], Filing] = InlineFiling,
    ) -> None:
        self.state = state
        self.failed: Exception | None = None
        """Why nothing of the state may be shown any more."""
        self._journal, self._fixtures, self._clocks = journal, fixtures, clocks
        self._timepiece = Timepiece(clocks.wall, clocks.steady)
        self._named = fixtures.named()
        self._showing = Showing(fixtures)
        self._witnesses, self._changed, self._turned, self._renew = witnesses, changed, turned, renew
        self._keepalive = keepalive or Keepalive((), clocks.steady)
        self._filing = filing(journal, lambda: opening_row(clocks.wall(), self.state))
        self._inbox: list[Heard] = []
        self._news = asyncio.Event()
        self._last_turn = self._checked = clocks.steady()

    def begin(self, started: Started, *found: Input | Observed) -> None:
        """The first turn of this daemon, with what it `found` before: the journal is proved to be writable,
        and the wishes are laid out. Raises JournalError."""
        head = self._journal.head
        for event in (started, *found):
            self._put(event)
        if head:
            self._put_step(self._timepiece.asleep(head.content.at))
        self._turn_over()

    def deliver(self, event: Input) -> None:
        """Something happened; it is taken in the next turn."""
        self._put(event)

    async def decide(self, decision: Decision) -> None:
        """A person's word; returns when it is on disk and done. Raises NotAllowed."""
        answer: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._put(decision, answer)
        await answer

    async def keep(self, observed: Observed) -> None:
        """A note; returns when it is on disk."""
        answer: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._put(observed, answer)
        await answer

    def preview(self, decision: Decision) -> Preview:
        """What a person's word would do now; raises NotAllowed."""
        if self.failed:
            raise NotAllowed(f"nothing is told of what is not on disk: {self.failed}")
        return consequences(self.state, decision)

    def alive(self) -> bool:
        """Whether turns are being finished, or a turn has waited for the disk, but not for too long."""
        if waited := self._keepalive.waited:
            return waited < LIMIT
        return self._clocks.steady() - max(self._last_turn, self._keepalive.ended) < STUCK

    async def run(self) -> None:
        """Take what comes until cancelled. Raises JournalError when the journal cannot be written: nothing
        that was not on disk before is acknowledged or shown."""
        pulse = asyncio.create_task(self._pulse(), name="pulse")
        try:
            while True:
                await self._news.wait()
                begun = self._clocks.steady()
                self._turn_over()
                await self._filing.settle()
                if self._clocks.steady() - begun > STEP:
                    await asyncio.sleep(BREATH)
        except JournalError as error:
            self.failed = error
            raise
        finally:
            pulse.cancel()
            await asyncio.wait({pulse})
            await self._filing.end()

    async def _pulse(self) -> None:
        """Looks twice in each PULSE, for the turn that it asks for comes after its next look."""
        while True:
            last = self._last_turn
            await asyncio.sleep(PULSE / 2)
            if self._last_turn == last:
                self._put(None)

    def _turn_over(self) -> None:
        self._put_step(self._timepiece.stepped())
        self._news.clear()
        batch, self._inbox = self._inbox, []
        try:
            self._check()
            self.turn(batch)
        except Exception as error:
            self.failed = error
            raise

    def turn(self, batch: Sequence[Heard]) -> None:
        """One batch, from the inbox to the devices."""
        turn = Turn()
        for heard in batch:
            self._take(heard, turn)
        self._commit(turn)
        self._act(turn)
        self._answer(batch, turn)
        with self._keepalive:
            self._filing.turned(between=turn.between)
        self._last_turn = self._clocks.steady()
        self._turned()

    def _check(self) -> None:
        """Check before any input is taken: rows written to a deleted file are lost. Raises JournalLost."""
        now = self._clocks.steady()
        if now - self._checked >= CHECK:
            self._checked = now
            self._journal.check()

    def _put_step(self, step: ClockStepped | None) -> None:
        if step:
            self._put(step)
            self._put(notice(step, self._clocks.wall()))

    def _put(self, event: Input | Observed | None, answer: asyncio.Future[None] | None = None) -> None:
        self._inbox.append(Heard(self._clocks.wall(), self._clocks.steady(), event, answer))
        self._news.set()

    def _take(self, heard: Heard, turn: Turn) -> None:
        event = heard.event
        if event is None:
            return
        if isinstance(event, Observed):
            self._note(heard, [event], turn)
            return
        if isinstance(event, DeviceEvent | EventsMissing):
            turn.commits[event.device] = 0
        if is_repeat(self.state, event):
            return
        try:
            check(self.state, event)
            notes = apply(self.state, event, heard.at)
        except NotAllowed as refused:
            notes = [refusal(event, refused)]
            turn.refused[id(heard)] = refused
        else:
            turn.rows.append(row(heard.at, event))
            turn.inputs.append(event)
        self._note(heard, notes, turn)

    def _note(self, heard: Heard, notes: Sequence[Note], turn: Turn) -> None:
        turn.rows.extend(row(heard.at, note) for note in notes)
        turn.notes.extend(notes)
        turn.between = any(isinstance(note, RoundEnded) for note in notes)
        if turn.between:
            turn.rows.append(snapshot_row(heard.at, self.state))
        if turn.card_since is None and _is_card(heard.event):
            turn.card_since = heard.since

    def _commit(self, turn: Turn) -> None:
        self._ask_for_action(turn)
        up_to = self._showing.permit(self.state)
        if up_to is not None:
            turn.rows.append(row(self._clocks.wall(), Permitted(up_to)))
        begun = self._clocks.steady()
        try:
            with self._keepalive:
                if not turn.rows:
                    self._journal.tidy()
                    return
                self._journal.append(turn.rows)
        except JournalError as error:
            self.failed = error
            raise
        turn.commit = self._clocks.steady() - begun

    def _ask_for_action(self, turn: Turn) -> None:
        record = due_action(self.state)
        if record is not None:
            action, at = Action(SHUFFLER, self._named[SHUFFLER].reserve_key(), record), self._clocks.wall()
            apply(self.state, action, at)
            turn.inputs.append(action)
            turn.rows.append(row(at, action))

    def _act(self, turn: Turn) -> None:
        self._showing.show(self.state)
        named = self._named
        for device in turn.commits:
            named[device].commit(self.state.devices[device].newest)
        for event in turn.inputs:
            if isinstance(event, Action):
                named[event.device].act(event.key, event.record)
        for note in turn.notes:
            if isinstance(note, Cleared):
                self._renew(note.device)
        self._buzz(turn)

    def _buzz(self, turn: Turn) -> None:
        """A condition that has ended in the same batch makes no sound."""
        alarms = self.state.shift.alarms
        loud = [note for note in turn.notes if not alarms.over(sentence(note))]
        ms = max((BUZZES.get(type(note), 0) for note in (*turn.inputs, *loud)), default=0)
        if self._fixtures.console and ms:
            self._fixtures.console.buzz(ms)

    def _answer(self, batch: Sequence[Heard], turn: Turn) -> None:
        for heard in batch:
            if heard.answer is None or heard.answer.done():
                continue
            if refused := turn.refused.get(id(heard)):
                heard.answer.set_exception(refused)
            else:
                heard.answer.set_result(None)
        self._tell(turn)

    def _tell(self, turn: Turn) -> None:
        for witness in self._witnesses:
            if turn.commit is not None:
                witness.committed(turn.commit)
            if turn.card_since is not None:
                witness.shown(self._clocks.steady() - turn.card_since)
            for event in turn.inputs:
                witness.saw(event)
            for note in turn.notes:
                witness.noted(note)
        if turn.rows:
            self._changed()


def _is_card(event: Input | Observed | None) -> bool:
    return isinstance(event, DeviceEvent) and isinstance(event.body, CardDrawn) and not event.history
