"""One order at a time: what is sent when, in which form, and how it ends."""

from drivers.adapters.angel_eye.frames import Answer, ShoeOrder, encode_order
from drivers.adapters.angel_eye.orders import (
    ATTEMPTS,
    BUSY_WAIT,
    LIMIT,
    MOST_BUSY,
    REFUSED,
    SILENT,
    OrderFormat,
    OrderOutcome,
    OrderQueue,
)
from drivers.adapters.line import AdapterCounters

LOCK = ShoeOrder("LK", "02")
UNLOCK = ShoeOrder("LK", "01")
CLEAR = ShoeOrder("EC", "01")
CONFIRM = ShoeOrder("GP", "00")
ACK = Answer(b"\x06", None)


def nak(code: int) -> Answer:
    return Answer(b"", code)


def said(order: ShoeOrder, *, stx: bool = True) -> bytes:
    return encode_order(order, stx_counts=stx)


def orders(form: OrderFormat | None = None) -> OrderQueue:
    return OrderQueue(form or OrderFormat(), AdapterCounters())


def test_orders_are_sent_one_by_one_and_the_newest_of_a_kind_wins() -> None:
    line = orders()
    for order in (CLEAR, UNLOCK, CONFIRM, LOCK):
        line.add(order)
    sent = []
    while not line.idle:
        sent.append(line.take(0.0))
        assert line.take(0.0) == b""
        assert line.answer(ACK, 0.0) is not None
    assert sent == [said(CLEAR), said(LOCK), said(CONFIRM)]


def test_an_order_is_repeated_a_limited_number_of_times() -> None:
    line, now = orders(), 0.0
    line.add(LOCK)
    for attempt in range(ATTEMPTS):
        assert line.take(now) == said(LOCK)
        assert line.tick(now) is None
        now = line.deadline()
        assert now == (attempt + 1) * LIMIT
        outcome = line.tick(now)
    assert outcome == OrderOutcome(LOCK, SILENT, "order LK 02: it does not answer")
    assert (line.take(now), line.idle, line.deadline()) == (b"", True, float("inf"))


def test_a_newer_order_is_not_kept_waiting_by_one_that_nobody_answers() -> None:
    line = orders()
    line.add(UNLOCK)
    line.take(0.0)
    line.add(LOCK)
    assert line.tick(LIMIT) is None
    assert line.take(LIMIT) == said(LOCK)


def test_a_newer_order_is_not_kept_waiting_by_one_that_is_refused_for_now() -> None:
    for code in (0x01, 0x02, 0x21):
        line = orders()
        line.add(UNLOCK)
        line.take(0.0)
        line.add(LOCK)
        assert line.answer(nak(code), 0.1) is None
        assert line.take(0.1) == said(LOCK)


def test_the_form_turns_at_each_wrong_check_and_is_kept_when_it_was_taken() -> None:
    form = OrderFormat()
    line = orders(form)
    line.add(LOCK)
    assert line.take(0.0) == said(LOCK)
    for stx in (False, True, False):
        assert line.answer(nak(0x02), 0.0) is None
        assert form == OrderFormat(True)
        assert line.take(0.0) == said(LOCK, stx=stx)
    assert line.answer(ACK, 0.0) == OrderOutcome(LOCK)
    assert form == OrderFormat(False)


def test_two_wrong_checks_end_the_conversation() -> None:
    line = orders()
    line.add(LOCK)
    for _ in range(ATTEMPTS):
        line.take(0.0)
        outcome = line.answer(nak(0x02), 0.0)
    assert outcome == OrderOutcome(LOCK, REFUSED, "order LK 02: NAK 02, wrong BCC")


def test_a_busy_shoe_is_asked_again_for_a_limited_time() -> None:
    line, now = orders(), 0.0
    line.add(LOCK)
    for _ in range(MOST_BUSY):
        assert line.take(now) == said(LOCK)
        assert line.answer(nak(0x22), now) is None
        assert line.take(now) == b""
        now += BUSY_WAIT
    line.take(now)
    assert line.answer(nak(0x22), now) == OrderOutcome(
        LOCK, REFUSED, "order LK 02: NAK 22, a write is in progress"
    )


def test_a_late_answer_is_no_answer_to_the_next_attempt() -> None:
    line = orders()
    assert line.answer(ACK, 0.0) is None
    line.add(LOCK)
    assert line.answer(ACK, 0.0) is None
    line.take(0.0)
    line.tick(LIMIT)
    assert line.answer(ACK, LIMIT) is None  # before it was repeated
    assert line.take(LIMIT) == said(LOCK)
