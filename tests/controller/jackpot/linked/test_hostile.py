"""Whatever a table or the floor sends, the machine decides it, and the books balance."""

import json
from collections import Counter
from random import Random
from typing import Any, Literal

import pytest
from pydantic import TypeAdapter, ValidationError

from controller.jackpot.linked.messages import (
    MOST_INPUT,
    MOST_SHARES,
    Admit,
    ClaimedShare,
    ClaimMessage,
    Correct,
    CorrectedAmount,
    LevelParameters,
    MeterReading,
    Meters,
    Remove,
    SetParameters,
    Settle,
    SettledTable,
    StepMessage,
    read_input,
)
from controller.jackpot.linked.wire import MOST_STAKES, MalformedMessage
from controller.jackpot.parameters import Parameters
from tests.controller.jackpot.linked.desk import (
    EPOCH,
    KEY,
    LEVEL,
    PARAMETERS,
    TABLE,
    Desk,
    admission,
    claim,
    claim_id,
    opened,
)

KEYS = (KEY, KEY, KEY, KEY, "b" * 64, "")
AMOUNTS = (0, 1, 77, 500, 9_999, MOST_STAKES // 9)
PLACES = ("100.00%", "0.00%", "0.01%", "33.33%", "bad")


def meters(chance: Random, known: Meters) -> dict[str, int]:
    """Meters near the known ones; some of them fall, some leap."""
    wagers = max(0, known.wagers + chance.randint(-1, 5))
    wagered = wagers and min(MOST_STAKES, max(wagers, known.wagered + chance.choice(AMOUNTS)))
    voided = min(wagers, known.voided_wagers + chance.choice((0, 0, 1)))
    void = voided and max(voided, min(wagered - (wagers - voided), known.voided + chance.choice(AMOUNTS[:4])))
    if voided == wagers:
        void = wagered
    return {
        "row": max(0, known.row + chance.randint(-2, 9)),
        "rounds": max(0, known.rounds + chance.randint(-1, 2)),
        "wagers": wagers,
        "wagered": wagered,
        "voided_wagers": voided,
        "voided": void,
    }


def count(chance: Random, desk: Desk) -> list[Any]:
    fields: dict[str, Any] = meters(chance, desk.table.known)
    message = MeterReading(level=LEVEL, epoch=EPOCH, **fields)
    return desk.say(message, TABLE, chance.choice(KEYS))


def win(chance: Random, desk: Desk) -> list[Any]:
    shares = [(chance.randint(1, 4), chance.choice((1, 10, 100))) for _ in range(chance.randint(1, 4))]
    chip = chance.choice((1, 100, 10_000_000))
    return desk.say(claim(*shares, number=chance.randint(1, 9), chip=chip), TABLE, chance.choice(KEYS))


def end(chance: Random, desk: Desk) -> list[Any]:
    name = chance.choice([claim_id(1), *desk.state.claims])
    to: Literal["paid", "void"] = "void" if chance.random() < 0.6 else "paid"
    message = StepMessage(level=LEVEL, epoch=EPOCH, claim=name, to=to, row=1)
    return desk.say(message, TABLE, chance.choice(KEYS))


def admit(chance: Random, desk: Desk) -> list[Any]:
    return desk.order(chance.choice((Admit, Admit, Remove)), admission())


def settle(chance: Random, desk: Desk) -> list[Any]:
    reading = Meters(**meters(chance, desk.table.known))
    return desk.order(Settle, SettledTable(table=TABLE, reading=reading))


def change(chance: Random, desk: Desk) -> list[Any]:
    given = {"contribution": chance.choice(PLACES), "limit": chance.choice((None, 0, 90_000))}
    return desk.order(SetParameters, LevelParameters.of(PARAMETERS).model_copy(update=given))


def correct(chance: Random, desk: Desk) -> list[Any]:
    cents = chance.choice((0, 1, 50_000, desk.meter.cents, 70_000))
    about = max(0, desk.state.n - chance.choice((0, 0, 2)))
    return desk.order(Correct, CorrectedAmount(cents=cents), about=about)


ACTS = (count, count, count, count, win, end, end, admit, settle, change, correct, correct)


def test_any_messages_are_decided_and_leave_balanced_books() -> None:
    happened = Counter[str]()
    for seed in range(60):
        chance, desk = Random(seed), opened(Parameters(50_000, PARAMETERS.contribution, PARAMETERS.reserve))
        for _ in range(120):
            outcomes = chance.choice(ACTS)(chance, desk)
            happened.update(one.code if one.kind == "alarm" else one.kind for one in outcomes)
            books = desk.meter.books
            assert (books.wagers, books.wagered) == tuple(desk.table.counted)
    expected = {"meter", "won", "step", "overflow", "settled", "removed", "correction", "parameters"}
    assert expected | {"meter fell", "unreasonable", "signature", "refused", "epoch"} <= set(happened), (
        happened
    )


def test_the_longest_claim_can_be_read() -> None:
    number, level = 2**53 - 1, 24 * "l"
    table = 24 * "t"
    shares = tuple(
        ClaimedShare(claim=f"{table}/{EPOCH}/{number}/99/{level}", seat=99, share=100)
        for _ in range(MOST_SHARES)
    )
    longest = ClaimMessage(
        level=level, epoch=EPOCH, round=number, row=number, chip=1, seen=(number, number, 1), claims=shares
    )
    assert len(longest.payload) < MOST_INPUT
    assert read_input(longest.payload) == longest


def test_a_message_that_takes_long_to_read_is_refused_at_once() -> None:
    with pytest.raises(MalformedMessage, match=f"1048576 bytes; allowed: {MOST_INPUT}"):
        read_input((1 << 20) * b"[")


def test_a_claim_with_many_faults_names_the_first() -> None:
    """Each fault would be an object."""
    good = claim((1, 100)).model_dump(mode="json")
    for wrong in ("0", "{}"):
        shares = json.loads(f"[{wrong}{5_000 * f',{wrong}'}]")
        payload = json.dumps(good | {"claims": shares}).encode()
        with pytest.raises(ValidationError) as refused:
            TypeAdapter(ClaimMessage).validate_json(payload)
        assert refused.value.error_count() < 10
        with pytest.raises(MalformedMessage, match=r"claims\.0"):
            read_input(payload)
