"""Charts of a game's odds."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from controller.games.blackjack import Blackjack
from controller.games.game import Game
from controller.odds.bet import ANY, Bet
from controller.odds.dealer import DealerOdds, Shares
from controller.odds.plot.columns import ChartColumn, columns
from controller.odds.plot.svg import (
    FAINT,
    GRID,
    INK,
    LEFT,
    RIGHT,
    TOP,
    WIDTH,
    Titles,
    headed,
    line,
    rectangle,
    text,
)
from controller.odds.sweep import SweepPoint

HEIGHT = 30
"""Of a row."""
GAP = 8
"""Between two rows."""
PALE = ("#dcebf7", "#b5d3ec", "#85b4dd", "#4f8fc6", "#26679f")
"""Colours for shares without one of their own, in order."""
OWN = {"natural": "#e9b44c", "bust": "#c8553d"}
WHITE = frozenset({PALE[3], PALE[4], OWN["bust"]})
"""Colours that need white text on them."""
LEAST = 0.03
"""A smaller share has no room for its figure."""
PLOTTED = WIDTH - LEFT - RIGHT


@dataclass(frozen=True, slots=True)
class ShareRow:
    """Shares that add up to one, by name."""

    label: str
    shares: Mapping[str, float]


def rows(titles: Titles, x_axis: str, y_axis: str, values: Sequence[ShareRow]) -> str:
    """The last row must have every name, in the order of all rows."""
    colours = _colours(values[-1].shares)
    first = TOP + 40
    foot = first + len(values) * (HEIGHT + GAP)
    shapes = [*_legend(colours), text(LEFT - 12, first - 12, y_axis, 12, "end", FAINT), *_scale(first, foot)]
    for number, row in enumerate(values):
        shapes += _row(row, colours, first + number * (HEIGHT + GAP))
    shapes.append(text(LEFT + PLOTTED / 2, foot + 44, x_axis, 13, fill=FAINT))
    return headed(foot + 64, titles, shapes)


def _colours(names: Mapping[str, float]) -> dict[str, str]:
    plain = iter(PALE)
    return {name: OWN[name] if name in OWN else next(plain) for name in names}


def _legend(colours: Mapping[str, str]) -> Iterator[str]:
    for number, (name, colour) in enumerate(colours.items()):
        x = LEFT + number * 92
        yield rectangle(x, TOP - 12, 14, 14, colour)
        yield text(x + 20, TOP, name, 13, "start")


def _scale(first: float, foot: float) -> Iterator[str]:
    for percent in range(0, 101, 20):
        x = LEFT + PLOTTED * percent / 100
        yield line(x, first - 6, x, foot, GRID)
        yield text(x, foot + 18, f"{percent} %", 12, fill=FAINT)


def _row(row: ShareRow, colours: Mapping[str, str], top: float) -> Iterator[str]:
    yield text(LEFT - 12, top + HEIGHT / 2 + 5, row.label, 14, "end", bold=True)
    left = float(LEFT)
    for name, share in row.shares.items():
        yield from _part(left, top, share, colours[name])
        left += PLOTTED * share


def _part(left: float, top: float, share: float, colour: str) -> Iterator[str]:
    yield rectangle(left, top, PLOTTED * share, HEIGHT, colour)
    if share >= LEAST:
        ink = "#ffffff" if colour in WHITE else INK
        yield text(left + PLOTTED * share / 2, top + HEIGHT / 2 + 4, f"{share * 100:.1f}", 12, fill=ink)


EXACT = "exact, from a fresh shoe"
UP_CARD = "up_card"


def dealer_chart(game: Game, dealer: DealerOdds) -> str:
    """The dealer's final totals before the peek, by up-card if one is shown, as an SVG file."""
    titles = Titles(f"{game.title}: the dealer's final totals", f"{_dealer(game)}, before any peek; {EXACT}")
    if len(dealer.totals) == 1:
        shares = _floats(dealer.totals[0].before_peek)
        return columns(
            titles, "final total", "probability", [ChartColumn(*share) for share in shares.items()]
        )
    found = [ShareRow(totals.given[UP_CARD], _floats(totals.before_peek)) for totals in dealer.totals]
    return rows(titles, "probability, figures in %", "up-card", found)


def sweep_chart(game: Game, option: str, bet: str, swept: Sequence[SweepPoint]) -> str:
    """The house edge of a bet by value of an option, as an SVG file."""
    split = any(len(one.bets) > 1 for one in swept)
    how = f"columns: any up-card, dots: the up-card that it is made against; {EXACT}" if split else EXACT
    found = [_column(one) for one in swept]
    return columns(Titles(f"{game.title}: house edge of {bet} by {option}", how), option, "house edge", found)


def _column(one: SweepPoint) -> ChartColumn:
    by_up_card = {bet.given.get(UP_CARD, ANY): bet for bet in one.bets}
    whole = by_up_card.pop(ANY) if ANY in by_up_card else next(iter(one.bets), None)
    dots = by_up_card if len(one.bets) > 1 else {}
    return ChartColumn(
        value_label(one.value), _edge(whole), {up: float(bet.house_edge) for up, bet in dots.items()}
    )


def value_label(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _edge(bet: Bet | None) -> float | None:
    return None if bet is None else float(bet.house_edge)


def _dealer(game: Game) -> str:
    decks = f"{game.options.decks} deck{'s' * (game.options.decks > 1)}"
    if not isinstance(game, Blackjack):
        return decks
    return f"{decks}, dealer {'hits' if game.hand_rules.dealer_hits_soft_17 else 'stands on'} soft 17"


def _floats(shares: Shares) -> dict[str, float]:
    return {name: float(share) for name, share in shares.items()}
