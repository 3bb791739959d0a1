import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from controller.commands.app import app
from tests.controller.odds.plot.parsed import words


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["odds", *arguments], env={"COLUMNS": "120"})


def odds_json(*arguments: str) -> dict[str, Any]:
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.stderr
    return dict(json.loads(result.stdout))


class TestJson:
    def test_bets_are_printed_as_json(self) -> None:
        said = odds_json("easy-jack", "--options", '{"decks": 8}')
        assert (said["game"], said["options"]["decks"], said["options"]["natural"]) == ("easy-jack", 8, "3:2")
        main, dealer_bust = said["bets"]
        assert dealer_bust.keys() == {"bet", "given", "house_edge", "outcomes"}
        assert (dealer_bust["bet"], dealer_bust["given"]) == ("dealer-bust", {})
        assert round(dealer_bust["house_edge"], 6) == 0.095124
        first = dealer_bust["outcomes"][0]
        assert (first["event"], round(first["probability"], 4), first["pays"]) == (
            "bust with 2 cards",
            0.1778,
            "3:1",
        )
        assert dealer_bust["outcomes"][-1]["pays"] is None
        assert {"cards": "6", "total": 6, "choice": "hit"}.items() <= main["best_play"][4].items()
        assert main["best_play"][4]["gains"].keys() == {"stand", "hit"}

    def test_after_the_deal_there_is_an_entry_for_each_up_card(self) -> None:
        bets = [bet for bet in odds_json("ez-bust")["bets"] if bet["bet"] == "ez-bust"]
        assert [bet["given"] for bet in bets] == [{"up_card": up} for up in ("2", "3", "4", "5", "6", "any")]

    @pytest.mark.parametrize("game", ["easy-jack", "ez-bust", "pure-21-5", "quick-pay"])
    def test_floats_sum_to_one_and_give_the_edge(self, game: str) -> None:
        for bet in odds_json(game)["bets"]:
            assert sum(one["probability"] for one in bet["outcomes"]) == pytest.approx(1, abs=1e-12)

    def test_dealer_odds_are_printed_as_json(self) -> None:
        hand = odds_json("ez-bust")["dealer"]
        ace = hand["totals"][0]
        assert ace["given"] == {"up_card": "A"}
        assert ace["before_peek"]["natural"] == pytest.approx(96 / 311)
        assert "natural" not in ace["after_peek"]
        assert list(hand["busts"])[:2] == ["3", "4"]
        assert odds_json("easy-jack")["dealer"]["totals"][0]["after_peek"] is None

    def test_a_sweep_is_printed_as_json(self) -> None:
        said = odds_json("ez-bust", "--sweep", "insurance", "--bet", "insurance")
        assert (said["game"], said["sweep"], said["bet"]) == ("ez-bust", "insurance", "insurance")
        off, on = said["values"]
        assert off == {"value": False, "bets": []}
        assert (on["value"], on["bets"][0]["given"]) == (True, {"up_card": "A"})


class TestTables:
    def test_bets_best_play_and_the_dealer(self) -> None:
        shown = run("easy-jack").stdout
        for words_ in ("main, before the deal", "house edge 0.9377%", "best play", "0.000141%", "not shown"):
            assert words_ in shown
        assert "after the peek" not in shown

    def test_one_row_for_each_up_card(self) -> None:
        shown = run("quick-pay").stdout
        assert "house edge" in shown
        assert "14.1325% (8:1)" not in shown
        assert "9.5264% (8:1)" in shown
        assert "after the peek" in shown

    def test_a_sweep_is_printed_as_a_table(self) -> None:
        shown = run("ez-bust", "--sweep", "decks").stdout
        assert "EZ Bust Blackjack: house edge of ez-bust by decks" in shown
        assert "against any" in shown
        assert "19.6827%" in shown

    def test_a_sweep_over_what_is_not_always_offered(self) -> None:
        shown = run("ez-bust", "--sweep", "insurance", "--bet", "insurance").stdout
        assert "not offered" in shown
        assert "7.3955%" in shown


