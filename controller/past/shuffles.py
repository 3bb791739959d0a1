"""The order of the cards in past shoes, and chi-squared tests of their shuffles, summed over all shoes.

A shoe is dealt without replacement, so each test compares with what the pack holds. The cards behind the cut
card are known by their numbers, and count as one more stretch of the shoe.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import cast

from controller.cards import DECK, RANKS, SUITS
from controller.journal.chain import JournalRow
from controller.past.statistics import Statistic
from controller.table.record.codec import read_input
from controller.table.record.events import DeviceEvent
from controller.table.record.sealed import OPENED, opened_cards
from drivers.messages import CardDrawn, CardInterrupted, CardUnpermitted, CardUnreadable, Loaded

ENDED = "round"
"""The kind of the row that ends a round."""
CARDS = (CardDrawn, CardUnpermitted, CardUnreadable, CardInterrupted)


@dataclass(frozen=True, slots=True)
class DealtShoe:
    """One shoe that has ended. `cards`: in the order in which they left it, "" for one that was not read.
    `at`: when it was loaded, seconds of Unix time."""

    at: float
    decks: int
    cards: tuple[str, ...]

    @property
    def whole(self) -> bool:
        """Whether each card was read, and none came more often than the decks have it."""
        read = all(card in DECK for card in self.cards)
        return read and all(self.cards.count(card) <= self.decks for card in set(self.cards))


def dealt_shoes(entries: Iterable[JournalRow]) -> Iterator[DealtShoe]:
    """Every shoe that was followed by another. The shoe in play is left out, and one that ended in the round
    in play: it has the face-down card. Raises what `read_input` raises."""
    shoe: _LoadedShoe | None = None
    held: list[_LoadedShoe] = []
    sealed: dict[int, tuple[list[str], int]] = {}
    playing = False
    for entry in entries:
        body = _body(entry)
        if isinstance(body, Loaded):
            held += [shoe] if shoe else []
            shoe = _LoadedShoe(entry.content.at, body.decks)
        elif isinstance(body, CARDS) and shoe:
            sealed[entry.row] = shoe.cards, len(shoe.cards)
            shoe.cards.append(_face(body))
        elif entry.content.kind == OPENED:
            _open(sealed, entry)
        playing = entry.content.kind != ENDED and (playing or isinstance(body, CARDS))
        if not playing:
            yield from (DealtShoe(one.at, one.decks, tuple(one.cards)) for one in held)
            held.clear()
            sealed = {row: place for row, place in sealed.items() if not place[0][place[1]]}


@dataclass(frozen=True, slots=True)
class _LoadedShoe:
    at: float
    decks: int
    cards: list[str] = field(default_factory=list)


def _open(sealed: dict[int, tuple[list[str], int]], entry: JournalRow) -> None:
    """Name a sealed card that a row opens. `sealed`: by row, the place of its card."""
    for row, card in opened_cards([entry]).items():
        if row in sealed:
            cards, at = sealed[row]
            cards[at] = card


def _body(entry: JournalRow) -> object:
    """The body of a device's event; None for another row, and for an event from before the device joined this
    table."""
    if entry.content.kind != "event":
        return None
    event = cast("DeviceEvent", read_input(entry.content))
    return None if event.history else event.body


def _face(body: object) -> str:
    face = getattr(body, "card", "")
    return face if face in DECK else ""


LIMIT = 0.05
"""A shuffle must fit in 95 of 100 cases (COMAR 36.05.02.17 F)."""
STRETCH = 52
"""The cards of one stretch of a shoe."""


@dataclass(frozen=True, slots=True)
class ShuffleTest:
    """One test over all shoes."""

    name: str
    question: str
    statistic: Statistic

    @property
    def fits(self) -> bool:
        """Whether chance alone gives as much in at least 5 of 100 cases."""
        return self.statistic.chance >= LIMIT


def shuffle_tests(orders: Iterable[DealtShoe]) -> tuple[ShuffleTest, ...]:
    """All tests over all shoes. A shoe with an unread or an impossible card is left out."""
    whole = [order for order in orders if order.whole]
    return tuple(ShuffleTest(name, question, test(whole)) for name, (question, test) in TESTS.items())


def _ranks(orders: Sequence[DealtShoe]) -> Statistic:
    return sum((_stretches(order, RANKS, 0) for order in orders), Statistic())


def _suits(orders: Sequence[DealtShoe]) -> Statistic:
    return sum((_stretches(order, SUITS, 1) for order in orders), Statistic())


def _stretches(order: DealtShoe, kinds: str, place: int) -> Statistic:
    """Each stretch against each kind of card. Over all orders of the pack, the mean of the sum is its degrees
    of freedom times N / (N - 1); the factor corrects that."""
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
    """The stretches of the shoe; a short rest belongs to the last one."""
    last = max(len(cards) // STRETCH, 1) - 1
    for number in range(last):
        yield cards[STRETCH * number : STRETCH * (number + 1)]
    yield cards[STRETCH * last :]


def _pairs(orders: Sequence[DealtShoe]) -> Statistic:
    return _neighbours(orders, _alike, lambda decks: (4 * decks - 1) / (52 * decks - 1))


def _runs(orders: Sequence[DealtShoe]) -> Statistic:
    """The second card is the next rank in the suit of the first."""
    return _neighbours(orders, _next, lambda decks: decks / (52 * decks - 1))


def _neighbours(
    orders: Sequence[DealtShoe], are: Callable[[str, str], bool], share: Callable[[int], float]
) -> Statistic:
    """How many of the pairs of cards 1 and 2, 3 and 4, and so on are alike, against their share in all pairs
    of the pack. One degree of freedom."""
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
