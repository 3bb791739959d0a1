"""The charts of a game's odds."""

from collections.abc import Sequence

from controller.games.blackjack import Blackjack
from controller.games.game import Game
from controller.odds.bet import ANY, Bet
from controller.odds.dealer_totals import Dealer, Shares
from controller.odds.plot.columns import Column, columns
from controller.odds.plot.shares import Row, rows
from controller.odds.plot.svg import Titles
from controller.odds.sweep import Swept

EXACT = "exact, from a fresh shoe"
UP_CARD = "up_card"


def dealer_chart(game: Game, dealer: Dealer) -> str:
    """The dealer's final totals before the peek, as an SVG file: by up-card where one is shown."""
    titles = Titles(f"{game.title}: the dealer's final totals", f"{_dealer(game)}, before any peek; {EXACT}")
    if len(dealer.totals) == 1:
        shares = _floats(dealer.totals[0].before_peek)
        return columns(titles, "final total", "probability", [Column(*share) for share in shares.items()])
    found = [Row(totals.given[UP_CARD], _floats(totals.before_peek)) for totals in dealer.totals]
    return rows(titles, "probability, figures in %", "up-card", found)


def sweep_chart(game: Game, option: str, bet: str, swept: Sequence[Swept]) -> str:
    """The house edge of a bet by value of an option, as an SVG file."""
    split = any(len(one.bets) > 1 for one in swept)
    how = f"columns: any up-card, dots: the up-card that it is made against; {EXACT}" if split else EXACT
    found = [_column(one) for one in swept]
    return columns(Titles(f"{game.title}: house edge of {bet} by {option}", how), option, "house edge", found)


def _column(one: Swept) -> Column:
    by_up_card = {bet.given.get(UP_CARD, ANY): bet for bet in one.bets}
    whole = by_up_card.pop(ANY) if ANY in by_up_card else next(iter(one.bets), None)
    dots = by_up_card if len(one.bets) > 1 else {}
    return Column(
        value_label(one.value), _edge(whole), {up: float(bet.house_edge) for up, bet in dots.items()}
    )


def value_label(value: object) -> str:
    """An option's value as people write it."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _edge(bet: Bet | None) -> float | None:
    return None if bet is None else float(bet.house_edge)


def _dealer(game: Game) -> str:
    decks = f"{game.options.decks} deck{'s' * (game.options.decks > 1)}"
    if not isinstance(game, Blackjack):
        return decks
    return f"{decks}, dealer {'hits' if game.manner.dealer_hits_soft_17 else 'stands on'} soft 17"


def _floats(shares: Shares) -> dict[str, float]:
    return {name: float(share) for name, share in shares.items()}
