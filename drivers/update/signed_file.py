"""The text at the beginning of a maker's file: a line that names the kind of file, and a line of JSON that
states what is signed, with the signature.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from drivers.protocol.codes import DeviceClass

CLASSES: Mapping[str, DeviceClass] = {member.name.lower(): member for member in DeviceClass}
"""Classes of devices, by the names that files and commands use."""
LONGEST_LINE = 1000
_TYPE_NAMES = {str: "text", int: "a whole number"}


class SignedFileFault(Exception):
    """A file is not what a maker signed, is for another device, or is damaged. The text names the file and
    says what is wrong."""


def read_content(path: Path) -> bytes:
    """Raises SignedFileFault."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise SignedFileFault(f"{path} cannot be read: {error.strerror}") from error


def header(first_line: bytes, statement: Mapping[str, object]) -> bytes:
    """Both lines."""
    return first_line + json.dumps(statement).encode() + b"\n"


def split(content: bytes, first_line: bytes, kind: str) -> tuple[bytes, bytes]:
    """The second line, and what follows it. `kind` names the kind of file, with its article. Raises
    ValueError."""
    if not content.startswith(first_line):
        raise ValueError(f"not {kind}: it must begin with {first_line.decode().strip()!r}")
    line, end, rest = content[len(first_line) :].partition(b"\n")
    if not end or len(line) > LONGEST_LINE:
        raise ValueError(f"its second line must end within {LONGEST_LINE} bytes")
    return line, rest


def read_statement(line: bytes, fields: Mapping[str, type]) -> dict[str, Any]:
    """What the second line states: `fields`, each of its type, one of them "class". Raises ValueError."""
    try:
        stated = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"its second line is not JSON: {error}") from error
    if not isinstance(stated, dict) or not stated.get("signature"):
        raise ValueError("it is not signed")
    for name, kind in fields.items():
        if type(stated.get(name)) is not kind:
            raise ValueError(f"{name} = {stated.get(name)!r}: must be {_TYPE_NAMES[kind]}")
    if stated["class"] not in CLASSES:
        raise ValueError(f"class = {stated['class']!r}: allowed are {', '.join(CLASSES)}")
    return stated


def bytes_of(stated: Mapping[str, Any], name: str) -> bytes:
    """The bytes of a field with hexadecimal digits. Raises ValueError."""
    digits: str = stated[name]
    try:
        return bytes.fromhex(digits)
    except ValueError as error:
        raise ValueError(f"{name} = {digits!r}: must be hexadecimal digits") from error
