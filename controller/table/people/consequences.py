"""Predicts what a person's decision would do, and checks its token when the decision is taken."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from controller.table.apply import claims, test_mode
from controller.table.errors import NotAllowed
from controller.table.people import decisions, tokens
from controller.table.people.requests import lifecycle
from controller.table.record.events import (
    ClaimStep,
    Decision,
    Input,
    MeterCorrection,
    RequestAnswered,
    RequestMade,
    Supervisor,
)
from controller.table.record.preview import Preview
from controller.table.state.table_state import TableState


def consequences(state: TableState, decision: Decision) -> Preview:
    """What the decision would do now, with the token that it must carry. Raises NotAllowed, also for a
    decision without a preview. A token that the decision already carries is checked."""
    test_mode.check_allowed(state, decision)
    if tokens.carried_token(decision):
        tokens.check_basis(state, decision)
    preview = _with_token(state, decision)
    if tokens.carried_token(decision):
        tokens.check_preview(decision, preview)
    return preview


def check_token(state: TableState, event: Input) -> None:
    """Check, before the table takes a decision, that it carries the token of its preview. Raises NotAllowed
    with a sentence that says what has changed. Inputs that need no token pass."""
    if not isinstance(event, Decision) or not needs_token(state, event):
        return
    consequences(state, event)  # says first what is not possible at all
    tokens.check_present(event)


def needs_token(state: TableState, decision: Decision) -> bool:
    """Whether it is refused without a token. The answer to a call for help changes nothing and needs none."""
    if isinstance(decision, RequestAnswered):
        return state.shift.requests.find(decision.request).about != "help"
    return tokens.needs_token(decision)


def _with_token(state: TableState, decision: Decision) -> Preview:
    predict = PREVIEWS.get(type(decision))
    if predict is None:
        raise NotAllowed("that has no preview")
    predicted = predict(state, decision)
    return replace(predicted, token=tokens.token(state, decision, predicted))


PREVIEWS: dict[type, Callable[[TableState, Any], Preview]] = {
    Supervisor: decisions.preview_decision,
    ClaimStep: claims.preview_step,
    MeterCorrection: claims.preview_correction,
    RequestMade: lifecycle.preview_request,
    RequestAnswered: lifecycle.preview_answer,
}
