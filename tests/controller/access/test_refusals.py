"""Refused sign-ins are recorded, and a flood of them is summed up."""

from pathlib import Path

import pytest

from controller.access.desk import AccessDesk
from controller.access.errors import WrongSecret
from controller.access.lockout import BURST
from controller.access.refusal_sums import MOST_KINDS, WINDOW
from tests.fixtures.access_desk import FROM, Clock, open_desk, records_of


async def test_refusals_in_numbers_are_summed_up(desk: AccessDesk, clock: Clock) -> None:
    for number in range(BURST):
        with pytest.raises(WrongSecret):
            await desk.sign_in("pin", f"name {number}", "0000", FROM)
    desk.expire_and_sum_up()
    assert records_of(desk) == [("refused", "")]
    clock.now += WINDOW
    desk.expire_and_sum_up()
    texts = [record.text for _, record in desk.pending_records() if record.what == "refused"]
    assert texts == [
        "name or PIN is not right",
        f"{BURST - 1} more within a minute: name or PIN is not right",
    ]


async def test_a_flood_from_everywhere_fills_no_journal(desk: AccessDesk) -> None:
    for number in range(3 * MOST_KINDS):
        desk.report_forged(None, f"10.3.{number // 256}.{number % 256}", "POST /api/v1/session")
    assert len(records_of(desk)) == MOST_KINDS + 1


def test_a_forged_request_is_recorded_whatever_its_path_is(desk: AccessDesk) -> None:
    desk.report_forged(None, FROM, "POST /\u202eabc\n" + 400 * "x")
    _, record = desk.pending_records()[-1]
    assert record.text == "POST /\ufffdabc\ufffd" + 289 * "x"


async def test_what_was_refused_just_before_the_end_is_told(tmp_path: Path, clock: Clock) -> None:
    with open_desk(tmp_path, clock) as desk:
        for _ in range(3):
            desk.report_forged(None, FROM, "POST /api/v1/session")
    with open_desk(tmp_path, clock) as desk:
        texts = [record.text for _, record in desk.pending_records()]
    assert texts == ["POST /api/v1/session", "2 more within a minute: POST /api/v1/session"]
