"""What README.md claims of bytes and vectors."""

import re

from .vectors import README, VECTORS, Vector, load

TEXT = README.read_text("utf-8")
DUMP = re.compile(r"^```\n((?:[0-9a-f]{2}[ \n])+)```$", re.MULTILINE)
ROW = re.compile(r"^\| (\d+) \| ((?:[0-9a-f]{2} ?)+) \|", re.MULTILINE)


def test_the_worked_examples_are_vectors() -> None:
    dumps = [bytes.fromhex(dump).hex() for dump in DUMP.findall(TEXT)]
    assert dumps == [vector["in"][0] for vector in _worked()]


def test_their_tables_account_for_every_byte() -> None:
    rows = [(int(offset), bytes.fromhex(data)) for offset, data in ROW.findall(TEXT.split("## 17.")[1])]
    tables = [rows[start:end] for start, end in _tables([offset for offset, _ in rows])]
    for table, vector in zip(tables, _worked(), strict=True):
        joined = b"".join(data for _, data in table)
        offsets = [sum(len(data) for _, data in table[:place]) for place in range(len(table))]
        assert offsets == [offset for offset, _ in table]
        assert joined[8:-4].hex() == vector["out"][0]["frame"]["payload"]


def test_every_vector_it_names_exists() -> None:
    names = {vector["name"] for path in VECTORS.glob("*.jsonl") for vector in load(path.stem)}
    reasons = TEXT.split("| simpler reading")[1].split("\n\n")[0]
    cells = [row.split("|")[-2] for row in reasons.splitlines()[2:]]
    assert {name for cell in cells for name in re.findall(r"`([^`]+)`", cell)} <= names


def _worked() -> list[Vector]:
    return [vector for vector in load("frames") if vector["name"].startswith("worked-")]


def _tables(offsets: list[int]) -> list[tuple[int, int]]:
    starts = [place for place, offset in enumerate(offsets) if offset == 0]
    return list(zip(starts, [*starts[1:], len(offsets)], strict=True))
