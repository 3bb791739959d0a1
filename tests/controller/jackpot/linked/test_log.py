"""Entries of the log: their bytes, their chain, and what cannot stand in it."""

import hashlib
import json
from typing import Any

import pytest

from controller.jackpot.linked.apply import apply, with_outcome
from controller.jackpot.linked.decide import leader_entry
from controller.jackpot.linked.entries import (
    ClaimEnded,
    Contradiction,
    InputRange,
    LogEntry,
    LogFault,
    NotNext,
    ParametersSet,
    first_hash,
    read_entry,
)
from controller.jackpot.linked.level import LinkedLevel
from controller.jackpot.linked.messages import LevelParameters, SetParameters
from controller.jackpot.linked.wire import MalformedMessage
from tests.controller.jackpot.linked.desk import (
    LEVEL,
    PARAMETERS,
    Desk,
    claim,
    claim_id,
    opened,
    reading,
    step,
)


def played() -> Desk:
    desk = opened()
    desk.say(reading(5, 1, 3, 300))
    desk.say(claim((7, 10), (3, 100)))
    desk.say(step(7, "paid"))
    desk.say(step(3, "void"))
    desk.say(reading(6, 2, 4, 400), signer="")
    return desk


def test_the_log_alone_gives_the_state() -> None:
    desk, state = played(), LinkedLevel(LEVEL)
    for entry in desk.log:
        state = apply(state, read_entry(entry.payload))
    assert state == desk.state


def test_the_hash_is_that_of_the_bytes_without_it() -> None:
    before = first_hash(LEVEL)
    for entry in played().log:
        body, _, end = entry.payload.rpartition(b',"hash":"')
        assert (
            hashlib.sha256(bytes.fromhex(before) + body + b"}").hexdigest()
            == end.removesuffix(b'"}').decode()
        )
        before = entry.hash


def test_fields_have_the_names_of_the_wire() -> None:
    entry = json.loads(played().log[-1].payload)
    assert list(entry) == ["v", "n", "at", "before", "in", "out", "demo", "hash"]


def test_a_changed_byte_is_refused() -> None:
    payload = played().log[2].payload
    with pytest.raises(MalformedMessage):
        read_entry(payload.replace(b'"wagered":300', b'"wagered":301'))


@pytest.mark.parametrize("payload", [b"", b"{}", b"[1,2]", b"x" * 200, b'{"hash":"' + b"0" * 64 + b'"}'])
def test_bytes_that_are_no_entry_are_refused(payload: bytes) -> None:
    with pytest.raises(MalformedMessage):
        read_entry(payload)


def test_an_entry_with_an_unknown_field_is_refused() -> None:
    body = played().log[2].payload[:-75]
    with pytest.raises(MalformedMessage):
        read_entry(body + b',"new":1,"hash":"' + b"0" * 64 + b'"}')


def test_an_entry_of_a_version_without_currencies_keeps_its_bytes_and_its_hash() -> None:
    payload = opened().log[-1].payload
    assert b'"parameters"' in payload
    assert b"currency" not in payload
    assert read_entry(payload).payload == payload


def test_parameters_in_another_currency_contradict_the_log() -> None:
    desk = Desk()
    desk.order(SetParameters, LevelParameters.of(PARAMETERS, "JPY"))
    (done,) = desk.log[-1].out
    assert isinstance(done, ParametersSet)
    other = done.model_copy(update={"id": "b", "parameters": LevelParameters.of(PARAMETERS, "USD")})
    with pytest.raises(Contradiction, match="parameters b: currency = USD; allowed: JPY"):
        with_outcome(desk.state, other)


def test_levels_have_different_first_hashes() -> None:
    desk = played()
    with pytest.raises(NotNext):
        apply(LinkedLevel("eights"), desk.log[0])


def changed(entry: LogEntry, **fields: Any) -> LogEntry:
    return entry.model_copy(update=fields)


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"n": 9}, NotNext),
        ({"before": "0" * 64}, NotNext),
        ({"demo": True}, Contradiction),
        ({"inputs": InputRange(1, 9, 9, "x")}, Contradiction),
        ({"inputs": InputRange(2, 3, 9, "x")}, Contradiction),
        ({"inputs": InputRange(1, 3, 2, "x")}, Contradiction),
        ({"out": (ClaimEnded(claim=claim_id(7), to="paid"),)}, Contradiction),
    ],
)
def test_an_entry_that_cannot_follow_is_refused(fields: dict[str, Any], fault: type[LogFault]) -> None:
    desk = opened()
    next_one = played().log[desk.state.n]
    apply(desk.state, next_one)
    with pytest.raises(fault):
        apply(desk.state, changed(next_one, **fields))


@pytest.mark.parametrize(
    "field", [{"cents": 4_999}, {"display_before": 1}, {"display_after": 1}, {"cents": 10**9}, {"share": 100}]
)
def test_an_amount_that_the_meter_does_not_give_is_refused(field: dict[str, int]) -> None:
    desk = opened()
    state = desk.state
    desk.say(claim((7, 10)))
    entry = desk.log[-1]
    with pytest.raises(LogFault):
        apply(state, changed(entry, out=(entry.out[0].model_copy(update=field),)))


def test_a_claim_that_is_won_twice_is_refused() -> None:
    desk = opened()
    desk.say(claim((7, 10)))
    won = desk.log[-1].out[0].model_copy(update={"display_before": 45_000, "display_after": 40_000})
    with pytest.raises(Contradiction, match="has its amount already"):
        apply(desk.state, changed(leader_entry(desk.state, "p1"), out=(won,)))
