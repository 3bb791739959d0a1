"""The games: rules as literal tables and pure functions, one file each.

What this module exports is all that a plug-in needs (docs/plugins.md).
"""

from controller.cards import Card, card
from controller.games import points
from controller.games.bets.bet import SideBet, any_on, wagers_on
from controller.games.bets.insurance import Insurance
from controller.games.blackjack import Blackjack, BlackjackOptions, DealOptions, HandRules, TwoCardOptions
from controller.games.easy_jack import EasyJack, EasyJackOptions
from controller.games.game import Game
from controller.games.layout import Hand, Layout, Seat, Settlement, Turn
from controller.games.option_faults import BadOptions, OptionFault
from controller.games.options import BetOptions, PayRatio, TableOptions, check, one_of
from controller.games.plugins import CONTRACT, PluginError
from controller.games.registry import (
    GAMES,
    BrokenGame,
    UnknownGame,
    game_class,
    game_names,
    open_game,
    providers,
)
from controller.games.settlement import (
    HandWager,
    against,
    compare,
    line,
    lose,
    natural_line,
    push,
    surrender,
    win,
)
from controller.games.strategy import STANDARD, Chart
from controller.money import Ratio, ratio

__all__ = [
    "CONTRACT",
    "GAMES",
    "STANDARD",
    "BadOptions",
    "BetOptions",
    "Blackjack",
    "BlackjackOptions",
    "BrokenGame",
    "Card",
    "Chart",
    "DealOptions",
    "EasyJack",
    "EasyJackOptions",
    "Game",
    "Hand",
    "HandRules",
    "HandWager",
    "Insurance",
    "Layout",
    "OptionFault",
    "PayRatio",
    "PluginError",
    "Ratio",
    "Seat",
    "Settlement",
    "SideBet",
    "TableOptions",
    "Turn",
    "TwoCardOptions",
    "UnknownGame",
    "against",
    "any_on",
    "card",
    "check",
    "compare",
    "game_class",
    "game_names",
    "line",
    "lose",
    "natural_line",
    "one_of",
    "open_game",
    "points",
    "providers",
    "push",
    "ratio",
    "surrender",
    "wagers_on",
    "win",
]
