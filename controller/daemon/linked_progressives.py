"""The table's end of the linked progressives: takes amounts that the progressive signed, and says what the
table has to send.

The uplink only carries messages. The core itself compares the signature of an amount with the keys that it
pins, and signs readings, claims and steps with the key of its journal. What it sends is in the journal
before.
"""

import asyncio
from collections.abc import Callable, Collection, Iterator
from typing import Final

import structlog

from controller.config import Config
from controller.jackpot import Claim
from controller.jackpot.linked.messages import (
    ClaimedShare,
    ClaimMessage,
    MeterReading,
    StepMessage,
    TableMessage,
    read_amount,
)
from controller.jackpot.linked.wire import MalformedMessage
from controller.journal.journal import Journal
from controller.journal.signing import Signer
from controller.property.signed import SignedMessage, UnsignedError
from controller.property.status import StatusLevel
from controller.property.subjects import PropertySubjects
from controller.socket.core import Outgoing
from controller.table.inbox import Inbox
from controller.table.record.events import LevelChanged
from controller.table.state.table_state import TableState
from controller.table.upkeep.linked_levels import LinkedLevels

READING: Final = 30.0
"""Seconds between two readings that say the same."""
REPEAT: Final = 1.0
"""Seconds after which an undecided claim, or a step that the progressive has not confirmed, is sent again."""


class LinkedProgressives:
    """A ProgressiveSource. `keys`: the public keys of the progressives; `head`: the last row on disk;
    `changed` is called when something looks different; `clock` is monotonic, in seconds."""

    def __init__(
        self,
        state: TableState,
        inbox: Inbox,
        subjects: PropertySubjects,
        table: str,
        keys: Collection[bytes],
        signer: Signer,
        head: Callable[[], int],
        changed: Callable[[], None],
        clock: Callable[[], float],
    ) -> None:
        self._state, self._inbox, self._subjects, self._table = state, inbox, subjects, table
        self._keys, self._signer, self._head, self._changed = keys, signer, head, changed
        self._clock = clock
        self._levels = LinkedLevels(state, table, inbox.put, clock)
        self._rows = dict[str, tuple[object, int]]()
        """By message, what it says, and the last row on disk when it first said so."""
        self._begun = False
        self._moved = asyncio.Event()
        self._refused = ""
        self._log = structlog.get_logger("tableside.progressive")

    def hear(self, message: SignedMessage) -> str:
        """Take an amount. Returns why it counts for nothing; empty if it counts."""
        why = self._take(message)
        if why and why != self._refused:  # one comes each second
            self._log.warning("amount refused", why=why)
        self._refused = why
        return why

    def unrecorded(self) -> list[LevelChanged]:
        """What the journal must have before betting closes."""
        return self._levels.unrecorded() if self._begun else []

    def follow(self) -> None:
        """A batch is on disk."""
        if self._begun:
            self._levels.check()

    async def run(self) -> None:
        """Follow the clock until cancelled. The table has started."""
        self._levels.begin()
        self._begun = True
        while True:
            due = self._levels.due()
            self._moved.clear()
            try:
                async with asyncio.timeout(None if due is None else due - self._clock()):
                    await self._moved.wait()
            except TimeoutError:
                self._levels.check()

    def status(self) -> dict[str, StatusLevel]:
        """The last amount of each level that the table accepted."""
        now = self._clock()
        return {
            name: StatusLevel(n=level.n, hash=level.hash, version=level.version, state=level.state(now))
            for name, level in self._levels.levels.items()
            if level.n
        }

    def outgoing(self) -> Iterator[Outgoing]:
        """All that the progressives do not know yet, and the readings."""
        for name in self._levels.levels if self._begun else ():
            yield self._reading(name)
            yield from self._claims(name)
            yield from self._steps(name)

    def signed(self, message: Outgoing) -> SignedMessage:
        return SignedMessage.make(message.subject, message.payload, self._signer)

    def _take(self, message: SignedMessage) -> str:
        if not self._begun:
            return "the table has not started"
        try:
            amount = read_amount(message.verify(self._keys))
        except (UnsignedError, MalformedMessage) as wrong:
            return str(wrong)
        expected = self._subjects.amount(amount.level)
        if message.subject != expected or amount.level not in self._levels.levels:
            allowed = ", ".join(map(self._subjects.amount, self._levels.levels))
            return f"{message.subject}, level {amount.level}; allowed: {allowed}"
        if self._levels.hear(amount, message):
            self._inbox.pulse()
            self._changed()
        self._moved.set()
        return ""

    def _reading(self, level: str) -> Outgoing:
        counts = self._state.linked[level].counts
        reading = MeterReading(
            level=level,
            epoch=self._state.epoch,
            row=self._row_of(f"meter {level}", counts),
            rounds=counts.rounds,
            wagers=counts.wagers,
            wagered=counts.wagered,
            voided_wagers=counts.voided_wagers,
            voided=counts.voided,
        )
        return self._outgoing(f"meter {level}", reading, READING)

    def _claims(self, level: str) -> Iterator[Outgoing]:
        """A message for each round with a claim that has no amount yet: it has all claims of the round."""
        undecided = set(self._levels.levels[level].undecided)
        known = self._levels.claims(level)
        rounds = dict.fromkeys(claim.round for name, claim in known.items() if name in undecided)
        for number in rounds:
            shares = {name: claim for name, claim in known.items() if claim.round == number}
            yield self._claim(level, number, shares)

    def _claim(self, level: str, number: int, shares: dict[str, Claim]) -> Outgoing:
        first = next(iter(shares.values()))
        n, version = first.seen
        name = f"claim {level} {number}"
        message = ClaimMessage(
            level=level,
            epoch=self._state.epoch,
            round=number,
            row=self._row_of(name, tuple(shares)),
            chip=self._state.game.options.chip,
            seen=(n, version, first.shown),
            claims=tuple(
                ClaimedShare(claim=name, seat=claim.seat, share=int(claim.share.removesuffix("%")))
                for name, claim in shares.items()
            ),
        )
        return self._outgoing(name, message, REPEAT)

    def _steps(self, level: str) -> Iterator[Outgoing]:
        for own in self._levels.levels[level].unconfirmed:
            if own.ended == "open":
                continue
            name = f"step {own.claim}"
            message = StepMessage(
                level=level,
                epoch=self._state.epoch,
                claim=own.claim,
                to=own.ended,
                row=self._row_of(name, own.ended),
            )
            yield self._outgoing(name, message, REPEAT)

    def _outgoing(self, name: str, message: TableMessage, every: float) -> Outgoing:
        return Outgoing(name, self._subjects.reading(message.level, self._table), message.payload, every)

    def _row_of(self, name: str, says: object) -> int:
        """A row by which this is on disk: the last one when the message first said so."""
        if self._rows.get(name, (None, 0))[0] != says:
            self._rows[name] = says, self._head()
        return self._rows[name][1]


def linked_progressives(
    config: Config,
    state: TableState,
    inbox: Inbox,
    journal: Journal,
    changed: Callable[[], None],
    clock: Callable[[], float],
) -> LinkedProgressives | None:
    """None for a table that plays for no linked progressive."""
    uplink, signer = config.uplink, journal.signer
    if uplink is None or signer is None or not config.progressive.levels:
        return None
    return LinkedProgressives(
        state,
        inbox,
        PropertySubjects(uplink.property),
        uplink.table,
        frozenset(config.progressive.pinned()),
        signer,
        lambda: journal.head.row if journal.head else 0,
        changed,
        clock,
    )
