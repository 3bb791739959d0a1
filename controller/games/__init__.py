"""The games: rules as literal tables and pure functions, one file each."""

from collections.abc import Callable, Mapping
from typing import Any

from controller.games.blackjack_x import BlackjackX
from controller.games.easy_jack import EasyJack
from controller.games.ez_bust import EzBustBlackjack
from controller.games.game import Game
from controller.games.no_bust import NoBust, Pure
from controller.games.quick_pay import QuickPay

GAMES: dict[str, Callable[[Mapping[str, Any] | None], Game]] = {
    EzBustBlackjack.name: EzBustBlackjack,
    EasyJack.name: EasyJack,
    NoBust.name: NoBust,
    Pure.name: Pure,
    QuickPay.name: QuickPay,
    BlackjackX.name: BlackjackX,
}


class UnknownGame(ValueError): ...


def open_game(name: str, options: Mapping[str, Any] | None = None) -> Game:
    """The game `name` with `options` checked; raises UnknownGame or BadOptions."""
    if name not in GAMES:
        raise UnknownGame(f"{name!r} is not a game; allowed: {', '.join(GAMES)}")
    return GAMES[name](options)
