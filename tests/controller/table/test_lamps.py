"""The lamps of spots that are open late, are shared by several wagers, or are lit by lines of other names."""

import pytest

from controller.jackpot import Step
from controller.table.record.events import ClaimStep, DeviceLost
from controller.table.view.lamps import lamps
from drivers.protocol.codes import Lamp
from tests.fixtures.state_table import StateTable, lamp

LATE = 1
SEVENS = 2
STEPS: tuple[Step, ...] = ("confirm", "verify", "pay")
"""EZ Bust is a seat's second spot."""
BEFORE = "1:main=1000 2:main=1000 close"


def bust(cards: str) -> StateTable:
    table = StateTable("ez-bust")
    table.play(f"{BEFORE} {cards}")
    return table


class TestLateSpots:
    def test_are_closed_while_betting_is_open(self) -> None:
        table = StateTable("ez-bust")
        assert (lamp(table.state, 1), lamp(table.state, 1, LATE)) == (Lamp.OPEN, Lamp.NO_BETS)

    def test_are_open_for_those_who_are_invited(self) -> None:
        table = bust("As 9c 6d Kh 8c Qh")  # seat 1 has a natural
        assert table.state.round.invited == {2: {"ez-bust"}}
        assert [lamp(table.state, seat, LATE) for seat in (1, 2, 3)] == [
            Lamp.NO_BETS,
            Lamp.OPEN,
            Lamp.NO_BETS,
        ]

    def test_stay_open_with_chips_until_the_window_closes_and_are_latched_then(self) -> None:
        table = bust("9h 9c 6d 8h 8c Qh")
        table.play("1:ez-bust=500")
        assert [lamp(table.state, seat, LATE) for seat in (1, 2)] == [Lamp.OPEN, Lamp.OPEN]
        table.play("close")
        assert [lamp(table.state, seat, LATE) for seat in (1, 2)] == [Lamp.LATCHED, Lamp.NO_BETS]

    def test_are_not_open_while_play_stands_still(self) -> None:
        table = bust("9h 9c 6d 8h 8c Qh")
        table.play("1:ez-bust=500")
        table.apply(DeviceLost("shoe", "unplugged"))
        assert [lamp(table.state, seat, LATE) for seat in (1, 2)] == [Lamp.LATCHED, Lamp.NO_BETS]

    def test_open_again_at_a_split_and_hold_the_wagers_of_both_hands(self) -> None:
        table = bust("8h 9c 6d 8s 8c Qh")
        table.play("1:split")
        assert [lamp(table.state, seat, LATE) for seat in (1, 2)] == [Lamp.OPEN, Lamp.NO_BETS]
        table.play("1:ez-bust=500 Ts")
        assert lamp(table.state, 1, LATE) == Lamp.LATCHED


class TestDecided:
    @pytest.mark.parametrize(
        ("hands", "shown"),
        [
            (("lose", "lose"), Lamp.NO_BETS),
            (("lose", "push"), Lamp.LATCHED),
            (("push", "win"), Lamp.WIN),
            (("win", "lose"), Lamp.WIN),
        ],
    )
    def test_the_best_of_several_hands_is_shown(self, hands: tuple[str, str], shown: Lamp) -> None:
        second = {"lose": "7d", "push": "9h", "win": "Kh"}
        table = bust("Th 9c 9d Ks 8c Th")
        table.play("1:split")
        for hand in hands:
            table.play(f"{second[hand]} 1:stand")
        table.play("2:stand")
        assert table.state.round.phase == "paying"
        assert [line.outcome for line in table.state.round.settlements[:2]] == list(hands)
        assert lamp(table.state, 1) == shown

    def test_insurance_lights_nothing(self) -> None:
        table = StateTable("ez-bust")
        table.play("1:main=1000 close 9c As Tc Kh 1:insurance")
        assert [line.wager for line in table.state.round.settlements] == ["main", "insurance"]
        assert [lamp(table.state, 1), lamp(table.state, 1, LATE)] == [Lamp.NO_BETS, Lamp.NO_BETS]

    def test_a_combined_wager_lights_both_its_spots(self) -> None:
        table = StateTable("quick-pay")
        table.play("1:bet=500 1:surrender-or-play=500 close Th Ts 7d 7h 1:hedge-18=100 close 1:stand")
        assert {line.wager for line in table.state.round.settlements} == {"final", "hedge-18"}
        assert [lamp(table.state, 1, spot) for spot in (0, 1, 2)] == [
            Lamp.LATCHED,
            Lamp.LATCHED,
            Lamp.NO_BETS,
        ]

    def test_a_share_of_a_jackpot_is_more_than_a_win(self) -> None:
        table = StateTable("blackjack-x")
        table.play("1:main=500 1:blazing-7s=100 close 7h 7h 7h")
        assert lamp(table.state, 1, SEVENS) == Lamp.JACKPOT
        table.play("9c 1:stand 9d pay 1:blazing-7s=")
        assert lamp(table.state, 1, SEVENS) == Lamp.JACKPOT
        for step in STEPS:
            assert lamp(table.state, 1, SEVENS) == Lamp.JACKPOT
            table.apply(ClaimStep(1, step, step, "seen"))
        assert lamp(table.state, 1, SEVENS) == Lamp.OPEN

    def test_a_share_that_is_paid_in_its_round_is_a_win(self) -> None:
        table = StateTable("blackjack-x")
        table.play("1:main=500 1:blazing-7s=100 close 7h 7h 7h 9c")
        table.apply(*(ClaimStep(1, step, step, "seen") for step in STEPS))
        assert lamp(table.state, 1, SEVENS) == Lamp.LATCHED
        table.play("1:stand 9d")
        assert lamp(table.state, 1, SEVENS) == Lamp.WIN


def test_every_game_has_a_lamp_for_each_spot() -> None:
    for game in ("ez-bust", "easy-jack", "quick-pay"):
        table = StateTable(game)
        spots = len(table.state.game.spots)
        assert lamps(table.state)[:6].count(Lamp.OFF) == 6 - spots
