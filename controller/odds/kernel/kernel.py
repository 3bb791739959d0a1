"""Plays rounds by the tables of a player: one at a time, or counted by the million."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

from controller.cards import DECK, Card
from controller.games.layout import Settlement
from controller.odds.kernel.compiled import cells, constants
from controller.odds.kernel.loop import (
    ACTIONS,
    MOST_HANDS,
    OUTCOMES,
    PASS,
    PLACE,
    ROOM,
    SHUFFLED,
    Cells,
    Offsets,
    Tables,
    play,
    play_both,
    play_rounds,
    try_others,
)
from controller.odds.kernel.rule_tables import RuleTables
from controller.odds.kernel.uncovered import NotCovered
from controller.odds.playthrough import Player
from controller.odds.tally import MAIN, BetTallies

PORTION = 1_000_000
"""Rounds that share a random source, and that one processor plays."""
LARGEST = 2**60
"""Sums of squares of a portion stay below it, and those of differences below four times as much."""
SOURCES = 4
"""Words of the random source."""
WORD_BITS = 32


Tries = dict[tuple[int, int], tuple[int, int, int]]
"""By decision and action: rounds, the sum of gains in units, and that of their squares."""
TRY = 3


class Kernel:
    """A player of tables. Raises NotCovered if the amounts are too large to be added."""

    def __init__(self, player: Player, rules: RuleTables, deck: Sequence[Card] | None = None) -> None:
        """`deck`: the cards of a fresh shoe; None: those of the options."""
        self.player, self.rules = player, rules
        most = MOST_HANDS * max(map(abs, rules.tables.paid))
        if PORTION * most * most >= LARGEST:
            raise NotCovered(f"a round that pays {most * rules.unit} cents is too much to be added up")
        numbers, self._at = joined(rules.tables)
        self._cells = constants(numbers)
        self._deck = cells([DECK.index(card) for card in deck or DECK * player.game.options.decks])
        self._room = cells([0] * ROOM)

    def shuffle(self, seed: str) -> None:
        """Begins the random source anew. The deck is put in the order of a new one."""
        random = Random(seed)
        self._deck.sort()
        self._room[:SOURCES] = cells([random.getrandbits(WORD_BITS) for _ in range(SOURCES)])

    def play(self) -> tuple[tuple[Card, ...], tuple[Settlement, ...]]:
        """The cards of one round in the order in which they left the shoe, and its settlement lines."""
        self._room[PLACE] = self._room[SHUFFLED] = 0
        count = play(self._cells, self._at, self._deck, self._room, -1, PASS)
        cards = tuple(DECK[number] for number in self._deck[: self._room[PLACE]])
        return cards, tuple(self._lines(self._room[OUTCOMES : OUTCOMES + count]))

    def count(self, rounds: int) -> BetTallies:
        """The tallies of up to PORTION rounds."""
        counts, sums = cells([0] * len(self.rules.outcomes)), cells([0, 0])
        play_rounds(self._cells, self._at, self._deck, self._room, rounds, counts, sums)
        return self._tallies(rounds, counts, sums)

    def try_others(self, rounds: int, allowed: Sequence[int]) -> Tries:
        """What every other action gained, by (decision, action); `allowed` as the loop takes it."""
        tried = cells([0] * (len(self.rules.tables.action) * ACTIONS * TRY))
        try_others(
            self._cells,
            self._at,
            self._deck,
            self._room,
            rounds,
            constants(allowed),
            cells([0] * ROOM),
            tried,
        )
        return {
            divmod(place // TRY, ACTIONS): (int(tried[place]), int(tried[place + 1]), int(tried[place + 2]))
            for place in range(0, len(tried), TRY)
            if tried[place]
        }

    def gain_of(self, action: Sequence[int], rounds: int) -> tuple[int, int]:
        """What a player with another table of actions gains with the same cards: units, and squares."""
        numbers, _ = joined(self.rules.tables._replace(action=action))
        sums = cells([0, 0])
        play_both(self._cells, self._at, constants(numbers), self._deck, self._room, rounds, sums)
        return int(sums[0]), int(sums[1])

    def _lines(self, outcomes: Sequence[int]) -> Iterator[Settlement]:
        *hands, sides, first = outcomes
        for place, outcome in enumerate(hands, 1):
            for line in self.rules.outcomes[outcome].lines:
                yield replace(line, hand=place)
        for outcome in (sides, first):
            yield from self.rules.outcomes[outcome].lines

    def _tallies(self, rounds: int, counts: Cells, sums: Cells) -> BetTallies:
        tallies, unit = BetTallies(), self.rules.unit
        main = tallies.of(MAIN)
        main.add_all(rounds, self.player.staked, int(sums[0]) * unit, int(sums[1]) * unit * unit)
        for outcome, times in zip(self.rules.outcomes, map(int, counts), strict=True):
            for line in outcome.lines if times else ():
                result = line.pays or line.outcome
                if self.player.on_hand(line.wager):
                    main.results[result] += times
                else:
                    up = outcome.up_card if line.wager in self.player.after_the_deal else ""
                    tally = tallies.of(line.wager, up)
                    tally.add(line.amount or 0, line.paid or 0, (result,), times)
        return tallies


def joined(tables: Tables) -> tuple[list[int], Offsets]:
    """All tables in one, and where each begins."""
    numbers: list[int] = []
    offsets: dict[str, int] = {}
    for name, table in tables._asdict().items():
        if isinstance(table, int):
            offsets[name] = table
        else:
            offsets[name] = len(numbers)
            numbers += table
    return numbers, Offsets(**offsets, deal_end=offsets["deal"] + len(tables.deal))
