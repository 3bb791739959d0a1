"""Charts of good play, and how they are read. The charts of the games are those of docs/strategies.md.

H hit, S stand, D double or else hit, d double or else stand, P split, R surrender or else hit, r surrender
or else stand, Q quick pay or else stand. Columns are the up-card: 2 to 9, ten, ace.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from controller.cards import Card
from controller.games import points
from controller.games.layout import Hand
from controller.games.points import VALUES

COLUMNS = "23456789TA"
ANY_COLUMN = "*"
"""The only column of a chart for a game without an up-card."""

KEYS: dict[str, tuple[str, ...]] = {
    # letter of a chart -> the keys that it stands for, the first one that may be chosen
    "H": ("hit", "stand"),
    "S": ("stand", "hit"),
    "D": ("double", "hit", "stand"),
    "d": ("double", "stand"),
    "P": ("split",),
    "R": ("surrender", "hit", "stand"),
    "r": ("surrender", "stand"),
    "Q": ("quick-pay", "stand"),
}

WHOLE_GAME = "every hand"
"""The part that a game's only chart is for."""

Row = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Place:
    """Where the charts of a game say how a hand is played: `part` is the chart, and of `rows` the first one
    counts whose letter stands for a key that may be chosen."""

    part: str
    rows: tuple[str, ...]
    column: str


class Chart:
    """One chart: rows H (hard totals), S (soft totals) and P (pairs, P1 for aces), a letter for each
    up-card.

    "H8-" stands for every hard total up to 8, "H18+" for every one from 18 on, "H13-14" for both.
    """

    def __init__(self, text: str, columns: str = COLUMNS) -> None:
        self.columns = columns
        self._rows: dict[str, Row] = {}
        for line in text.strip().splitlines():
            label, *letters = line.split()
            row = dict(zip(columns, letters, strict=True))
            self._rows |= dict.fromkeys(row_labels(label), row)

    @property
    def rows(self) -> Mapping[str, Row]:
        """Letters by up-card, by the label of a single total or pair."""
        return self._rows

    def changed(self, text: str) -> "Chart":
        """The chart with other letters; `text` has row, column and letter of each change."""
        words = text.split()
        other = self.with_letters({})
        for label, column, letter in zip(words[::3], words[1::3], words[2::3], strict=True):
            other._rows[label] = {**other._rows[label], column: letter}
        return other

    def with_rows(self, labels: Sequence[str], letters: Sequence[str]) -> "Chart":
        """The chart with these letters in more rows."""
        other = self.with_letters({})
        row = dict(zip(self.columns, letters, strict=True))
        other._rows |= dict.fromkeys(labels, row)
        return other

    def with_letters(self, letters: Mapping[str, str]) -> "Chart":
        """The chart with other letters everywhere, by the letter that each replaces."""
        other = Chart("", self.columns)
        other._rows = {
            label: {column: letters.get(letter, letter) for column, letter in row.items()}
            for label, row in self._rows.items()
        }
        return other

    def advice(self, hand: Hand, up: Card, choices: frozenset[str]) -> str:
        """The key, one of `choices`, that the chart names for a hand against the up-card."""
        return self.key(rows_of(hand.cards, choices), points.up_rank(up), choices)

    def key(self, rows: Sequence[str], column: str, choices: frozenset[str]) -> str:
        """The key, one of `choices`, that the first of these rows with such a key names."""
        letters = [self._rows[label][column] for label in rows]
        return next(key for letter in letters for key in KEYS[letter] if key in choices)


def rows_of(cards: Sequence[Card], choices: frozenset[str]) -> tuple[str, ...]:
    """The rows of a hand on 21: its pair, if it may be split, and its total."""
    total = f"{'S' if points.soft(cards) else 'H'}{points.total(cards)}"
    return (f"P{VALUES[cards[0]]}", total) if "split" in choices else (total,)


def row_labels(label: str) -> Sequence[str]:
    """The rows that "H8-", "H18+", "H13-14" or "H9" stands for. Raises ValueError."""
    kind, numbers = label[0], label[1:]
    if numbers.endswith("+"):
        return [f"{kind}{total}" for total in range(int(numbers[:-1]), HIGHEST + 1)]
    low, dash, high = numbers.partition("-")
    totals = range(int(low), int(high) + 1) if high else range(int(low) + 1) if dash else (int(low),)
    return [f"{kind}{total}" for total in totals]


HIGHEST = 31
"""No hand has a higher total."""


