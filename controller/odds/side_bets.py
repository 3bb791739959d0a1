"""Exact odds of Insurance, Hedge and Blazing 7s."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from itertools import product

from controller.cards import Card, card
from controller.games.bets.blazing_7s import EVENTS, Award, Event, event
from controller.money import Ratio
from controller.odds.bet import Bet, BetOutcome, against, lose, weighted, win
from controller.odds.dealer import DealerEnds, TwentyOne, after_peek, dealer_ends, probability
from controller.odds.shoe import ACE, RANKS, TEN, fresh, hand, orders


def insurance(decks: int, pays: Ratio) -> Bet:
    """Wins if the hole card is a ten-value. Only the up-card is known."""
    shoe = fresh(decks)
    natural = Fraction(shoe[TEN], sum(shoe) - 1)
    outcomes = win("dealer natural", natural, pays), lose("no dealer natural", 1 - natural)
    return Bet("insurance", outcomes, against(RANKS[ACE]))


def hedge(rule: TwentyOne, decks: int, total: int, pays: Mapping[str, Ratio]) -> tuple[Bet, ...]:
    """One entry for each up-card, and one for any, weighted by how often each shows without a dealer
    natural.

    `pays` is by up-card.
    """
    shoe = fresh(decks)
    bets = []
    for rank, up in enumerate(RANKS):
        found = dealer_ends(rule, shoe, hand([rank]))
        seen = shoe[rank] * (1 - probability(found, lambda end: end.natural))
        bets.append((_against(after_peek(found), up, total, pays[up]), seen))
    return (*(bet for bet, _ in bets), weighted(bets))


def chance(found: DealerEnds, total: int) -> Fraction:
    return probability(found, lambda end: end.total == total)


def _against(found: DealerEnds, up: str, total: int, pays: Ratio) -> Bet:
    wins = chance(found, total)
    outcomes = win(f"dealer ends with {total}", wins, pays), lose("another total", 1 - wins)
    return Bet(f"hedge-{total}", outcomes, against(up))


SEVENS = tuple(map(card, ("7s", "7h", "7d", "7c")))
OTHER = card("2s")
"""In place of the 48 cards of a deck that are not sevens."""

Awards = Mapping[Event, Award]


def blazing_7s(decks: int, awards: Awards, meter: Fraction) -> Bet:
    """The seat's first two cards with the up-card. `meter`: the jackpot when betting closed, in stakes. No
    other seat wins from it in the round."""
    found = events(decks)
    outcomes = (
        BetOutcome(name, share, str(awards[name]), _worth(awards[name], meter) - 1)
        for name, share in found.items()
    )
    none = lose("no 7", 1 - sum(found.values(), Fraction(0)))
    return Bet("blazing-7s", (*outcomes, none), meter=meter, break_even_meter=_break_even(found, awards))


def events(decks: int) -> dict[Event, Fraction]:
    """How often each event happens, best first."""
    shoe = Counter({OTHER: 48 * decks, **dict.fromkeys(SEVENS, decks)})
    found: dict[Event, Fraction] = dict.fromkeys(EVENTS, Fraction(0))
    for one, two, up in product(shoe, repeat=3):
        happened = event((one, two), up)
        if happened is not None:
            found[happened] += Fraction(_ways(shoe, one, two, up), orders(52 * decks, 3))
    return found


def _ways(shoe: Counter[Card], *cards: Card) -> int:
    left, ways = shoe.copy(), 1
    for drawn in cards:
        ways *= left[drawn]
        left[drawn] -= 1
    return ways


def _worth(award: Award, meter: Fraction) -> Fraction:
    """What an award pays in stakes, the stake included if it is returned."""
    return award.for_one + Fraction(award.percent, 100) * meter


def _break_even(found: Mapping[Event, Fraction], awards: Awards) -> Fraction | None:
    """The jackpot at which fixed awards and shares together are worth the stake."""
    fixed = sum(share * awards[name].for_one for name, share in found.items())
    growing = sum(share * Fraction(awards[name].percent, 100) for name, share in found.items())
    return (1 - fixed) / growing if growing else None
