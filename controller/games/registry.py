"""Every game by its id: those of the product, and those of installed plug-ins (docs/plugins.md)."""

from collections.abc import Callable, Mapping
from typing import Any

from controller.games.bets.added import MOST_SPOTS
from controller.games.blackjack_x import BlackjackX
from controller.games.easy_jack import EasyJack
from controller.games.ez_bust import EzBustBlackjack
from controller.games.game import Game
from controller.games.no_bust import NoBust, Pure
from controller.games.option_faults import BadOptions
from controller.games.plugins import (
    BETS_GROUP,
    GAMES_GROUP,
    Plugin,
    PluginError,
    are_ids,
    installed,
    load,
    sole,
)
from controller.games.quick_pay import QuickPay
from controller.games.spots import long_spots

OpenGame = Callable[[Mapping[str, Any] | None], Game]

GAMES: dict[str, OpenGame] = {
    EzBustBlackjack.name: EzBustBlackjack,
    EasyJack.name: EasyJack,
    NoBust.name: NoBust,
    Pure.name: Pure,
    QuickPay.name: QuickPay,
    BlackjackX.name: BlackjackX,
}
"""The games of the product. A plug-in cannot take their place."""


class UnknownGame(ValueError): ...


class BrokenGame(UnknownGame):
    """A plug-in has the game, but cannot be used; the text says why."""


def game_names() -> tuple[str, ...]:
    """The ids of all games, those of plug-ins last, whether they can be used or not."""
    return (*GAMES, *(name for name in installed(GAMES_GROUP) if name not in GAMES))


def game_class(name: str) -> OpenGame:
    """Raises UnknownGame, or BrokenGame."""
    return GAMES.get(name) or _plugged(name)


def open_game(name: str, options: Mapping[str, Any] | None = None) -> Game:
    """The game `name` with `options` checked; raises UnknownGame, BrokenGame or BadOptions."""
    return GAMES[name](options) if name in GAMES else _opened(name, options or {})


def providers(game: str, options: Mapping[str, Any]) -> dict[str, str]:
    """The distributions whose plug-ins a table with this game and these options uses, each with its version,
    by the name of what they provide: {"push-22": "push-22-rules 1.0"}. Empty without plug-ins."""
    bets = options.get("bets") or {}
    used = ((BETS_GROUP, bet) for bet in bets) if game in GAMES else _all_used(game, bets)
    return {name: _provider(group, name) for group, name in used}


def _all_used(game: str, bets: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    return ((GAMES_GROUP, game), *((BETS_GROUP, bet) for bet in bets))


def _provider(group: str, name: str) -> str:
    """Empty if no plug-in, or more than one, provides it."""
    found = installed(group).get(name, ())
    return found[0].provider if len(found) == 1 else ""


def _opened(name: str, options: Mapping[str, Any]) -> Game:
    game = _plugged(name)
    try:
        return game(options)
    except Exception as error:
        if isinstance(error, BadOptions) and options:
            raise
        why = f"{type(error).__name__}: {error}; allowed: a game that opens with its default options"
        raise BrokenGame(str(sole(GAMES_GROUP, name).fault(why))) from error


def _plugged(name: str) -> OpenGame:
    try:
        plugin = sole(GAMES_GROUP, name)
        game: type[Game] = load(plugin, Game)
    except KeyError:
        raise UnknownGame(f"{name!r} is not a game; allowed: {', '.join(game_names())}") from None
    except PluginError as error:
        raise BrokenGame(str(error)) from error
    if why := _unusable(game, plugin):
        raise BrokenGame(str(plugin.fault(why)))
    open_: OpenGame = game
    return open_


def _unusable(game: type[Game], plugin: Plugin) -> str:
    """What makes the class of no use as a game; empty if nothing does."""
    if (name := getattr(game, "name", None)) != plugin.name:
        return f"name = {name!r:.80}; allowed: {plugin.name!r}, as the entry point says"
    if not isinstance(title := getattr(game, "title", None), str) or not title:
        return f"title = {title!r:.80}; allowed: a text for people"
    spots = getattr(game, "spots", None)
    if spots is None or not are_ids(spots) or not 1 <= len(set(spots)) == len(spots) <= MOST_SPOTS:
        return f"spots = {spots!r:.80}; allowed: a tuple of 1 to {MOST_SPOTS} different ids, as ('main',)"
    if long := long_spots(spots):
        return long
    if missing := sorted(getattr(game, "__abstractmethods__", ())):
        return f"{game.__name__} lacks {', '.join(missing)}; allowed: a class with all methods of Game"
    return ""
