"""Charts of good play, as players carry them in their pockets, and how they are read."""

from collections.abc import Mapping, Sequence

from controller.cards import Card
from controller.games import points
from controller.games.layout import Hand
from controller.games.points import VALUES

COLUMNS = "23456789TA"

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

Row = Mapping[str, str]


class Chart:
    """One chart: rows H (hard totals), S (soft totals) and P (pairs, P1 aces), a letter for each up-card.

    "H8-" stands for every hard total up to 8, "H18+" for every one from 18 on.
    """

    def __init__(self, text: str) -> None:
        self._rows: dict[str, Row] = {}
        for line in text.strip().splitlines():
            label, *letters = line.split()
            row = dict(zip(COLUMNS, letters, strict=True))
            self._rows |= dict.fromkeys(_labels(label), row)

    @property
    def rows(self) -> Mapping[str, Row]:
        """A row for each single total and pair, by its label: letters by up-card."""
        return self._rows

    def changed(self, text: str) -> "Chart":
        """The same chart with other letters: row, column and letter of each, in words of `text`."""
        words = text.split()
        other = Chart("")
        other._rows = {label: dict(row) for label, row in self._rows.items()}
        for label, column, letter in zip(words[::3], words[1::3], words[2::3], strict=True):
            other._rows[label] = {**other._rows[label], column: letter}
        return other

    def advice(self, hand: Hand, up: Card, choices: frozenset[str]) -> str:
        """The key, one of `choices`, that the chart names for a hand against the up-card."""
        column = points.up_rank(up)
        letters = [self._rows[label][column] for label in _rows_of(hand.cards, choices)]
        return next(key for letter in letters for key in KEYS[letter] if key in choices)


def _rows_of(cards: Sequence[Card], choices: frozenset[str]) -> Sequence[str]:
    total = f"{'S' if points.soft(cards) else 'H'}{points.total(cards)}"
    return (f"P{VALUES[cards[0]]}", total) if "split" in choices else (total,)


def _labels(label: str) -> Sequence[str]:
    kind, total = label[0], int(label[1:].rstrip("+-"))
    if label.endswith("-"):
        return [f"{kind}{below}" for below in range(total + 1)]
    if label.endswith("+"):
        return [f"{kind}{above}" for above in range(total, 32)]
    return [label]
