"""The claims of README.md about bytes and vectors."""

import re

from .vectors import README, VECTORS, load

TEXT = README.read_text("utf-8")
DUMP = re.compile(r"^```\n((?:[0-9a-f]{2}[ \n])+)```$", re.MULTILINE)
ROW = re.compile(r"^\| (\d+) \| ((?:[0-9a-f]{2} ?)+) \|", re.MULTILINE)

STATED = re.compile(r"^\| (T|key|nonce|associated data)(?:, counter 258)? \| ([0-9a-f ]+) \|$", re.MULTILINE)


def test_the_worked_examples_are_vectors() -> None:
    dumps = [bytes.fromhex(dump).hex() for dump in DUMP.findall(TEXT)]
    assert dumps == [wire for wire, _ in _worked()]


def test_the_tables_of_worked_examples_account_for_every_byte() -> None:
    rows = [(int(offset), bytes.fromhex(data)) for offset, data in ROW.findall(TEXT.split("## 17.")[1])]
    tables = [rows[start:end] for start, end in _tables([offset for offset, _ in rows])]
    for table, (_, payload) in zip(tables, _worked(), strict=True):
        joined = b"".join(data for _, data in table)
        offsets = [sum(len(data) for _, data in table[:place]) for place in range(len(table))]
        assert offsets == [offset for offset, _ in table]
        assert joined[8:-4].hex() == payload


def test_every_vector_it_names_exists() -> None:
    names = {vector["name"] for path in VECTORS.glob("*.jsonl") for vector in load(path.stem)}
    reasons = TEXT.split("| simpler reading")[1].split("\n\n")[0]
    cells = [row.split("|")[-2] for row in reasons.splitlines()[2:]]
    assert {name for cell in cells for name in re.findall(r"`([^`]+)`", cell)} <= names


def _worked() -> list[tuple[str, str]]:
    """Line bytes and payload of each worked example."""
    clear = [vector for vector in load("frames") if vector["name"].startswith("worked-")]
    sealed = [vector for vector in load("sealed-frames") if vector["name"] == "sealed-worked"]
    return [
        *((vector["in"][0], vector["out"][0]["frame"]["payload"]) for vector in clear),
        *((vector["wire"], vector["payload"]) for vector in sealed),
    ]


def test_the_sealed_example_has_the_keys_that_it_states() -> None:
    (sealed,) = [vector for vector in load("sealed-frames") if vector["name"] == "sealed-worked"]
    (agreed,) = [vector for vector in load("sealed-proofs") if vector["name"] == "agreed-plain"]
    assert agreed["to_host"] == sealed["key"]
    stated = {word: re.sub(" ", "", value) for word, value in STATED.findall(TEXT)}
    expected = {"T": agreed["transcript"], "key": sealed["key"], "nonce": sealed["nonce"]}
    assert stated == expected | {"associated data": sealed["header"]}


def _tables(offsets: list[int]) -> list[tuple[int, int]]:
    starts = [place for place, offset in enumerate(offsets) if offset == 0]
    return list(zip(starts, [*starts[1:], len(offsets)], strict=True))
