"""Keeps secret cards out of the journal: those that lie face down, and those that wait and may still be dealt
face down.

Theory of operation
-------------------
The state knows every card. Its rows are made here, behind the state: after each input that was applied, the
loop asks for the row of the input and for the cards that are no secret any more.

- An input that names a card is sealed if the card was dealt face down by it, or if a card waits for a
  decision after it. That covers the shoe's report of a card, its report of a card that left while it was
  locked, a decision that names a card, and a request for such a decision.
- A sealed card is opened once no card of the dealer's lies face down and the card does not wait any more. A
  card that waited and was then placed in the open stays sealed until the dealer's card is turned or the round
  ends: that costs nothing, and no case can be forgotten.
- A snapshot names no card that waits. It holds the boxes of all sealed cards instead, so that a file of the
  journal needs no earlier one.
- A card that was in the open is never sealed. A correction cannot make another card the face-down one
  (people/corrections), and the cards from before a device joined the table are in no round.

Recovery applies the same inputs and calls `replayed` after each, so that it finds the same boxes. Cards
that a later row opens need no key; for the others the key is needed, and a start without it halts.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from controller.cards import DECK
from controller.journal.chain import JournalRow, RowContent
from controller.journal.errors import JournalDamaged, SealUnusable
from controller.journal.sealing import SealBroken, SealKey
from controller.round import CardOut
from controller.table.record.codec import to_row
from controller.table.record.events import DeviceEvent, Input, RequestMade, Supervisor
from controller.table.record.kinds import SNAPSHOT
from controller.table.record.notes import CardOpened
from controller.table.record.sealed import OpenSeal, check_opening, openings, seal_in, sealed_row, with_cards
from controller.table.state.snapshot import Snapshot, read_snapshot
from controller.table.state.table_state import TableState, UnplacedCard
from drivers.messages import CardDrawn, CardUnpermitted

CARDS = (CardDrawn, CardUnpermitted)
FACE_DOWN = "face down"
WAITING = "waiting"


@dataclass(frozen=True, slots=True)
class NextRow:
    """Where a row will stand: its number, and the hash of the last row on disk."""

    row: int
    after: bytes


@dataclass(frozen=True, slots=True)
class SecretCard:
    """A sealed card of the table, with the card."""

    seal: OpenSeal
    card: str = field(repr=False)


class Sealer:
    """`key`: None seals nothing, and opens only what rows of the journal open."""

    def __init__(self, key: SealKey | None = None) -> None:
        self._key = key
        self._secrets = list[SecretCard]()
        self._hidden = 0
        self._waiting: tuple[int, ...] = ()
        """The numbers of the cards that waited after the last input."""
        self._replayed = dict[int, SecretCard]()
        """All sealed cards of the rows that recovery reads, by row."""

    @property
    def has_key(self) -> bool:
        """Whether it seals cards."""
        return self._key is not None

    def row(self, at: float, event: Input, state: TableState, place: NextRow) -> RowContent:
        """The row of an input that has just been applied, sealed if its card must stay secret."""
        row, card = to_row(at, event), named_card(event)
        if self._key and card in DECK and (lies := self._secret_place(state)):
            box = self._key.seal(card, place.row, state.number, lies, place.after)
            seal = OpenSeal(box, self._count(event, state), read=isinstance(event, DeviceEvent))
            self._secrets.append(SecretCard(seal, card))
            row = sealed_row(row, seal)
        self.follow(state)
        return row

    def openings(self) -> tuple[CardOpened, ...]:
        """The cards that are no secret any more since the last input."""
        key = self._key
        if key is None or not self._secrets:
            return ()
        return tuple(
            CardOpened(one.seal.sealed.row, one.card, key.card_key(one.seal.sealed), one.seal.hole)
            for one in self._release()
        )

    def cover(self, snapshot: Snapshot) -> Snapshot:
        """The snapshot with boxes in place of the cards that wait."""
        rows = tuple(self._row_of(stray) for stray in snapshot.strays)
        strays = tuple(
            replace(stray, card="") if row else stray
            for stray, row in zip(snapshot.strays, rows, strict=True)
        )
        seals = tuple(secret.seal for secret in self._secrets)
        return replace(snapshot, strays=strays, seals=seals, sealed_strays=rows)

    def read(self, rows: Sequence[JournalRow]) -> list[JournalRow]:
        """The rows with all cards in the clear, of which the first is a snapshot or the first of the journal.
        Raises SealUnusable if the key of a secret card is missing or another one, JournalDamaged if a card
        that was opened is not the one that was sealed."""
        opened, self._replayed = openings(rows), {}
        for seal in _seals(rows):
            row = seal.sealed.row
            card = _check(seal, opened[row]) if row in opened else self._open(seal)
            self._replayed[row] = SecretCard(seal, card)
        return with_cards(rows, {row: one.card for row, one in self._replayed.items()})

    def restored(self, snapshot: Snapshot, state: TableState) -> None:
        """The state is the one of this snapshot."""
        self._secrets = [self._replayed[seal.sealed.row] for seal in snapshot.seals]
        self.follow(state)

    def replayed(self, row: int, state: TableState) -> None:
        """The input in this row was applied again."""
        if secret := self._replayed.get(row):
            self._secrets.append(secret)
        self.follow(state)
        self._release()

    def follow(self, state: TableState) -> None:
        """Note where the cards lie after an input."""
        went_down = state.round.hidden > self._hidden
        self._hidden, self._waiting = state.round.hidden, _waiting(state)
        if went_down:
            self._mark_hole(state)

    def _secret_place(self, state: TableState) -> str:
        """Where a card that an input names lies after it; empty if everybody may see it."""
        if state.round.hidden > self._hidden:
            return FACE_DOWN
        return WAITING if state.unplaced else ""

    def _count(self, event: Input, state: TableState) -> int:
        """The number of the card that the input is about: of its own, or of the one that waited first."""
        own = event.body.count if isinstance(event, DeviceEvent) and isinstance(event.body, CARDS) else 0
        return own if own in _waiting(state) or not self._waiting else self._waiting[0]

    def _mark_hole(self, state: TableState) -> None:
        """The last card that was sealed with the face of the dealer's face-down one is that card."""
        log = state.round_log
        hole = log.events[log.hole_index] if log.hole_index is not None else None
        if not isinstance(hole, CardOut):
            return
        for at, one in reversed([*enumerate(self._secrets)]):
            if one.card == hole.card and one.seal.count not in self._waiting:
                self._secrets[at] = replace(one, seal=replace(one.seal, hole=True))
                return

    def _release(self) -> list[SecretCard]:
        """Forget the cards that are no secret any more."""
        if self._hidden:
            return []
        released = [one for one in self._secrets if one.seal.count not in self._waiting]
        self._secrets = [one for one in self._secrets if one.seal.count in self._waiting]
        return released

    def _row_of(self, stray: UnplacedCard) -> int:
        """The row in which the shoe's reading of a waiting card is sealed, 0 if it is in the clear."""
        rows = (
            one.seal.sealed.row
            for one in reversed(self._secrets)
            if one.seal.read and one.seal.count == stray.count and one.card == stray.card
        )
        return next(rows, 0)

    def _open(self, seal: OpenSeal) -> str:
        holds = f"row {seal.sealed.row} of the journal holds a sealed card that is still secret"
        if self._key is None:
            raise SealUnusable(f"{holds}, and the seal key is missing")
        try:
            return self._key.open(seal.sealed)
        except SealBroken:
            raise SealUnusable(f"{holds}, and the seal key is another one than it was sealed with") from None


def named_card(event: Input) -> str:
    """The card that an input names; empty if it names none that is in play."""
    match event:
        case DeviceEvent(body=CardDrawn() | CardUnpermitted() as body, history=False):
            return body.card
        case Supervisor(card=str(card)) | RequestMade(word=Supervisor(card=str(card))):
            return card
    return ""


def _waiting(state: TableState) -> tuple[int, ...]:
    return tuple(stray.count for stray in state.unplaced)


def _seals(rows: Sequence[JournalRow]) -> Iterator[OpenSeal]:
    """All boxes in these rows."""
    for entry in rows:
        if entry.content.kind == SNAPSHOT:
            yield from read_snapshot(entry.content).seals
        elif seal := seal_in(entry):
            yield seal


def _check(seal: OpenSeal, opened: dict[str, Any]) -> str:
    """The card that a row has opened. Raises JournalDamaged if it is not the sealed one."""
    try:
        check_opening(seal.sealed, card := opened["card"], bytes.fromhex(opened["key"]))
    except SealBroken as error:
        raise JournalDamaged(f"row {seal.sealed.row} of the journal: {error}") from None
    return str(card)
