"""The parts of a page that the exact odds give, with the default options of a game."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from controller.games.game import Game
from controller.odds.bet import ANY, Bet
from controller.odds.dealer import DealerTotals, Shares
from controller.odds.exact import bets, dealer
from controller.odds.shoe import RANKS
from controller.odds.side_bets import MOST
from controller.pages.markdown import RARE, paragraphs, percent, table

BEFORE_THE_DEAL = "before the deal"
UP_CARDS_KNOWN = (BEFORE_THE_DEAL, *RANKS, ANY)
"""What is known when a bet is made, in the order of rows."""


def edges(game: Game) -> str:
    """The house edge of every bet by what is known when it is made; how those before the deal can end."""
    found = bets(game)
    return paragraphs([_edges(found), *(_outcomes(bet) for bet in found if not bet.given)])


def dealer_totals(game: Game) -> str:
    """What the dealer's hand ends with, and by how many cards it busts."""
    hand = dealer(game)
    names = list(dict.fromkeys(name for totals in hand.totals for name in totals.before_peek))
    rows = [row for totals in hand.totals for row in _totals(totals, names)]
    busts = ((cards, percent(share, RARE)) for cards, share in _busts(hand.busts).items())
    return paragraphs([table(("up-card", *names), rows), table(("cards in a bust", "probability"), busts)])


def _edges(found: Sequence[Bet]) -> str:
    names = list(dict.fromkeys(bet.bet for bet in found))
    by_place = {(bet.bet, _when_known(bet.given.get("up_card"))): bet for bet in found}
    places = (place for place in UP_CARDS_KNOWN if any((name, place) in by_place for name in names))
    rows = ([place, *(_edge(by_place.get((name, place))) for name in names)] for place in places)
    return table(("up-card", *(f"`{name}`" for name in names)), rows)


def _busts(by_cards: Mapping[int, Fraction]) -> dict[str, Fraction]:
    """From MOST cards on together, as they are paid alike."""
    busts: dict[str, Fraction] = {}
    for cards, share in by_cards.items():
        name = str(cards) if cards < MOST else f"{MOST} or more"
        busts[name] = busts.get(name, Fraction(0)) + share
    return busts


def _when_known(up_card: str | None) -> str:
    return BEFORE_THE_DEAL if up_card is None else up_card


def _edge(bet: Bet | None) -> str:
    return "" if bet is None else percent(bet.house_edge)


def _outcomes(bet: Bet) -> str:
    rows = ((one.event, one.pays or "", percent(one.probability, RARE)) for one in bet.outcomes)
    return paragraphs([table((f"`{bet.bet}`", "pays", "probability"), rows), *_jackpot(bet)])


def _jackpot(bet: Bet) -> Iterator[str]:
    if bet.meter is not None and bet.break_even_meter is not None:
        yield (
            f"With a jackpot of {_stakes(bet.meter)} stakes. "
            f"Neither side has an edge at {_stakes(bet.break_even_meter)} stakes."
        )


def _stakes(meter: Fraction) -> str:
    return f"{float(meter):,.0f}"


def _totals(totals: DealerTotals, names: Sequence[str]) -> Iterator[list[str]]:
    up_card = _when_known(totals.given.get("up_card"))
    yield [up_card, *_shares(totals.before_peek, names)]
    if totals.after_peek and up_card != ANY and "natural" in totals.before_peek:
        yield [f"{up_card}, no natural", *_shares(totals.after_peek, names)]


def _shares(shares: Shares, names: Sequence[str]) -> list[str]:
    return [percent(shares[name]) if name in shares else "" for name in names]
