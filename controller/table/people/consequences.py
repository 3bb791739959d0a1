"""Predicts what a person's decision would do, and checks its token when the decision is taken."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from controller.table.apply import claims, test_mode
from controller.table.errors import NotAllowed
from controller.table.people import decisions, tokens
from controller.table.people.requests import answering, lifecycle
from controller.table.record.events import (
    Answered,
    Asked,
    ClaimStep,
    Decision,
    Input,
    MeterCorrection,
    Supervisor,
)
from controller.table.record.preview import Preview
from controller.table.state.table_state import TableState


def consequences(state: TableState, decision: Decision) -> Preview:
    """What the decision would do now, with the token that it must carry. Raises NotAllowed, also for a
    decision without a preview. A token that the decision already carries is checked."""
    test_mode.bar(state, decision)
    if tokens.carried(decision):
        tokens.check_basis(state, decision)
    seen = _seen(state, decision)
    if tokens.carried(decision):
        tokens.check_shown(decision, seen)
    return seen


def check(state: TableState, event: Input) -> None:
    """Check, before the table takes a decision, that it carries the token of its preview. Raises NotAllowed
    with a sentence that says what has changed. Inputs that need no token pass."""
    if not isinstance(event, Decision) or not needed(state, event):
        return
    consequences(state, event)  # says first what is not possible at all
    tokens.check_carried(event)


def needed(state: TableState, decision: Decision) -> bool:
    """Whether it is refused without a token. The answer to a call for help changes nothing and needs none."""
    if isinstance(decision, Answered):
        return state.shift.requests.named(decision.request).about != "help"
    return tokens.needed(decision)


def _seen(state: TableState, decision: Decision) -> Preview:
    preview = PREVIEWS.get(type(decision))
    if preview is None:
        raise NotAllowed("that has no preview")
    seen = preview(state, decision)
    return replace(seen, token=tokens.token(state, decision, seen))


PREVIEWS: dict[type, Callable[[TableState, Any], Preview]] = {
    Supervisor: decisions.foresee,
    ClaimStep: claims.preview_step,
    MeterCorrection: claims.preview_correction,
    Asked: lifecycle.foresee,
    Answered: answering.foresee,
}
