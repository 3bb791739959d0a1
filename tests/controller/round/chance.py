"""A crew that plays any game by chance: whatever may happen next, and often what should."""

from collections.abc import Iterator
from random import Random
from typing import Any

from controller.cards import DECK, Card
from controller.games import open_game
from controller.round import CardOut, Event, Jackpot, Key, Round, Void, Wager

SEATS = 4
ACTIONS = (
    "hit", "stand", "double", "split", "surrender", "insurance", "even-money", "play", "quick-pay", "close",
    "pay",
)  # fmt: skip
RARE = frozenset({"split", "even-money", "quick-pay", "play", "surrender"})
TENDER = [card for card in DECK if card in "As Ah Ad Ac Kh Ks Td 8c 8d 6s 6d 5h 7d 7h"]
"""Cards that make naturals, pairs and low up-cards."""

STRANGE: dict[str, tuple[dict[str, Any], ...]] = {
    # options beside the defaults that rules turn on
    "ez-bust": (
        {"peek": False, "even_money": True}, {"peek": False, "obo": False}, {"even_money": True},
        {"resplit_aces": True, "hit_split_aces": True, "even_money": True}, {"insurance": False},
        {"draw_out": False, "max_hands": 2, "even_money": True},
        {"allow_with_natural": True, "even_money": True, "dealer_first_card": "hole"},
        {"split_wager": False, "split_by": "rank", "double_on": "9-11"}, {"chip": 100, "max": 300},
    ),
    "easy-jack": (
        {"peek": True}, {"natural": "6:5", "chip": 25}, {"dealer_bust": {"2": "7:3", "4": "10:1"}},
        {"limits": {"main": [100, 1000]}},
    ),
    "no-bust-21st-century": ({"surrender": "first-two"}, {"three_card_bust_push": False, "chip": 25}),
    "pure-21-5": ({"surrender": "none"}, {"dealer_first_card": "hole"}),
    "quick-pay": ({"quick_pay": {"20": "1:1"}}, {"max_hands": 2, "dealer_hits_soft_17": False}),
    "blackjack-x": ({"draw_on_bust": True}, {"player_may_hit_21": False}, {"blazing_7s": 1, "stake": 500}),
}  # fmt: skip


class Chance:
    """One crew at one Round; the same seed plays the same way as long as the rounds answer alike."""

    def __init__(self, game: str, seed: int, seats: int = SEATS, burn: int = 0) -> None:
        self.random = Random(seed)
        options = self.random.choice(({}, *STRANGE.get(game, ())))
        self.game = open_game(game, options)
        self.options = options
        self.round = Round(self.game, seats=seats, burn=burn)

    def wagers(self) -> Iterator[Wager]:
        """Wagers with which betting may close."""
        chance, game = self.random, self.game
        for seat in chance.sample(range(1, self.places + 1), chance.randint(1, self.places)):
            main = chance.choice((None, 500, 600, 1000))
            for spot in game.spots:
                if spot in game.hand_spots:
                    yield Wager(seat, spot, True, main)
                elif spot not in game.late and chance.random() < 0.5:
                    yield Wager(seat, spot, True, game.fixed_stake(spot) or chance.choice((None, 100, 500)))

    def sensible(self) -> Event:
        """Something that the round must take now, and that brings it on."""
        played, chance = self.round, self.random
        if played.phase == "betting":
            return self._bet()
        if played.unknown_jackpots:
            return Jackpot(played.unknown_jackpots[0], chance.choice((1_000_000, 1_234_567)))
        if played.phase == "offering" and chance.random() < 0.4:
            return self._late()
        if played.cards_due and not (played.keys and chance.random() < 0.5):
            return self.card()
        return self.key()

    def anything(self) -> Event:
        """Whatever somebody might do, mostly at the wrong moment."""
        chance = self.random
        seat = chance.randint(0, self.places + 1)
        amount = chance.choice((None, None, 100, 500, 1000, 5000))
        kinds: tuple[Event, ...] = (
            self.card(),
            Key(chance.choice(ACTIONS), seat, amount),
            Key(chance.choice(ACTIONS), self.round.due.seat),
            Wager(seat, chance.choice((*self.game.spots, "moon")), True, amount),
            Wager(seat, chance.choice(self.game.spots), False),
            Jackpot(chance.choice((*self.game.spots,)), 5000),
        )
        return Void("floor", "misdeal") if chance.random() < 0.01 else chance.choice(kinds)

    def card(self) -> CardOut:
        """Any card, and often one that matters."""
        return CardOut(Card(self.random.choice(DECK if self.random.random() < 0.5 else TENDER)))

    def key(self) -> Key:
        """A key that is lit, for the seat that is due; insurance for one that may take it."""
        played = self.round
        rare = played.keys & RARE if self.random.random() < 0.5 else frozenset()
        action = self.random.choice(sorted(rare or played.keys))
        asked = [seat for seat, keys in self.game.insures(played._state.layout).items() if action in keys]
        if played.phase == "insuring" and asked:
            return Key(action, self.random.choice(asked))
        return Key(action, played.due.seat)

    @property
    def places(self) -> int:
        """How many seats there are."""
        return self.round._state.places

    def _bet(self) -> Event:
        played = self.round
        if "close" in played.keys:
            return Key("close")
        seat = played.due.seat or self.random.randint(1, self.places)
        there = played.seats[seat].wagers if seat in played.seats else {}
        if missing := [spot for spot in self.game.hand_spots if spot not in there]:
            return Wager(seat, missing[0], True, next(iter(there.values()), 500))
        return Wager(seat, self.random.choice(sorted(there)), False)

    def _late(self) -> Event:
        """Chips on an open spot: on top of what stands there already, or away again."""
        played, chance = self.round, self.random
        seat = chance.choice(sorted(played.invited))
        spot = chance.choice(sorted(played.invited[seat]))
        before = played.standing(seat, spot)
        more = chance.choice((None, 100, 200, 300))
        if chance.random() < 0.2:
            return Wager(seat, spot, False)
        return Wager(seat, spot, True, None if before is None or more is None else before + more)
