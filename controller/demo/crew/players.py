"""The players of one round: what they wager and choose."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from controller.demo.crew.habits import Mood, PlacedBet
from controller.demo.crew.playbook import Playbook, PlayerView
from controller.demo.crew.played_round import HandPosition, PlayedRound
from controller.round.prompts import OfferInsurance

AT_ONCE = frozenset({"surrender", "quick-pay"})
"""Choices that do not need the `play` key first."""


@dataclass(frozen=True, slots=True)
class KeyAction:
    """A key for a hand. `cents`: the amount if it is for less than possible."""

    action: str
    place: HandPosition
    cents: int | None = None


class Players:
    """They see their own cards and the up-card, and decide some things by chance."""

    def __init__(self, playbook: Playbook, seed: int, index: int) -> None:
        self._playbook = playbook
        self._mood = Mood(seed, index, playbook)
        self.round = PlayedRound(index, self._mood.bets())
        self._added: Counter[int] = Counter()
        """Cents for doubles and splits next to the first circle's wager, by seat."""
        self._windows_done: set[tuple[int, int]] = set()
        """Windows in which the players have placed what they want, by seat and number of hands."""
        self._on_play: set[int] = set()

    def insurance_key(self, prompt: OfferInsurance) -> KeyAction | None:
        """The key for the next seat that wants insurance or even money."""
        for action, seats in (("insurance", prompt.insurance), ("even-money", prompt.even_money)):
            for seat in seats or ():
                if self._mood.has(action, seat):
                    return KeyAction(action, HandPosition(seat), self._part_of_half(action, seat))
        return None

    def late(self, seats: Sequence[int], *, at_split: bool) -> Sequence[PlacedBet]:
        """What the players want to place: before anybody acts, or at a split. Empty once it is recorded."""
        if self.round.acted and not at_split:
            return ()
        windows = [(seat, self._hands(seat)) for seat in seats]
        return [
            bet for window in windows if window not in self._windows_done for bet in self._mood.late(*window)
        ]

    def on_spot(self, bet: PlacedBet) -> PlacedBet:
        """The total on a spot with a late wager: one spot holds the wagers of all hands."""
        if bet.cents is None:
            return bet
        before = sum(
            late.cents or 0 for late in self.round.late if (late.seat, late.spot) == (bet.seat, bet.spot)
        )
        return PlacedBet(bet.seat, bet.spot, before + bet.cents)

    def record_late(self, bets: Sequence[PlacedBet]) -> None:
        for bet in bets:
            self._windows_done.add((bet.seat, self._hands(bet.seat)))
            self.round.add_late_bet(bet, self._playbook.circles[bet.spot].name)

    def closes(self, seats: Sequence[int]) -> bool:
        """Whether the dealer closes the window before anybody acts."""
        return self._mood.has("close", seats[0], self._hands(seats[0]))

    def choose(self, place: HandPosition) -> KeyAction:
        """What the hand that is to act does."""
        hands = tuple(map(tuple, self.round.hands[place.seat]))
        on_play = place.seat in self._on_play
        advice = self._playbook.advise(PlayerView(hands, place.hand, self.round.up, on_play))
        fresh = len(hands) == 1 and len(hands[0]) == 2 and not on_play
        if (
            self._playbook.says_play
            and fresh
            and advice not in AT_ONCE
            and self._mood.has("play", place.seat)
        ):
            return KeyAction("play", place)
        return KeyAction(advice, place, self._half(place) if advice == "double" else None)

    def extended_bet(self, seat: int) -> Sequence[PlacedBet]:
        """The first circle's chips with those for doubles and splits, if their value is readable."""
        bet = self._first(seat)
        return () if bet.cents is None else (PlacedBet(seat, bet.spot, bet.cents + self._added[seat]),)

    def record_key(self, key: KeyAction) -> None:
        """The table took the key."""
        seat = key.place.seat
        self.round.add_key(key.place, key.action, key.cents)
        if key.action in {"double", "split"}:
            self._added[seat] += key.cents or self._stake(seat) or 0
        elif key.action == "play":
            self._on_play.add(seat)

    def _hands(self, seat: int) -> int:
        return len(self.round.hands.get(seat, ()))

    def _first(self, seat: int) -> PlacedBet:
        return next(bet for bet in self.round.bets if bet.seat == seat)

    def _stake(self, seat: int) -> int | None:
        cents = self._first(seat).cents
        return (
            None
            if cents is None
            else cents * (1 + sum(circle.like_first for circle in self._playbook.circles))
        )

    def _half(self, place: HandPosition) -> int | None:
        """The amount of a double for less; None for a full one."""
        return self._portion(place.seat, 2) if self._mood.has("less", place.seat, place.hand) else None

    def _part_of_half(self, action: str, seat: int) -> int | None:
        less = action == "insurance" and self._playbook.insures_for_less and self._mood.has("less", seat)
        return self._portion(seat, 4) if less else None

    def _portion(self, seat: int, parts: int) -> int | None:
        chip = self._playbook.chip
        return (self._stake(seat) or 0) // parts // chip * chip or None
