"""Reconnecting to a device: every state, every step, every wait, in virtual time."""

from math import inf
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.devices.reconnect import (
    DEVICE_STATES,
    STATES,
    DeviceState,
    Reconnect,
    ReconnectStep,
    ReconnectTiming,
)
from drivers.errors import Misuse

PACE = ReconnectTiming()
SESSION_UP: tuple[ReconnectStep, ...] = ("try", "opened", "up", "armed")


class Course:
    """A course and its time."""

    def __init__(self, pace: ReconnectTiming = PACE) -> None:
        self.now = 1000.0
        self.reconnect = Reconnect(pace)

    def steps(self, *steps: ReconnectStep) -> DeviceState:
        for step in steps:
            self.reconnect.step(step, self.now)
        return self.reconnect.state

    def fails(self, step: ReconnectStep) -> float:
        """An attempt that ends this way before a session is up; returns the wait after it, which then
        passes."""
        self.steps("try", "opened", step)
        return self.passes()

    def passes(self) -> float:
        wait = self.reconnect.wait(self.now)
        self.now += wait
        return wait

    def plays(self, seconds: float, end: ReconnectStep = "absent") -> DeviceState:
        self.steps(*SESSION_UP)
        self.now += seconds
        return self.steps(end)


def test_the_table_knows_every_state_and_leads_to_each() -> None:
    assert set(STATES) == set(DEVICE_STATES)
    assert {state for row in STATES.values() for state in row.next.values()} == set(DEVICE_STATES)
    idle = {state for state, row in STATES.items() if row.idle}
    assert idle == {state for state, row in STATES.items() if "try" in row.next}
    assert set(DEVICE_STATES) > idle > {"held off"}
    assert not any(row.session for row in STATES.values() if row.idle)


def test_a_good_device_goes_from_waiting_to_running() -> None:
    course = Course()
    assert course.reconnect.wait(course.now) == 0
    seen = [course.steps(step) for step in SESSION_UP]
    assert seen == ["connecting", "identifying", "catching up", "running"]
    assert course.reconnect.wait(course.now) == inf


def test_an_empty_port_is_tried_each_second() -> None:
    course = Course()
    assert [course.fails("absent") for _ in range(40)] == [1.0] * 40


@pytest.mark.parametrize("step", ["refused", "fault"])
def test_who_is_refused_or_broken_is_left_alone_longer_each_time(step: ReconnectStep) -> None:
    course = Course()
    assert [course.fails(step) for _ in range(7)] == [1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0]


def test_a_refusal_before_the_proof_waits_a_second_and_forgets_nothing() -> None:
    course = Course()
    assert [course.fails("unproved") for _ in range(100)] == [1.0] * 100
    steps: tuple[ReconnectStep, ...] = ("fault", "unproved", "refused", "unproved", "fault")
    assert [course.fails(step) for step in steps] == [1.0, 1.0, 2.0, 1.0, 4.0]


def test_an_empty_port_ends_the_backing_off_for_another_device_may_come() -> None:
    course = Course()
    assert [course.fails(step) for step in ("fault", "fault", "absent", "fault")] == [1.0, 2.0, 1.0, 1.0]


def test_only_a_session_that_lasted_ends_the_backing_off() -> None:
    course = Course()
    for seconds, wait in ((0.0, 1.0), (29.0, 2.0), (1.0, 4.0), (30.0, 1.0), (1.0, 2.0)):
        assert course.plays(seconds, "fault") == "backing off"
        assert course.passes() == wait


def test_the_fifth_loss_within_a_minute_holds_a_device_off_for_two() -> None:
    course = Course()
    for _ in range(4):
        assert course.plays(14.0) == "waiting"
        course.passes()
    assert course.plays(0.0) == "held off"
    assert course.passes() == 120.0
    assert course.plays(1.0) == "waiting", "the count begins anew"


