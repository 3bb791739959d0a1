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
    EPOCH,
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


class TestCurrency:
    """The level has one currency, which two persons name."""

    def test_the_first_parameters_name_it_and_later_ones_keep_it(self) -> None:
        desk = Desk()
        desk.order(SetParameters, LevelParameters.of(PARAMETERS, "JPY"))
        desk.order(SetParameters, LevelParameters.of(Parameters(70_000)))
        assert (desk.state.currency, desk.meter.cents) == ("JPY", 70_000)

    def test_a_level_that_has_none_gets_one_at_once_even_if_its_parameters_wait(self) -> None:
        desk = opened()
        desk.say(reading(5, 1, 3, 300))
        (done,) = desk.order(SetParameters, LevelParameters.of(Parameters(70_000), "EUR"))
        assert (done.waits, desk.state.currency) == (True, "EUR")

    def test_another_one_is_refused(self) -> None:
        desk = in_yen()
        refused = desk.order(SetParameters, LevelParameters.of(PARAMETERS, "USD"))
        assert why(refused) == "currency = USD; allowed: JPY, because a level keeps its currency"
        assert desk.state.currency == "JPY"

    def test_a_table_with_another_currency_is_not_admitted(self) -> None:
        desk = in_yen()
        refused = desk.order(Admit, admission("t2").model_copy(update={"currency": "USD"}))
        assert why(refused) == "t2 plays in USD; allowed: JPY, as the level"

    @pytest.mark.parametrize("currency", ["JPY", ""])
    def test_a_table_with_its_currency_or_an_unknown_one_is_admitted(self, currency: str) -> None:
        desk = in_yen()
        desk.order(Admit, admission("t2").model_copy(update={"currency": currency}))
        assert desk.state.contributors["t2", EPOCH].admitted

    def test_refusals_have_amounts_in_it(self) -> None:
        desk = in_yen()
        assert "a meter of 100 is not possible; allowed: 50000 or more" in why(
            desk.order(Correct, CorrectedAmount(cents=100))
        )
        refused = Desk().order(SetParameters, LevelParameters(**LOW_LIMIT, currency="JPY"))
        assert "a limit of 100 is not possible; allowed: at least seed and reset, 50000" in why(refused)

    def test_the_code_of_no_currency_is_malformed(self) -> None:
        with pytest.raises(ValueError, match="'XXX' is not the code of a currency"):
            LevelParameters.of(PARAMETERS, "XXX")


LOW_LIMIT: dict[str, Any] = {"seed": 50_000, "contribution": "15.00%", "reserve": "5.00%", "limit": 100}


def in_yen() -> Desk:
    desk = opened()
    desk.order(SetParameters, LevelParameters.of(PARAMETERS, "JPY"))
    return desk


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
