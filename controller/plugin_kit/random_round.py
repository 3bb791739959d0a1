"""Rounds that people play by chance, but within the rules of a game."""

from collections.abc import Iterator
from random import Random

from controller.cards import DECK, Card
from controller.demo.crew.playbook import Circle, playbook
from controller.games import Game
from controller.round import CardOut, Event, EventRefused, Jackpot, Key, Round, Wager
from controller.table.record.round_script import RoundScript, ScriptWriter

SEATS = 4
ENOUGH = 1000
"""Steps in which any round must end."""
JACKPOT = 1_000_000
LATE_WAGER = 0.5
"""Chance of one more wager in an open window."""


class RandomRound:
    """One round. The same seed plays alike."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game, self.random = game, Random(seed)
        self.round = Round(game, seats=SEATS)
        self.circles = playbook(game).circles
        self._shoe = self.random.sample(DECK * game.options.decks, len(DECK) * game.options.decks)
        self._writer = ScriptWriter()

    def play(self) -> Round:
        """The round after its end."""
        for _ in self.steps():
            pass
        return self.round

    def steps(self) -> Iterator[Round]:
        """The round after each event, to its end. Raises AssertionError if it does not end, or if the round
        refuses an event that its prompt asks for."""
        for wager in self._wagers():
            yield self._handle(wager)
        for _ in range(ENOUGH):
            if self.round.phase == "over":
                return
            yield self._handle(self._next())
        raise AssertionError(f"the round does not end: {self.round.phase}, {self.round.due.text}")

    def script(self) -> RoundScript:
        """The round so far, as a round script. Its options are those of the game as they were given."""
        options = self.game.options.model_dump(mode="json", exclude_unset=True)
        return self._writer.script(self.game.name, options)

    def _handle(self, event: Event) -> Round:
        phase = self.round.phase
        try:
            self.round.handle(event)
        except EventRefused as refused:
            raise AssertionError(f"{event} is refused in the phase {phase}: {refused.reason}") from refused
        self._writer.add(phase, event, self.round)
        return self.round

    def _wagers(self) -> Iterator[Wager]:
        for seat in self.random.sample(range(1, SEATS + 1), self.random.randint(1, SEATS)):
            first = 0
            for circle in self.circles:
                if circle.late or self.random.random() >= circle.chance:
                    continue
                cents = self._stake(circle, first)
                first = first or cents
                yield Wager(seat, circle.name, True, cents)

    def _stake(self, circle: Circle, first: int) -> int:
        if circle.like_first:
            return first
        cents = self.random.choice(circle.stakes)
        return min(cents, first) if circle.at_most_first else cents

    def _next(self) -> Event:
        played = self.round
        if played.phase == "betting" and "close" in played.keys:
            return Key("close")
        if played.unknown_jackpots:
            return Jackpot(played.unknown_jackpots[0], JACKPOT)
        if played.phase == "offering" and self.random.random() < LATE_WAGER:
            return self._late_wager()
        if played.cards_due and not (played.key_presses and self.random.random() < 0.5):
            return self._card()
        if not played.key_presses:
            raise AssertionError(f"no key and no card is due in the phase {played.phase}: {played.due.text}")
        press = self.random.choice(played.key_presses)
        return Key(press.action, self.random.choice(press.seats))

    def _card(self) -> CardOut:
        if not self._shoe:
            raise AssertionError(f"the round needs more cards than the shoe has: {self.round.due.text}")
        return CardOut(Card(self._shoe.pop()))

    def _late_wager(self) -> Wager:
        """Chips on an open spot, besides those that lie there already."""
        seat = self.random.choice(sorted(self.round.invited))
        spot = self.random.choice(sorted(self.round.invited[seat]))
        least = next(min(circle.stakes) for circle in self.circles if circle.name == spot)
        return Wager(seat, spot, True, (self.round.standing(seat, spot) or 0) + least)
