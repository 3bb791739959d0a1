from typing import Any

import pytest

from controller.games.bets.blazing_7s import EVENTS, TABLES, Award, award, awards
from controller.games.blackjack_x import BlackjackX
from controller.games.option_faults import BadOptions

OWN = dict(TABLES[2])


def fault(option: object) -> dict[str, str]:
    with pytest.raises(BadOptions) as bad:
        BlackjackX({"blazing_7s": option})
    return {fault.key: fault.allowed for fault in bad.value.faults}


@pytest.mark.parametrize(
    ("table", "pays"),
    [
        (1, ["100%", "100%", "10%", "199:1", "24:1", "1:1"]),
        (2, ["100%", "10%", "499:1", "199:1", "24:1", "1:1"]),
        ({**OWN, "777": "7%", "one 7": "3 for 1"}, ["100%", "10%", "499:1", "7%", "24:1", "2:1"]),
    ],
)
def test_each_award_table_pays_what_it_prints(table: Any, pays: list[str]) -> None:
    found = awards(table)
    assert tuple(found) == EVENTS
    assert [str(found[happened]) for happened in EVENTS] == pays


@pytest.mark.parametrize(
    "written",
    [
        "0 for 1",
        "2 for 2",
        "02 for 1",
        "2for 1",
        " 2 for 1",
        "2:1",
        "1000000 for 1",
        "0%",
        "101%",
        "200%",
        "010%",
        "10 %",
        "1.5%",
        "-5%",
        "",
    ],
)
def test_text_that_is_not_an_award_is_refused(written: str) -> None:
    with pytest.raises(ValueError, match="not an award"):
        award(written)
    assert fault({**OWN, "777": written}) == {
        "blazing_7s.777": '"N for 1", N from 1 to 999999, or "P%", P from 1 to 100'
    }


@pytest.mark.parametrize(
    ("written", "named"),
    [
        ("1 for 1", Award(for_one=1)),
        ("2 for 1", Award(for_one=2)),
        ("999999 for 1", Award(for_one=999_999)),
        ("9 for 1", Award(for_one=9)),
        ("1%", Award(percent=1)),
        ("99%", Award(percent=99)),
        ("100%", Award(percent=100)),
    ],
)
def test_an_award_is_read_as_it_is_written(written: str, named: Award) -> None:
    assert award(written) == named


@pytest.mark.parametrize("option", [0, 3, True, False, 1.0, "1", "2", None, [], ["100%"]])
def test_an_unknown_award_table_is_refused(option: object) -> None:
    (allowed,) = fault(option).values()
    assert allowed.startswith("1, 2, or a table with every event of 777 diamonds, ")
    assert list(fault(option)) == ["blazing_7s"]


def test_all_faults_of_an_award_table_are_named_at_once() -> None:
    found = fault({"777": 5, "two 7s": "25 for 1", "four 7s": "10%", "777 suited": None})
    assert set(found) == {
        "blazing_7s.777",
        "blazing_7s.four 7s",
        "blazing_7s.777 suited",
        "blazing_7s.777 diamonds",
        "blazing_7s.777 one colour",
        "blazing_7s.one 7",
    }
    assert found["blazing_7s.four 7s"] == "only 777 diamonds, 777 suited, 777 one colour, 777, two 7s, one 7"


def test_options_are_kept_as_they_are_written() -> None:
    assert BlackjackX().options.model_dump(mode="json")["blazing_7s"] == 2
    assert BlackjackX({"blazing_7s": OWN}).options.model_dump(mode="json")["blazing_7s"] == OWN
