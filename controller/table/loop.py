"""The table's one task: applies what happened, writes it to disk, and only then acts.

Theory of operation
-------------------
Devices, their supervision and the table socket put events into the inbox (inbox.py). The loop takes the
whole inbox as one batch and does four things, without an await between them:

1. Apply. Each event changes the state in memory. An event that the journal already has is skipped. A
   decision that the table cannot follow changes nothing and leaves a refusal.
2. Commit. All rows of the batch, with a new permit for the shoe and an action for the shuffler if one is
   due, are written in one transaction.
3. Act. Devices receive acknowledgements, actions, the lock, lamps, prompts and the display. Then the journal
   records its last row.
4. Answer. Whoever waits for the outcome of a decision gets it, and the observers are called.

The invariant is "disk before lamp": what is not on disk is neither acknowledged to a device nor shown to
anyone. The state in memory is ahead of the journal from step 1 to step 2, and nothing else runs in that
time. If the commit fails, the state stays ahead: `failed` is set, the table shows nothing and takes nothing
more, and a restart replays the journal. Devices still hold every event that was not acknowledged (TSL/1,
section 8) and send it again.

What each rule prevents:

- One batch per transaction: with one transaction for each card, a slow disk would never catch up with the
  inbox.
- The permit goes into the journal before the shoe gets it (section 9.4): otherwise a restart could not tell
  whether a card left under a permit.
- So does the key of an action (section 9.2): otherwise the shuffler could act twice after a restart.
- A card that must stay secret is sealed before its row is made (sealer.py): otherwise whoever reads the
  journal, a copy of it or one hash of it would know the card.
- A round's end and its snapshot share one transaction: a start never finds a round that ended without its
  snapshot.
- The check of the journal's files precedes the batch: rows written to a deleted file would be lost.
- A pulse is put into the inbox each half second: a quiet table must look different from one that hangs,
  since both systemd's watchdog and the devices' heartbeats depend on finished batches.
- After a long wait for the disk the loop pauses: otherwise pages would never be served while the disk is
  slow.

While step 2 waits for a slow disk, a second thread serves the devices' links (keepalive.py).
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace

from controller.currency import using
from controller.journal.chain import START
from controller.journal.errors import JournalError
from controller.journal.journal import Journal
from controller.journal.rollover import InlineRollover, OpeningRow, Rollover
from controller.table.batch import Batch, is_card, is_key
from controller.table.devices import TableDevices
from controller.table.errors import NotAllowed
from controller.table.inbox import Act, Clocks, Inbox, InboxItem, Observation
from controller.table.keepalive import STEP, Keepalive
from controller.table.observer import Observer
from controller.table.people.consequences import check_token, consequences
from controller.table.people.floor_commands import UNRECORDED, check_command, refusal_code
from controller.table.record.codec import to_row
from controller.table.record.events import (
    Action,
    ActTaken,
    CommandTaken,
    Decision,
    FloorCommand,
    Input,
    Noticed,
    RequestMade,
    Started,
)
from controller.table.record.notes import (
    Cleared,
    ClockStepped,
    Note,
    Overridden,
    Permitted,
    RequestMoved,
    RoundEnded,
    refusal_note,
)
from controller.table.record.preview import Preview
from controller.table.recovery import with_epoch
from controller.table.sealer import NextRow, Sealer
from controller.table.state.snapshot import opening_row, snapshot_row
from controller.table.state.table_state import TableState
from controller.table.state_machine import SHUFFLER, apply, due_action, is_repeat
from controller.table.upkeep.clock_watch import ClockWatch, step_notice
from controller.table.view.buzzer import buzz_ms
from controller.table.view.outputs import Outputs
from drivers.link.limits import next_on_grid
from drivers.link.reports import DeviceEvent, EventsMissing

PULSE = 0.5
"""The longest time between two batches in seconds: batches prove that the loop works."""
CHECK = 1.0
"""The least number of seconds between two checks that the journal's files are still there."""
PAUSE_AFTER_WAIT = 0.02
"""Seconds left for all other work after a batch that waited long for the disk."""


