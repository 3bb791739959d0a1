"""Exact odds of the bets on the number of cards in the dealer's bust: Dealer Bust and Buster."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from controller.money import Ratio
from controller.odds.bet import Bet, BetOutcome, lose, win
from controller.odds.dealer import NATURAL, DealerEnds, Eleven, Rule, TwentyOne, dealer_ends
from controller.odds.shoe import ACE, NONE, TEN, Counts, fresh, orders, without

MOST = 8
"""Buster pays this many cards and more alike."""

Pays = Mapping[int, Ratio]
"""Ratio by cards in the busted hand. A count that is missing pays nothing."""


def by_cards(found: DealerEnds) -> dict[int, Fraction]:
    """How often the dealer busts with how many cards."""
    busts: dict[int, Fraction] = {}
    for end in sorted(found, key=lambda end: end.cards):
        if end.bust:
            busts[end.cards] = busts.get(end.cards, Fraction(0)) + found[end]
    return busts


def dealer_bust(decks: int, pays: Pays) -> Bet:
    """Easy Jack's Dealer Bust."""
    busts = by_cards(dealer_ends(Eleven(), fresh(decks), NONE))
    outcomes = (_bust(f"bust with {cards} cards", share, pays.get(cards)) for cards, share in busts.items())
    return Bet("dealer-bust", (*outcomes, _no_bust(busts)))


def buster(rule: TwentyOne, decks: int, pays: Pays, with_natural: Pays) -> Bet:
    """`with_natural` is what a seat with a natural is paid; where it differs, it is an event of its own."""
    shoe = fresh(decks)
    busts = _grouped(rule, shoe)
    special = _with_natural(rule, shoe, [n for n in with_natural if with_natural[n] != pays.get(n)])
    plain = (_bust(_event(n), share - special.get(n, 0), pays.get(n)) for n, share in busts.items())
    better = (win(f"{_event(n)}, with a natural", share, with_natural[n]) for n, share in special.items())
    return Bet("buster", (*plain, *better, _no_bust(busts)))


def _with_natural(rule: Rule, shoe: Counts, numbers: Sequence[int]) -> dict[int, Fraction]:
    """How often the seat has a natural and the dealer busts with each of these counts of cards."""
    naturals = Fraction(2 * shoe[ACE] * shoe[TEN], orders(sum(shoe), 2))
    left = _grouped(rule, without(shoe, NATURAL))
    return {cards: naturals * left[cards] for cards in numbers}


def _grouped(rule: Rule, shoe: Counts) -> dict[int, Fraction]:
    """Busts by cards. MOST stands for more cards, too."""
    grouped: dict[int, Fraction] = {}
    for cards, share in by_cards(dealer_ends(rule, shoe, NONE)).items():
        grouped[min(cards, MOST)] = grouped.get(min(cards, MOST), Fraction(0)) + share
    return grouped


def _no_bust(busts: Mapping[int, Fraction]) -> BetOutcome:
    return lose("no bust", 1 - sum(busts.values(), Fraction(0)))


def _event(cards: int) -> str:
    return f"bust with {cards} or more cards" if cards == MOST else f"bust with {cards} cards"


def _bust(event: str, share: Fraction, pays: Ratio | None) -> BetOutcome:
    return lose(event, share) if pays is None else win(event, share, pays)
