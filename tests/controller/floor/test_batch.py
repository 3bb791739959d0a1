"""Batches of rows as they travel to the floor."""

import json
import zlib
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.floor.batch import (
    END_OF_TIME,
    FIRST,
    HASH,
    MOST_BYTES,
    MOST_INFLATED,
    MOST_INFLATED_ROWS,
    MOST_ROWS,
    Batch,
    BatchError,
    batch_of,
    batches,
    rows_of,
)
from controller.journal.chain import START, RowContent, chain_rows
from tests.fixtures.journal_files import sample_rows

ROWS = chain_rows(None, sample_rows(7))
(BATCH,) = batches(START, ROWS)
contents = st.builds(
    RowContent,
    st.floats(0, END_OF_TIME, exclude_max=True),
    st.text(max_size=5),
    st.text(max_size=50),
    st.text(max_size=5),
    st.binary(max_size=8),
    st.integers(0, 2**62),
)


@given(st.lists(contents, min_size=1, max_size=20))
def test_rows_come_out_of_a_batch_as_they_went_in(found: list[RowContent]) -> None:
    rows = chain_rows(None, found)
    (batch,) = batches(START, rows)
    assert rows_of(batch_of(batch.headers(), batch.data)) == rows


def test_a_long_journal_becomes_batches_that_follow_each_other() -> None:
    rows = chain_rows(None, sample_rows(2 * MOST_ROWS + 1))
    found = list(batches(START, rows))
    assert [batch.last - batch.first + 1 for batch in found] == [MOST_ROWS, MOST_ROWS, 1]
    assert [batch.before for batch in found] == [
        START,
        rows[MOST_ROWS - 1].hash,
        rows[2 * MOST_ROWS - 1].hash,
    ]
    assert [row for batch in found for row in rows_of(batch)] == rows


def test_a_row_above_the_limit_is_a_batch_by_itself() -> None:
    rows = chain_rows(None, [RowContent(1.0, "a", size * "x") for size in (10, MOST_BYTES + 1, 10)])
    assert [(batch.first, batch.last) for batch in batches(START, rows)] == [(1, 1), (2, 2), (3, 3)]


def test_no_hash_is_in_the_data() -> None:
    written = zlib.decompress(BATCH.data).decode()
    assert not [row for row in ROWS if row.hash.hex() in written]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "cut off"),
        (BATCH.data[:-5], "cut off"),
        (b"no deflated data", "cannot be read"),
        (zlib.compress(b"{"), "cannot be read"),
        (zlib.compress(b"[[1.0]]"), "cannot be read"),
        (zlib.compress(b"[" * 100_000), "cannot be read"),
        (zlib.compress(b"[]"), "0 rows in a batch of the rows 1 to 7"),
        (zlib.compress(bytes(MOST_INFLATED_ROWS + 1)), "inflates to more"),
        (zlib.compress(json.dumps([["x", "a", "", "", 0, ""]] * 7).encode()), "a row makes no sense"),
        (zlib.compress(json.dumps([[1.0, 5, "", "", 0, ""]] * 7).encode()), "a row makes no sense"),
        (zlib.compress(json.dumps([[1.0, "a", "", "", 0, ""]] * 7).encode()), "does not end in their hash"),
    ],
)
def test_data_that_is_not_those_rows_is_refused_with_the_reason(data: bytes, why: str) -> None:
    with pytest.raises(BatchError, match=why):
        rows_of(replace(BATCH, data=data))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (bytes(MOST_INFLATED + 1), "inflates to more"),
        (b"[%s]" % b",".join(300_000 * [b"[]"]), "bytes that are not one row"),
        (b'[[1.0,"a","","",0,%s]]' % b",".join(300_000 * [b"0"]), "bytes that are not one row"),
        (b'[[[%s],"a","","",0,""]]' % b",".join(300_000 * [b"{}"]), "bytes that are not one row"),
    ],
)
def test_a_small_message_that_takes_long_to_read_is_refused_at_once(text: bytes, why: str) -> None:
    data = zlib.compress(text)
    assert len(data) < 10_000
    with pytest.raises(BatchError, match=why):
        rows_of(replace(BATCH, last=1, data=data))


def test_a_long_row_of_any_characters_is_read() -> None:
    rows = chain_rows(None, [RowContent(1.5e9, "a\\", '"é\\\n\U0001f600' * 60_000, "b", b"\0", 2**62)])
    (batch,) = batches(START, rows)
    assert rows_of(batch) == rows


@pytest.mark.parametrize("at", ["NaN", "Infinity", "-Infinity", "-1", "1e300", f"{END_OF_TIME}"])
def test_a_row_at_a_time_that_no_calendar_has_is_refused(at: str) -> None:
    rows = chain_rows(None, [RowContent(float(at), "a", "")])
    data = zlib.compress(f'[[{at},"a","","",0,""]]'.encode())
    with pytest.raises(BatchError, match=r"row 1: at = .*; allowed: 0 to"):
        rows_of(Batch(1, 1, START, rows[0].hash, data))


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({FIRST: "x"}, "a header cannot be read"),
        ({FIRST: "0"}, "make no sense"),
        ({FIRST: "8"}, "make no sense"),
        ({HASH: "abcd"}, "make no sense"),
        ({HASH: "no hex"}, "a header cannot be read"),
    ],
)
def test_a_bad_header_is_refused_with_the_reason(changed: dict[str, str], why: str) -> None:
    with pytest.raises(BatchError, match=why):
        batch_of({**BATCH.headers(), **changed}, BATCH.data)


def test_a_missing_header_is_named() -> None:
    headers = BATCH.headers()
    del headers[HASH]
    with pytest.raises(BatchError, match="Ts-Hash is missing"):
        batch_of(headers, BATCH.data)


def test_a_batch_of_the_middle_needs_only_the_hash_before_it() -> None:
    (part,) = batches(ROWS[2].hash, ROWS[3:])
    assert rows_of(part) == ROWS[3:]
