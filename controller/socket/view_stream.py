"""The table as it changes: what a subscriber gets, in lines of limited size.

A push is an object with `n`, the number of the view. `set` has the fields of TableView that changed, whole.
`rounds` has the changes of the ended rounds: first `drop` of them are removed at the end, then each of `add`
takes the place of the round with the same number, or comes before all others. `extend` has more items for
fields that were too long for one push. `more` is true in each push of a view except the last one: only then
is the view whole. `replica.py` puts views together again.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from controller.socket.lines import MOST_LINE
from controller.table.record.codec import to_json
from controller.table.record.views import RoundView, TableView

METHOD = "view"
FIELDS = tuple(field.name for field in fields(TableView))
ROUNDS = "rounds"
ROOM = MOST_LINE - 1024
"""Bytes of a line for the values; the rest is for what is around them."""


@dataclass(frozen=True, slots=True)
class RoundChanges:
    """`add`: newest first."""

    drop: int
    add: tuple[RoundView, ...]


def lines(number: int, old: TableView | None, new: TableView) -> list[bytes]:
    """The lines that turn the old view into the new one, from nothing if `old` is None; none if they are
    equal."""
    changed = [name for name in FIELDS if old is None or getattr(old, name) != getattr(new, name)]
    if not changed:
        return []
    packer = _Packer(number)
    for name in changed:
        if name == ROUNDS:
            packer.add_rounds(round_changes(old.rounds if old else (), new.rounds))
        else:
            packer.add_field(name, getattr(new, name))
    return packer.lines()


def round_changes(old: Sequence[RoundView], new: tuple[RoundView, ...]) -> RoundChanges:
    """What turns one list of ended rounds into the other."""
    before = {one.number: one for one in old}
    add = tuple(one for one in new if before.get(one.number) != one)
    fresh = sum(one.number not in before for one in add)
    changes = RoundChanges(max(0, len(old) + fresh - len(new)), add)
    if changed_rounds(tuple(old), changes.drop, changes.add) == new:
        return changes
    return RoundChanges(len(old), new)


def changed_rounds(
    rounds: tuple[RoundView, ...], drop: int, add: Sequence[RoundView]
) -> tuple[RoundView, ...]:
    """The rounds after these changes, newest first."""
    kept = {one.number: one for one in rounds[: len(rounds) - drop]}
    fresh = [one for one in add if one.number not in kept]
    return (*fresh, *(kept | {one.number: one for one in add if one.number in kept}).values())


@dataclass(slots=True)
class _Piece:
    """The content of one line, as JSON texts."""

    set: dict[str, str] = field(default_factory=dict)
    extend: dict[str, list[str]] = field(default_factory=dict)
    drop: int = 0
    add: list[str] = field(default_factory=list)
    size: int = 0


class _Packer:
    """Packs values into as few lines as their order allows."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._pieces = [_Piece()]

    def add_field(self, name: str, value: Any) -> None:
        text = to_json(value)
        size = len(text) + len(name)  # JSON texts are ASCII
        if size <= ROOM or not isinstance(value, tuple):
            self._piece(size).set[name] = text
            return
        self._piece(len(name)).set[name] = "[]"
        for item in map(to_json, value):
            self._piece(len(item) + len(name)).extend.setdefault(name, []).append(item)

    def add_rounds(self, changes: RoundChanges) -> None:
        """Every round that is added later goes before those that were added earlier; so the oldest line has
        the oldest rounds."""
        self._piece(0).drop = changes.drop
        for item in map(to_json, reversed(changes.add)):
            self._piece(len(item)).add.insert(0, item)

    def lines(self) -> list[bytes]:
        last = self._pieces[-1]
        return [_line(self._number, piece, more=piece is not last) for piece in self._pieces]

    def _piece(self, size: int) -> _Piece:
        """The piece with room for so many more bytes."""
        if self._pieces[-1].size + size > ROOM:
            self._pieces.append(_Piece())
        piece = self._pieces[-1]
        piece.size += size + 8
        return piece


def _line(number: int, piece: _Piece, *, more: bool) -> bytes:
    members = ",".join(_members(number, piece, more=more))
    return f'{{"jsonrpc":"2.0","method":"{METHOD}","params":{{{members}}}}}\n'.encode()


def _members(number: int, piece: _Piece, *, more: bool) -> Iterator[str]:
    yield f'"n":{number}'
    if piece.set:
        yield f'"set":{_object(piece.set)}'
    if piece.extend:
        yield f'"extend":{_object({name: _array(items) for name, items in piece.extend.items()})}'
    if piece.drop or piece.add:
        yield f'"{ROUNDS}":{{"drop":{piece.drop},"add":{_array(piece.add)}}}'
    if more:
        yield '"more":true'


def _object(texts: Mapping[str, str]) -> str:
    members = ",".join(f'"{name}":{text}' for name, text in texts.items())
    return f"{{{members}}}"


def _array(texts: Iterable[str]) -> str:
    return f"[{','.join(texts)}]"
