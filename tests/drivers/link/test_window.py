"""One side's half of the window: timeouts, credit, sequences."""

import pytest

from drivers.link.counters import Counters
from drivers.link.frames import LINE_OVERHEAD, LONGEST_PAYLOAD
from drivers.link.limits import Timing
from drivers.link.window import Receiver, RoundTripTimer, Sender
from drivers.protocol.codes import Channel, Flag

FAST = Timing(baud=10**9)
"""A line whose bytes take no time."""


def sender(timing: Timing = FAST, credit: int = 8) -> Sender:
    """A sender that received the peer's first frame."""
    made = Sender(timing, Counters())
    assert made.acknowledged(0, credit, 0.0)
    return made


def sequences(made: Sender, now: float) -> list[int]:
    return [flight.sequence for flight in made.due(now)]


def put(made: Sender, messages: int, channel: Channel = Channel.EVENTS) -> None:
    for _ in range(messages):
        made.put(channel, 0, b"message")


# The timeout


def test_the_timeout_starts_at_200_ms_and_is_then_srtt_plus_4_rttvar() -> None:
    trip = RoundTripTimer(FAST)
    assert trip.timeout(0) == pytest.approx(0.2, abs=1e-5)
    trip.sample(0.080)
    assert trip.timeout(0) == pytest.approx(0.080 + 4 * 0.040, abs=1e-5)
    trip.sample(0.040)
    deviation = 0.75 * 0.040 + 0.25 * 0.040
    assert trip.timeout(0) == pytest.approx(0.075 + 4 * deviation, abs=1e-5)


def test_the_timeout_is_clamped_to_25_and_400_ms() -> None:
    quick, slow = RoundTripTimer(FAST), RoundTripTimer(FAST)
    for _ in range(50):
        quick.sample(0.001)
        slow.sample(2.0)
    assert quick.timeout(0) == pytest.approx(0.025, abs=1e-5)
    assert slow.timeout(0) == pytest.approx(0.400, abs=1e-5)


def test_the_timeout_doubles_to_400_ms_until_progress() -> None:
    trip = RoundTripTimer(FAST)
    for _ in range(50):
        trip.sample(0.001)
    waits = []
    for _ in range(6):
        waits.append(trip.timeout(0))
        trip.back_off()
    assert waits == pytest.approx([0.025, 0.05, 0.1, 0.2, 0.4, 0.4], abs=1e-5)
    trip.reset()
    assert trip.timeout(0) == pytest.approx(0.025, abs=1e-5)


def test_line_time_of_the_outstanding_bytes_and_one_frame_is_added() -> None:
    frame = LINE_OVERHEAD + LONGEST_PAYLOAD
    assert RoundTripTimer(Timing(baud=9600)).timeout(1000) == pytest.approx(0.2 + (1000 + frame) / 960)


def test_a_time_out_resends_all_and_waits_twice_as_long() -> None:
    made = sender()
    put(made, 3)
    assert sequences(made, 10.0) == [0, 1, 2]
    first = made.deadline()
    assert first == pytest.approx(10.2, abs=1e-3)
    made.tick(first - 0.001)
    assert sequences(made, first - 0.001) == []
    made.tick(first)
    assert [(flight.sequence, flight.flags) for flight in made.due(first)] == [
        (0, Flag.RETRANSMIT),
        (1, Flag.RETRANSMIT),
        (2, Flag.RETRANSMIT),
    ]
    assert made.deadline() == pytest.approx(first + 0.4, abs=1e-3)


def test_progress_restarts_the_clock() -> None:
    made = sender()
    put(made, 3)
    sequences(made, 10.0)
    assert made.acknowledged(1, 8, 10.15)
    assert made.deadline() > 10.15 + 0.2
    assert made.acknowledged(1, 8, 10.3)
    assert made.deadline() < 10.3 + 0.45
    assert made.acknowledged(3, 8, 10.3)
    assert made.deadline() == float("inf")


def test_progress_takes_the_doubling_of_a_time_out_back() -> None:
    made = sender()
    put(made, 2)
    sequences(made, 10.0)
    made.tick(10.201)
    sequences(made, 10.201)
    assert made.deadline() == pytest.approx(10.201 + 0.4, abs=1e-3)
    assert made.acknowledged(1, 8, 10.3)
    assert made.deadline() == pytest.approx(10.3 + 0.2, abs=1e-3)


