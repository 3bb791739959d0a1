"""The list of messages is the same in README.md, the .proto files, the generated modules and the number in a
Hello."""

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from drivers.protocol.__main__ import HERE, PROTO, generate
from drivers.protocol.codes import KEYS, SCHEMA
from drivers.protocol.field_table import ROWS
from drivers.protocol.message_list import C_TABLE, PYTHON_TABLE, c_table, message_list, python_table, rows

from .vectors import README, generator

TYPES = {"u": "uint32", "U": "uint64", "i": "sint32", "b": "bool", "s": "string", "y": "bytes"}
FIELD = re.compile(r"(\w+) (\w+) = (\d+);(?:\s*//.*?(?:at most )?(\d+) bytes)?")

Fields = dict[str, tuple[int, str, int]]


def test_the_schema_number_is_the_hash_of_the_list() -> None:
    fenced = re.search(r"^```\n(Frame: .*?)^```$", README.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert fenced
    assert hashlib.sha256(fenced.group(1).encode()).digest()[:8] == SCHEMA


def test_every_message_of_the_list_is_in_the_proto_files() -> None:
    plain = {name: fields for name, fields in _proto_messages().items() if name not in HOLDERS}
    assert plain == {name: fields for name, fields in _listed_messages().items() if name not in HOLDERS}


@pytest.mark.parametrize("holder", ["Frame", "Event", "Command"])
def test_every_numbered_message_of_the_list_is_in_the_proto_files(holder: str) -> None:
    own = _listed_messages().get(holder, {})
    choices = LISTED.read_choices(LISTED.message_list())[holder.lower()]
    numbered = {name: (number, _camel(name), 0) for name, number in choices.items()}
    assert _proto_messages()[holder] == own | numbered


def test_the_generated_modules_are_current(tmp_path: Path) -> None:
    generate(tmp_path)
    committed = {path.name: path.read_text() for path in HERE.glob("*_pb2.py*")}
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == committed


def test_the_tables_of_all_fields_are_current() -> None:
    found = rows(message_list())
    assert PYTHON_TABLE.read_text("utf-8") == python_table(found)
    assert C_TABLE.read_text("utf-8") == c_table(found)


def test_the_table_of_all_fields_is_the_message_list() -> None:
    """The generator of the vectors reads the list by itself."""
    listed = {
        (_camel(message), field.number): (_kind_in_table(name, field.letter), field.size)
        for message, fields in LISTED.MESSAGES.items()
        for name, field in fields.items()
    }
    listed |= {
        (_camel(holder), number): ("member", 0)
        for holder, held in LISTED.CHOICES.items()
        for number in held.values()
    }
    assert {(row.message, row.number): (row.kind, row.size) for row in ROWS} == listed
    assert len(ROWS) == len(listed)
    members = {(row.message, row.number): row.name for row in ROWS if row.kind == "member"}
    assert members == {
        (_camel(holder), number): _camel(name)
        for holder, held in LISTED.CHOICES.items()
        for name, number in held.items()
    }


def test_the_keys_of_the_console_are_the_readme_s() -> None:
    rows = re.findall(r"\| (\d+) \| `([a-z-]+)`", README.read_text("utf-8"))
    assert tuple(word for _, word in sorted(rows, key=lambda row: int(row[0]))) == KEYS


HOLDERS = {"Frame", "Event", "Command"}
LISTED = generator("messages")


def _listed_messages() -> dict[str, Fields]:
    found = LISTED.MESSAGES
    return {
        _camel(name): {word: (one.number, TYPES[one.letter], one.size) for word, one in fields.items()}
        for name, fields in found.items()
    }


def _proto_messages() -> dict[str, Fields]:
    return {
        name: {
            field: (int(number), kind, int(size or 0)) for kind, field, number, size in FIELD.findall(body)
        }
        for path in sorted(PROTO.glob("*.proto"))
        for name, body in _bodies(path.read_text("utf-8"))
    }


def _bodies(source: str) -> Iterator[tuple[str, str]]:
    """Each message of a .proto file with the text up to the next one."""
    parts = re.split(r"^message (\w+) ", source, flags=re.MULTILINE)[1:]
    return zip(parts[::2], parts[1::2], strict=True)


def _camel(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))


def _kind_in_table(name: str, letter: str) -> str:
    if name in ("card", "data"):
        return {"card": "card", "data": "bytes"}[name]
    return {"u": "u32", "U": "u53", "i": "i32", "b": "bool", "s": "text", "y": "fixed"}[letter]
