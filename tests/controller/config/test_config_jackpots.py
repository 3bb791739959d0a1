"""Jackpots in a configuration."""

from typing import Any

import pytest

from controller.config import parse
from controller.table.record.rules import Progressive
from tests.controller.config.test_config import faults, good


class TestJackpot:
    def fed(self, section: object, name: str = "blazing-7s", game: str = "blackjack-x") -> dict[str, Any]:
        raw = good()
        raw["table"] |= {"game": game, "currency": "USD"}
        raw["jackpot"] = {name: section}
        return raw

    def test_is_fed_by_default(self) -> None:
        config = parse(self.fed({"seed": 500_000}))
        assert config.jackpot["blazing-7s"].progressive() == Progressive(500_000, "15%", "5%")

    @pytest.mark.parametrize(
        ("section", "fault"),
        [
            (
                {"seed": 0},
                "jackpot.blazing-7s.seed = 0: not allowed; allowed: cents, a whole number from 1 on",
            ),
            (
                {"reserve": "5"},
                'jackpot.blazing-7s.reserve = "5": not allowed; '
                'allowed: a share of each stake as text, as "15%" or "2.75%"',
            ),
            (
                {"contribution": 0.15},
                "jackpot.blazing-7s.contribution = 0.15: not allowed; "
                'allowed: a share of each stake as text, as "15%" or "2.75%"',
            ),
            (
                {"contribution": "60%", "reserve": "40.01%"},
                'jackpot.blazing-7s.contribution = "60%": not allowed with reserve = "40.01%"; '
                "allowed: together at most 100%",
            ),
            (
                {"limit": 999_999},
                "jackpot.blazing-7s.limit = 999999: not allowed with seed = 1000000; "
                "allowed: 1000000 or more, or no limit",
            ),
            (
                {"reset": 3_000_000, "limit": 2_000_000},
                "jackpot.blazing-7s.limit = 2000000: not allowed with reset = 3000000; "
                "allowed: 3000000 or more, or no limit",
            ),
            (
                {"threshold": 0},
                "jackpot.blazing-7s.threshold = 0: not allowed; allowed: cents, a whole number from 1 on",
            ),
            (
                {"second_over": -1},
                "jackpot.blazing-7s.second_over = -1: not allowed; allowed: cents, a whole number from 0 on",
            ),
            (
                {"colour": 1},
                "jackpot.blazing-7s.colour = 1: unknown key; allowed here: seed, contribution, reserve, "
                "reset, limit, threshold, second_over, tax_over",
            ),
            (
                3,
                "jackpot.blazing-7s = 3: not allowed; allowed: a section with seed, contribution, reserve, "
                "reset, limit, threshold, second_over, tax_over",
            ),
        ],
    )
    def test_each_fault_of_a_jackpot_section_is_named(self, section: object, fault: str) -> None:
        assert faults(self.fed(section)) == [fault]

    def test_is_read_whole(self) -> None:
        section = {"seed": 5, "reset": 6, "limit": 7, "threshold": 8, "second_over": 9, "tax_over": 10}
        config = parse(self.fed(section))
        assert config.jackpot["blazing-7s"].progressive() == Progressive(5, "15%", "5%", 6, 7, 8, 9, 10)

    def test_of_another_spot(self) -> None:
        assert faults(self.fed({}, name="buster")) == [
            "jackpot.buster: unknown key; allowed here: blazing-7s"
        ]

    def test_of_a_game_without_one(self) -> None:
        assert faults(self.fed({}, game="easy-jack")) == [
            "jackpot.blazing-7s: unknown key; allowed here: none, because easy-jack has no jackpot"
        ]

    def test_a_jackpot_that_is_not_a_section_is_refused(self) -> None:
        raw = good() | {"jackpot": 3}
        assert faults(raw) == ["jackpot = 3: not allowed; allowed: a section for each jackpot of the game"]
