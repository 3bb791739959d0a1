"""The names of spots on pages, slips and in tables."""

from controller.games import GAMES, open_game
from controller.games.spots import SPOT_NAMES, spot_short, spot_title


def test_every_spot_of_every_game_has_a_name() -> None:
    spots = {spot for game in GAMES for spot in open_game(game).spots}
    assert spots <= SPOT_NAMES.keys()


def test_a_name_is_short_where_there_is_little_room() -> None:
    assert (spot_title("blazing-7s"), spot_short("blazing-7s")) == ("Blazing 7s", "7s")
    assert (spot_title("another-one"), spot_short("another-one")) == ("another one", "another one")
