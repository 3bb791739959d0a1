"""How requests are named."""

from typing import get_args

from controller.monitor.supervisor.requests import ANSWERS, CALL_ANSWERS, TITLES
from controller.table.record.events import RequestSubject


def test_everything_that_may_be_asked_for_has_a_name() -> None:
    assert set(TITLES) == set(get_args(RequestSubject))


def test_the_answers_are_the_same_whatever_they_are_called() -> None:
    assert list(CALL_ANSWERS) == list(ANSWERS)
