import json
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner, Result

from controller.commands.app import app
from controller.commands.handlers import simulate
from controller.commands.handlers.settle import answer_table
from controller.round.settle import settle

GOOD = (
    '{"id": "good", "game": "easy-jack", "wagers": {"1": {"main": 1000}}, "script": ["9s", "8h", "1:stand"]}'
)
BAD = '{"id": "bad", "game": "easy-jack", "wagers": {"1": {"main": 1000}}, "script": ["9s", "8h", "1:split"]}'


def run(*arguments: str, given: str | None = None) -> Result:
    return CliRunner().invoke(app, arguments, input=given)


class TestSettle:
    def test_answers_line_by_line_and_goes_on_after_a_refused_one(self) -> None:
        result = run("settle", given=f"{GOOD}\n\n{BAD}\nnonsense\n{GOOD}\n")
        answers = [json.loads(line) for line in result.stdout.splitlines()]
        assert [answer["id"] for answer in answers] == ["good", "bad", None, "good"]
        assert [answer.get("net") for answer in answers] == [{"1": 1000}, None, None, {"1": 1000}]
        assert answers[1]["error"]["at"] == 2
        assert result.exit_code == 1

    def test_reads_a_file(self, tmp_path: Path) -> None:
        path = tmp_path / "rounds.jsonl"
        path.write_text(f"{GOOD}\n{GOOD}", encoding="utf-8")
        result = run("settle", str(path), "--json")
        assert (result.exit_code, len(result.stdout.splitlines())) == (0, 2)

    def test_nothing_to_settle_is_no_fault(self) -> None:
        assert run("settle", given="").exit_code == 0

    def test_a_file_that_is_not_there_is_a_usage_error(self, tmp_path: Path) -> None:
        assert run("settle", str(tmp_path / "none.jsonl")).exit_code == 2


EVENTS = ("777 diamonds", "777 suited", "777 one colour", "777", "two 7s", "one 7")


