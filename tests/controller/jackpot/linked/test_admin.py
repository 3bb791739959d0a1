from fractions import Fraction
from typing import Any

import pytest

from controller.jackpot.linked.entries import Admitted, Corrected, ParametersSet, Removed, Resolved
from controller.jackpot.linked.messages import (
    Admit,
    Correct,
    CorrectedAmount,
    LevelParameters,
    Meters,
    Remove,
    Resolution,
    Resolve,
    SetParameters,
    Settle,
    SettledTable,
)
from controller.jackpot.parameters import Parameters
from tests.controller.jackpot.linked.desk import (
    FLOOR,
    LEVEL,
    PARAMETERS,
    TWO,
    Desk,
    admission,
    claim,
    opened,
    reading,
    step,
)

OTHER = LevelParameters.of(Parameters(70_000, Fraction(1, 10_000), Fraction(0)))


def why(outcomes: list[Any]) -> str:
    """Why a message was refused."""
    (alarm,) = outcomes
    assert alarm.code == "refused"
    return str(alarm.why)


class TestParameters:
    def test_the_first_ones_seed_the_level(self) -> None:
        desk = Desk()
        (done,) = desk.order(SetParameters, LevelParameters.of(PARAMETERS))
        assert not done.waits
        assert desk.meter.cents == 50_000

    def test_rates_survive_the_wire_exactly(self) -> None:
        for ten_thousandths in (1, 9_999, 1_234):
            parameters = Parameters(1, Fraction(ten_thousandths, 10_000), Fraction(1, 10_000))
            assert LevelParameters.of(parameters).checked() == parameters

    def test_later_ones_wait_until_all_of_it_is_won(self) -> None:
        desk = opened()
        desk.say(reading(5, 1, 3, 300))
        (done,) = desk.order(SetParameters, OTHER)
        assert isinstance(done, ParametersSet)
        assert done.waits
        assert desk.meter.parameters == PARAMETERS
        (won,) = desk.say(claim((7, 100), chip=1))
        assert won.display_after == 70_000
        assert desk.meter.parameters == OTHER.checked()

    def test_impossible_ones_are_refused_with_the_reason(self) -> None:
        desk = opened()
        assert "contribution" in why(
            desk.order(SetParameters, OTHER.model_copy(update={"contribution": "99.00%", "reserve": "2.00%"}))
        )


class TestCorrections:
    def test_the_display_is_set_with_both_amounts_in_the_entry(self) -> None:
        desk = opened()
        (done,) = desk.order(Correct, CorrectedAmount(cents=60_000))
        assert isinstance(done, Corrected)
        assert (done.display_before, done.display_after, done.who) == (50_000, 60_000, TWO)
        assert desk.meter.cents == 60_000

    def test_less_than_the_level_begins_with_is_refused(self) -> None:
        desk = opened()
        assert "allowed: 500.00 or more" in why(desk.order(Correct, CorrectedAmount(cents=49_999)))
        assert desk.meter.cents == 50_000


class TestPersons:
    def test_one_person_is_not_two(self) -> None:
        desk = opened()
        refused = desk.order(Correct, CorrectedAmount(cents=60_000), who=("A. Smith", " a. smith"))
        assert "allowed: two persons" in why(refused)

    @pytest.mark.parametrize("cause", ["won", "correction", "parameters"])
    def test_what_they_saw_before_the_amount_changed_no_longer_holds(self, cause: str) -> None:
        desk = opened()
        seen = desk.state.n
        if cause == "won":
            desk.say(claim((7, 10)))
        elif cause == "correction":
            desk.order(Correct, CorrectedAmount(cents=55_000))
        else:
            desk.order(SetParameters, OTHER)
        assert "about = " in why(desk.order(Correct, CorrectedAmount(cents=60_000), about=seen))

    def test_what_they_saw_holds_while_only_wagers_came(self) -> None:
        desk = opened()
        seen = desk.state.n
        desk.say(reading(5, 1, 3, 300))
        assert isinstance(desk.order(Correct, CorrectedAmount(cents=60_000), about=seen)[0], Corrected)

    def test_an_entry_that_is_not_there_cannot_be_seen(self) -> None:
        desk = opened()
        assert "about = " in why(desk.order(Correct, CorrectedAmount(cents=60_000), about=desk.state.n + 1))

    def test_an_id_counts_once_even_if_it_was_refused(self) -> None:
        desk = opened()
        desk.order(Correct, CorrectedAmount(cents=60_000), id="x")
        assert desk.order(Correct, CorrectedAmount(cents=61_000), id="x") == []
        why(desk.order(Correct, CorrectedAmount(cents=1), id="y"))
        assert desk.order(Correct, CorrectedAmount(cents=62_000), id="y") == []
        assert desk.meter.cents == 60_000

    def test_nothing_counts_without_the_signature_of_the_floor(self) -> None:
        desk = opened()
        message = Correct(
            level=LEVEL,
            id="x",
            about=desk.state.n,
            value=CorrectedAmount(cents=60_000),
            who=TWO,
            why="-",
            issued=1.0,
        )
        assert [one.code for one in desk.say(message, "", "")] == ["signature"]
        assert desk.meter.cents == 50_000
        assert isinstance(desk.say(message, "", FLOOR)[0], Corrected)


class TestTables:
    def test_a_new_epoch_takes_the_place_of_the_old_one(self) -> None:
        desk = opened()
        (done,) = desk.order(Admit, admission(epoch="1" * 16))
        assert isinstance(done, Admitted)
        assert [one.code for one in desk.say(reading(5, 1, 3, 300))] == ["epoch"]
        desk.say(reading(5, 1, 3, 300).model_copy(update={"epoch": "1" * 16}))
        assert desk.meter.books.wagers == 3

    def test_a_new_epoch_may_end_the_claims_of_the_old_one(self) -> None:
        desk = opened()
        desk.say(claim((7, 10)))
        desk.order(Admit, admission(epoch="1" * 16))
        desk.say(step(7, "paid").model_copy(update={"epoch": "1" * 16}))
        assert desk.meter.books.locked == 0

    def test_a_removed_table_is_closed_and_counts_on_when_it_comes_back(self) -> None:
        desk = opened()
        desk.say(reading(5, 1, 3, 300))
        (done,) = desk.order(Remove, admission())
        assert isinstance(done, Removed)
        assert desk.state.closed_tables == ("t1",)
        assert [one.code for one in desk.say(reading(6, 2, 4, 400))] == ["epoch"]
        desk.order(Admit, admission())
        desk.say(reading(6, 2, 4, 400))
        assert desk.meter.books.wagers == 4

    def test_another_key_removes_nothing(self) -> None:
        desk = opened()
        assert "not admitted with this key" in why(desk.order(Remove, admission(key="b" * 64)))

    def test_an_unknown_table_cannot_be_settled(self) -> None:
        desk = opened()
        assert why(desk.order(Settle, SettledTable(table="t9", reading=Meters()))) == "t9 is not admitted"

    def test_a_resolution_is_recorded_whatever_its_persons_saw(self) -> None:
        desk = opened()
        assert isinstance(desk.order(Resolve, Resolution(take="log"), about=999)[0], Resolved)
