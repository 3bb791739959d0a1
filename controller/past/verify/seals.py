"""Check sealed cards: each card that was opened is the one that was sealed, each is opened in time, and the
dealer's card that was turned is the one that was dealt."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field

from controller.journal.sealing import SealBroken, SealedCard
from controller.past.verify.findings import Findings
from controller.past.verify.parts import RawRow, row_from
from controller.table.record.codec import from_json
from controller.table.record.sealed import OpenSeal, check_opening, seal_in
from controller.table.record.views import HIDDEN

Boxes = dict[int, SealedCard]
"""Sealed cards that no row has opened, by row."""


@dataclass(frozen=True, slots=True)
class HoleCard:
    """The dealer's face-down card of the round, as its box says."""

    row: int
    card: str


@dataclass(slots=True)
class SealHistory:
    """The sealed cards of a part. `first`: the snapshot with which it begins, by row and the boxes that it
    keeps, None without one; `opened`: how many cards were opened as they were sealed."""

    boxes: Boxes = field(default_factory=dict)
    first: tuple[int, Boxes] | None = None
    opened: int = 0
    _hole: HoleCard | None = None

    def seal(self, fields: RawRow) -> None:
        """A row that may hold a sealed card."""
        if b'"sealed":' in fields[6] and (seal := seal_in(row_from(fields))):
            self.boxes[fields[0]] = seal.sealed

    def open(self, row: int, body: bytes, findings: Findings) -> None:
        """A row that opens a sealed card."""
        content = json.loads(body)
        of, card, key = int(content["row"]), str(content["card"]), bytes.fromhex(content["key"])
        sealed = self.boxes.pop(of, None)
        if sealed is None:
            findings.add("seal", row, f"it opens the card of row {of}, but no sealed card is there")
            return
        try:
            check_opening(sealed, card, key)
        except SealBroken as broken:
            findings.add("seal", row, f"it opens the card of row {of} as {card}, but {broken}")
            return
        self.opened += 1
        if content["hole"]:
            self._hole = HoleCard(of, card)

    def reveal(self, row: int, body: bytes, findings: Findings) -> None:
        """The dealer's face-down card is turned."""
        card = json.loads(body)["card"]
        if self._hole and card != self._hole.card:
            findings.add("seal", row, f"the dealer turns {card}, but {self._sealed_as(self._hole)}")

    def correct(self) -> None:
        """A card of the round in play was another one than was read."""
        self._hole = None

    def end_round(self, row: int, shown: dict[str, object], findings: Findings) -> None:
        """`shown`: the ended round as people saw it."""
        hole, self._hole = self._hole, None
        dealer = shown["dealer"]
        cards = dealer["cards"] if isinstance(dealer, dict) else ()
        if hole and not shown["corrections"] and HIDDEN not in cards and hole.card not in cards:
            findings.add("seal", row, f"the dealer has {' '.join(cards)}, but {self._sealed_as(hole)}")

    def snapshot(self, row: int, content: dict[str, object], findings: Findings, *, is_first: bool) -> None:
        """A snapshot, which holds the boxes of all cards that are still secret. `is_first`: the part begins
        with it."""
        seals: tuple[OpenSeal, ...] = from_json(tuple[OpenSeal, ...], content.get("seals", []))
        kept = {seal.sealed.row: seal.sealed for seal in seals}
        if is_first:
            self.first = row, kept
        else:
            for what in differences(self.boxes, kept):
                findings.add("seal", row, what)
        self.boxes = kept

    @staticmethod
    def _sealed_as(hole: HoleCard) -> str:
        return f"row {hole.row} was sealed with {hole.card}"


def differences(boxes: Boxes, kept: Boxes) -> Iterator[str]:
    """What is wrong with the boxes that a snapshot keeps, when these are the ones that no row has opened."""
    yield from (f"the sealed card of row {row} was never opened" for row in boxes.keys() - kept.keys())
    for row, sealed in kept.items():
        if boxes.get(row) != sealed:
            yield f"it keeps another box for row {row} than that row has"
