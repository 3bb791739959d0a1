"""The strict scan: whether a payload can be read, by one rule for all implementations.

Protobuf libraries disagree about malformed messages. One skips a field of another wire type, the next refuses
the message; one cuts a value to 32 bits, the next refuses it; of a field that occurs twice most keep the
last. The link must not depend on the library, so both ends scan each payload before the library sees it. The
five rules are those of section 5 of firmware-protocol/README.md, and the table of all fields is made from its
section 14. The same scan in C is firmware-protocol/c/core/tsl_strict.c.

The scan visits the Frame, its member, and the body of an Event or a Command. It skips fields that it does
not know without a look inside, so a later minor version may add fields.
"""

from collections.abc import Iterator

from drivers.protocol.field_row import FieldRow
from drivers.protocol.field_table import ROWS

RANKS = "A23456789TJQK"
SUITS = "shdc"
CARDS = frozenset(rank + suit for rank in RANKS for suit in SUITS)

VARINT, BYTES = 0, 2
FIXED_SIZES = {1: 8, 5: 4}
"""Sizes of fields of the other two wire types. No known field has them."""
LONGEST_VARINT = 10
MOST = {"u32": 2**32 - 1, "i32": 2**32 - 1, "u53": 2**53 - 1, "bool": 1}
"""The greatest value on the wire of each kind of number."""

Field = tuple[int, int, int, bytes]
"""Number, wire type, and the value of a varint or the contents of a field of bytes."""
TABLE: dict[str, dict[int, FieldRow]] = {}
for _row in ROWS:
    TABLE.setdefault(_row.message, {})[_row.number] = _row
WITH_CARD = {row.message: row.number for row in ROWS if row.kind == "card"}


class UnreadableError(ValueError):
    """A payload breaks one of the rules; `rule` is its number."""

    def __init__(self, rule: int, text: str) -> None:
        super().__init__(text)
        self.rule = rule


def check(data: bytes, message: str = "Frame") -> None:
    """Raises UnreadableError if `data` is not a message of this name by the five rules. The text names field
    and value, but not the value of a text or a card, which may lie face down."""
    known = TABLE.get(message, {})
    seen = set()
    members = 0
    for number, wire, value, contents in fields(data):
        row = known.get(number)
        if row is None:
            continue
        _check_wire_type(row, wire)
        if number in seen:
            raise UnreadableError(3, f"{message}.{row.name} occurs twice")
        seen.add(number)
        if row.kind == "member":
            members += 1
            if members > 1:
                raise UnreadableError(3, f"{message} holds two messages")
            check(contents, row.name)
        else:
            _check_value(row, value, contents)
    if message in WITH_CARD and WITH_CARD[message] not in seen:
        raise UnreadableError(5, f"{message}.card is not a card")


def fields(data: bytes) -> Iterator[Field]:
    """The fields of one message. Raises UnreadableError where the encoding breaks."""
    at, end = 0, len(data)
    while at < end:
        tag, at = _varint(data, at, end)
        number, wire = tag >> 3, tag & 7
        if tag >> 32:
            raise UnreadableError(1, "a tag has more than 32 bits")
        if not number:
            raise UnreadableError(1, "a field has number 0")
        if wire == VARINT:
            value, at = _varint(data, at, end)
            yield number, wire, value, b""
            continue
        if wire == BYTES:
            size, at = _varint(data, at, end)
        elif wire in FIXED_SIZES:
            size = FIXED_SIZES[wire]
        else:
            raise UnreadableError(2, f"field {number} has wire type {wire}")
        if size > end - at:
            raise UnreadableError(1, f"field {number} runs past the end")
        yield number, wire, 0, data[at : at + size]
        at += size


def fits(row: FieldRow, wire: int, value: int, contents: bytes) -> bool:
    """Whether this field alone passes the check."""
    try:
        _check_wire_type(row, wire)
        _check_value(row, value, contents)
    except UnreadableError:
        return False
    return True


def short_tags(data: bytes, message: str = "Frame") -> bytes:
    """A message that passed the check, with its known fields alone and all varints as short as possible. The
    protobuf library takes no tag of more than five bytes."""
    out = b""
    for number, wire, value, contents in fields(data):
        row = TABLE.get(message, {}).get(number)
        if row is None:
            continue
        out += _shortest(number << 3 | wire)
        if wire == VARINT:
            out += _shortest(value)
        else:
            inner = short_tags(contents, row.name) if row.kind == "member" else contents
            out += _shortest(len(inner)) + inner
    return out


def _varint(data: bytes, at: int, end: int) -> tuple[int, int]:
    """The number at a place, and the place after it."""
    if at < end and data[at] < 0x80:
        return data[at], at + 1
    value = 0
    for place in range(at, min(end, at + LONGEST_VARINT)):
        byte = data[place]
        value |= (byte & 0x7F) << 7 * (place - at)
        if byte < 0x80:
            if value >> 64:
                raise UnreadableError(1, "a varint has more than 64 bits")
            return value, place + 1
    if end - at >= LONGEST_VARINT:
        raise UnreadableError(1, f"a varint has more than {LONGEST_VARINT} bytes")
    raise UnreadableError(1, "a varint runs past the end")


def _shortest(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def _check_wire_type(row: FieldRow, wire: int) -> None:
    if wire != (VARINT if row.kind in MOST else BYTES):
        raise UnreadableError(2, f"{row.message}.{row.name} has wire type {wire}")


def _check_value(row: FieldRow, value: int, contents: bytes) -> None:
    size = len(contents)
    if row.kind in MOST:
        if value > MOST[row.kind]:
            raise _unfit(row, 4, f" {value} is above {MOST[row.kind]}")
    elif row.kind == "card":
        if contents.decode("ascii", "replace") not in CARDS:
            raise _unfit(row, 5, " is not a card")
    elif row.kind == "fixed":
        if size != row.size:
            raise _unfit(row, 5, f" has {size} bytes, must have {row.size}")
    elif size > row.size:
        raise _unfit(row, 5, f" has {size} bytes, at most {row.size}")
    elif row.kind == "text" and not _is_text(contents):
        raise _unfit(row, 5, " is not UTF-8, or holds a NUL")


def _unfit(row: FieldRow, rule: int, text: str) -> UnreadableError:
    return UnreadableError(rule, f"{row.message}.{row.name}{text}")


def _is_text(contents: bytes) -> bool:
    try:
        return "\0" not in contents.decode()
    except UnicodeDecodeError:
        return False
