"""What requests are called."""

from typing import get_args

from controller.monitor.supervisor.requests import ABOUT, ANSWERS, CALLED
from controller.table.record.events import About


def test_everything_that_may_be_asked_for_has_a_name() -> None:
    assert set(ABOUT) == set(get_args(About))


def test_the_answers_are_the_same_whatever_they_are_called() -> None:
    assert list(CALLED) == list(ANSWERS)
