"""The dealer's console in every game: prompts that fit, lit keys, keys with an amount."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.games import GAMES
from controller.table.apply.claims import announcement, frozen_spot, oldest_unconfirmed, without_announcement
from controller.table.record.events import ClaimStep, DeviceLost
from controller.table.record.notes import Refusal
from controller.table.view.console import MOST_BYTES, key_lamps, keys, prompt
from drivers.protocol.codes import KEYS
from tests.fixtures.crewed_table import CrewedTable
from tests.fixtures.device_inputs import Script
from tests.fixtures.random_crew import Chance
from tests.fixtures.state_table import StateTable, of_kind

SEATS = 9


def lit(table: StateTable) -> set[str]:
    mask = key_lamps(table.state)
    return {key for place, key in enumerate(KEYS) if mask & 1 << place}


class Watched(CrewedTable):
    """A full table that checks every prompt."""

    def __init__(self, game: str, seed: int) -> None:
        super().__init__(game, seed)
        self.crew = Chance(game, seed, seats=SEATS)
        self.script = Script(game, {"burn_cards": 0, **self.crew.options}, seats=SEATS)
        self.begin()

    def look(self) -> None:
        due, text = frozen_spot(self.state)[0] or self.state.round.due.text, prompt(self.state)[0]
        if claim := oldest_unconfirmed(self.state):
            due = announcement(claim.number, claim.seat, claim.cents) + due
        assert len(text.encode()) <= MOST_BYTES
        assert self.state.suspension or text == due, "a prompt was cut short"
        assert lit(self) == keys(self.state) <= set(KEYS)


@pytest.mark.parametrize("game", sorted(GAMES))
@settings(max_examples=15)
@given(st.integers(0, 2**32 - 1))
def test_prompts_of_a_full_table_fit(game: str, seed: int) -> None:
    table = Watched(game, seed)
    tell = table.apply

    def told_and_seen(*events: object) -> object:
        notes = tell(*events)  # type: ignore[arg-type]
        table.look()
        return notes

    table.apply = told_and_seen  # type: ignore[method-assign,assignment]
    table.play_by_chance()


@pytest.mark.parametrize(
    ("game", "tokens", "shown"),
    [
        ("ez-bust", "1:main=1000 close 9h As 8h Qh", {"insurance", "close"}),
        ("ez-bust", "1:main=1000 close 9h 6s 8h Qh", {"hit", "stand", "double", "surrender", "close"}),
        ("ez-bust", "1:main=1000 close 8c 6s 8h Qh close", {"hit", "stand", "double", "split", "surrender"}),
        ("ez-bust", "1:main=1000 close 8c 6s 8h Qh 1:split", {"close"}),
        ("ez-bust", "1:main=1000 close 8c 6s 8h Qh close 1:double", set()),
        ("ez-bust", "1:main=1000 close 8c 9s 8h Qh 1:double 2h", {"pay"}),
        (
            "quick-pay",
            "1:bet=500 1:surrender-or-play=500 close Th 6s 8h 5h",
            {"hit", "stand", "double", "surrender", "play", "quick-pay", "close"},
        ),
        (
            "quick-pay",
            "1:bet=500 1:surrender-or-play=500 close Th 6s 8h 5h close 1:play",
            {"hit", "stand", "double"},
        ),
        ("no-bust-21st-century", "1:main=1000 close 5h As 6h 5h", {"insurance", "close"}),
        ("blackjack-x", "1:main=1000 close As 6s Ks 5h", {"pay"}),
    ],
)
def test_only_legal_keys_are_lit(game: str, tokens: str, shown: set[str]) -> None:
    table = StateTable(game)
    table.play(tokens)
    assert lit(table) == shown


def test_even_money_is_lit_for_a_natural() -> None:
    table = StateTable("ez-bust", even_money=True, insurance=False)
    table.play("1:main=1000 close Ah As Kh 5h")
    assert (lit(table), table.prompt) == ({"even-money", "close"}, "Even money: seat 1. Close when done")


class TestClaim:
    WON = "1:main=500 1:blazing-7s=100 2:main=500 close 7h 9c 7h 7h 8c Th"

    def test_a_jackpot_is_the_first_thing_that_is_due_until_its_hand_is_confirmed(self) -> None:
        table = StateTable("blackjack-x")
        table.play(self.WON)
        shown, seat = prompt(table.state)
        assert shown == (
            "Jackpot 1000.01, seat 1: confirm claim 1. Seat 1 has 14: hit, stand, double, split or surrender"
        )
        assert seat == 1
        table.play("1:stand")
        assert prompt(table.state) == (
            "Jackpot 1000.01, seat 1: confirm claim 1. Seat 2 has 17: hit, stand, double or surrender",
            1,
        )
        assert keys(table.state) == table.state.round.keys
        table.apply(ClaimStep(1, "confirm", "Dee", "seen"))
        assert prompt(table.state) == ("Seat 2 has 17: hit, stand, double or surrender", 2)

    def test_one_of_a_round_before_is_still_due(self) -> None:
        table = StateTable("blackjack-x")
        table.play(f"{self.WON} 1:stand 2:stand pay")
        assert table.state.number == 2
        claim, _, play = table.prompt.partition(". ")
        assert claim == "Jackpot 1000.01, seat 1: confirm claim 1"
        assert play == "Seat 1: blazing-7s is frozen until claim 1 is paid or void: lift the chips"

    def test_play_that_stands_still_goes_before_it(self) -> None:
        table = StateTable("blackjack-x")
        table.play(self.WON)
        table.apply(DeviceLost("shoe", "unplugged"))
        assert table.prompt == "Suspended: Missing: the shoe"

    def test_the_simulated_crew_plays_on(self) -> None:
        assert without_announcement(f"{announcement(12, 9, 123_456_789)}Deal 1 card") == "Deal 1 card"


class TestAmounts:
    def test_of_a_double(self) -> None:
        table = StateTable("ez-bust")
        table.play("1:main=1000 close 5c 9s 6h Qh 1:double=300 9h")
        assert [hand.bet for hand in table.state.round.seats[1].hands] == [1300]

    def test_of_insurance(self) -> None:
        table = StateTable("ez-bust")
        table.play("1:main=1000 2:main=1000 close 9h 9c As 8h 8c 5h 1:insurance=200 2:insurance")
        assert {number: seat.wagers["insurance"] for number, seat in table.state.round.seats.items()} == {
            1: 200,
            2: 500,
        }

    def test_that_is_too_much(self) -> None:
        table = StateTable("ez-bust")
        table.play("1:main=1000 close 5c 9s 6h Qh")
        (refusal,) = of_kind(Refusal, table.play("1:double=1001"))
        assert refusal == Refusal("double", 1, "a double for 10.01 is not possible; allowed: at most 10.00")

    def test_of_a_key_that_takes_none(self) -> None:
        table = StateTable("ez-bust")
        table.play("1:main=1000 close 5c 9s 6h Qh")
        assert of_kind(Refusal, table.play("1:stand=100")) == [Refusal("stand", 1, "stand takes no amount")]
