"""What persons may decide about a level, and what the level would do: all from its log."""

import json
from functools import reduce
from typing import Any

import pytest

from controller.calendar import Calendar
from controller.floor.levels.decisions import (
    DecisionInvalid,
    DecisionRefused,
    changed_parameters,
    made,
    preview,
    removal,
    settlement,
    warning,
)
from controller.floor.levels.desk import LevelPicture
from controller.floor.levels.history import LevelHistory
from controller.floor.levels.output import lines, picture_json
from controller.floor.levels.words import outcome_words
from controller.jackpot.linked.level import LinkedLevel
from controller.jackpot.linked.messages import Correct, CorrectedAmount, Meters, Remove, SetParameters
from tests.controller.jackpot.linked.desk import (
    EPOCH,
    LEVEL,
    TABLE,
    TWO,
    Desk,
    claim,
    claim_id,
    opened,
    reading,
)


def history(desk: Desk) -> LevelHistory:
    begun = LevelHistory(LinkedLevel(LEVEL))
    messages = enumerate((entry.payload for entry in desk.log), 1)
    return reduce(lambda known, message: known.after(*message), messages, begun)


def message(kind: Any, value: Any, about: int, **other: Any) -> Any:
    fields = {"level": LEVEL, "id": "x", "about": about, "value": value, "who": TWO, "why": "test"}
    return made(kind, **{**fields, "issued": 1.0, **other})


def test_a_removed_table_is_named_with_its_open_claims() -> None:
    desk = opened()
    quiet = message(Remove, removal(history(desk), TABLE, ""), desk.state.n)
    assert warning(desk.state, preview(desk.state, quiet)) == ""
    desk.say(claim((3, 10)))
    found = history(desk)
    order = message(Remove, removal(found, TABLE, EPOCH), found.state.n)
    said = warning(found.state, preview(found.state, order))
    assert said == f"open claims of t1 stay open until it is admitted again: {claim_id(3)}"


def test_a_table_counts_on_from_the_meters_with_which_it_fell_or_from_others() -> None:
    desk = opened()
    desk.say(reading(5, 3, 4, 400))
    with pytest.raises(DecisionRefused, match="table = 't1': its meter has not fallen; needed: --reading"):
        settlement(history(desk), TABLE, "")
    desk.say(reading(9, 1, 1, 100))
    fallen = {"row": 9, "rounds": 1, "wagers": 1, "wagered": 100, "voided_wagers": 0, "voided": 0}
    assert settlement(history(desk), TABLE, "").reading == Meters(**fallen)
    other = fallen | {"rounds": 2}
    assert settlement(history(desk), TABLE, json.dumps(other)).reading == Meters(**other)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "reading = '{' is not JSON: "),
        ("[" * 100_000, "is not JSON: "),
        ("5", "reading = 5: not allowed; allowed: a JSON object with row, rounds, wagers, wagered, voided"),
        ('{"row": 9}', "allowed: a JSON object with row, rounds"),
        (
            '{"row":1,"rounds":-1,"wagers":0,"wagered":0,"voided_wagers":0,"voided":0}',
            "reading: rounds = -1: Input should be greater than or equal to 0",
        ),
        (
            '{"row":1,"rounds":1,"wagers":5,"wagered":0,"voided_wagers":0,"voided":0}',
            "allowed: at least one cent a wager",
        ),
    ],
)
def test_a_reading_that_cannot_be_is_refused(text: str, why: str) -> None:
    with pytest.raises(DecisionInvalid) as refused:
        settlement(history(opened()), TABLE, text)
    assert why in str(refused.value)


def test_parameters_that_are_not_named_stay_and_none_takes_one_away() -> None:
    found = history(opened())
    limited = changed_parameters(found, {"limit": "900.00", "threshold": "none"})
    assert (limited.seed, limited.contribution, limited.limit, limited.threshold) == (
        50_000,
        "15.00%",
        90_000,
        None,
    )
    assert changed_parameters(found, {"reserve": "6.5%"}).threshold == 1_000


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"contribution": "15"}, "contribution: '15' is not a share"),
        ({"contribution": "90%", "reserve": "20%"}, "are more than the stake; allowed: together at most 1"),
        ({"limit": "1.00"}, "a limit of 1.00 is not possible; allowed: at least seed and reset, 500.00"),
        ({"seed": "none"}, "seed = 'none': not allowed; allowed: units with at most 2 decimals"),
        ({"currency": "euro"}, "currency = 'euro': not allowed; allowed: the code of a currency"),
        ({"currency": "JPY", "limit": "9.50"}, "limit = '9.50': not allowed; allowed: whole JPY, as \"5\""),
        ({"currency": "JPY", "limit": "100"}, "a limit of 100 is not possible; allowed: at least seed"),
        ({"seed": "0"}, "a seed of 0.00 is not possible; allowed: at least one cent"),
    ],
)
def test_parameters_that_cannot_be_are_refused(changed: dict[str, str], why: str) -> None:
    with pytest.raises(DecisionInvalid) as refused:
        changed_parameters(history(opened()), changed)
    assert why in str(refused.value)


def test_the_first_parameters_need_a_currency_in_which_amounts_are_read() -> None:
    empty = LevelHistory(LinkedLevel(LEVEL))
    typed = {"seed": "50000", "contribution": "15%", "reserve": "5%"}
    with pytest.raises(DecisionInvalid, match="currency: missing; the first parameters of a level need them"):
        changed_parameters(empty, typed)
    first = changed_parameters(empty, {**typed, "currency": "JPY"})
    assert (first.currency, first.seed) == ("JPY", 50_000)
    outcome = preview(empty.state, message(SetParameters, first, 0))
    assert outcome_words(outcome) == (
        "the parameters are currency JPY, seed 50000, contribution 15.00%, reserve 5.00%, reset 50000, "
        "limit none, threshold none"
    )


def test_the_machine_itself_says_what_it_would_refuse() -> None:
    desk = opened()
    with pytest.raises(DecisionRefused, match=r"a meter of 1\.00 is not possible; allowed: 500\.00 or more"):
        preview(desk.state, message(Correct, CorrectedAmount(cents=100), desk.state.n))
    with pytest.raises(DecisionRefused, match="who = Ann, ANN; allowed: two persons"):
        preview(desk.state, message(Correct, CorrectedAmount(cents=60_000), desk.state.n, who=("Ann", "ANN")))
    with pytest.raises(DecisionInvalid, match="id = 'not an id'"):
        message(Correct, CorrectedAmount(cents=60_000), desk.state.n, id="not an id")


def test_a_log_that_cannot_be_followed_is_shown_up_to_there() -> None:
    desk = opened()
    broken = history(desk).after(3, b"no entry").after(4, desk.log[0].payload)
    picture = LevelPicture(broken, None)
    assert (broken.state.n, broken.sequence) == (2, 4)
    assert list(lines(picture, Calendar()))[-1].startswith("the log cannot be followed after entry 2: ")
    assert picture_json(picture)["fault"] == broken.fault
