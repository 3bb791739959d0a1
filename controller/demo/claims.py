"""The demonstration's staff takes each jackpot claim from the hit to the payment."""

import asyncio
from collections.abc import Mapping
from typing import Final

from controller.demo.staff_desk import StaffDesk
from controller.demo.table import DemoTable
from controller.socket.replica import NoView

POLL_SECONDS: Final = 0.5
"""Seconds between two looks at the table."""
DEALER: Final = "Dee"
STAFF_FOR_STEP: Final[Mapping[str, str]] = {"verify": "Sue", "second": "Sam", "pay": "Sue"}
"""Who takes which step of a claim; the dealer confirms it."""


async def handle_claims(stage: DemoTable, dealer: str = DEALER) -> None:
    """Runs until cancelled. Returns at once at a table without a jackpot. `dealer`: who confirms claims;
    empty if a person does.

    If the daemon ends or something changes meanwhile, the next look tries again.
    """
    if not stage.settings.rules.meters:
        return
    staff = {**STAFF_FOR_STEP, **({"confirm": dealer} if dealer else {})}
    async with StaffDesk(stage) as desk:
        while True:
            await asyncio.sleep(POLL_SECONDS)
            try:
                view = desk.view()
            except NoView:
                continue
            for claim in view.claims:
                if step := next((step for step in claim.steps if step in staff), ""):
                    act = {"step": {"claim": claim.number, "step": step, "why": "seen"}}
                    await desk.act(staff[step], act)
