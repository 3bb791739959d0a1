"""What the crew knows about shoe, chips and packs."""

from controller.demo.crew.device_requests import DeviceRequest, pull, put
from controller.demo.crew.equipment import BURNED, ELSEWHERE, ChipHandler, PackHandler, ShoeHandler
from controller.demo.crew.habits import PlacedBet
from controller.demo.crew.played_round import HandPosition

SEAT = HandPosition(1)


def pulled(draws: ShoeHandler, place: HandPosition) -> None:
    ask = draws.ask(place)
    assert ask is not None
    draws.sent(ask)


class TestDraws:
    def test_no_card_is_asked_for_that_may_not_leave(self) -> None:
        draws = ShoeHandler()
        assert draws.ask(SEAT) is None
        draws.permit(1)
        assert draws.ask(SEAT) == pull(1, SEAT)
        draws.permit(0)
        assert draws.ask(SEAT) is None

    def test_a_card_goes_where_it_was_pulled_for_once(self) -> None:
        draws = ShoeHandler()
        draws.permit(2)
        pulled(draws, SEAT)
        assert list(draws.card(1, "As")) == [(SEAT, "As")]
        assert list(draws.card(1, "As")) == []
        assert draws.unexpected == []

    def test_burned_cards_and_those_of_another_round_lie_apart(self) -> None:
        draws = ShoeHandler()
        draws.permit(2)
        pulled(draws, BURNED)
        assert list(draws.card(1, "As")) == []
        pulled(draws, ELSEWHERE)
        assert list(draws.card(2, "Kd")) == []
        assert (draws.burned, draws.unexpected) == (["As"], [])

    def test_a_card_that_nobody_pulled_is_a_stray(self) -> None:
        draws = ShoeHandler()
        assert list(draws.card(1, "As")) == []
        assert draws.unexpected == ["As"]

    def test_a_card_that_came_unseen_lies_there_when_the_shoe_is_seen_again(self) -> None:
        draws = ShoeHandler()
        draws.permit(5)
        assert list(draws.restore({"count": 3, "out": [[3, "2h"]]})) == []
        pulled(draws, SEAT)
        assert list(draws.restore({"count": 4, "out": [[3, "2h"], [4, "3h"]]})) == [(SEAT, "3h")]
        assert not draws.pending

    def test_a_card_that_did_not_come_is_not_waited_for(self) -> None:
        draws = ShoeHandler()
        draws.permit(1)
        pulled(draws, SEAT)
        assert draws.pending
        draws.refused()
        assert not draws.pending


class TestChips:
    def test_each_stake_is_put_once(self) -> None:
        chips, one, other = ChipHandler(), PlacedBet(1, 0, 500), PlacedBet(2, 0, None)
        assert chips.ask([one, other]) == put(one)
        chips.record(1, 0, 500)
        assert chips.ask([one, other]) == put(other)
        chips.record(2, 0, None)
        assert chips.ask([one, other]) is None

    def test_another_amount_is_put_again(self) -> None:
        chips = ChipHandler()
        chips.record(1, 0, 500)
        assert chips.ask([PlacedBet(1, 0, 1000)]) == put(PlacedBet(1, 0, 1000))

    def test_there_may_be_chips_until_they_are_cleared(self) -> None:
        chips = ChipHandler()
        may_be = [chips.any]
        chips.clear()
        may_be.append(chips.any)
        chips.record(1, 0, 500)
        may_be.append(chips.any)
        chips.clear()
        may_be.append(chips.any)
        assert may_be == [True, False, True, False]
        assert chips.missing([PlacedBet(1, 0, 500)])


def test_a_pack_is_taken_the_old_cards_put_in_and_the_shoe_loaded() -> None:
    packs = PackHandler()
    assert packs.ask() is None
    packs.in_tray(3)
    assert packs.ask() == DeviceRequest("shuffler", {"do": "take", "pack": 3})
    packs.take(" ".join(["As"] * 104))
    assert packs.first() == DeviceRequest("shuffler", {"do": "insert", "decks": 2, "pack": 3})
    packs.insert()
    assert packs.first() is None
    load = packs.ask()
    assert load is not None
    assert (load.device, load.request["do"]) == ("shoe", "load")
    packs.load()
    assert packs.ask() is None
