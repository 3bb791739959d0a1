"""What a person's word would do, without doing it."""

from collections.abc import Callable
from typing import Any

from controller.table import claims, decisions
from controller.table.events import Answered, Asked, ClaimStep, Decision, MeterCorrection, Supervisor
from controller.table.preview import Preview
from controller.table.requests import answering, asking
from controller.table.state import TableState


def consequences(state: TableState, decision: Decision) -> Preview:
    """Told before it is done; raises NotAllowed, also where there is nothing to tell."""
    return PREVIEWS[type(decision)](state, decision)


PREVIEWS: dict[type, Callable[[TableState, Any], Preview]] = {
    Supervisor: decisions.foresee,
    ClaimStep: claims.preview_step,
    MeterCorrection: claims.preview_correction,
    Asked: asking.foresee,
    Answered: answering.foresee,
}
