"""How a row holds a sealed card: the field "sealed" stands where the field "card" would.

The box and the key are in controller/journal/sealing.py. A reader without the key sees FACE_DOWN in place of
the card; `with_cards` puts cards back that a later row has opened.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from controller.cards import FACE_DOWN
from controller.journal.chain import JournalRow, RowContent
from controller.journal.sealing import SealBroken, SealedCard, open_box

SEALED = "sealed"
OPENED = "opened"
"""The kind of the rows that open a sealed card."""
_SNAPSHOT = "snapshot"
_FIELD = f'"{SEALED}":'
_MESSAGES = ("card_drawn", "card_unpermitted")


@dataclass(frozen=True, slots=True)
class OpenSeal:
    """A sealed card that is still secret. `count`: the number of the card in the shoe's log, or of the
    waiting card that a person names; `read`: the shoe read it; `hole`: it is the dealer's face-down card."""

    sealed: SealedCard
    count: int
    read: bool
    hole: bool = False


def sealed_row(row: RowContent, seal: OpenSeal) -> RowContent:
    """The row with its card in the box."""
    content = json.loads(row.body)
    holder = _holder(row.kind, content)
    if holder is None:
        raise ValueError(f"a row of kind {row.kind} names no card")
    del holder["card"]
    box = seal.sealed
    holder[SEALED] = {
        "round": box.round,
        "place": box.place,
        "count": seal.count,
        "after": box.after.hex(),
        "box": box.box.hex(),
    }
    return replace(row, body=_text(content))


def seal_in(entry: JournalRow) -> OpenSeal | None:
    """The sealed card in a row; None if there is none. Raises KeyError, TypeError or ValueError for a box of
    another shape."""
    row = entry.content
    if _FIELD not in row.body:
        return None
    holder = _holder(row.kind, json.loads(row.body))
    if holder is None or SEALED not in holder:
        return None
    box = holder[SEALED]
    sealed = SealedCard(
        entry.row, box["round"], box["place"], bytes.fromhex(box["after"]), bytes.fromhex(box["box"])
    )
    return OpenSeal(sealed, box["count"], read=row.kind == "event")


def cover(row: RowContent, content: dict[str, Any]) -> None:
    """Put FACE_DOWN in place of a sealed card in the JSON object of a row."""
    if _FIELD in row.body and (holder := _holder(row.kind, content)) is not None and SEALED in holder:
        holder.setdefault("card", FACE_DOWN)


def openings(entries: Iterable[JournalRow]) -> dict[int, dict[str, Any]]:
    """What the rows that open cards say, by the row in which each card was sealed. Raises KeyError, TypeError
    or ValueError for a row of another shape."""
    bodies = (json.loads(entry.content.body) for entry in entries if entry.content.kind == OPENED)
    return {body["row"]: body for body in bodies}


def opened_cards(entries: Iterable[JournalRow]) -> dict[int, str]:
    """The cards that these rows open, by the row in which each was sealed. Raises as `openings` does."""
    return {row: opened["card"] for row, opened in openings(entries).items()}


def check_opening(sealed: SealedCard, card: str, key: bytes) -> None:
    """Raises SealBroken if this key opens the box to another card, or not at all."""
    if open_box(sealed, key) != card:
        raise SealBroken("another card was sealed")


def with_cards(entries: Iterable[JournalRow], cards: Mapping[int, str]) -> list[JournalRow]:
    """The rows with these cards in the clear."""
    return [replace(entry, content=_with_cards(entry, cards)) for entry in entries]


def readable(entries: Sequence[JournalRow]) -> list[JournalRow]:
    """The rows with all cards in the clear that some of them open. Raises as `opened_cards` does."""
    cards = opened_cards(entries)
    return with_cards(entries, cards) if cards else [*entries]


def _with_cards(entry: JournalRow, cards: Mapping[int, str]) -> RowContent:
    row = entry.content
    if _FIELD not in row.body:
        return row
    content = json.loads(row.body)
    if row.kind == _SNAPSHOT:
        _uncover_waiting(content, cards)
    elif entry.row in cards and (holder := _holder(row.kind, content)) is not None:
        holder["card"] = cards[entry.row]
        del holder[SEALED]
    else:
        return row
    return replace(row, body=_text(content))


def _uncover_waiting(snapshot: dict[str, Any], cards: Mapping[int, str]) -> None:
    for stray, row in zip(snapshot["strays"], snapshot["sealed_strays"], strict=False):
        stray["card"] = cards.get(row, stray["card"])


def _holder(kind: str, content: Any) -> dict[str, Any] | None:
    """The object within a row's JSON that names a card; None if there is none."""
    match kind, content:
        case "event", {"body": {"card_drawn": dict(drawn)} | {"card_unpermitted": dict(drawn)}}:
            return drawn
        case "supervisor", dict():
            return content
        case "asked", {"word": dict(word)}:
            return word
    return None


def _text(content: object) -> str:
    return json.dumps(content, separators=(",", ":"))
