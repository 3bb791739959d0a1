"""What is refused is told, in few words however often it is."""

from pathlib import Path

import pytest

from controller.access.desk import AccessDesk
from controller.access.errors import Unknown
from controller.access.lockout import BURST
from controller.access.refusal_sums import MOST, WINDOW
from tests.fixtures.access_desk import FROM, Clock, opened, said


async def test_refusals_in_numbers_are_summed_up(desk: AccessDesk, clock: Clock) -> None:
    for number in range(BURST):
        with pytest.raises(Unknown):
            await desk.sign_in("pin", f"name {number}", "0000", FROM)
    desk.look()
    assert said(desk) == [("refused", "")]
    clock.now += WINDOW
    desk.look()
    texts = [told.text for _, told in desk.untold() if told.what == "refused"]
    assert texts == [
        "name or PIN is not right",
        f"{BURST - 1} more within a minute: name or PIN is not right",
    ]


async def test_a_flood_from_everywhere_fills_no_journal(desk: AccessDesk) -> None:
    for number in range(3 * MOST):
        desk.forged(None, f"10.3.{number // 256}.{number % 256}", "POST /api/v1/session")
    assert len(said(desk)) == MOST + 1


async def test_what_was_refused_just_before_the_end_is_told(tmp_path: Path, clock: Clock) -> None:
    with opened(tmp_path, clock) as desk:
        for _ in range(3):
            desk.forged(None, FROM, "POST /api/v1/session")
    with opened(tmp_path, clock) as desk:
        texts = [told.text for _, told in desk.untold()]
    assert texts == ["POST /api/v1/session", "2 more within a minute: POST /api/v1/session"]
