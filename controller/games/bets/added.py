"""Side bets of plug-ins that the option `bets` adds to a game."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from controller.games.bets.bet import SideBet
from controller.games.option_faults import BadOptions, OptionFault
from controller.games.plugins import BETS_GROUP, Plugin, PluginError, are_ids, installed, load, sole
from controller.games.spots import long_spots
from controller.text.choices import nearest

if TYPE_CHECKING:
    from controller.games.game import Game

MOST_SPOTS = 6
"""The betting circles of a seat that sensors can watch."""


def bet_class(name: str) -> type[SideBet]:
    """The side bet that the plug-in `name` provides. Raises KeyError if there is none, PluginError if it
    cannot be used."""
    plugin = sole(BETS_GROUP, name)
    bet: type[SideBet] = load(plugin, SideBet)
    if why := _unusable(bet):
        raise plugin.fault(why)
    return bet


def bet_spots(names: Mapping[str, object]) -> tuple[str, ...]:
    """The spots of all these bets. Raises BadOptions."""
    return tuple(spot for name, options in names.items() for spot in _named(name, options).spots)


def open_bets(game: "Game", chosen: Mapping[str, Mapping[str, Any]]) -> Iterator[SideBet]:
    """The bets that the option `bets` names, with their options. Raises BadOptions."""
    taken = list(type(game).spots)
    for name, options in chosen.items():
        kind = _named(name, options)
        if why := _misplaced(kind.spots, taken):
            raise _refused(name, options, why)
        taken += kind.spots
        yield _opened(name, kind, game, options)


def _named(name: str, options: object) -> type[SideBet]:
    try:
        return bet_class(name)
    except KeyError:
        known = installed(BETS_GROUP)
        allowed = f"only {', '.join(known)}" if known else "none, because no plug-in provides one"
        raise BadOptions((OptionFault(f"bets.{name}", options, allowed, nearest(name, known)),)) from None
    except PluginError as error:
        raise _refused(name, options, f"a side bet that can be used; {error}") from error


def _opened(name: str, kind: type[SideBet], game: "Game", options: Mapping[str, Any]) -> SideBet:
    try:
        return kind.for_game(game, options)
    except BadOptions as bad:
        faults = (
            OptionFault(f"bets.{name}.{one.key}", one.value, one.allowed, one.nearest) for one in bad.faults
        )
        raise BadOptions(tuple(faults)) from None
    except Exception as error:
        plugin: Plugin = sole(BETS_GROUP, name)
        why = f"{plugin}: for_game raised {type(error).__name__}: {error}"
        raise _refused(name, options, f"a side bet that can be used; {why}") from error


def _refused(name: str, options: object, allowed: str) -> BadOptions:
    return BadOptions((OptionFault(f"bets.{name}", options, allowed),))


def _unusable(bet: type[SideBet]) -> str:
    """Why no game can add this bet; empty if games can."""
    spots = getattr(bet, "spots", None)
    if not (spots and are_ids(spots)):
        return f"spots = {spots!r:.80}; allowed: a tuple of ids, as ('twenty-two',)"
    if long := long_spots(spots):
        return long
    for name in ("late", "for_jackpot"):
        if getattr(bet, name):
            return f"{name} = True; allowed: False, for a bet that any game can add"
    return ""


def _misplaced(spots: tuple[str, ...], taken: list[str]) -> str:
    """What is allowed instead of these spots; empty if they fit beside those that are taken."""
    if both := [spot for spot in spots if spot in taken]:
        return f"a bet with spots other than {', '.join(both)}, which the table has already"
    if len(taken) + len(spots) > MOST_SPOTS:
        return f"at most {MOST_SPOTS} spots at a seat; {', '.join(taken)} are there already"
    return ""
