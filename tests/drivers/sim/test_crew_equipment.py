"""What the crew knows of shoe, chips and packs."""

from controller.demo.crew.device_requests import Ask, pull, put
from controller.demo.crew.equipment import BURNED, ELSEWHERE, Chips, Draws, Packs
from controller.demo.crew.habits import Bet
from controller.demo.crew.played_round import Place

SEAT = Place(1)


def pulled(draws: Draws, place: Place) -> None:
    ask = draws.ask(place)
    assert ask is not None
    draws.begun(ask)


class TestDraws:
    def test_no_card_is_asked_for_that_may_not_leave(self) -> None:
        draws = Draws()
        assert draws.ask(SEAT) is None
        draws.permit(1)
        assert draws.ask(SEAT) == pull(1, SEAT)
        draws.permit(0)
        assert draws.ask(SEAT) is None

    def test_a_card_goes_where_it_was_pulled_for_once(self) -> None:
        draws = Draws()
        draws.permit(2)
        pulled(draws, SEAT)
        assert list(draws.card(1, "As")) == [(SEAT, "As")]
        assert list(draws.card(1, "As")) == []
        assert draws.strays == []

    def test_burned_cards_and_those_of_another_round_lie_apart(self) -> None:
        draws = Draws()
        draws.permit(2)
        pulled(draws, BURNED)
        assert list(draws.card(1, "As")) == []
        pulled(draws, ELSEWHERE)
        assert list(draws.card(2, "Kd")) == []
        assert (draws.burned, draws.strays) == (["As"], [])

    def test_a_card_that_nobody_pulled_is_a_stray(self) -> None:
        draws = Draws()
        assert list(draws.card(1, "As")) == []
        assert draws.strays == ["As"]

    def test_a_card_that_came_unseen_lies_there_when_the_shoe_is_seen_again(self) -> None:
        draws = Draws()
        draws.permit(5)
        assert list(draws.look({"count": 3, "out": [[3, "2h"]]})) == []
        pulled(draws, SEAT)
        assert list(draws.look({"count": 4, "out": [[3, "2h"], [4, "3h"]]})) == [(SEAT, "3h")]
        assert not draws.coming

    def test_a_card_that_did_not_come_is_not_waited_for(self) -> None:
        draws = Draws()
        draws.permit(1)
        pulled(draws, SEAT)
        assert draws.coming
        draws.refused()
        assert not draws.coming


class TestChips:
    def test_each_stake_is_put_once(self) -> None:
        chips, one, other = Chips(), Bet(1, 0, 500), Bet(2, 0, None)
        assert chips.ask([one, other]) == put(one)
        chips.laid(1, 0, 500)
        assert chips.ask([one, other]) == put(other)
        chips.laid(2, 0, None)
        assert chips.ask([one, other]) is None

    def test_another_amount_is_put_again(self) -> None:
        chips = Chips()
        chips.laid(1, 0, 500)
        assert chips.ask([Bet(1, 0, 1000)]) == put(Bet(1, 0, 1000))

    def test_there_may_be_chips_until_they_are_cleared(self) -> None:
        chips = Chips()
        may_be = [chips.any]
        chips.cleared()
        may_be.append(chips.any)
        chips.laid(1, 0, 500)
        may_be.append(chips.any)
        chips.cleared()
        may_be.append(chips.any)
        assert may_be == [True, False, True, False]
        assert chips.missing([Bet(1, 0, 500)])


def test_a_pack_is_taken_the_old_cards_put_in_and_the_shoe_loaded() -> None:
    packs = Packs()
    assert packs.ask() is None
    packs.in_tray()
    assert packs.ask() == Ask("shuffler", {"do": "take"})
    packs.taken(" ".join(["As"] * 104))
    assert packs.first() == Ask("shuffler", {"do": "insert", "decks": 2})
    packs.inserted()
    assert packs.first() is None
    load = packs.ask()
    assert load is not None
    assert (load.device, load.request["do"]) == ("shoe", "load")
    packs.loaded()
    assert packs.ask() is None
