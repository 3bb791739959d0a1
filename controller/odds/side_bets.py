"""Exact odds of the side bets, each by enumeration of the cards that it depends on."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product

from controller.cards import Card, card
from controller.games.bets.blazing_7s import EVENTS, Award, Event, event
from controller.money import EVEN, Ratio
from controller.odds.bet import Bet, BetOutcome, against, lose, possible, push, weighted, win
from controller.odds.dealer import (
    NATURAL,
    DealerEnds,
    Eleven,
    Rule,
    TwentyOne,
    after_peek,
    by_cards,
    dealer_ends,
    draw_out,
    probability,
)
from controller.odds.shoe import (
    ACE,
    NONE,
    RANKS,
    TEN,
    Counts,
    fresh,
    hand,
    one_more,
    one_suit,
    orders,
    without,
)


def insurance(decks: int, pays: Ratio) -> Bet:
    """Wins if the hole card is a ten-value. Only the up-card is known."""
    shoe = fresh(decks)
    natural = Fraction(shoe[TEN], sum(shoe) - 1)
    outcomes = win("dealer natural", natural, pays), lose("no dealer natural", 1 - natural)
    return Bet("insurance", outcomes, against(RANKS[ACE]))


def hedge(rule: TwentyOne, decks: int, total: int, pays: Mapping[str, Ratio]) -> tuple[Bet, ...]:
    """One entry for each up-card, and one for any, weighted by how often each shows when the bet can be made:
    neither the dealer nor the seat has a natural.

    `pays` is by up-card.
    """
    shoe = fresh(decks)
    bets = []
    for rank, up in enumerate(RANKS):
        found = dealer_ends(rule, shoe, hand([rank]))
        seen = shoe[rank] * _no_natural(without(shoe, hand([rank])), rank)
        bets.append((_hedge_against(after_peek(found), up, total, pays[up]), seen))
    return (*(bet for bet, _ in bets), weighted(bets))


def _no_natural(left: Counts, rank: int) -> Fraction:
    """How often neither the dealer, who shows `rank`, nor a seat has a natural; `left`: all other cards."""
    if rank not in (ACE, TEN):
        return 1 - _natural(left)
    other = ACE + TEN - rank
    dealer = Fraction(left[other], sum(left))
    both = dealer * _natural(without(left, hand([other])))
    return 1 - dealer - _natural(left) + both


def _natural(shoe: Counts) -> Fraction:
    """How often two cards are a natural."""
    return Fraction(2 * shoe[ACE] * shoe[TEN], orders(sum(shoe), 2))


def chance(found: DealerEnds, total: int) -> Fraction:
    return probability(found, lambda end: end.total == total)


def _hedge_against(found: DealerEnds, up: str, total: int, pays: Ratio) -> Bet:
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


MOST = 8
"""Buster pays this many cards and more alike."""

Pays = Mapping[int, Ratio]
"""Ratio by cards in the busted hand. A count that is missing pays nothing."""


def dealer_bust(decks: int, pays: Pays) -> Bet:
    """Easy Jack's Dealer Bust."""
    busts = by_cards(dealer_ends(Eleven(), fresh(decks), NONE))
    outcomes = (_bust(f"bust with {cards} cards", share, pays.get(cards)) for cards, share in busts.items())
    return Bet("dealer-bust", (*outcomes, _no_bust(busts)))


def buster(rule: TwentyOne, decks: int, pays: Pays, with_natural: Pays) -> Bet:
    """`with_natural` is what a seat with a natural is paid; where it differs, it is an event of its own."""
    shoe = fresh(decks)
    busts = _grouped(rule, shoe)
    special = _seat_naturals(rule, shoe, [n for n in with_natural if with_natural[n] != pays.get(n)])
    plain = (_bust(_bust_name(n), share - special.get(n, 0), pays.get(n)) for n, share in busts.items())
    better = (win(f"{_bust_name(n)}, with a natural", share, with_natural[n]) for n, share in special.items())
    return Bet("buster", (*plain, *better, _no_bust(busts)))


def _seat_naturals(rule: Rule, shoe: Counts, numbers: Sequence[int]) -> dict[int, Fraction]:
    """How often the seat has a natural and the dealer busts with each of these counts of cards."""
    naturals = _natural(shoe)
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


def _bust_name(cards: int) -> str:
    return f"bust with {cards} or more cards" if cards == MOST else f"bust with {cards} cards"


def _bust(event: str, share: Fraction, pays: Ratio | None) -> BetOutcome:
    return lose(event, share) if pays is None else win(event, share, pays)


UP_RANKS = tuple(RANKS.index(up) for up in "23456")


def ez_bust(rule: TwentyOne, decks: int, suited: Ratio) -> tuple[Bet, ...]:
    """One entry for each low up-card, and one for any of them; they are equally frequent.

    The dealer completes the hand, and only the up-card is known.
    """
    bets = [_ez_bust_against(rule, decks, suited, rank) for rank in UP_RANKS]
    return (*bets, weighted((bet, Fraction(1)) for bet in bets))


def _ez_bust_against(rule: TwentyOne, decks: int, suited: Ratio, rank: int) -> Bet:
    found = dealer_ends(rule, fresh(decks), hand([rank]))
    bust = probability(found, lambda end: end.bust)
    suited_bust = probability(_one_suit(rule, decks, rank), lambda end: end.bust)
    two_cards = probability(found, lambda end: end.cards == rule.opening)
    outcomes = (
        win("suited bust", suited_bust, suited),
        win("bust", bust - suited_bust, EVEN),
        push("stands on two cards", two_cards),
        lose("draws and does not bust", 1 - bust - two_cards),
    )
    return Bet("ez-bust", possible(outcomes), against(RANKS[rank]))


def _one_suit(rule: TwentyOne, decks: int, rank: int) -> DealerEnds:
    """How the dealer ends whose first three cards are of one suit."""
    suit = one_suit(decks)
    openings: dict[Counts, int] = defaultdict(int)
    for two, second in one_more(suit, hand([rank])):
        if rule.draws(two):
            for three, third in one_more(suit, two):
                openings[three] += second * third
    return draw_out(rule, fresh(decks), openings, 1)
