"""Orders to the shoe, one at a time: each waits for its answer with a limit and is repeated a limited
number of times."""

from dataclasses import dataclass
from math import inf
from typing import Final

from drivers.adapters.angel_eye.frames import NAKS, Answer, ShoeOrder, encode_order
from drivers.adapters.line import AdapterCounters

LIMIT = 0.75
"""Seconds until an answer is overdue."""
ATTEMPTS = 4
BUSY_WAIT = 0.25
MOST_BUSY = 20
"""How often an order is repeated while the shoe is busy."""
WRONG_BCC: Final = 0x02
SPOILT: Final = frozenset({0x01, 0x02, 0x03})
"""Refusals whose cause is the line."""
BUSY: Final = frozenset({0x21, 0x22})
SILENT: Final = "silent"
REFUSED: Final = "order refused"


@dataclass(slots=True)
class OrderFormat:
    """Whether the BCC of an order includes STX, as far as this shoe has shown. Lasts longer than a
    session."""

    stx_counts: bool = True


@dataclass(frozen=True, slots=True)
class OrderOutcome:
    """How an order ended. `failure` is empty, SILENT or REFUSED; `text` is a sentence."""

    order: ShoeOrder
    failure: str = ""
    text: str = ""


class OrderQueue:
    """Orders that wait. Of two of one kind only the newer counts."""

    def __init__(self, form: OrderFormat, counters: AdapterCounters) -> None:
        self._form, self._counters = form, counters
        self._waiting: dict[str, ShoeOrder] = {}
        self._open: ShoeOrder | None = None
        self._stx_counts = form.stx_counts
        self._send_at = self._answer_by = inf
        self._sent = self._busy = 0

    @property
    def idle(self) -> bool:
        """Whether no order waits for its turn or for an answer."""
        return self._open is None and not self._waiting

    def add(self, order: ShoeOrder) -> None:
        """Queues an order."""
        self._waiting[order.kind] = order

    def take(self, now: float) -> bytes:
        if self._open is None and self._waiting:
            self._begin(self._waiting.pop(next(iter(self._waiting))), now)
        if self._open is None or now < self._send_at:
            return b""
        self._send_at, self._answer_by = inf, now + LIMIT
        self._sent += 1
        self._counters.frames_out += 1
        self._counters.retransmissions += self._sent > 1
        return encode_order(self._open, stx_counts=self._stx_counts)

    def answer(self, answer: Answer, now: float) -> OrderOutcome | None:
        """Takes an answer. Returns how the order ended, if it did."""
        if self._open is None or self._answer_by == inf:
            self._counters.unasked += 1
            return None
        self._answer_by = inf
        if answer.nak is None:
            self._form.stx_counts = self._stx_counts
            return self._end()
        return self._refused(answer.nak, now)

    def tick(self, now: float) -> OrderOutcome | None:
        """Returns how the order ended if no answer came in time."""
        if now < self._answer_by:
            return None
        self._counters.timeouts += 1
        self._answer_by = inf
        return self._again(now, SILENT, "it does not answer")

    def deadline(self) -> float:
        return -inf if self._open is None and self._waiting else min(self._send_at, self._answer_by)

    def _begin(self, order: ShoeOrder, now: float) -> None:
        self._open, self._send_at = order, now
        self._stx_counts = self._form.stx_counts
        self._sent = self._busy = 0

    def _refused(self, nak: int, now: float) -> OrderOutcome | None:
        why = f"NAK {nak:02X}, {NAKS[nak]}"
        if nak == WRONG_BCC:
            self._stx_counts = not self._stx_counts
        if self._outdated():
            return None
        if nak in BUSY and self._busy < MOST_BUSY:
            self._busy += 1
            self._send_at = now + BUSY_WAIT
            return None
        return self._again(now, REFUSED, why) if nak in SPOILT else self._end(REFUSED, why)

    def _again(self, now: float, failure: str, why: str) -> OrderOutcome | None:
        if self._outdated():
            return None
        if self._sent - self._busy < ATTEMPTS:
            self._send_at = now
            return None
        return self._end(failure, why)

    def _outdated(self) -> bool:
        """Drops the open order if a newer one of its kind waits."""
        if self._open is None or self._open.kind not in self._waiting:
            return False
        self._open = None
        self._send_at = self._answer_by = inf
        return True

    def _end(self, failure: str = "", why: str = "") -> OrderOutcome:
        if self._open is None:
            raise AssertionError("only an open order ends")
        order, self._open = self._open, None
        self._send_at = self._answer_by = inf
        text = f"order {order.kind} {order.data}: {why}" if failure else ""
        return OrderOutcome(order, failure, text)
