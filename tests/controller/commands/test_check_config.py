"""`tableside table check`: faults, edges, and warnings with their figures."""

import json
from pathlib import Path

import pytest

from controller.games import GAMES
from controller.selftest.manifest import json_text, make_manifest
from tests.controller.check.samples import check, check_json, run

EXAMPLE = Path(__file__).parents[3] / "examples" / "easy-jack.toml"

HEDGE = {up: dict.fromkeys(("18", "19", "20", "21"), "8:1") for up in "A23456789T"}
ONE_7 = {
    "777 diamonds": "100%",
    "777 suited": "10%",
    "777 one colour": "500 for 1",
    "777": "200 for 1",
    "two 7s": "25 for 1",
    "one 7": "7 for 1",
}


def toml(option: str, table: object) -> str:
    """JSON is an inline table of TOML but for its colons."""
    if isinstance(table, dict):
        return f"{option} = {_inline(table)}"
    return f"{option} = {json.dumps(table)}"


def _inline(table: dict[str, object]) -> str:
    cells = (f'"{key}" = {_inline(v) if isinstance(v, dict) else json.dumps(v)}' for key, v in table.items())
    return f"{{ {', '.join(cells)} }}"


class TestGood:
    def test_check_config_shows_what_it_read(self) -> None:
        result = run(str(EXAMPLE))
        assert result.exit_code == 0
        lines = result.stdout.splitlines()
        assert lines[0] == "Table 1: Easy Jack (easy-jack), 7 seats"
        assert lines[1] == f"journal: {EXAMPLE.with_name('easy-jack.journal')}"
        assert lines[3].startswith("devices: shoe SHOE-1, sensors SENSORS-1, console CONSOLE-1, shuffler ")
        assert '  limits = {"main": [500, 100000], "dealer-bust": [100, 10000]}' in lines
        assert not any(line.startswith("  decks") for line in lines)
        assert [line.split()[1:6:2] for line in lines if "enumeration" in line] == [
            ["main", "│", "│"],
            ["dealer-bust", "│", "│"],
        ]
        assert [line.split()[4] for line in lines if "enumeration" in line] == ["0.9377%", "9.5124%"]
        assert lines[-1] == "no faults"
        assert "warning" not in result.stdout

    @pytest.mark.parametrize("game", GAMES)
    def test_no_game_favours_the_player_as_it_comes(self, tmp_path: Path, game: str) -> None:
        found = check_json(tmp_path, game)
        assert (found["warnings"], found["faults"], found["options"]) == ([], [], {})
        assert all(bet["house_edge"] > 0 for bet in found["bets"])
        assert "options: all as by default" in check(tmp_path, game).stdout

    def test_options_that_follow_from_others_are_told_only_where_they_differ(self, tmp_path: Path) -> None:
        found = check_json(tmp_path, "ez-bust", '[options]\ndecks = 2\nsuited_bust = "auto"\nburn_cards = 2')
        assert found["options"] == {"decks": 2, "burn_cards": 2}

    def test_people_see_the_least_edge_of_each_bet_after_the_deal(self, tmp_path: Path) -> None:
        shown = check(tmp_path, "quick-pay").stdout
        rows = [[cell.strip() for cell in line.strip("│").split("│")] for line in shown.splitlines()]
        assert ["hedge-18", "any", "14.5630%", "enumeration"] in rows
        assert ["hedge-18", "9", "6.1212%", "enumeration"] in rows
        assert sum(cells[0] == "hedge-18" for cells in rows) == 2


