"""Makes the table of all fields, for Python and for C, from the message list in section 14 of
firmware-protocol/README.md.

The strict scan of a payload reads this table (drivers/link/strict.py, firmware-protocol/c/core/tsl_strict.c).
"""

import re
from pathlib import Path

from drivers.protocol.field_row import FieldRow

CONTRACT = Path(__file__).parent.parent.parent / "firmware-protocol"
PYTHON_TABLE = Path(__file__).with_name("field_table.py")
C_TABLE = CONTRACT / "c" / "core" / "tsl_field_table.h"

HOLDERS = ("Frame", "Event", "Command")
"""The messages that hold one of the numbered messages."""
HIGHEST_NUMBER = 63
"""The highest field number for which the scan in C has a bit."""
MESSAGE = re.compile(r"(?:(\d+) )?(\w+)\*?\(([^)]*)\)")
KINDS = {"u": "u32", "U": "u53", "i": "i32", "b": "bool", "s": "text", "y": "fixed"}


def rows(listing: str) -> list[FieldRow]:
    """The fields of all messages of a message list; the holders come first."""
    found: list[FieldRow] = []
    for line in listing.split("\nside 1", maxsplit=1)[0].splitlines():
        head, _, rest = line.partition(": ")
        holder, _, device = head.partition(" ")
        if holder == "Frame":
            found += [
                FieldRow("Frame", int(n), name, "member") for n, name in re.findall(r"(\d+) (\w+)", rest)
            ]
            continue
        for number, name, fields in MESSAGE.findall(rest if device and "(" not in head else line):
            found += _fields(name, fields)
            if number:
                found.append(FieldRow(holder, int(number), name, "member"))
    return _grouped(found)


def python_table(found: list[FieldRow]) -> str:
    """The module with the table for Python."""
    lines = [
        '"""All fields, made by `make protocol` from section 14 of firmware-protocol/README.md."""',
        "",
        "from drivers.protocol.field_row import FieldRow",
        "",
        "ROWS = (",
    ]
    lines += [f"    FieldRow({', '.join(_quoted(value) for value in row if value)})," for row in found]
    return "\n".join([*lines, ")", ""])


def c_table(found: list[FieldRow]) -> str:
    """The header with the table for C."""
    names = list(dict.fromkeys(row.message for row in found))
    names += [row.name for row in found if row.kind == "member" and row.name not in names]
    lines = [
        "/* All fields, made by `make protocol` from section 14 of ../../README.md. */",
        "#ifndef TSL_FIELD_TABLE_H",
        "#define TSL_FIELD_TABLE_H",
        "",
        "#include <stdint.h>",
        "",
        "/* What a field has. MEMBER: one of the numbered messages of a Frame, an Event or a Command. */",
        "enum tsl_kind {",
        "    TSL_KIND_U32,",
        "    TSL_KIND_U53,",
        "    TSL_KIND_I32,",
        "    TSL_KIND_BOOL,",
        "    TSL_KIND_TEXT,  /* at most `size` bytes */",
        "    TSL_KIND_CARD,",
        "    TSL_KIND_FIXED, /* exactly `size` bytes */",
        "    TSL_KIND_BYTES, /* at most `size` bytes */",
        "    TSL_KIND_MEMBER /* `size` is its message */",
        "};",
        "",
        "struct tsl_field_row {",
        "    uint8_t message, number, kind, size;",
        "};",
        "",
        "enum tsl_row_message {",
        *[f"    TSL_ROWS_{_upper(name)}," for name in names[:-1]],
        f"    TSL_ROWS_{_upper(names[-1])}",
        "};",
        "",
        "static const struct tsl_field_row TSL_FIELD_ROWS[] = {",
    ]
    for row in found:
        size = f"TSL_ROWS_{_upper(row.name)}" if row.kind == "member" else str(row.size)
        lines.append(
            f"    {{TSL_ROWS_{_upper(row.message)}, {row.number}, TSL_KIND_{row.kind.upper()}, {size}}},"
        )
    return "\n".join([*lines, "};", "", "#endif", ""])


def message_list() -> str:
    """The message list of the specification."""
    text = (CONTRACT / "README.md").read_text("utf-8")
    found = re.search(r"^```\n(Frame: .*?)^```$", text, re.MULTILINE | re.DOTALL)
    if not found:
        raise ValueError("firmware-protocol/README.md: no message list")
    return found.group(1)


def _fields(message: str, text: str) -> list[FieldRow]:
    made = []
    for number, field in enumerate(filter(None, text.split(", ")), 1):
        name, letters = field.split(" ")
        made.append(FieldRow(message, number, name, _kind(name, letters), int(letters[1:] or 0)))
    return made


def _kind(name: str, letters: str) -> str:
    if letters[0] == "s" and name == "card":
        return "card"
    return "bytes" if letters[0] == "y" and name == "data" else KINDS[letters[0]]


def _grouped(found: list[FieldRow]) -> list[FieldRow]:
    """The rows of one message stand together, in the order of their numbers."""
    order = {
        name: place for place, name in enumerate(dict.fromkeys((*HOLDERS, *(row.message for row in found))))
    }
    high = [row for row in found if row.number > HIGHEST_NUMBER]
    if high:
        raise ValueError(
            f"{high[0].message}.{high[0].name}: number {high[0].number} is above {HIGHEST_NUMBER}"
        )
    return sorted(found, key=lambda row: (order[row.message], row.number))


def _quoted(value: str | int) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)


def _upper(name: str) -> str:
    """CardDrawn as C spells it: CARD_DRAWN."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).upper()
