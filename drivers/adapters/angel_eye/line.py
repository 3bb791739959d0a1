"""A conversation with an Angel Eye II-EX shoe: it interprets the messages and keeps the lock as the table
wants it.

Pure: bytes and time in, bytes and observations out. Unverified on hardware.
"""

from collections.abc import Callable, Mapping
from typing import Final

from drivers.adapters.angel_eye import fields
from drivers.adapters.angel_eye.duplicates import DuplicateFilter
from drivers.adapters.angel_eye.frames import Answer, Message, ShoeOrder, Value, decoder
from drivers.adapters.angel_eye.orders import LIMIT, REFUSED, SILENT, OrderFormat, OrderOutcome, OrderQueue
from drivers.adapters.line import AdapterCounters, LineOutput
from drivers.adapters.observations import (
    CardSeen,
    CardSeenOutside,
    CardStuck,
    CutCardSeen,
    Observation,
    ShoeFault,
    ShoeRestarted,
)
from drivers.adapters.options import AdapterOptions

LOCK: Final = ShoeOrder("LK", "02")
UNLOCK: Final = ShoeOrder("LK", "01")
RENEWAL = 1.0
"""Seconds after which the lock order goes out again. That shows whether the shoe answers, and repairs a
loss."""


class AngelEyeLine:
    """Asks `may_leave` whenever it sends the lock order. ShoeUp comes once the shoe has confirmed its
    lock."""

    def __init__(
        self, now: float, may_leave: Callable[[], bool], options: AdapterOptions, form: OrderFormat
    ) -> None:
        self._output = LineOutput()
        self._may_leave, self._meaning = may_leave, options.r_means
        self._decoder = decoder()
        self._repeats = DuplicateFilter(counts=options.sequence == "counted")
        self._form = form
        self._orders = OrderQueue(form, self.counters)
        self._ordered = LOCK
        self._renew_at = now
        self._unread = 0
        """The active error, if it says that a card could not be read."""
        self._unread_without_error = False
        """The last card was one that the shoe could not read, and no error has said so."""
        self._last_card = ""
        self._any_message = False

    @property
    def phase(self) -> str:
        return self._output.phase

    @property
    def counters(self) -> AdapterCounters:
        return self._output.counters

    def feed(self, data: bytes, now: float) -> list[Observation]:
        self.counters.bytes_in += len(data)
        for value in self._decoder.feed(data, now):
            self._handle(value, now)
        return self._output.take_all()

    def tick(self, now: float) -> list[Observation]:
        observations = self.feed(b"", now)
        self._output.doubt(self._repeats.overdue(now))
        self._ended(self._orders.tick(now))
        return [*observations, *self._output.take_all()]

    def take(self, now: float) -> bytes:
        if self.phase == "over":
            return b""
        wanted = UNLOCK if self.phase == "running" and self._may_leave() else LOCK
        if wanted != self._ordered or (self._orders.idle and now >= self._renew_at):
            self._order(wanted, now)
        out = self._orders.take(now)
        self.counters.bytes_out += len(out)
        return out

    def deadline(self, now: float) -> float:
        if self.phase == "over":
            return float("inf")
        renewal = self._renew_at if self._orders.idle else now + LIMIT
        return min(self._decoder.deadline(), self._repeats.deadline(), self._orders.deadline(), renewal)

    def close(self, now: float) -> None:
        """Orders the lock, whether or not the shoe still listens."""
        self._may_leave = _never
        if self.phase != "over":
            self._orders = OrderQueue(self._form, self.counters)
            self._order(LOCK, now)

    def _order(self, wanted: ShoeOrder, now: float) -> None:
        if wanted == UNLOCK and self._unread:  # the table plays on: a person has seen to the card
            self._orders.add(ShoeOrder("EC", f"{self._unread:02d}"))
            self._unread = 0
        self._orders.add(wanted)
        self._ordered, self._renew_at = wanted, now + RENEWAL

    def _handle(self, value: Value, now: float) -> None:
        if isinstance(value, Message):
            self._message(value, now)
        elif isinstance(value, Answer):
            self._ended(self._orders.answer(value, now))
        else:
            self._output.count(value)
            self._repeats.noise(now)

    def _message(self, message: Message, now: float) -> None:
        self._any_message = True
        self.counters.frames_in += 1
        verdict = self._repeats.check(message, now)
        self._output.doubt(verdict.doubt)
        self.counters.repeats += not verdict.new
        if verdict.new and message.code in _HANDLERS:
            _HANDLERS[message.code](self, message.data)

    def _ended(self, outcome: OrderOutcome | None) -> None:
        if outcome is None:
            return
        if outcome.failure == REFUSED and outcome.order != LOCK:
            self._output.remark(outcome.text)  # as in error mode: the order goes out again
        elif outcome.failure and self.phase != "over":
            self._failed(outcome)
        elif self.phase == "identifying":
            self._output.up()

    def _failed(self, outcome: OrderOutcome) -> None:
        half = self._any_message and outcome.failure == SILENT
        hint = ", though its messages come: see to the line toward the shoe" if half else ""
        self._output.down(outcome.failure, outcome.text + hint)

    def _starts(self, _data: bytes) -> None:
        self._unread, self._unread_without_error = 0, False
        self._renew_at = 0.0  # it may have forgotten its lock
        self._output.emit(ShoeRestarted())
        self._output.doubt("the shoe started anew")

    def _cut(self, _data: bytes) -> None:
        self._output.emit(CutCardSeen())

    def _drawn(self, data: bytes) -> None:
        card = fields.card(data)
        if not card and self._unread:
            return  # its error has reported it
        self._unread_without_error = not card
        self._last_card = card
        self._output.emit(CardSeen(card))

    def _drawn_outside(self, data: bytes) -> None:
        card, error = fields.card(data), fields.active_error(data)
        if card or not self._unread:
            self._last_card = card
            self._output.remark(f"a card was drawn {fields.mode_text(data)}")
            self._output.emit(CardSeenOutside(card))
        if error in fields.UNREAD:
            self._unread = error  # it stood before anybody listened
        elif error:
            self._fault(error, on=True)

    def _again(self, data: bytes) -> None:
        card = fields.card(data)
        if self._meaning == "redeal":
            self._drawn(data)
        elif self._meaning == "retransmission" and card and card == self._last_card:
            self.counters.repeats += 1
        else:
            self._output.remark("it sent R: a card again, or another one. If no new card left, choose burn")
            self._output.emit(CardSeenOutside(""))

    def _error(self, data: bytes) -> None:
        code = fields.error(data)
        if code in fields.UNREAD:
            self._cannot_read(code)
        else:
            self._fault(code, on=True)

    def _cannot_read(self, code: int) -> None:
        if not self._unread and not self._unread_without_error:
            self._last_card = ""
            self._output.emit(CardSeen(""))
        self._unread, self._unread_without_error = code, False

    def _cancelled(self, data: bytes) -> None:
        code = fields.error(data)
        if code in fields.UNREAD:
            self._unread = 0
        else:
            self._fault(code, on=False)

    def _fault(self, code: int, *, on: bool) -> None:
        """Reports a fault. The table is suspended until it is cancelled."""
        self._output.emit(
            CardStuck(on) if code == fields.STUCK else ShoeFault(code, on, fields.error_text(code))
        )

    def _lock_reported(self, data: bytes) -> None:
        if fields.locked(data) != (self._ordered == LOCK) and self._orders.idle:
            self.counters.contradictions += 1

    def _preset(self, data: bytes) -> None:
        self._output.remark(fields.preset(data))


_HANDLERS: Final[Mapping[str, Callable[[AngelEyeLine, bytes], None]]] = {
    "S": AngelEyeLine._starts,
    "C": AngelEyeLine._cut,
    "D": AngelEyeLine._drawn,
    "d": AngelEyeLine._drawn_outside,
    "R": AngelEyeLine._again,
    "E": AngelEyeLine._error,
    "e": AngelEyeLine._cancelled,
    "L": AngelEyeLine._lock_reported,
    "M": AngelEyeLine._preset,
}
"""P and G are about rounds of the shoe's own game, which nobody plays here."""


def _never() -> bool:
    return False
