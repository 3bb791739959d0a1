"""What the players of one round do and wager, and what the crew records."""

from dataclasses import replace

import pytest

from controller.demo.crew.habits import Mood, PlacedBet
from controller.demo.crew.playbook import Playbook
from controller.demo.crew.played_round import HandPosition
from controller.demo.crew.players import KeyAction, Players
from controller.round.prompts import OfferInsurance
from tests.controller.demo.crew.playbook import PLAYBOOK

SEED = 3
MAIN, _SIDE, LATE = range(3)
PLAIN = replace(PLAYBOOK, says_play=False, insures_for_less=False)


def bets(index: int) -> tuple[PlacedBet, ...]:
    return Mood(SEED, index, PLAYBOOK).bets()


def seats(index: int, *, readable: bool = True) -> list[int]:
    """Seats whose main stake can be valued, or cannot."""
    mains = [bet for bet in bets(index) if bet.spot == MAIN]
    return [bet.seat for bet in mains if (bet.cents is not None) == readable]


INDICES = [index for index in range(200) if seats(index)]


def where(index: int) -> HandPosition:
    return HandPosition(seats(index)[0])


def at_table(playbook: Playbook, index: int, *cards: str) -> tuple[Players, HandPosition]:
    """A round in which one seat holds these cards."""
    players, place = Players(playbook, SEED, index), where(index)
    for card in cards:
        players.round.add_card(place, card)
    return players, place


def stake(players: Players, place: HandPosition) -> int:
    cents = next(bet.cents for bet in players.round.bets if bet.seat == place.seat)
    assert cents is not None
    return cents


class TestInsurance:
    PROMPT = OfferInsurance((1, 2), (2, 3))

    def test_is_for_those_who_are_asked_and_want_it(self) -> None:
        wanted = [
            Players(PLAIN, SEED, index).insurance_key(self.PROMPT) for index in INDICES if 1 in seats(index)
        ]
        assert {(key.action, key.place.seat) for key in wanted if key} == {
            ("insurance", 1),
            ("insurance", 2),
            ("even-money", 2),
            ("even-money", 3),
        }
        assert None in wanted

    @pytest.mark.parametrize("asked", [(3,), (3, 5), (2, 3, 4)])
    def test_is_offered_to_one_or_many(self, asked: tuple[int, ...]) -> None:
        wanting = (index for index in INDICES if Mood(SEED, index, PLAIN).has("insurance", 3))
        index = next(index for index in wanting if not Mood(SEED, index, PLAIN).has("insurance", 2))
        key = Players(PLAIN, SEED, index).insurance_key(OfferInsurance(asked))
        assert key == KeyAction("insurance", HandPosition(3))

    def test_is_for_less_only_where_it_may_be(self) -> None:
        asked = [index for index in INDICES if 1 in seats(index)]
        plain = [Players(PLAIN, SEED, index).insurance_key(OfferInsurance((1,))) for index in asked]
        less = [Players(PLAYBOOK, SEED, index).insurance_key(OfferInsurance((1,))) for index in asked]
        assert {key.cents for key in plain if key} == {None}
        assert {key.cents for key in less if key} == {None, 125, 250}


class TestHands:
    def test_follow_the_strategy(self) -> None:
        players, place = at_table(PLAIN, 0, "8h", "8s")
        assert players.choose(place) == KeyAction("split", place)
        players.record_key(KeyAction("split", place))
        assert players.round.hands[place.seat] == [["8h"], ["8s"]]
        assert players.round.script == ["8h", "8s", f"{place.seat}:split"]

    def test_are_now_and_then_said_to_be_played_before_they_are(self) -> None:
        said = {}
        for index in INDICES:
            players, place = at_table(PLAYBOOK, index, "8h", "9s")
            said[players.choose(place).action] = players, place
        assert said.keys() == {"hit", "play"}
        players, place = said["play"]
        players.record_key(KeyAction("play", place))
        assert players.choose(place).action == "hit"

    def test_are_doubled_for_all_or_for_less(self) -> None:
        parts = set()
        for index in INDICES:
            players, place = at_table(PLAIN, index, "8h", "8s")
            players.record_key(KeyAction("split", place))
            players.round.add_card(place, "3h")
            doubles = players.choose(place)
            assert doubles.action == "double"
            parts.add(doubles.cents and stake(players, place) / doubles.cents)
        assert parts == {None, 2}


class TestChips:
    def test_of_doubles_and_splits_lie_beside_the_first_ones(self) -> None:
        players, place = at_table(PLAIN, 0, "8h", "8s")
        first = stake(players, place)
        assert players.extended_bet(place.seat) == (PlacedBet(place.seat, MAIN, first),)
        players.record_key(KeyAction("split", place))
        assert players.extended_bet(place.seat) == (PlacedBet(place.seat, MAIN, 2 * first),)
        players.record_key(KeyAction("double", place, 50))
        assert players.extended_bet(place.seat) == (PlacedBet(place.seat, MAIN, 2 * first + 50),)

    def test_that_cannot_be_valued_lie_there_as_before(self) -> None:
        index = next(index for index in INDICES if seats(index, readable=False))
        assert Players(PLAIN, SEED, index).extended_bet(seats(index, readable=False)[0]) == ()


def wants_twice(index: int) -> bool:
    mood, seat = Mood(SEED, index, PLAIN), where(index).seat
    return bool(mood.late(seat, 1) and mood.late(seat, 2))


class TestLateWagers:
    def test_are_wanted_until_somebody_acts_and_again_at_a_split(self) -> None:
        index = next(index for index in INDICES if wants_twice(index))
        players, place = at_table(PLAIN, index, "8h", "8s")
        first = players.late([place.seat], at_split=False)
        assert list(first) == [PlacedBet(place.seat, LATE, 200)]
        players.record_late(first)
        assert list(players.late([place.seat], at_split=False)) == []
        players.record_key(KeyAction("split", place))
        assert list(players.late([place.seat], at_split=False)) == []
        (second,) = players.late([place.seat], at_split=True)
        assert players.on_spot(second) == PlacedBet(place.seat, LATE, 400)
        players.record_late([second])
        assert players.round.script[-3:] == [
            f"{place.seat}:late=200",
            f"{place.seat}:split",
            f"{place.seat}:late=200",
        ]