def test_four_losses_within_a_minute_are_bad_luck() -> None:
    course = Course()
    for _ in range(50):
        assert course.plays(15.1) == "waiting"


@pytest.mark.parametrize("end", ["fault", "refused"])
def test_however_its_sessions_end_a_device_flaps(end: ReconnectStep) -> None:
    course = Course(ReconnectTiming(longest=1.0))
    states = [course.plays(1.0, end) for _ in range(5)]
    assert states[-1] == "held off"
    assert "held off" not in states[:-1]


def test_attempts_without_a_session_are_no_flapping() -> None:
    course = Course()
    for _ in range(20):
        assert course.steps("try", "opened", "absent") == "waiting"


def test_what_we_end_ourselves_is_no_loss() -> None:
    course = Course()
    for _ in range(20):
        assert course.plays(1.0, "let go") == "waiting"


@pytest.mark.parametrize("end", ["absent", "refused", "fault"])
def test_news_of_a_plug_makes_an_attempt_due_now(end: ReconnectStep) -> None:
    course = Course()
    course.fails(end)
    course.steps("try", end)
    assert course.reconnect.plugged(course.now)
    assert course.reconnect.wait(course.now) == 0


def test_news_of_a_plug_neither_ends_a_hold_nor_disturbs_a_session() -> None:
    course = Course()
    assert [course.plays(0.0) for _ in range(5)][-1] == "held off"
    assert not course.reconnect.plugged(course.now)
    assert course.passes() == 120.0
    course.steps(*SESSION_UP)
    assert not course.reconnect.plugged(course.now)
    assert course.reconnect.wait(course.now) == inf


def test_a_plug_does_not_shorten_the_waits_after_it() -> None:
    course = Course()
    course.fails("fault")
    course.steps("try", "fault")
    course.reconnect.plugged(course.now)
    assert course.fails("fault") == 4.0


def test_a_person_ends_a_hold_and_the_count() -> None:
    course = Course()
    for _ in range(5):
        course.plays(0.0)
    assert course.reconnect.release(course.now)
    assert course.passes() == 0.0
    assert [course.plays(0.0) for _ in range(4)] == ["waiting"] * 4


def test_a_person_may_forgive_during_a_session() -> None:
    course = Course()
    for _ in range(4):
        course.plays(0.0)
    course.steps(*SESSION_UP)
    assert not course.reconnect.release(course.now)
    assert course.steps("absent") == "waiting"


def test_a_device_that_must_not_serve_stays_without_arms() -> None:
    course = Course()
    course.steps(*SESSION_UP)
    assert course.steps("disarmed") == "catching up"
    assert course.steps("disarmed") == "catching up"


def test_what_a_state_does_not_allow_is_our_bug() -> None:
    course = Course()
    with pytest.raises(Misuse, match="'up' while waiting: not allowed; allowed: try, flapping"):
        course.steps("up")


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"again": 0.0}, "again 0 s"),
        ({"again": 31.0}, "again 31 s"),
        ({"losses": 1}, "losses 1"),
        ({"window": 0.0}, "window 0 s"),
        ({"hold": -1.0}, "hold -1 s"),
    ],
)
def test_an_impossible_pace_is_refused(wrong: dict[str, Any], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        ReconnectTiming(**wrong)


@given(st.lists(st.tuples(st.integers(0, 20), st.floats(0, 200))))
def test_every_wait_is_short_and_every_device_is_tried_again(life: list[tuple[int, float]]) -> None:
    course = Course()
    for choice, seconds in life:
        state, now = course.reconnect.state, course.now
        allowed = [step for step in STATES[state].next if step != "flapping"]
        course.steps(allowed[choice % len(allowed)])
        wait = course.reconnect.wait(course.now)
        assert (wait == inf) == (not STATES[course.reconnect.state].idle)
        assert wait == inf or wait <= (120.0 if course.reconnect.state == "held off" else 30.0)
        course.now = now + seconds
