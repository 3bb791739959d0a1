"""The exact odds of a game with its options: what its bets are worth, and how its dealer's hand ends.

Everything is from a fresh shoe, without replacement, in whole fractions. Burned cards change nothing,
because nobody has seen them. Pays are as written, before rounding to the chip.
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Protocol, runtime_checkable

from controller.games.bets.bet import SideBet
from controller.games.bets.blazing_7s import BlazingSevens
from controller.games.bets.buster import COUNTS, Buster
from controller.games.bets.dealer_bust import DealerBust
from controller.games.bets.ez_bust import EzBust
from controller.games.bets.hedge import TOTALS, Hedge
from controller.games.bets.insurance import PAYS
from controller.games.blackjack import Blackjack
from controller.games.easy_jack import EasyJack
from controller.games.game import Game
from controller.money import Ratio, ratio
from controller.odds.bet import Bet
from controller.odds.dealer import DealerOdds, TwentyOne, of_eleven, of_twenty_one
from controller.odds.easy_jack import main_bet
from controller.odds.side_bets import blazing_7s, buster, dealer_bust, ez_bust, hedge, insurance

DEALER_RULES = ("dealer_takes", "total", "natural", "peeks")
"""The methods of a game that decide how its dealer's hand ends."""


class NoOdds(ValueError):
    """A game whose dealer this package does not know."""


@runtime_checkable
class BringsOdds(Protocol):
    """A side bet that knows its own odds, as those of plug-ins may."""

    def odds(self, game: Game) -> Iterable[Bet]:
        """The bet under every condition in which it can be made, from a fresh shoe."""
        ...


def bets(game: Game, meter: int | None = None) -> tuple[Bet, ...]:
    """Every bet under every condition in which it can be made. Bets without exact odds are left out.

    `meter` is the jackpot when betting closed, in cents; None: the seed. Raises NoOdds.
    """
    match _known(game):
        case EasyJack() as game:
            side = (one for bet in game.side_bets for one in _on_eleven(game, bet))
            main = (_main(game),) if type(game) is EasyJack else ()
            return (*main, *side)
        case Blackjack() as game:
            side = (one for bet in game.side_bets for one in _on_twenty_one(game, bet, meter))
            return (*side, *_insurance(game))
        case _:
            raise NoOdds(f"{game.name} is neither Easy Jack nor a game on 21")


def dealer(game: Game) -> DealerOdds:
    """Raises NoOdds."""
    match _known(game):
        case EasyJack() as game:
            return of_eleven(game.options.decks, peek=game.options.peek)
        case Blackjack() as game:
            return of_twenty_one(_rule(game), game.options.decks, peek=game.hand_rules.peek)
        case _:
            raise NoOdds(f"{game.name} is neither Easy Jack nor a game on 21")


def _known(game: Game) -> Game:
    """Raises NoOdds for a game of a known family whose dealer draws by a rule of its own."""
    for family in (EasyJack, Blackjack):
        if isinstance(game, family):
            own = [name for name in DEALER_RULES if getattr(type(game), name) is not getattr(family, name)]
            if own:
                raise NoOdds(f"{game.name} has a {' and a '.join(own)} of its own")
    return game


def _main(game: EasyJack) -> Bet:
    options = game.options
    both_push = options.natural == "3:2"
    return main_bet(options.decks, ratio(options.natural), push_both=both_push, peek=options.peek)


def _on_eleven(game: EasyJack, bet: SideBet) -> Iterator[Bet]:
    if isinstance(bet, DealerBust):
        yield dealer_bust(game.options.decks, bet.pays)
    elif isinstance(bet, BringsOdds):
        yield from bet.odds(game)


def _on_twenty_one(game: Blackjack, bet: SideBet, meter: int | None) -> Iterator[Bet]:
    decks = game.options.decks
    match bet:
        case EzBust():
            yield from ez_bust(_rule(game), decks, bet.suited)
        case Buster():
            yield buster(_rule(game), decks, _pays(bet, natural=False), _pays(bet, natural=True))
        case BlazingSevens():
            cents = bet.seed if meter is None else meter
            yield blazing_7s(decks, bet.awards, Fraction(cents, bet.stake))
        case Hedge():
            for total in TOTALS:
                pays: dict[str, Ratio] = {up: by_total[total] for up, by_total in bet.table.items()}
                yield from hedge(_rule(game), decks, int(total), pays)
        case BringsOdds():
            yield from bet.odds(game)


def _insurance(game: Blackjack) -> Iterator[Bet]:
    if game.insured.offered:
        yield insurance(game.options.decks, PAYS)


def _rule(game: Blackjack) -> TwentyOne:
    return TwentyOne(game.hand_rules.dealer_hits_soft_17)


def _pays(bet: Buster, *, natural: bool) -> dict[int, Ratio]:
    return {cards: bet.pays(cards, natural=natural) for cards in range(3, 3 + len(COUNTS))}