def test_only_frames_sent_once_are_samples() -> None:
    made = sender()
    put(made, 1)
    sequences(made, 10.0)
    made.resend_all(10.1)
    sequences(made, 10.1)
    assert made.acknowledged(1, 8, 10.101)
    put(made, 1)
    sequences(made, 11.0)
    assert made.deadline() == pytest.approx(11.2, abs=1e-3)
    assert made.acknowledged(2, 8, 11.01)
    put(made, 1)
    sequences(made, 12.0)
    assert made.deadline() == pytest.approx(12.0 + 0.010 + 4 * 0.005, abs=1e-3)


def test_the_ninth_send_in_vain_is_the_last() -> None:
    made = sender()
    put(made, 1)
    sends = 0
    now = 0.0
    while not made.failed:
        sends += len(sequences(made, now))
        now = made.deadline()
        made.tick(now)
    assert sends == 9


# Credit


def test_acknowledgement_plus_credit_never_goes_back() -> None:
    made = sender(credit=5)
    put(made, 20)
    assert sequences(made, 0.0) == [0, 1, 2, 3, 4]
    assert made.acknowledged(2, 1, 0.0)
    assert sequences(made, 0.0) == []
    assert made.acknowledged(2, 4, 0.0)
    assert sequences(made, 0.0) == [5]
    assert made.acknowledged(3, 0, 0.0)
    assert made.acknowledged(3, 4, 0.0)
    assert sequences(made, 0.0) == [6]


def test_a_smaller_credit_leaves_what_was_promised() -> None:
    made = sender(credit=5)
    assert made.acknowledged(0, 2, 0.0)
    put(made, 20)
    assert sequences(made, 0.0) == [0, 1, 2, 3, 4]


def test_no_more_than_eight_whatever_is_offered() -> None:
    made = sender(credit=255)
    put(made, 20)
    assert sequences(made, 0.0) == list(range(8))


def test_two_bulk_frames_at_most_and_others_pass_them() -> None:
    made = sender()
    put(made, 5, Channel.BULK)
    put(made, 2)
    assert [flight.channel for flight in made.due(0.0)] == [1, 1, 3, 3]
    assert made.acknowledged(3, 8, 0.0)
    assert [flight.channel for flight in made.due(0.0)] == [3]


# The receiver


def receiver() -> Receiver:
    made = Receiver(FAST, Counters())
    made.acknowledgement_sent()
    return made


def test_an_older_frame_is_acknowledged_again_within_5_ms() -> None:
    made = receiver()
    assert made.take(0, 1.0)
    made.acknowledgement_sent()
    assert made.deadline() == float("inf")
    assert not made.take(0, 2.0)
    assert made.deadline() == 2.005
    assert not made.nak_due


def test_further_frames_do_not_put_the_acknowledgement_off() -> None:
    made = receiver()
    for sequence in range(4):
        assert made.take(sequence, 1.0 + sequence / 1000)
    assert made.deadline() == 1.005


def test_half_the_numbers_are_older() -> None:
    made = receiver()
    for sequence in (65_535, 32_768):
        assert not made.take(sequence, 0.0)
    assert not made.nak_due
    assert not made.take(32_767, 0.0)
    assert made.nak_due


def test_what_was_promised_is_taken_and_no_more() -> None:
    made = receiver()
    made.offer = 0
    assert [made.take(sequence, 0.0) for sequence in range(9)] == [True] * 8 + [False]
    assert made.credit == 0
    made.acknowledgement_sent()
    made.offer = 2
    assert made.deadline() == float("-inf")
    made.acknowledgement_sent()
    assert (made.credit, made.deadline()) == (2, float("inf"))


def test_both_halves_wrap_at_65_536() -> None:
    sends, takes = sender(), receiver()
    taken = 0
    for _ in range(65_540 // 4):
        put(sends, 4)
        for flight in sends.due(0.0):
            taken += takes.take(flight.sequence, 0.0)
        takes.acknowledgement_sent()
        assert sends.acknowledged(takes.expected, 8, 0.0)
    assert (taken, takes.expected) == (65_540, 4)
    assert sends.idle
