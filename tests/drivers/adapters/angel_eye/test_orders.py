"""One order at a time: what is sent when, in which form, and how it ends."""

from drivers.adapters.angel_eye.frames import Answer, Order, written
from drivers.adapters.angel_eye.orders import (
    ATTEMPTS,
    BUSY_WAIT,
    LIMIT,
    MOST_BUSY,
    REFUSED,
    SILENT,
    Form,
    Orders,
    Outcome,
)
from drivers.adapters.line import AdapterCounters

LOCK, UNLOCK, CLEAR = Order("LK", "02"), Order("LK", "01"), Order("EC", "01")
CONFIRM = Order("GP", "00")
ACK = Answer(b"\x06", None)


def nak(code: int) -> Answer:
    return Answer(b"", code)


def said(order: Order, *, stx: bool = True) -> bytes:
    return written(order, stx_counts=stx)


def orders(form: Form | None = None) -> Orders:
    return Orders(form or Form(), AdapterCounters())


def test_one_after_the_other_and_of_a_kind_only_the_newest() -> None:
    line = orders()
    for order in (CLEAR, UNLOCK, CONFIRM, LOCK):
        line.ask(order)
    sent = []
    while not line.idle:
        sent.append(line.take(0.0))
        assert line.take(0.0) == b""
        assert line.hear(ACK, 0.0) is not None
    assert sent == [said(CLEAR), said(LOCK), said(CONFIRM)]


def test_silence_is_borne_so_often_and_no_more() -> None:
    line, now = orders(), 0.0
    line.ask(LOCK)
    for attempt in range(ATTEMPTS):
        assert line.take(now) == said(LOCK)
        assert line.tick(now) is None
        now = line.deadline()
        assert now == (attempt + 1) * LIMIT
        outcome = line.tick(now)
    assert outcome == Outcome(LOCK, SILENT, "order LK 02: it does not answer")
    assert (line.take(now), line.idle, line.deadline()) == (b"", True, float("inf"))


def test_a_newer_order_is_not_kept_waiting_by_one_that_nobody_answers() -> None:
    line = orders()
    line.ask(UNLOCK)
    line.take(0.0)
    line.ask(LOCK)
    assert line.tick(LIMIT) is None
    assert line.take(LIMIT) == said(LOCK)


def test_a_newer_order_is_not_kept_waiting_by_one_that_is_refused_for_now() -> None:
    for code in (0x01, 0x02, 0x21):
        line = orders()
        line.ask(UNLOCK)
        line.take(0.0)
        line.ask(LOCK)
        assert line.hear(nak(code), 0.1) is None
        assert line.take(0.1) == said(LOCK)


def test_the_form_turns_at_each_wrong_check_and_is_kept_when_it_was_taken() -> None:
    form = Form()
    line = orders(form)
    line.ask(LOCK)
    assert line.take(0.0) == said(LOCK)
    for stx in (False, True, False):
        assert line.hear(nak(0x02), 0.0) is None
        assert form == Form(True)
        assert line.take(0.0) == said(LOCK, stx=stx)
    assert line.hear(ACK, 0.0) == Outcome(LOCK)
    assert form == Form(False)


def test_neither_form_is_right() -> None:
    line = orders()
    line.ask(LOCK)
    for _ in range(ATTEMPTS):
        line.take(0.0)
        outcome = line.hear(nak(0x02), 0.0)
    assert outcome == Outcome(LOCK, REFUSED, "order LK 02: NAK 02, wrong BCC")


def test_a_busy_shoe_is_asked_again_for_so_long() -> None:
    line, now = orders(), 0.0
    line.ask(LOCK)
    for _ in range(MOST_BUSY):
        assert line.take(now) == said(LOCK)
        assert line.hear(nak(0x22), now) is None
        assert line.take(now) == b""
        now += BUSY_WAIT
    line.take(now)
    assert line.hear(nak(0x22), now) == Outcome(LOCK, REFUSED, "order LK 02: NAK 22, a write is in progress")


def test_a_late_answer_is_no_answer_to_the_next_attempt() -> None:
    line = orders()
    assert line.hear(ACK, 0.0) is None
    line.ask(LOCK)
    assert line.hear(ACK, 0.0) is None
    line.take(0.0)
    line.tick(LIMIT)
    assert line.hear(ACK, LIMIT) is None  # before it was sent again
    assert line.take(LIMIT) == said(LOCK)