STANDARD = Chart("""
    H8-   H H H H H H H H H H
    H9    H D D D D H H H H H
    H10   D D D D D D D D H H
    H11   D D D D D D D D D D
    H12   H H S S S H H H H H
    H13   S S S S S H H H H H
    H14   S S S S S H H H H H
    H15   S S S S S H H H R R
    H16   S S S S S H H R R R
    H17   S S S S S S S S S r
    H18+  S S S S S S S S S S
    S12   H H H H H H H H H H
    S13   H H H D D H H H H H
    S14   H H H D D H H H H H
    S15   H H D D D H H H H H
    S16   H H D D D H H H H H
    S17   H D D D D H H H H H
    S18   d d d d d S S H H H
    S19   S S S S d S S S S S
    S20   S S S S S S S S S S
    S21   S S S S S S S S S S
    P1    P P P P P P P P P P
    P2    P P P P P P H H H H
    P3    P P P P P P H H H H
    P4    H H H P P H H H H H
    P5    D D D D D D D D H H
    P6    P P P P P H H H H H
    P7    P P P P P P H H H H
    P8    P P P P P P P P P P
    P9    P P P P P S P P S S
    P10   S S S S S S S S S S
""")
"""Six decks, dealer hits soft 17, double after a split, late surrender."""

STANDARD_WITHOUT_SURRENDER = STANDARD.with_letters({"R": "H", "r": "S"})

NO_BUST = Chart("""
    H8-   H H H H H H H H H H
    H9    H D D D D H H H H H
    H10   D D D D D D D D H H
    H11   D D D D D D D D D D
    H12   H H S S S H H H H H
    H13   H S S S S H H H H H
    H14   S S S S S H H H H H
    H15   S S S S S H H H H H
    H16   S S S S S H H H R R
    H17   S S S S S S S S S r
    H18+  S S S S S S S S S S
    S12   H H H H H H H H H H
    S13   H H H D D H H H H H
    S14   H H H D D H H H H H
    S15   H H D D D H H H H H
    S16   H H D D D H H H H H
    S17   H D D D D H H H H H
    S18   d d d d d S S H H H
    S19   S S S S d S S S S S
    S20   S S S S S S S S S S
    S21   S S S S S S S S S S
    P1    P P P P P P P P P P
    P2    P P P P P P H H H H
    P3    P P P P P P P H H H
    P4    H H H P P H H H H H
    P5    D D D D D D D D H H
    P6    P P P P P P H H H H
    P7    P P P P P P H H H H
    P8    P P P P P P P P P P
    P9    P P P P P S P P S P
    P10   S S S S S S S S S S
""")
"""Five decks; three cards of 23, 24 or 25 may push. It holds for two cards; a longer hand follows
STANDARD_WITHOUT_SURRENDER."""

QUICK_PAY = Chart("""
    H7-   H H H H H H H H H H
    H8    H H H H D H H H H H
    H9    D D D D D D H H H H
    H10   D D D D D D D D H H
    H11   D D D D D D D D D D
    H12   S S S S S S H H H H
    H13   S S S S S S H H S H
    H14   S S S S S S S S S H
    H15   S S S S S S S S S r
    H16   S S S S S S S S S r
    H17   S S S S S S S S S r
    H18   Q S S S S S Q Q Q Q
    H19   Q S S S S Q S Q Q Q
    H20+  S S S S S S S S S S
    S12   H H H H H H H H H H
    S13   H H D D D H H H H H
    S14   H H D D D H H H H H
    S15   H D D D D D H H H H
    S16   H D D D D D H H H H
    S17   D D D D D D H H H H
    S18   d d d d d d Q Q Q Q
    S19   S S d d d Q S Q Q Q
    S20   S S S S S Q S S Q S
    S21   S S S S S S S S S S
    P1    P P P P P P P P P P
    P2    P P P P P P H H H H
    P3    P P P P P P H H H H
    P4    H P P P P P H H H H
    P5    D D D D D D D D H H
    P6    P P P P P P H H H H
    P7    P P P P P P S S S r
    P8    P P P P P P P S S r
    P9    P P P P P P P Q Q Q
    P10   S S S S S Q S S Q S
""")
"""Six decks, dealer hits soft 17."""

QUICK_PAY_STANDS_SOFT_17 = QUICK_PAY.changed("""
    H14 A S    H15 A S    H16 A S    H17 A S
    P7 A S     P8 A S     P10 2 Q    P10 A Q
    S19 2 Q    S20 A Q
""")
"""Six decks, dealer stands on soft 17: what differs, as row, up-card, letter."""

EASY_JACK_ONE_CARD = Chart("H6-  H\nH7+  S", ANY_COLUMN)
EASY_JACK_MORE_CARDS = Chart("H5-  H\nH6+  S", ANY_COLUMN)
"""Hit 5 or less and a single 6; else stand."""
