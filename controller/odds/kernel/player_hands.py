"""Tables of the player's hands: what the player may do and does, and how a hand ends."""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from controller.cards import DECK, Card
from controller.games.layout import Hand, Layout, Seat, Turn
from controller.games.points import UP_RANKS
from controller.games.strategy import Place
from controller.odds.kernel.hand_states import LONG, Cards, explore, player_trait
from controller.odds.kernel.loop import LAST_CHOICES, MOST_HANDS, PASS, ROOT, ROW
from controller.odds.kernel.uncovered import NotCovered
from controller.odds.playthrough import SEAT, Player

ACTIONS = ("", "stand", "double", "surrender", "quick-pay", "hit", "split")
"""Keys by the number of the action."""
DRAWING = frozenset({"hit", "double"})
UP_EXAMPLES = tuple(Card(f"{rank}s") for rank in UP_RANKS)
CONTEXTS = tuple(product((0, 1), range(1, MOST_HANDS + 1)))
"""Whether a hand was split, and how many hands its seat has."""
POSSIBLE = frozenset({(0, 1), *((1, hands) for hands in range(2, MOST_HANDS + 1))})


@dataclass(frozen=True, slots=True)
class HandEnd:
    """How a hand can end, by example. `later`: it is not the seat's first; `cut_off`: the dealer showed a
    natural before it could act."""

    hand: Hand
    later: bool
    cut_off: bool


class PlayerHands:
    """The hands of a player's seat. `first_cards`: how many cards the seat is dealt."""

    def __init__(self, player: Player) -> None:
        self.player, self.game = player, player.game
        self.first_cards = self.game.deal.count("seats")
        self.states = explore(player_trait, self._draws)

    @cached_property
    def choices(self) -> list[list[frozenset[str]]]:
        """[state][context]"""
        return [[self._choices(cards, *each) for each in CONTEXTS] for cards in self.states.hands]

    @cached_property
    def actions(self) -> list[int]:
        """[state, split, hands - 1, up-card]"""
        actions: list[int] = []
        for cards, choices in zip(self.states.hands, self.choices, strict=True):
            for context, keys in zip(CONTEXTS, choices, strict=True):
                actions += self._advice(cards, *context) if keys else [PASS] * len(UP_EXAMPLES)
        return actions

    def charted(self) -> Iterator[tuple[int, Place, frozenset[str]]]:
        """Every decision that the game's charts make: its index into `actions`, where they say what to do,
        and what the hand may choose."""
        decisions = product(
            zip(self.states.hands, self.choices, strict=True), range(len(CONTEXTS)), self.up_cards
        )
        for index, ((cards, choices), context, up) in enumerate(decisions):
            if choices[context]:
                layout = self._to_act(cards, *CONTEXTS[context], up)
                if place := self.game.charted_at(layout, Turn(SEAT, 0)):
                    yield index, place, choices[context]

    def allowed(self) -> list[int]:
        """[state, context] -> the actions that are possible, as bits."""
        return [
            sum(1 << action for action, key in enumerate(ACTIONS) if key in keys)
            for choices in self.choices
            for keys in choices
        ]

    @property
    def up_cards(self) -> tuple[Card | None, ...]:
        """An up-card of each rank; None for each in games without one."""
        return UP_EXAMPLES if "dealer up" in self.game.deal else (None,) * len(UP_EXAMPLES)

    def card_alone(self, place: int) -> list[int]:
        """[state] -> the state of the card at `place` of two alone."""
        return [
            self.states.next[ROOT * ROW + DECK.index(cards[place])] if len(cards) == 2 else ROOT
            for cards in self.states.hands
        ]

    @cached_property
    def naturals(self) -> list[bool]:
        return [self._is_dealt(cards) and self.game.natural(cards) for cards in self.states.hands]

    def example(self, *, natural: bool) -> Cards:
        """First cards that are a natural or not."""
        dealt = zip(self.states.hands, self.naturals, strict=True)
        return next(cards for cards, found in dealt if self._is_dealt(cards) and found == natural)

    @cached_property
    def ends(self) -> tuple[list[int], list[HandEnd]]:
        """[state, last choice, split, later] -> how the hand ended; and the ends."""
        numbers: dict[Hashable, int] = {}
        ends: list[HandEnd] = []
        table: list[int] = []
        for state, choice, split, later in product(
            range(len(self.states.hands)), ACTIONS[:LAST_CHOICES], (0, 1), (0, 1)
        ):
            if later > split or not self._can_end(state, choice, split):
                table.append(0)
                continue
            hand = self.hand(self.states.hands[state], choice, split)
            cut_off = not choice and not split and bool(self.choices[state][0])
            number = numbers.setdefault((self._trait(hand), later, cut_off), len(numbers))
            if number == len(ends):
                ends.append(HandEnd(hand, bool(later), cut_off))
            table.append(number)
        return table, ends

    def hand(self, cards: Cards, choice: str = "", split: int = 0) -> Hand:
        stake = self.player.staked * (2 if choice == "double" else 1)
        return Hand(cards, choice, bet=stake, split=split)

    def _draws(self, cards: Cards) -> bool:
        if len(cards) < self.first_cards:
            return True
        return any(not DRAWING.isdisjoint(self._choices(cards, *each)) for each in CONTEXTS)

    def _is_dealt(self, cards: Cards) -> bool:
        return len(cards) == self.first_cards

    def _choices(self, cards: Cards, split: int, hands: int) -> frozenset[str]:
        if len(cards) < self.first_cards or (split, hands) not in POSSIBLE:
            return frozenset()
        return self.game.choices(self._to_act(cards, split, hands, self.up_cards[0]), Turn(SEAT, 0))

    def _to_act(self, cards: Cards, split: int, hands: int, up: Card | None) -> Layout:
        """A seat whose first hand is to act."""
        seat = Seat(self.player.hand_wagers, (self.hand(cards, split=split), *[Hand()] * (hands - 1)))
        return Layout({SEAT: seat}, up)

    def _advice(self, cards: Cards, split: int, hands: int) -> list[int]:
        """What the player does against each up-card."""
        return [self._action(self._to_act(cards, split, hands, up)) for up in self.up_cards]

    def _action(self, layout: Layout) -> int:
        key = self.game.advice(layout, Turn(SEAT, 0))
        if key not in ACTIONS:
            raise NotCovered(f"{self.game.name} advises {key!r}")
        return ACTIONS.index(key)

    def _can_end(self, state: int, choice: str, split: int) -> bool:
        """Whether this can be the last choice; none: the hand is passed over, or was just dealt."""
        cards, choices = self.states.hands[state], self.choices[state]
        possible = [choices[CONTEXTS.index(each)] for each in POSSIBLE if each[0] == split]
        if len(cards) < self.first_cards:
            return False
        if choice == "double":
            return state in self._doubled
        if choice:
            return any(choice in keys for keys in possible)
        return not all(possible) or (not split and self._is_dealt(cards))

    @cached_property
    def _doubled(self) -> frozenset[int]:
        """The states that a card after a double can give."""
        return frozenset(
            after
            for state, choices in enumerate(self.choices)
            if any("double" in keys for keys in choices)
            for after in self.states.after(state)
        )

    def _trait(self, hand: Hand) -> Hashable:
        """What counts of a hand that has ended."""
        cards, game = hand.cards, self.game
        value = game.total(cards), game.bust(cards), game.has_natural(hand), game.label(hand)
        return min(len(cards), LONG), value, hand.choice, hand.split
