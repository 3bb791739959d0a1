"""The same cards through the kernel and through the Round: every card and every settlement line.

`python -m tests.controller.odds.kernel.equality [GAME ...] --rounds N` compares N rounds for each set of
options, on all processors.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from multiprocessing import get_context
from os import sched_getaffinity
from typing import Annotated, Any

import typer

from controller.cards import DECK, Card
from controller.games import GAMES, open_game
from controller.games.layout import Settlement
from controller.odds.kernel.kernel import Kernel
from controller.odds.kernel.rule_tables import RuleTables, rule_tables
from controller.odds.playthrough import SEAT, Player
from controller.odds.simulate import JACKPOT
from controller.round.round import Round

BUSTER = {"3": "3:2", "4": "1:7", "5": "2:1", "6": "9:1", "7": "1:1", "8+": "5:1"}

OPTION_SETS: Mapping[str, tuple[Mapping[str, Any], ...]] = {
    "ez-bust": (
        {},
        {
            "decks": 1,
            "dealer_first_card": "hole",
            "peek": False,
            "double_on": "9-11",
            "split_by": "rank",
            "resplit_aces": True,
            "hit_split_aces": True,
            "even_money": True,
            "allow_with_natural": True,
            "suited_bust": "off",
            "draw_out": False,
            "limits": {"main": [5, 5]},
        },
        {
            "decks": 8,
            "dealer_hits_soft_17": False,
            "peek": False,
            "obo": False,
            "double_on": "10-11",
            "double_after_split": False,
            "resplit_aces": True,
            "max_hands": 3,
            "insurance": False,
            "natural_pays": "7:6",
            "suited_bust": "5:3",
            "limits": {"ez-bust": [7, 7]},
        },
        {"surrender": "none", "max_hands": 2, "split_wager": False, "max": 300, "chip": 100, "burn_cards": 5},
        {"draw_out": False, "hit_split_aces": True, "limits": {"main": [1, 1]}},
    ),
    "easy-jack": (
        {},
        {"decks": 6, "natural": "6:5", "peek": True, "dealer_bust": {"2": "7:2", "5": "9:1"}},
        {"peek": True, "limits": {"main": [3, 3], "dealer-bust": [5, 5]}},
        {"natural": "6:5"},
    ),
    "no-bust-21st-century": (
        {},
        {"decks": 2, "surrender": "first-two", "three_eights_push": True, "buster": "B4"},
        {"decks": 3, "surrender": "none", "three_card_bust_push": False, "natural_pays": "7:5"},
        {"decks": 4, "dealer_first_card": "hole", "limits": {"main": [5, 5], "buster": [3, 3]}},
    ),
    "pure-21-5": (
        {},
        {"decks": 2, "surrender": "none", "three_eights_push": False, "buster": "B4"},
        {"three_card_bust_push": False, "buster": BUSTER},
    ),
    "quick-pay": (
        {},
        {"decks": 1, "dealer_hits_soft_17": False, "quick_pay": {"20": "3:2", "19": "push"}},
        {"decks": 8, "dealer_first_card": "hole", "max_hands": 2, "natural_pays": "3:2", "quick_pay": {}},
        {"decks": 2, "limits": {"bet": [5, 5], "surrender-or-play": [5, 5], "hedge-18": [3, 3]}},
    ),
    "blackjack-x": (
        {},
        {"draw_on_bust": True, "buster": "B4", "blazing_7s": 1, "hard_31_pays": "7:3"},
        {"player_may_hit_21": False, "surrender": "none", "max_hands": 2, "dealer_hits_soft_17": False},
        {"draw_on_bust": True, "player_may_hit_21": False, "dealer_first_card": "hole", "max_hands": 3},
        {"stake": 250, "chip": 50, "blackjack_x_pays": "5:3", "natural_31_pays": "8:7"},
    ),
}
"""For each game, options that together have every value which changes a rule."""

STACKED: Mapping[str, str] = {
    "eights": "8s 8h 8d 8c 8s 8h 8d 8c 2s 3h Td",
    "naturals": "As Ah Ad Ac Ks Kh Tc Jd Qh 9s",
    "low": "As 2h 3d 2c Ah 3s 2d Ac 4h 2s",
    "one suit": "2h 3h 4h 5h 6h 7h 8h 9h Th Kh Ah",
    "aces and tens": "2s Ah Ad Ac As Ah Td Kc 3h",
    "sevens": "7d 7d 7d 7s 7h 7c 7s 3d Th",
    "stiffs": "6s 6h 5d Tc Th 7s 4d Jh 9c",
}
"""Cards of decks in which rare rounds are frequent."""
COPIES = 12
"""Of each card in such a deck, so that no round runs out of cards."""

RARE: Mapping[str, frozenset[str]] = {
    "ez-bust": frozenset({"four hands", "suited bust", "insured", "doubled after a split"}),
    "easy-jack": frozenset({"six-card bust"}),
    "no-bust-21st-century": frozenset({"four hands", "busts pushed", "insured"}),
    "pure-21-5": frozenset({"four hands", "three eights", "busts pushed"}),
    "quick-pay": frozenset({"four hands", "quick pay", "surrendered"}),
    "blackjack-x": frozenset({"four hands", "eight-card bust", "jackpot"}),
}
"""What rounds with the default options must have shown, besides RARE_EVERYWHERE."""
RARE_EVERYWHERE = frozenset({"two naturals", "drawn out"})


def player_of(game: str, options: Mapping[str, Any]) -> Player:
    opened = open_game(game, options)
    return Player(opened, dict.fromkeys(opened.meters, JACKPOT))


@lru_cache
def standard(game: str) -> tuple[Player, RuleTables]:
    """A player with the default options, and the tables."""
    player = player_of(game, {})
    return player, rule_tables(player)


def differences(
    player: Player, rules: RuleTables, rounds: int, seed: str, seen: Counter[str] | None = None
) -> Iterator[str]:
    """Each round that differs, in words. Two thirds are from a shoe of the options, the others from stacked
    decks. Counts in `seen` what was rare."""
    each = rounds // (3 * len(STACKED))
    decks = {name: tuple(map(Card, cards.split())) * COPIES for name, cards in STACKED.items()}
    for name, deck in {"": DECK * player.game.options.decks, **decks}.items():
        kernel = Kernel(player, rules, deck)
        kernel.shuffle(f"{seed}/{name}")
        for _ in range(each if name else rounds - each * len(decks)):
            yield from _differences(player, *kernel.play(), Counter() if seen is None else seen)


def _differences(
    player: Player, cards: tuple[Card, ...], lines: tuple[Settlement, ...], seen: Counter[str]
) -> Iterator[str]:
    left = iter(cards)
    try:
        played = player.play(left)
    except StopIteration:
        yield f"{' '.join(cards)}: the Round needs more cards"
        return
    seen.update(rare_events(played))
    if more := tuple(left):
        yield f"{' '.join(cards)}: the Round leaves {' '.join(more)}"
    elif played.settlements != lines:
        yield f"{' '.join(cards)}: {lines} instead of {played.settlements}"


def rare_events(played: Round) -> Iterator[str]:
    """What a settled round shows that is rare."""
    hands, game = played.seats[SEAT].hands, played.game
    dealer = tuple(map(Card, played.dealer.cards))
    drawn = len(dealer) > len(game.deal) - game.deal.count("seats")
    reasons = {line.reason for line in played.settlements}
    facts = {
        "four hands": len(hands) == 4,
        "suited bust": "dealer busts, the first three cards of one suit" in reasons,
        "two naturals": game.has_natural(hands[0]) and game.natural(dealer),
        "drawn out": drawn and not any(map(game.live, hands)),
        "six-card bust": played.dealer.bust and len(dealer) >= 6,
        "eight-card bust": played.dealer.bust and len(dealer) >= 8,
        "three eights": any("three eights" in reason for reason in reasons),
        "busts pushed": any("busts higher" in reason for reason in reasons),
        "insured": any(line.wager == "insurance" and line.outcome == "win" for line in played.settlements),
        "doubled after a split": any(hand.split and hand.choice == "double" for hand in hands),
        "quick pay": "Quick Pay" in reasons,
        "surrendered": "surrendered" in reasons,
        "hard 31": "Hard 31" in reasons,
        "jackpot": any("of the jackpot" in reason for reason in reasons),
    }
    return (name for name, happened in facts.items() if happened)


def _compared(game: str, options: Mapping[str, Any], rounds: int, seed: str) -> tuple[int, str]:
    """The number of rounds that differ, and a line to print."""
    player, seen = player_of(game, options), Counter[str]()
    found = list(differences(player, rule_tables(player), rounds, seed, seen))
    rare = ", ".join(f"{times:,} {name}" for name, times in sorted(seen.items()))
    text = f"{game} {dict(options)}: {rounds:,} rounds, {len(found)} differ; {rare}"
    return len(found), "\n  ".join((text, *found[:3]))


def main(
    games: Annotated[list[str] | None, typer.Argument()] = None, rounds: int = 1_000_000, seed: str = "equal"
) -> None:
    """Prints a line for each set of options; the exit status is 1 if a round differs."""
    sets = [(game, options) for game in games or GAMES for options in OPTION_SETS[game]]
    with ProcessPoolExecutor(len(sched_getaffinity(0)), get_context("spawn")) as pool:
        played = [pool.submit(_compared, game, options, rounds, seed) for game, options in sets]
        differ = 0
        for each in played:
            count, text = each.result()
            differ += count
            print(text, flush=True)
    raise typer.Exit(1 if differ else 0)


if __name__ == "__main__":
    typer.run(main)
