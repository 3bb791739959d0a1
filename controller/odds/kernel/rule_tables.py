"""Fills the tables of the loop: asks the game once for every state."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import gcd

from controller.games import open_game
from controller.games.game import Game
from controller.odds.kernel.dealer_hands import DealerHands, up_ranks
from controller.odds.kernel.loop import TO_HOLE, TO_SEAT, TO_UP, Tables
from controller.odds.kernel.openings import Openings
from controller.odds.kernel.outcomes import Outcome, Outcomes
from controller.odds.kernel.player_hands import PlayerHands
from controller.odds.kernel.uncovered import NotCovered
from controller.odds.playthrough import Player

COVERED = frozenset({"ez-bust", "easy-jack", "no-bust-21st-century", "pure-21-5", "quick-pay", "blackjack-x"})
"""Games whose rules look at no more of a hand than `hand_states` tells apart. Tests compare each with the
Round."""
STEPS = {"seats": TO_SEAT, "dealer up": TO_UP, "dealer down": TO_HOLE}


@dataclass(frozen=True, slots=True)
class RuleTables:
    """The tables of a player at a game. `unit`: what the numbers in `paid` are multiples of, in cents."""

    tables: Tables
    outcomes: tuple[Outcome, ...]
    unit: int


def check_covered(game: Game) -> None:
    """Raises NotCovered unless all rules are those of a covered game. The player may play in any way."""
    if game.name not in COVERED:
        raise NotCovered(f"the tables know no {game.name}")
    if game.options.bets:
        raise NotCovered(f"the tables know no {', '.join(game.options.bets)}, a side bet of a plug-in")
    product = type(open_game(game.name))
    public = (name for name in dir(product) if not name.startswith("_") and name != "advice")
    if own := [name for name in public if getattr(type(game), name) != getattr(product, name)]:
        raise NotCovered(f"{game.name} has a {' and a '.join(own)} of its own")


def rule_tables(player: Player) -> RuleTables:
    """The tables for a player. Raises NotCovered, and EventRefused if no stake fits the options."""
    check_covered(player.game)
    hands, dealer = PlayerHands(player), DealerHands(player.game)
    openings = Openings(hands, dealer)
    outcomes = Outcomes(hands, dealer, openings)
    of_hands, of_sides = outcomes.of_hands(), outcomes.of_sides()
    kinds, of_first_cards = outcomes.of_first_cards()
    paid = [_main_paid(player, outcome) for outcome in outcomes.found]
    unit = gcd(*paid) or 1
    tables = Tables(
        deal=[STEPS[step] for step in player.game.deal],
        player_next=hands.states.next,
        dealer_next=dealer.states.next,
        up_rank=up_ranks(),
        action=hands.actions,
        split_first=hands.card_alone(0),
        split_second=hands.card_alone(1),
        hand_end=hands.ends[0],
        live=_bits(player.game.live(end.hand) for end in hands.ends[1]),
        natural=_bits(hands.naturals),
        shows=_bits(map(dealer.shows, dealer.states.hands)),
        opening=openings.found[0],
        draws=openings.draws,
        takes=_bits(map(dealer.takes, dealer.states.hands)),
        dealer_end=dealer.ends[0],
        dealer_ends=len(dealer.ends[1]),
        hand_outcome=of_hands,
        side_outcome=of_sides,
        first_kind=kinds,
        first_kinds=max(kinds) + 1,
        first_outcome=of_first_cards,
        paid=[each // unit for each in paid],
    )
    return RuleTables(tables, tuple(outcomes.found), unit)


def _bits(flags: Iterable[bool]) -> list[int]:
    return [int(flag) for flag in flags]


def _main_paid(player: Player, outcome: Outcome) -> int:
    return sum(line.paid or 0 for line in outcome.lines if player.on_hand(line.wager))
