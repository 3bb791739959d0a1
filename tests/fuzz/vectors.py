"""What searches found in the decoder as vectors of the protocol, for implementations in any language.

`python -m tests.fuzz.vectors [FOLDER ..]` writes firmware-protocol/vectors/fuzz anew, from the kept corpus
and folders that searches have filled: the shortest line for each row of values, the shortest payload of each
kind.
"""

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from google.protobuf.message import Message

from drivers.link import codec
from drivers.link.frames import Deframer, Noise, WireFrame
from drivers.protocol import tsl_pb2 as tsl
from tests.conformance.vectors import shown
from tests.fuzz.corpus import kept
from tests.fuzz.decoder import line_of

FOLDER: Final = Path(__file__).parents[2] / "firmware-protocol" / "vectors" / "fuzz"
LONGEST: Final = 300
"""Bytes of a line."""
MOST_VALUES: Final = 6
FIELDS: Final = ("flags", "channel", "sequence", "acknowledgement", "credit")

Vector = dict[str, Any]


def frames(inputs: Iterable[bytes]) -> list[Vector]:
    """Vectors of kind deframe."""
    lines = _first_of_each((line_of(data) for data in inputs), _row)
    return [
        {
            "name": f"fuzz-frames-{number}",
            "kind": "deframe",
            "shows": f"Line {number} of a search: {', '.join(row) or 'nothing yet'}.",
            "in": [line.hex()],
            "out": values([line]),
        }
        for number, (row, line) in enumerate(lines.items(), 1)
    ]


def payloads(inputs: Iterable[bytes]) -> list[Vector]:
    """Vectors of kind payload."""
    found = (
        item.payload
        for data in inputs
        for item in Deframer().feed(line_of(data))
        if isinstance(item, WireFrame) and item.payload
    )
    kinds = _first_of_each(found, _kind)
    return [
        {
            "name": f"fuzz-payload-{number}",
            "kind": "payload",
            "shows": f"Payload {number} of a search: {' '.join(kind)}.",
            "payload": payload.hex(),
            **said(payload),
        }
        for number, (kind, payload) in enumerate(kinds.items(), 1)
    ]


def values(chunks: Iterable[bytes]) -> list[Vector]:
    """The values of a deframer for these chunks, in the form of the vectors."""
    deframer = Deframer()
    return [_stated(item) for chunk in chunks for item in deframer.feed(chunk)]


def said(payload: bytes) -> Vector:
    """The meaning of a payload, in the form of the vectors."""
    read = _read(payload)
    if isinstance(read, codec.Unreadable):
        return {"message": None, "is": "unknown" if read.unknown else "unreadable"}
    return {"message": shown(read)}


def _first_of_each(
    lines: Iterable[bytes], kind: Callable[[bytes], tuple[str, ...]]
) -> dict[tuple[str, ...], bytes]:
    first: dict[tuple[str, ...], bytes] = {}
    for line in sorted(set(lines), key=lambda line: (len(line), line)):
        if len(line) <= LONGEST:
            first.setdefault(kind(line), line)
    return {row: line for row, line in first.items() if len(row) <= MOST_VALUES}


def _row(line: bytes) -> tuple[str, ...]:
    items = Deframer().feed(line)
    return tuple(f"noise ({item.reason})" if isinstance(item, Noise) else "frame" for item in items)


def _kind(payload: bytes) -> tuple[str, ...]:
    read = _read(payload)
    if isinstance(read, codec.Unreadable):
        return ("unknown" if read.unknown else f"unreadable ({read.reason})",)
    return tuple(dict.fromkeys(_names(read)))


def _read(payload: bytes) -> tsl.Frame | codec.Unreadable:
    read = codec.parse(payload)
    if isinstance(read, codec.Unreadable):
        return read
    message = read[1]
    body: object = None
    if isinstance(message, tsl.Event):
        body = codec.event_body(message)
    if isinstance(message, tsl.Command):
        body = codec.command_body(message)
    return body if isinstance(body, codec.Unreadable) else tsl.Frame.FromString(payload)


def _names(message: Message) -> Iterator[str]:
    for field, value in message.ListFields():
        if isinstance(value, Message):
            yield field.name
            yield from _names(value)


def _stated(item: WireFrame | Noise) -> Vector:
    if isinstance(item, Noise):
        return {"noise": item.reason}
    return {"frame": {name: getattr(item, name) for name in FIELDS} | {"payload": item.payload.hex()}}


def main() -> None:
    """Write both files."""
    found = [path.read_bytes() for folder in sys.argv[1:] for path in Path(folder).iterdir()]
    FOLDER.mkdir(exist_ok=True)
    for name, made in (("frames", frames), ("payloads", payloads)):
        lines = [json.dumps(vector) for vector in made([*kept("decoder"), *found])]
        (FOLDER / f"{name}.jsonl").write_text("".join(f"{line}\n" for line in lines), "utf-8")


if __name__ == "__main__":
    main()