class TestMeter:
    def test_the_jackpot_in_stakes(self) -> None:
        seed, told_of = (
            next(bet for bet in odds_json("blackjack-x", *more)["bets"] if bet["bet"] == "blazing-7s")
            for more in ([], ["--meter", "5000000"])
        )
        assert (seed["meter"], told_of["meter"]) == (10_000, 50_000)
        assert seed["break_even_meter"] == told_of["break_even_meter"] == pytest.approx(78536.7033, abs=1e-4)
        assert seed["house_edge"] > told_of["house_edge"]

    def test_the_meter_is_printed_for_people(self) -> None:
        shown = run("blackjack-x").stdout
        assert "jackpot 10,000.00 stakes" in shown
        assert "even at 78,536.70" in shown
        table = {
            "777 diamonds": "9 for 1",
            "777 suited": "9 for 1",
            "777 one colour": "9 for 1",
            "777": "9 for 1",
            "two 7s": "9 for 1",
            "one 7": "2 for 1",
        }
        fixed = run("blackjack-x", "--options", json.dumps({"blazing_7s": table}), "--meter", "0").stdout
        assert "even never" in fixed

    def test_a_sweep_takes_the_meter(self) -> None:
        said = odds_json("blackjack-x", "--sweep", "blazing_7s", "--bet", "blazing-7s", "--meter", "0")
        assert [value["value"] for value in said["values"]] == [1, 2]
        assert [value["bets"][0]["meter"] for value in said["values"]] == [0, 0]


class TestPlot:
    def test_the_dealers_totals(self, tmp_path: Path) -> None:
        path = tmp_path / "dealer.svg"
        assert run("ez-bust", "--plot", str(path)).exit_code == 0
        said = words(path.read_text("utf-8"))
        assert said[:2] == [
            "EZ Bust Blackjack: the dealer's final totals",
            "6 decks, dealer hits soft 17, before any peek; exact, from a fresh shoe",
        ]
        assert {"up-card", "any", "natural", "bust", "30.9"} <= set(said)

    def test_the_dealers_totals_where_no_card_is_shown(self, tmp_path: Path) -> None:
        path = tmp_path / "dealer.svg"
        assert run("easy-jack", "--plot", str(path)).exit_code == 0
        assert {"7", "natural", "7.692 %", "8 decks, before any peek; exact, from a fresh shoe"} <= set(
            words(path.read_text("utf-8"))
        )

    def test_a_sweep_is_drawn(self, tmp_path: Path) -> None:
        path = tmp_path / "sweep.SVG"
        assert run("ez-bust", "--sweep", "dealer_hits_soft_17", "--plot", str(path)).exit_code == 0
        said = words(path.read_text("utf-8"))
        assert said[0] == "EZ Bust Blackjack: house edge of ez-bust by dealer_hits_soft_17"
        assert {"no", "yes", "15.534 %"} <= set(said)

    def test_a_sweep_of_a_bet_made_before_the_deal(self, tmp_path: Path) -> None:
        path = tmp_path / "sweep.svg"
        assert run("easy-jack", "--sweep", "decks", "--plot", str(path)).exit_code == 0
        said = words(path.read_text("utf-8"))
        assert said[1] == "exact, from a fresh shoe"
        assert {"6", "8", "0.938 %"} <= set(said)

    def test_a_folder_that_is_not_there(self, tmp_path: Path) -> None:
        result = run("easy-jack", "--plot", str(tmp_path / "none" / "dealer.svg"))
        assert result.exit_code == 1
        assert "cannot be written: No such file or directory" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["poker"], "'poker' is not a game; allowed: "),
        (["ez-bust", "--options", '{"decks": 7}'], "decks: 7 is not allowed; allowed: 1, 2, 4, 6, 8"),
        (["ez-bust", "--options", "[]"], "--options '[]' is not a JSON object"),
        (["ez-bust", "--meter", "500"], "--meter 500 is not allowed; allowed: none, ez-bust has no jackpot"),
        (["ez-bust", "--bet", "insurance"], "--bet insurance is not allowed alone; allowed: with --sweep"),
        (["ez-bust", "--sweep", "chip"], "option 'chip' has no list of values to go through; allowed: decks"),
        (
            ["ez-bust", "--sweep", "decks", "--bet", "x"],
            "ez-bust has no bet 'x'; allowed: ez-bust, insurance",
        ),
        (
            ["ez-bust", "--plot", "odds.png"],
            "--plot odds.png is not allowed; allowed: a file whose name ends with .svg",
        ),
    ],
)
def test_wrong_options_are_refused(arguments: list[str], fault: str) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert fault in result.stderr