class TestProgramFiles:
    def test_a_program_without_a_manifest_is_told_and_no_warning(self, tmp_path: Path) -> None:
        found, unchecked = check_json(tmp_path, "easy-jack"), "Own files are unchecked: there is no manifest"
        assert (found["selftest"], found["warnings"]) == (unchecked, [])
        assert f"program: {unchecked}" in check(tmp_path, "easy-jack").stdout

    def test_a_manifest_that_the_release_key_did_not_sign_is_a_warning(self, tmp_path: Path) -> None:
        manifest = tmp_path / "manifest.json"
        manifest.write_text(json_text(make_manifest()))
        (tmp_path / "release.pub").write_text("ab" * 32)
        section = f'[selftest]\nmanifest = "{manifest}"'
        (warning,) = check_json(tmp_path, "easy-jack", section)["warnings"]
        assert warning.startswith(f"no table starts: manifest {manifest} is not signed")
        assert check(tmp_path, "easy-jack", section, "--strict").exit_code == 1


class TestFaults:
    MORE = '[options]\ndecks = 7\npeak = true\n[web]\nport = "x"'

    def test_all_faults_are_named_at_once(self, tmp_path: Path) -> None:
        result = check(tmp_path, "easy-jack", self.MORE)
        assert (result.exit_code, result.stdout) == (2, "")
        faults = result.stderr.splitlines()
        file = tmp_path / "table.toml"
        assert f"tableside: {file}, line 13: options.decks = 7: not allowed; allowed: 6, 8" in faults
        assert [fault.split(" = ")[0] for fault in faults] == [
            f"tableside: {file}, line 16: web.port",
            f"tableside: {file}, line 13: options.decks",
            f"tableside: {file}, line 14: options.peak",
        ]

    def test_faults_are_printed_as_json(self, tmp_path: Path) -> None:
        result = check(tmp_path, "easy-jack", self.MORE, "--json")
        assert result.exit_code == 2
        faults = json.loads(result.stdout)["faults"]
        assert [fault.partition(": ")[0] for fault in faults] == [
            f"{tmp_path / 'table.toml'}, line {line}" for line in (16, 13, 14)
        ]

    def test_a_missing_file_is_named(self, tmp_path: Path) -> None:
        result = run(str(tmp_path / "absent.toml"))
        assert result.exit_code == 2
        assert "absent.toml cannot be read: No such file or directory" in result.stderr


