"""Games and side bets of installed distributions: found by name, refused with reasons, never in the way."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.games import (
    GAMES,
    BadOptions,
    BrokenGame,
    UnknownGame,
    game_class,
    game_names,
    open_game,
    providers,
)
from controller.games.bets.added import MOST_SPOTS
from controller.odds.exact import NoOdds, bets, dealer
from controller.round.settle import settle
from drivers.protocol.codes import SPOTS_PER_SEAT
from tests.fixtures.plugins import BET, GAME, lay_out, lay_out_bet, lay_out_game, plugin_site

GAMES_GROUP = "tableside.games"


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Path]:
    """A folder of installed distributions."""
    with plugin_site(tmp_path):
        yield tmp_path


def refusal(site: Path, code: str, target: str = "bad_rules:Push", name: str = "push-jack") -> str:
    """What is said of a plug-in with this code."""
    lay_out(site, "bad-rules", {GAMES_GROUP: {name: target}}, code)
    with pytest.raises(BrokenGame) as broken:
        open_game(name)
    said = str(broken.value)
    start = f"bad-rules 1.0, entry point {name} = {target} in tableside.games: "
    assert said.startswith(start)
    return said.removeprefix(start)


def test_a_game_of_a_plug_in_opens_by_its_name(site: Path) -> None:
    lay_out_game(site)
    assert game_names() == (*GAMES, "push-jack")
    assert open_game("push-jack", {"decks": 6}).options.decks == 6


def test_the_class_of_a_game_is_found_by_its_name(site: Path) -> None:
    lay_out_game(site)
    assert game_class("easy-jack") is GAMES["easy-jack"]
    assert getattr(game_class("push-jack"), "title", "") == "Push Jack"


def test_a_wrong_option_of_a_plug_in_is_refused_as_an_option(site: Path) -> None:
    """The plug-in works, so the configuration is to blame, not the distribution."""
    lay_out_game(site)
    with pytest.raises(BadOptions, match=r"decks: 99 is not allowed; allowed: "):
        open_game("push-jack", {"decks": 99})


def test_a_distribution_that_has_lost_its_metadata_provides_nothing(site: Path) -> None:
    lay_out_game(site)
    lay_out(site, "bad-rules", {GAMES_GROUP: {"push-jack": "bad_rules:Push"}}, GAME)
    (site / "bad_rules.dist-info" / "METADATA").unlink()
    assert game_names() == (*GAMES, "push-jack")
    assert providers("push-jack", {}) == {"push-jack": "push-rules 1.0"}


def test_an_unknown_game_is_refused_with_the_names_of_plug_ins(site: Path) -> None:
    lay_out_game(site)
    with pytest.raises(UnknownGame, match=r"'push' is not a game; allowed: .*, blackjack-x, push-jack"):
        open_game("push")


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (
            "import nowhere",
            "cannot be imported: ModuleNotFoundError: No module named 'nowhere'; allowed",
        ),
        ("raise SystemExit(3)", "cannot be imported: SystemExit: 3; allowed: a class"),
        ("x = 1", "cannot be imported: AttributeError: module 'bad_rules' has no attribute 'Push'"),
        ("Push = 22", "provides 22; allowed: a class derived from controller.games.Game"),
        (GAME.replace("contract = 1", ""), "contract = 0; allowed: contract = 1"),
        (GAME.replace("contract = 1", "contract = 2"), "contract = 2; allowed: contract = 1"),
        (
            GAME.replace('"push-jack"', '"push"'),
            "name = 'push'; allowed: 'push-jack', as the entry",
        ),
        (GAME.replace('"Push Jack"', "None"), "title = None; allowed: a text for people"),
        (
            GAME + '    spots = ("main", "main")',
            "spots = ('main', 'main'); allowed: a tuple of 1 to 6",
        ),
        (
            GAME + '    spots = ("main", "twenty-two-s")',
            "the spot 'twenty-two-s'; allowed: at most 10 characters, as 'three-up'",
        ),
        (GAME + "    spots = ()", "spots = (); allowed: a tuple of 1 to 6 different ids, as ('main',)"),
        (
            GAME + "    def __init__(self): ...",
            "TypeError: Push.__init__() takes 1 positional",
        ),
        (
            GAME.replace("EasyJack", "Game") + '    spots = ("main",)',
            "Push lacks advice, bust, choices, deal, dealer_takes, decide, natural, peeks, total; allowed:",
        ),
    ],
)
def test_a_plug_in_that_cannot_be_used_is_refused_with_the_reason(site: Path, code: str, said: str) -> None:
    assert refusal(site, code).startswith(said)


def test_a_name_that_is_no_id_is_refused(site: Path) -> None:
    assert refusal(site, GAME, name="Push_22").startswith("the name 'Push_22' is not allowed; allowed: small")


def test_a_name_that_two_distributions_provide_is_refused_with_both(site: Path) -> None:
    lay_out_game(site)
    lay_out(site, "other-rules", {GAMES_GROUP: {"push-jack": "other_rules:Push"}}, GAME, "2.0")
    with pytest.raises(BrokenGame) as broken:
        open_game("push-jack")
    assert str(broken.value) == (
        "other-rules 2.0, entry point push-jack = other_rules:Push in tableside.games: also provided by "
        "push-rules 1.0, entry point push-jack = push_rules:Push in tableside.games; "
        "allowed: one of them installed"
    )


def test_a_broken_plug_in_leaves_other_games_alone(site: Path) -> None:
    lay_out_game(site)
    lay_out(site, "bad-rules", {GAMES_GROUP: {"bad": "bad_rules:Push"}}, "raise RuntimeError")
    assert open_game("push-jack").title == "Push Jack"
    assert open_game("easy-jack").title == "Easy Jack"


def test_no_plug_in_takes_the_place_of_a_game_of_the_product(site: Path) -> None:
    lay_out(site, "bad-rules", {GAMES_GROUP: {"easy-jack": "bad_rules:Push"}}, GAME)
    assert type(open_game("easy-jack")) is GAMES["easy-jack"]
    assert game_names() == tuple(GAMES)


def test_a_table_without_plug_ins_scans_no_distributions() -> None:
    """To read the entry points of all distributions takes as long as the rest of the rules."""
    code = (
        "from controller.games import open_game, plugins, providers; open_game('easy-jack', {}); "
        "providers('easy-jack', {}); print(plugins._installed.cache_info().misses)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "0\n"


def test_a_seat_of_the_rules_has_as_many_spots_as_the_sensors() -> None:
    assert MOST_SPOTS == SPOTS_PER_SEAT


class TestSideBets:
    def test_a_bet_of_a_plug_in_is_settled_at_any_game(self, site: Path) -> None:
        lay_out_bet(site)
        game = open_game(
            "easy-jack", {"bets": {"long-hand": {"pays": "7:1"}}, "limits": {"long-hand": [100, 500]}}
        )
        assert game.spots == ("main", "dealer-bust", "long-hand")
        line = {
            "game": "easy-jack",
            "options": {"bets": {"long-hand": {"pays": "7:1"}}},
            "wagers": {"1": {"main": 500, "long-hand": 100}},
            "script": ["7h", "2d", "1:stand", "3s", "6c"],
        }
        answer = settle(json.dumps(line))
        paid = {each["wager"]: each["paid"] for each in answer["settlements"]}
        assert paid == {"main": -500, "long-hand": 700}

    def test_options_of_a_bet_are_named_with_their_place(self, site: Path) -> None:
        lay_out_bet(site)
        with pytest.raises(BadOptions) as bad:
            open_game("easy-jack", {"bets": {"long-hand": {"pays": 5}}})
        assert str(bad.value) == 'bets.long-hand.pays: 5 is not allowed; allowed: a ratio, as "5:1"'

    def test_an_unknown_bet_is_refused_with_the_known_ones(self, site: Path) -> None:
        lay_out_bet(site)
        with pytest.raises(BadOptions) as bad:
            open_game("easy-jack", {"bets": {"long-hands": {}}})
        assert str(bad.value) == "bets.long-hands: {} is not allowed; allowed: only long-hand"
        assert bad.value.faults[0].nearest == "long-hand"

    @pytest.mark.parametrize(
        ("change", "said"),
        [
            (("contract: ClassVar[int] = 1", ""), "contract = 0; allowed: contract = 1"),
            (('("long-hand",)', '"long-hand"'), "spots = 'long-hand'; allowed: a tuple of ids"),
            (
                ('("long-hand",)', '("longest-hand",)'),
                "the spot 'longest-hand'; allowed: at most 10 characters, as 'three-up'",
            ),
            (('("long-hand",)', '("long-hand",)\n    late = True'), "late = True; allowed: False"),
            (
                ('("long-hand",)', '("main",)'),
                "a bet with spots other than main, which",
            ),
            (
                ('("long-hand",)', 'tuple("abcde")'),
                "at most 6 spots at a seat; main, dealer-bust",
            ),
            (("return cls(", "return 1 / 0, ("), "for_game raised ZeroDivisionError: division by zero"),
            (
                ("def for_game(", "def for_games("),
                "for_game raised NotImplementedError: LongHand has no for_game",
            ),
        ],
    )
    def test_a_bet_that_cannot_be_used_is_refused(
        self, site: Path, change: tuple[str, str], said: str
    ) -> None:
        entries = {"tableside.bets": {"long-hand": "long_hand_bet:LongHand"}}
        lay_out(site, "long-hand-bet", entries, BET.replace(*change))
        with pytest.raises(BadOptions, match=r"bets\.long-hand") as bad:
            open_game("easy-jack", {"bets": {"long-hand": {}}})
        assert said in str(bad.value)


class TestProviders:
    def test_a_table_without_plug_ins_has_no_providers(self) -> None:
        assert providers("easy-jack", {"decks": 6}) == {}

    def test_game_and_bets_are_named_with_distribution_and_version(self, site: Path) -> None:
        lay_out_game(site, "1.2")
        lay_out_bet(site)
        found = providers("push-jack", {"bets": {"long-hand": {}}})
        assert found == {"push-jack": "push-rules 1.2", "long-hand": "long-hand-bet 1.0"}


class TestOdds:
    def test_a_changed_game_has_no_odds_of_the_game_that_it_is_derived_from(self, site: Path) -> None:
        lay_out_game(site)
        assert [bet.bet for bet in bets(open_game("push-jack"))] == ["dealer-bust"] * 1

    def test_a_dealer_who_draws_otherwise_has_no_odds(self, site: Path) -> None:
        code = GAME + "    def dealer_takes(self, cards): return self.total(cards) <= 7\n"
        lay_out(site, "push-rules", {GAMES_GROUP: {"push-jack": "push_rules:Push"}}, code)
        with pytest.raises(NoOdds, match="push-jack has a dealer_takes of its own"):
            dealer(open_game("push-jack"))