class TestSimulate:
    def test_is_reproducible_and_names_its_seed(self) -> None:
        first = run("simulate", "easy-jack", "--rounds", "200", "--seed", "5", "--json")
        again = run("simulate", "easy-jack", "--rounds", "200", "--seed", "5", "--json")
        assert first.exit_code == 0
        said, other = json.loads(first.stdout), json.loads(again.stdout)
        assert said.pop("rounds_per_cpu_second") > 0
        assert other.pop("rounds_per_cpu_second") > 0
        assert said == other
        assert (said["engine"], "why" in said) == ("kernel", False)
        assert (said["game"], said["rounds"], said["seed"], said["options"]["decks"]) == (
            "easy-jack",
            200,
            5,
            8,
        )
        assert [bet["bet"] for bet in said["bets"]] == ["main", "dealer-bust"]
        assert all(bet["rounds"] == 200 and bet["standard_error"] > 0 for bet in said["bets"])
        assert all(sum(bet["results"].values()) == 200 for bet in said["bets"])

    @pytest.mark.parametrize(("engine", "rounds"), [("round", "5300"), ("kernel", "2000007")])
    def test_is_the_same_on_any_number_of_processors(self, engine: str, rounds: str) -> None:
        arguments = ["simulate", "ez-bust", "--rounds", rounds, "--seed", "5", "--json", "--engine", engine]
        one, two = (
            subprocess.run(  # in a process of its own: multiprocessing leaves a resource tracker behind
                [sys.executable, "-m", "controller", *arguments, "--processors", count],
                stdout=subprocess.PIPE,
                check=True,
            )
            for count in ("1", "2")
        )
        found = [json.loads(each.stdout) for each in (one, two)]
        assert all(each.pop("rounds_per_cpu_second") > 0 for each in found)
        assert found[0] == found[1]
        assert (found[0]["engine"], found[0]["rounds"]) == (engine, int(rounds))
        given = [bet["given"] for bet in json.loads(one.stdout)["bets"] if bet["bet"] == "insurance"]
        assert given == [{"up_card": "A"}]

    def test_takes_the_jackpot(self) -> None:
        arguments = ("simulate", "blackjack-x", "--rounds", "50", "--seed", "5", "--json")
        options = ("--options", json.dumps({"blazing_7s": dict.fromkeys(EVENTS, "1%")}))
        small, large = (run(*arguments, *options, "--meter", meter) for meter in ("10000", "99000000"))
        edges = [
            {bet["bet"]: bet["house_edge"] for bet in json.loads(result.stdout)["bets"]}
            for result in (small, large)
        ]
        assert edges[0].pop("blazing-7s") > edges[1].pop("blazing-7s")
        assert edges[0] == edges[1]

    def test_draws_a_seed_of_its_own(self) -> None:
        seeds = {
            json.loads(run("simulate", "easy-jack", "--rounds", "1", "--json").stdout)["seed"]
            for _ in range(3)
        }
        assert len(seeds) == 3

    def test_shows_a_table_and_keeps_progress_off_the_output(self) -> None:
        result = run("simulate", "easy-jack", "--rounds", "50", "--seed", "5")
        assert "Dealer Bust" in result.stdout
        assert "100%" in result.stderr
        assert "100%" not in result.stdout

    def test_takes_rounds_as_a_power_of_ten(self) -> None:
        result = run("simulate", "easy-jack", "--rounds", "1e5", "--processors", "1", "--json")
        assert json.loads(result.stdout)["rounds"] == 100_000

    def test_says_what_rounds_may_be(self) -> None:
        result = run("simulate", "easy-jack", "--rounds", "1.5")
        assert result.stderr == (
            "tableside: --rounds '1.5': not allowed; allowed: a whole number from 1 to 1e12, as 1e9\n"
        )

    def test_says_that_the_round_played_and_why(self) -> None:
        result = run("simulate", "easy-jack", "--rounds", "50", "--engine", "round")
        assert "played by the Round: the Round was asked for" in " ".join(result.stdout.split())

    def test_says_how_to_install_numba_where_it_is_missing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(simulate, "FAST", False)
        result = run("simulate", "easy-jack", "--rounds", "50")
        assert "pip install 'tableside[fast]'" in result.stderr

    def test_takes_options(self) -> None:
        result = run("simulate", "easy-jack", "--rounds", "9", "--options", '{"dealer_bust": {}}', "--json")
        assert json.loads(result.stdout)["bets"][1]["house_edge"] == 1

    @pytest.mark.parametrize(
        "arguments",
        [
            ("jack", "--rounds", "5"),
            ("easy-jack", "--rounds", "0"),
            ("easy-jack", "--rounds", "-5"),
            ("easy-jack", "--rounds", "1.5e3"),
            ("easy-jack", "--rounds", "1e13"),
            ("easy-jack", "--rounds", "many"),
            ("easy-jack", "--rounds", "5", "--engine", "steam"),
            ("easy-jack",),
            ("easy-jack", "--rounds", "5", "--options", "nonsense"),
            ("easy-jack", "--rounds", "5", "--options", "[]"),
            ("easy-jack", "--rounds", "5", "--options", '{"decks": 7}'),
            ("easy-jack", "--rounds", "5", "--options", '{"chip": 500, "limits": {"main": [100, 200]}}'),
        ],
    )
    def test_usage_errors(self, arguments: tuple[str, ...]) -> None:
        assert run("simulate", *arguments).exit_code == 2

    def test_names_every_fault_of_the_options(self) -> None:
        result = run("simulate", "easy-jack", "--rounds", "5", "--options", '{"decks": 7, "deck": 6}')
        decks, deck = result.stderr.splitlines()
        assert decks == "tableside: decks: 7 is not allowed; allowed: 6, 8"
        assert deck.startswith("tableside: deck: 6 is not allowed; allowed: only decks, ")


class TestDiagram:
    def test_prints_mermaid(self) -> None:
        result = run("diagram", "easy-jack")
        assert result.exit_code == 0
        assert "stateDiagram-v2" in result.stdout

    def test_the_diagram_is_printed_as_json(self) -> None:
        said = json.loads(run("diagram", "easy-jack", "--json").stdout)
        assert (said["game"], said["mermaid"]) == ("easy-jack", run("diagram", "easy-jack").stdout.rstrip())

    def test_an_unknown_game_is_refused(self) -> None:
        assert run("diagram", "jack").exit_code == 2


def test_people_see_a_table_or_a_sentence() -> None:
    console = Console(width=120, file=StringIO())
    with console.capture() as capture:
        for line in (GOOD, BAD, "nonsense"):
            console.print(answer_table(settle(line)))
    shown = capture.get()
    assert "good: dealer 8h = 8" in shown
    assert "9 beats dealer's 8" in shown
    assert "bad: refused at 2 1:split: split is not possible" in shown
    assert "\nrefused: the line is not JSON" in shown
