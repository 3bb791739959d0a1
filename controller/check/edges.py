"""The house edge of each bet of a game."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from operator import attrgetter

from controller.check.simulated import favours_player
from controller.games.game import Game
from controller.money import text
from controller.odds.bet import ANY, Bet
from controller.odds.exact import NoOdds, bets
from controller.odds.tally import BetTally


@dataclass(frozen=True, slots=True)
class Edge:
    """The edge of one bet under one condition. `house_edge` is the house's mean gain per unit staked,
    negative if the player gains.

    `rounds` and `standard_error` describe a simulation and are None if the edge is exact. `meter` and
    `break_even` are jackpots in cents: the one that the edge was calculated for, and the one at which the
    edge is zero.
    """

    bet: str
    given: Mapping[str, str]
    house_edge: float
    favours_player: bool
    rounds: int | None = None
    standard_error: float | None = None
    meter: int | None = None
    break_even: int | None = None


def exact(game: Game, seeds: Mapping[str, int]) -> tuple[Edge, ...]:
    """The edge of every bet that can be calculated exactly, with jackpots at `seeds`, in cents by spot."""
    try:
        found = bets(game, next(iter(seeds.values()), None))
    except NoOdds:
        return ()
    return tuple(_exact(game, bet) for bet in found)


def simulated(tally: BetTally) -> Edge:
    """The edge of a bet that was simulated."""
    return Edge(
        tally.bet, tally.given, tally.house_edge, favours_player(tally), tally.count, tally.standard_error
    )


def warnings(edges: tuple[Edge, ...]) -> Iterator[str]:
    """A sentence for each bet in which the player has the edge, with the figures."""
    for bet, found in groupby(edges, key=attrgetter("bet")):
        edges_text = [
            f"{-edge.house_edge:.4%}{_when(edge)}{_how(edge)}" for edge in found if edge.favours_player
        ]
        if edges_text:
            yield f"{bet}: the player has an edge of {', '.join(edges_text)}"


def _exact(game: Game, bet: Bet) -> Edge:
    stake = game.fixed_stake(bet.bet) or 1
    return Edge(
        bet.bet,
        bet.given,
        float(bet.house_edge),
        bet.house_edge < 0,
        meter=_cents(bet.meter, stake),
        break_even=_cents(bet.break_even_meter, stake),
    )


def _cents(stakes: Fraction | None, stake: int) -> int | None:
    return None if stakes is None else round(stakes * stake)


def _when(edge: Edge) -> str:
    if edge.meter is not None:
        even = "never even" if edge.break_even is None else f"even at {text(edge.break_even)}"
        return f" at a jackpot of {text(edge.meter)}, {even}"
    up = edge.given.get("up_card")
    return "" if up is None else " whatever the up-card" if up == ANY else f" against {up}"


def _how(edge: Edge) -> str:
    if edge.rounds is None:
        return ""
    return f" (simulated: {edge.rounds:,} rounds, standard error {edge.standard_error:.4%})"
