"""What a person's decision would do, without doing it, and whether it still would when it is taken."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from controller.table import claims, decisions, tokens
from controller.table.errors import NotAllowed
from controller.table.events import Answered, Asked, ClaimStep, Decision, Input, MeterCorrection, Supervisor
from controller.table.preview import Preview
from controller.table.requests import answering, asking
from controller.table.state import TableState
from controller.table.testing import mode


def consequences(state: TableState, decision: Decision) -> Preview:
    """What it would do now, with the token that it is to carry. Raises NotAllowed, also for a decision that
    has no preview. A decision that carries a token already is checked against it."""
    mode.bar(state, decision)
    if tokens.carried(decision):
        tokens.check_basis(state, decision)
    seen = _seen(state, decision)
    if tokens.carried(decision):
        tokens.check_shown(decision, seen)
    return seen


def check(state: TableState, event: Input) -> None:
    """Before the table takes a decision: it must carry the token of what it would do now. Raises NotAllowed
    with a sentence that says what has changed. Whatever is not such a decision passes."""
    if not isinstance(event, Decision) or not needed(state, event):
        return
    consequences(state, event)  # says first what is not possible at all
    tokens.check_carried(event)


def needed(state: TableState, decision: Decision) -> bool:
    """Whether it is refused without a token. That somebody answers a call for help changes nothing."""
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
    Asked: asking.foresee,
    Answered: answering.foresee,
}