class TestWarnings:
    @pytest.mark.parametrize(
        ("option", "warning"),
        [
            (toml("dealer_bust", {"2": "3:1", "3": "7:1", "4": "20:1", "5": "50:1"}), "dealer-bust"),
            ('natural = "3:2"', ""),
        ],
    )
    def test_an_easy_jack_pay_table_that_favours_players_is_named(
        self, tmp_path: Path, option: str, warning: str
    ) -> None:
        found = check_json(tmp_path, "easy-jack", f"[options]\n{option}")["warnings"]
        assert [sentence.split(":")[0] for sentence in found] == ([warning] if warning else [])

    def test_ez_bust_for_the_up_cards_at_which_it_pays_too_much(self, tmp_path: Path) -> None:
        found = check_json(tmp_path, "ez-bust", '[options]\nsuited_bust = "6:1"')
        (sentence,) = found["warnings"]
        edges = {
            bet["given"]["up_card"]: bet["house_edge"] for bet in found["bets"] if bet["bet"] == "ez-bust"
        }
        negative = {up: edge for up, edge in edges.items() if edge < 0}
        assert set(negative) == {"6"}
        assert sentence == f"ez-bust: the player has an edge of {-negative['6']:.4%} against 6"

    def test_an_edge_for_the_player_at_any_up_card_is_named(self, tmp_path: Path) -> None:
        (sentence,) = check_json(tmp_path, "ez-bust", '[options]\nsuited_bust = "30:1"')["warnings"]
        assert "33.6720% against 2, 41.3406% against 3" in sentence
        assert sentence.endswith("49.6248% whatever the up-card")

    @pytest.mark.parametrize("game", ["no-bust-21st-century", "pure-21-5", "blackjack-x"])
    def test_a_buster_table_that_favours_players_is_named(self, tmp_path: Path, game: str) -> None:
        table = {"3": "2:1", "4": "3:1", "5": "6:1", "6": "30:1", "7": "100:1", "8+": "200:1"}
        (sentence,) = check_json(tmp_path, game, f"[options]\n{toml('buster', table)}")["warnings"]
        assert sentence.startswith("buster: the player has an edge of 1")

    def test_a_hedge_table_that_favours_players_is_named(self, tmp_path: Path) -> None:
        sentences = check_json(tmp_path, "quick-pay", f"[options]\n{toml('hedge', HEDGE)}")["warnings"]
        assert any(each.startswith("hedge-19: ") and "against 9" in each for each in sentences)

    def test_blazing_7s_at_its_seed_with_the_meter_at_which_it_is_even(self, tmp_path: Path) -> None:
        (sentence,) = check_json(tmp_path, "blackjack-x", f"[options]\n{toml('blazing_7s', ONE_7)}")[
            "warnings"
        ]
        assert sentence.startswith("blazing-7s: the player has an edge of ")
        assert " at a jackpot of 10000.00, even at " in sentence

    def test_a_seed_over_the_meter_at_which_it_is_even(self, tmp_path: Path) -> None:
        assert check_json(tmp_path, "blackjack-x")["bets"][1]["break_even"] == 7853670
        jackpot = "[jackpot.blazing-7s]\nseed = {}"
        assert check_json(tmp_path, "blackjack-x", jackpot.format(7853670))["warnings"] == []
        (sentence,) = check_json(tmp_path, "blackjack-x", jackpot.format(7853671))["warnings"]
        assert sentence.endswith("at a jackpot of 78536.71, even at 78536.70")

    def test_an_award_that_does_not_grow_has_no_break_even_meter(self, tmp_path: Path) -> None:
        fixed = dict.fromkeys(ONE_7, "9 for 1")
        (sentence,) = check_json(tmp_path, "blackjack-x", f"[options]\n{toml('blazing_7s', fixed)}")[
            "warnings"
        ]
        assert sentence.endswith("at a jackpot of 10000.00, never even")
        assert (
            "never even" in check(tmp_path, "blackjack-x", f"[options]\n{toml('blazing_7s', fixed)}").stdout
        )

    def test_warnings_fail_the_command_only_with_strict(self, tmp_path: Path) -> None:
        option = '[options]\nsuited_bust = "30:1"'
        loose, strict = check(tmp_path, "ez-bust", option), check(tmp_path, "ez-bust", option, "--strict")
        assert (loose.exit_code, strict.exit_code) == (0, 1)
        assert strict.stdout == loose.stdout
        assert "warning: ez-bust: the player has an edge of 33.6720% against 2" in loose.stdout
        assert loose.stdout.endswith("\nno faults\n")
        assert check(tmp_path, "ez-bust", "", "--strict").exit_code == 0


def test_a_table_that_seals_no_cards_is_warned_of(tmp_path: Path) -> None:
    """It has the key of its journal, as an older version made it."""
    config = tmp_path / "table.toml"
    config.write_text(EXAMPLE.read_text())
    assert "warning" not in run(str(config), "--seconds", "0").stdout
    (tmp_path / "journal.pub").write_text("ab" * 32)
    warned = run(str(config), "--seconds", "0")
    missing = f"warning: journal.seal: {tmp_path}/keys/journal.seal is missing"
    assert missing in warned.stdout.replace("\n", "")
    (tmp_path / "keys").mkdir()
    (tmp_path / "keys" / "journal.seal").write_text("ab" * 32)
    assert "warning" not in run(str(config), "--seconds", "0").stdout


def test_a_seal_key_that_this_user_cannot_look_for_is_no_fault(tmp_path: Path) -> None:
    """As with the folder of keys that belongs to root: only the service is given them."""
    config, name = (
        tmp_path / "table.toml",
        "x" * 300,
    )  # a name that no file system looks for, for root neither
    config.write_text(EXAMPLE.read_text().replace("[journal]", f'[journal]\nseal = "{name}"'))
    (tmp_path / "journal.pub").write_text("ab" * 32)
    found = run(str(config), "--seconds", "0")
    assert found.exit_code == 0
    assert "warning" not in found.stdout
