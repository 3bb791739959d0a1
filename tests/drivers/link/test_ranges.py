"""Fields of commands and events: what is in range, and what is not."""

import pytest

from drivers import messages as m
from drivers.link.ranges import MOST_CENTS, out_of_range
from drivers.messages import CommandBody, EventBody
from drivers.protocol.codes import LAMPS

COUNTS = bytes(52)
GOOD: tuple[CommandBody | EventBody, ...] = (
    m.Start(10),
    m.Eject(),
    m.Lamps(1, bytes(LAMPS)),
    m.Level(31, MOST_CENTS, 3),
    m.Celebrate(0, 0, 60),
    m.Text(7, ""),
    m.Prompt("", 9),
    m.KeyLamps(2**11 - 1),
    m.Buzz(5000),
    m.Booted(5),
    m.Tamper(3, 1),
    m.Fault(8, on=True, text=""),
    m.Fault(999, on=True, text="belt"),
    m.Door(4, open=True),
    m.Door(199, open=False),
    m.CardDrawn(1, "As"),
    m.CutCard(1),
    m.Loaded(1),
    m.ShufflerState(5, 100),
    m.DeckCheck(10, COUNTS, 520),
    m.Wager(9, 5, present=True, cents=MOST_CENTS),
    m.Wager(1, 0, present=False, cents=0),
    m.SensorFault(1, 5, on=True),
    m.Key("pay", 0, 0),
)
BAD: tuple[tuple[CommandBody | EventBody, str], ...] = (
    (m.Start(0), "decks 0: 1 to 10"),
    (m.Lamps(10_001, bytes(LAMPS)), "ttl_ms 10001: 1 to 10000"),
    (m.Lamps(100, bytes(LAMPS - 1)), "lamps: 54 values from 0 to 6"),
    (m.Lamps(100, bytes([7] * LAMPS)), "lamps: 54 values from 0 to 6"),
    (m.Level(32, 0, 0), "id 32: 0 to 31"),
    (m.Level(0, MOST_CENTS + 1, 0), f"cents {2**53}: 0 to {MOST_CENTS}"),
    (m.Level(0, 0, 4), "state 4: 0 to 3"),
    (m.Celebrate(0, 0, 61), "seconds 61: 1 to 60"),
    (m.Text(8, ""), "line 8: 0 to 7"),
    (m.Prompt("", 10), "seat 10: 0 to 9"),
    (m.KeyLamps(2**11), "mask 2048: 0 to 2047"),
    (m.Buzz(0), "ms 0: 1 to 5000"),
    (m.Booted(0), "reset 0: 1 to 5"),
    (m.Tamper(4, 1), "what 4: 1 to 3"),
    (m.Tamper(1, 0), f"count 0: 1 to {2**32 - 1}"),
    (m.Fault(9, on=True, text=""), "code 9: 1 to 8, or 100 to 999"),
    (m.Fault(100, on=True, text=""), "text: needed for a maker's code"),
    (m.Door(5, open=True), "which 5: 1 to 4, or 100 to 199"),
    (m.CutCard(0), f"count 0: 1 to {2**52}"),
    (m.Loaded(11), "decks 11: 1 to 10"),
    (m.ShufflerState(6, 0), "state 6: 1 to 5"),
    (m.ShufflerState(2, 101), "percent 101: 0 to 100"),
    (m.DeckCheck(1, COUNTS[1:], 0), "counts of 51 bytes: 52"),
    (m.DeckCheck(1, COUNTS, 521), "unreadable 521: 0 to 520"),
    (m.Wager(10, 0, present=True, cents=5), "seat 10: 1 to 9"),
    (m.Wager(1, 6, present=True, cents=5), "spot 6: 0 to 5"),
    (m.SensorFault(0, 0, on=True), "seat 0: 1 to 9"),
    (m.Key("fold", 1, 0), "action 'fold': one of"),
    (m.Key("hit", 10, 0), "seat 10: 0 to 9"),
)


@pytest.mark.parametrize("body", GOOD, ids=str)
def test_a_body_at_the_limits_of_its_ranges_is_in_range(body: CommandBody | EventBody) -> None:
    assert out_of_range(body) == ""


@pytest.mark.parametrize(("body", "fault"), BAD, ids=[str(body) for body, _ in BAD])
def test_a_body_beyond_a_limit_is_named_with_the_limit(body: CommandBody | EventBody, fault: str) -> None:
    assert out_of_range(body).startswith(fault)
