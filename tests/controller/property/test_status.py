"""The status of a table as a message."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.property.status import (
    MOST_BYTES,
    StatusAlert,
    StatusClaim,
    StatusError,
    StatusPace,
    StatusRequest,
    StatusShift,
    TableStatus,
    UplinkStatus,
    payload_of,
    read_status,
    read_uplink_status,
)

EPOCH = "0123456789abcdef"
STATUS = TableStatus(
    epoch=EPOCH,
    row=7,
    hash="ab" * 32,
    at=1000.5,
    nonce="n1",
    state="betting",
    game="Easy Jack",
    min_bet=500,
    round=3,
    players=2,
    dealer="Ada",
    pace=StatusPace(per_hour=60, target=70),
    shift=StatusShift(wagered=12_000, hold=-300),
    devices={"shoe": "running"},
    answered=(("c1", "done"),),
    software="1.0",
)
REQUEST = StatusRequest(number=1, nonce="n", kind="void", by="Ada", since=1.0, needs=1, text="misdeal")
TEXTS = st.text(max_size=300)


def changed(**fields: Any) -> bytes:
    return json.dumps(json.loads(payload_of(STATUS)) | fields).encode()


def test_a_status_is_read_as_it_was_sent() -> None:
    assert read_status(payload_of(STATUS)) == STATUS
    alone = UplinkStatus(epoch=EPOCH, core="down", alarm="", at=1.0)
    assert read_uplink_status(payload_of(alone)) == alone


def test_unknown_fields_are_ignored_at_every_depth() -> None:
    assert read_status(changed(new=1, pace={"per_hour": 60, "target": 70, "new": [1]})) == STATUS


@pytest.mark.parametrize(
    ("payload", "why"),
    [
        (b"", "the status is not JSON: EOF"),
        (b"\xff", "the status is not JSON"),
        (b"[" * 5000, "the status is not JSON"),
        (b"[]", "the status has v = None; allowed: 1"),
        (changed(v=2), "the status has v = 2; allowed: 1"),
        (changed(v="1"), "the status has v = '1'; allowed: 1"),
        (changed(epoch="x"), "cannot be used: epoch: String should match"),
        (changed(hash="ab"), "cannot be used: hash: String should match"),
        (changed(row=-1), "cannot be used: row: Input should be greater than or equal to 0"),
        (changed(row="7"), "cannot be used: row: Input should be a valid integer"),
        (changed(shift={"wagered": 1.5, "hold": 0}), r"cannot be used: shift\.wagered: "),
        (changed(core="down"), "cannot be used: core: Input should be 'up'"),
        (b'{"v": 1}', "cannot be used: epoch: Field required"),
        (b" " * (MOST_BYTES + 1), "the status has 16385 bytes; allowed: 16384"),
    ],
)
def test_a_bad_status_is_refused_with_the_reason(payload: bytes, why: str) -> None:
    with pytest.raises(StatusError, match=why):
        read_status(payload)


def test_a_time_that_is_not_finite_is_refused() -> None:
    with pytest.raises(StatusError, match="at: Input should be a finite number"):
        read_status(payload_of(STATUS).replace(b"1000.5", b"NaN"))


@given(texts=st.lists(TEXTS, max_size=120), alerts=st.integers(0, 100), claims=st.integers(0, 60))
def test_a_status_is_never_too_long(texts: list[str], alerts: int, claims: int) -> None:
    alert = StatusAlert(number=1, code="missing", severity="warning", since=1.0)
    claim = StatusClaim(claim="1", cents=10**9, state="pending")
    full = STATUS.model_copy(
        update={
            "suspended": tuple(texts),
            "requests": tuple(REQUEST.model_copy(update={"text": text}) for text in texts),
            "alerts": (alert,) * alerts,
            "claims": (claim,) * claims,
        }
    )
    payload = payload_of(full)
    assert len(payload) <= MOST_BYTES
    sent = read_status(payload)
    assert sent.cut == (sent.model_copy(update={"cut": False}) != full)
    for name in ("suspended", "requests", "alerts", "claims"):
        kept = getattr(sent, name)
        assert kept == getattr(full, name)[: len(kept)]


def test_a_status_that_cannot_be_cut_is_not_sent() -> None:
    with pytest.raises(StatusError, match="bytes; allowed: 16384"):
        payload_of(STATUS.model_copy(update={"dealer": "x" * MOST_BYTES}))
