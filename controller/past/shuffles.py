"""In which order the cards of past shoes came, as a journal tells it.

Three chi-squared tests of shuffled shoes, added up over all of them.

A shoe is dealt without putting back, so each test compares with what the pack holds; what was left behind the
cut card is known by its numbers, and counts as one more stretch of the shoe.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import cast

from controller.cards import DECK, RANKS, SUITS
from controller.journal.chain import JournalRow
from controller.past.statistics import Statistic
from controller.table.record.codec import read_input
from controller.table.record.events import DeviceEvent
from drivers.messages import CardDrawn, CardInterrupted, CardUnpermitted, CardUnreadable, Loaded

ENDED = "round"
"""The kind of the row that ends a round."""
CARDS = (CardDrawn, CardUnpermitted, CardUnreadable, CardInterrupted)


@dataclass(frozen=True, slots=True)
class DealtShoe:
    """One shoe that has ended: its cards as they left it, empty text for one that nobody read.

    `at`: when it was loaded, seconds of Unix time.
    """

    at: float
    decks: int
    cards: tuple[str, ...]

    @property
    def whole(self) -> bool:
        """Whether each card was read, and none came oftener than the decks hold it."""
        read = all(card in DECK for card in self.cards)
        return read and all(self.cards.count(card) <= self.decks for card in set(self.cards))


def dealt_shoes(entries: Iterable[JournalRow]) -> Iterator[DealtShoe]:
    """Every shoe that was loaded and has been followed by another. The one in play is not in here, nor one
    that ended in the round in play: what lies face down is in it. Raises what reading a row raises."""
    loaded: tuple[float, int] | None = None
    cards: list[str] = []
    held: list[DealtShoe] = []
    playing = False
    for entry in entries:
        body = _body(entry)
        if isinstance(body, Loaded):
            held += [DealtShoe(*loaded, tuple(cards))] if loaded else []
            loaded, cards = (entry.content.at, body.decks), []
        elif isinstance(body, CARDS):
            cards.append(_face(body))
        playing = entry.content.kind != ENDED and (playing or isinstance(body, CARDS))
        if not playing:
            yield from held
            held.clear()


def _body(entry: JournalRow) -> object:
    """What a device's event says, unless it belongs to another table's time."""
    if entry.content.kind != "event":
        return None
    event = cast("DeviceEvent", read_input(entry.content))
    return None if event.history else event.body


def _face(body: object) -> str:
    face = getattr(body, "card", "")
    return face if face in DECK else ""


LIMIT = 0.05
"""A shuffle is to fit in 95 of 100 cases (COMAR 36.05.02.17 F)."""
STRETCH = 52
"""Cards of a shoe that are compared with the next so many."""


@dataclass(frozen=True, slots=True)
class ShuffleTest:
    """One test over all shoes."""

    name: str
    question: str
    statistic: Statistic

    @property
    def fits(self) -> bool:
        """Whether chance alone gives as much in 5 of 100 cases or more."""
        return self.statistic.chance >= LIMIT


def shuffle_tests(orders: Iterable[DealtShoe]) -> tuple[ShuffleTest, ...]:
    """All tests over all shoes; those with an unread or an impossible card say nothing."""
    whole = [order for order in orders if order.whole]
    return tuple(ShuffleTest(name, question, test(whole)) for name, (question, test) in TESTS.items())


def _ranks(orders: Sequence[DealtShoe]) -> Statistic:
    return sum((_stretches(order, RANKS, 0) for order in orders), Statistic())


def _suits(orders: Sequence[DealtShoe]) -> Statistic:
    return sum((_stretches(order, SUITS, 1) for order in orders), Statistic())


def _stretches(order: DealtShoe, kinds: str, place: int) -> Statistic:
    """Each stretch of the shoe against each kind of card. Over all orders of the pack the sum's mean is its
    degrees of freedom times N / (N - 1), hence the factor."""
    pack = 52 * order.decks
    dealt = [Counter(card[place] for card in cards) for cards in _cut(order.cards)]
    left = Counter({kind: pack // len(kinds) for kind in kinds})
    for counted in dealt:
        left.subtract(counted)
    rows = [counted for counted in (*dealt, left) if counted.total()]
    value = sum(
        (counted[kind] - counted.total() / len(kinds)) ** 2 / (counted.total() / len(kinds))
        for counted in rows
        for kind in kinds
    )
    return Statistic(value * (pack - 1) / pack, (len(rows) - 1) * (len(kinds) - 1))


def _cut(cards: Sequence[str]) -> Iterator[Sequence[str]]:
    """Stretches of the shoe; a short rest goes with the last of them."""
    last = max(len(cards) // STRETCH, 1) - 1
    for number in range(last):
        yield cards[STRETCH * number : STRETCH * (number + 1)]
    yield cards[STRETCH * last :]


def _pairs(orders: Sequence[DealtShoe]) -> Statistic:
    """Two of one rank."""
    return _neighbours(orders, _alike, lambda decks: (4 * decks - 1) / (52 * decks - 1))


def _runs(orders: Sequence[DealtShoe]) -> Statistic:
    """The second is the next rank of the first one's suit."""
    return _neighbours(orders, _next, lambda decks: decks / (52 * decks - 1))


def _neighbours(
    orders: Sequence[DealtShoe], are: Callable[[str, str], bool], share: Callable[[int], float]
) -> Statistic:
    """Cards 1 and 2, 3 and 4 and so on of all shoes: how many pairs are so, against the share of all pairs of
    the pack that are. One degree of freedom."""
    off = spread = 0.0
    for order in orders:
        pairs = list(zip(order.cards[::2], order.cards[1::2], strict=False))
        expected = share(order.decks)
        off += sum(are(*pair) for pair in pairs) - len(pairs) * expected
        spread += len(pairs) * expected * (1 - expected)
    return Statistic(off * off / spread, 1) if spread else Statistic()


def _alike(one: str, other: str) -> bool:
    return one[0] == other[0]


def _next(one: str, other: str) -> bool:
    return one[1] == other[1] and (RANKS.index(one[0]) + 1) % len(RANKS) == RANKS.index(other[0])


TESTS: dict[str, tuple[str, Callable[[Sequence[DealtShoe]], Statistic]]] = {
    "ranks": ("is each rank as frequent in each stretch of the shoe?", _ranks),
    "suits": ("is each suit as frequent in each stretch of the shoe?", _suits),
    "pairs": ("are neighbours of one rank as frequent as they should be?", _pairs),
    "runs": ("are neighbours in the order of a new pack as frequent as they should be?", _runs),
}