class Table:
    """The loop. It calls `on_batch` after each finished batch, `on_change` when something may look
    different, and `renew_session` when a device that could not be understood may serve again. `keepalive`
    serves the devices' links while a batch waits for the disk; `filing` closes full files of the journal;
    `sealer` is the one that recovered `state`; `amounts` are those of linked jackpots that players see and
    the journal does not have yet."""

    def __init__(
        self,
        journal: Journal,
        state: TableState,
        fixtures: TableDevices,
        clocks: Clocks,
        *,
        inbox: Inbox | None = None,
        observers: Sequence[Observer] = (),
        on_change: Callable[[], None] = lambda: None,
        on_batch: Callable[[], None] = lambda: None,
        renew_session: Callable[[str], None] = lambda _device: None,
        keepalive: Keepalive | None = None,
        filing: Callable[[Journal, OpeningRow], Rollover] = InlineRollover,
        sealer: Sealer | None = None,
        amounts: Callable[[], Sequence[Input]] = tuple,
    ) -> None:
        self.state = state
        self.failed: Exception | None = None
        """Why nothing of the state may be shown any more."""
        self._journal, self._fixtures, self._clocks = journal, fixtures, clocks
        self._clock_watch = ClockWatch(clocks.wall, clocks.steady)
        self._devices = fixtures.by_name()
        self._outputs = Outputs(fixtures)
        self._observers = observers
        self._on_change = on_change
        self._on_batch = on_batch
        self._amounts = amounts
        self._renew_session = renew_session
        self._keepalive = keepalive or Keepalive(clocks.steady)
        self._sealer = sealer or Sealer()
        self._filing = filing(journal, lambda: opening_row(clocks.wall(), self.state, self._sealer.cover))
        self.inbox = inbox or Inbox(clocks)
        self._checked = clocks.steady()

    def begin(self, started: Started, *found: Input | Observation) -> None:
        """The first batch of this daemon, with what it `found` before: it proves that the journal can be
        written, and shows the devices the state. Raises JournalError."""
        head = self._journal.head
        for event in (replace(started, epoch=self.state.epoch), *found):
            self.inbox.put(event)
        if head:
            self._put_step(self._clock_watch.behind(head.content.at))
        self._process_inbox()
        with_epoch(self._journal, self.state)

    async def decide(self, decision: Decision) -> None:
        """Returns when the decision is on disk and carried out. Raises NotAllowed."""
        await self.inbox.submit(decision)

    async def act(self, decision: Decision, act: Act) -> ActTaken:
        """As `decide`, for an act with an id: however often it is asked for, the table takes it once and
        answers alike. Raises NotAllowed."""
        return await self.inbox.submit_act(decision, act)

    async def command(self, command: FloorCommand) -> CommandTaken:
        """Carry out a command of the floor once; returns when its answer is on disk. However often it comes,
        it is answered alike."""
        return await self.inbox.submit_command(command)

    async def notice(self, noticed: Noticed) -> None:
        """Returns when the notice is on disk and shown."""
        await self.inbox.submit(noticed)

    async def record(self, observation: Observation) -> None:
        """Returns when the note is on disk."""
        await self.inbox.submit(observation)

    def preview(self, decision: Decision) -> Preview:
        """What the decision would do now. Raises NotAllowed."""
        if self.failed:
            raise NotAllowed(f"nothing is told of what is not on disk: {self.failed}")
        with using(self.state.rules.money):
            return consequences(self.state, decision)

    async def run(self) -> None:
        """Process batches until cancelled. Raises JournalError when the journal cannot be written."""
        pulse = asyncio.create_task(self._pulse(), name="pulse")
        try:
            while True:
                await self.inbox.wait()
                begun = self._clocks.steady()
                self._process_inbox()
                await self._filing.settle()
                if self._clocks.steady() - begun > STEP:
                    await asyncio.sleep(PAUSE_AFTER_WAIT)
        except JournalError as error:
            self.failed = error
            raise
        finally:
            pulse.cancel()
            await asyncio.wait({pulse})
            await self._filing.end()

    async def _pulse(self) -> None:
        """Asks for a batch when the links send their heartbeats, so that one wake-up serves both."""
        due = self._clocks.steady()
        while True:
            now = self._clocks.steady()
            due = next_on_grid(max(now, due), PULSE)  # a timer may be a little early
            await asyncio.sleep(due - now)
            self.inbox.pulse()

    def _process_inbox(self) -> None:
        self._put_step(self._clock_watch.step())
        items = self.inbox.take()
        try:
            self._check()
            self.process(items)
        except Exception as error:
            self.failed = error
            raise

    def process(self, items: Sequence[InboxItem]) -> None:
        """One batch, from the inbox to the devices."""
        batch = Batch()
        for item in items:
            if isinstance(item.event, FloorCommand):
                self._take_command(item, item.event, batch)
            else:
                self._handle(item, batch)
        self._commit(batch)
        self._update_devices(batch)
        self._record_head(batch)
        self._answer(items, batch)
        with self._keepalive:
            self._filing.batch_done(between=batch.between)
        self._keepalive.batch_done()
        self._on_batch()

    def _check(self) -> None:
        """Check before any input is taken: rows written to a deleted file are lost. Raises JournalLost."""
        now = self._clocks.steady()
        if now - self._checked >= CHECK:
            self._checked = now
            self._journal.check()

    def _put_step(self, step: ClockStepped | None) -> None:
        if step:
            self.inbox.put(step)
            self.inbox.put(step_notice(step, self._clocks.wall()))

    def _handle(self, item: InboxItem, batch: Batch) -> None:
        event = item.event
        if event is None:
            return
        if isinstance(event, Observation):
            self._note(item, [event], batch)
            return
        if isinstance(event, DeviceEvent | EventsMissing):
            batch.commits[event.device] = 0
        if item.act and (before := self.state.shift.find_act(item.act.who, item.act.id)):
            self._repeat(item, before, batch)
            return
        if is_repeat(self.state, event):
            if item.act:
                batch.taken[id(item)] = ActTaken(item.act.who, item.act.id)
            return
        self._record_amounts(item, batch)
        row = self._next_row(batch)
        try:
            check_token(self.state, event)
            notes = apply(self.state, event, item.at)
        except NotAllowed as refused:
            notes = [refusal_note(event, refused)]
            batch.refused[id(item)] = refused
        else:
            self._record(item.at, event, batch)
        self._note(item, notes, batch)
        if item.act:
            self._take_act(item, item.act, row, notes, batch)

    def _record_amounts(self, item: InboxItem, batch: Batch) -> None:
        """Before a key that may close betting: what players then play for is in the journal before it."""
        if self.state.underway or not is_key(item.event):
            return
        for event in self._amounts():
            notes = apply(self.state, event, item.at)
            self._record(item.at, event, batch)
            self._note(item, notes, batch)

    def _repeat(self, item: InboxItem, before: ActTaken, batch: Batch) -> None:
        """Answer an act as the first time."""
        if before.refused:
            batch.refused[id(item)] = NotAllowed(before.refused)
        else:
            batch.taken[id(item)] = before

    def _take_act(self, item: InboxItem, act: Act, row: int, notes: Sequence[Note], batch: Batch) -> None:
        """Record how the act is answered. `row`: of the decision."""
        refused = str(batch.refused.get(id(item), ""))
        made = (note.number for note in notes if isinstance(note, RequestMoved))
        request = next(made, 0) if isinstance(item.event, RequestMade) else 0
        number = 0 if refused else row
        taken = ActTaken(act.who, act.id, number, request, refused)
        followed = apply(self.state, taken, item.at)
        if act.override and not refused:
            followed = [*followed, Overridden(number, act.override)]
        batch.rows.extend(to_row(item.at, record) for record in (taken, *followed))
        batch.inputs.append(taken)
        batch.notes.extend(followed)
        batch.taken[id(item)] = taken

    def _take_command(self, item: InboxItem, command: FloorCommand, batch: Batch) -> None:
        """Carry out a command of the floor, unless its id was answered before, and record the answer."""
        taken = self.state.shift.find_command(command.id)
        if taken is None:
            notes: Sequence[Note]
            row = self._next_row(batch)
            try:
                check_command(self.state, command)
                notes = apply(self.state, command, item.at)
            except NotAllowed as refused:
                taken = CommandTaken(command.id, refusal_code(refused), 0, str(refused))
                notes = [refusal_note(command, refused)]
            else:
                self._record(item.at, command, batch)
                taken = CommandTaken(command.id, "done", row)
            if taken.code not in UNRECORDED:
                self._note(item, notes, batch)
                apply(self.state, taken, item.at)
                batch.rows.append(to_row(item.at, taken))
                batch.inputs.append(taken)
        batch.taken[id(item)] = taken

    def _next_row(self, batch: Batch) -> int:
        head = self._journal.head
        return (head.row if head else 0) + len(batch.rows) + 1

    def _record(self, at: float, event: Input, batch: Batch) -> None:
        """The row of an input, and behind it the cards that are no secret any more."""
        head = self._journal.head
        place = NextRow(self._next_row(batch), head.hash if head else START)
        batch.rows.append(self._sealer.row(at, event, self.state, place))
        batch.rows.extend(to_row(at, opened) for opened in self._sealer.openings())
        batch.inputs.append(event)

    def _note(self, item: InboxItem, notes: Sequence[Note], batch: Batch) -> None:
        batch.rows.extend(to_row(item.at, note) for note in notes)
        batch.notes.extend(notes)
        batch.between = any(isinstance(note, RoundEnded) for note in notes)
        if batch.between:
            batch.rows.append(snapshot_row(item.at, self.state, self._sealer.cover))
        if batch.card_since is None and is_card(item.event):
            batch.card_since = item.since

    def _commit(self, batch: Batch) -> None:
        self._ask_for_action(batch)
        up_to = self._outputs.permit(self.state)
        if up_to is not None:
            batch.rows.append(to_row(self._clocks.wall(), Permitted(up_to)))
        begun = self._clocks.steady()
        try:
            with self._keepalive:
                if not batch.rows:
                    self._journal.tidy_step()
                    return
                self._journal.commit(batch.rows)
        except JournalError as error:
            self.failed = error
            raise
        batch.commit = self._clocks.steady() - begun

    def _record_head(self, batch: Batch) -> None:
        """After the devices, which wait for the rows on disk only."""
        if batch.rows:
            with self._keepalive:
                self._journal.record_head()

    def _ask_for_action(self, batch: Batch) -> None:
        record = due_action(self.state)
        if record is not None:
            action, at = Action(SHUFFLER, self._devices[SHUFFLER].reserve_key(), record), self._clocks.wall()
            apply(self.state, action, at)
            self._record(at, action, batch)

    def _update_devices(self, batch: Batch) -> None:
        self._outputs.update(self.state)
        devices = self._devices
        for device in batch.commits:
            devices[device].commit(self.state.devices[device].newest)
        for event in batch.inputs:
            if isinstance(event, Action):
                devices[event.device].act(event.key, event.record)
        for note in batch.notes:
            if isinstance(note, Cleared):
                self._renew_session(note.device)
        self._buzz(batch)

    def _buzz(self, batch: Batch) -> None:
        ms = buzz_ms(batch, self.state.shift.alarms)
        if self._fixtures.console and ms:
            self._fixtures.console.buzz(ms)

    def _answer(self, items: Sequence[InboxItem], batch: Batch) -> None:
        for item in items:
            if item.answer is None or item.answer.done():
                continue
            if refused := batch.refused.get(id(item)):
                item.answer.set_exception(refused)
            else:
                item.answer.set_result(batch.taken.get(id(item)))
        self._notify_observers(batch)

    def _notify_observers(self, batch: Batch) -> None:
        for observer in self._observers:
            if batch.commit is not None:
                observer.on_commit(batch.commit)
            if batch.card_since is not None:
                observer.on_outputs(self._clocks.steady() - batch.card_since)
            for event in batch.inputs:
                observer.on_input(event)
            for note in batch.notes:
                observer.on_note(note)
        if batch.rows:
            self._on_change()
