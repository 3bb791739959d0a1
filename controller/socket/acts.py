"""Authority: which person may do what at the table, and which acts take the person's secret again.

An act is what a client sends: one key of `ACTS` with its fields. `decision_of` turns it into the decision of
the person whose session it carries; no field of an act names a person. The table then says whether it can
follow the decision now.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from controller.access.people import OVERRIDE, Person, Role
from controller.jackpot import Step
from controller.socket.codes import CallError, Code
from controller.socket.messages import (
    AcknowledgementBody,
    AnswerAct,
    DecisionBody,
    KeyBody,
    LampReportBody,
    LampTestBody,
    MeterAct,
    OneOf,
    RequestBody,
    StepAct,
    StepPreview,
    TestModeBody,
)
from controller.table.errors import NotAllowed
from controller.table.people.supervisor_commands import Fields, read_choice
from controller.table.record.choices import CHOICES
from controller.table.record.events import (
    Acknowledged,
    ClaimStep,
    ConsoleKey,
    Decision,
    LampReported,
    LampTest,
    MeterCorrection,
    RequestAnswered,
    RequestMade,
    Supervisor,
    TestMode,
)

Read = TypeVar("Read", bound=Decision)
Roles = frozenset[Role]

STEP_ROLES: Mapping[Step, Role] = {
    "confirm": "dealer",
    "verify": "supervisor",
    "second": "supervisor",
    "pay": "supervisor",
    "void": "supervisor",
}
"""The role that takes each step of a claim."""


@dataclass(frozen=True, slots=True)
class ActKind:
    """`roles`: who may do it; `viewers`: who may see its preview; `decision`: what it is for the table.
    `override`: the role as which root may do it without signing in; None: root may not. `decision` raises
    CallError."""

    roles: Roles
    decision: Callable[[Person, Any], Decision]
    viewers: Roles = frozenset()
    override: Role | None = None


def decision_of(person: Person, act: OneOf) -> Decision:
    """What the act of this person is for the table. Raises CallError if the person's role may not do it, or
    for fields that are not those of the choice."""
    name, body = act.chosen
    _check_role(person, ACTS[name].roles)
    return ACTS[name].decision(person, body)


def viewed_decision(person: Person, act: OneOf) -> Decision:
    """As `decision_of`, for a preview."""
    name, body = act.chosen
    _check_role(person, ACTS[name].viewers)
    return ACTS[name].decision(person, body)


def overriding_decision(act: OneOf) -> Decision:
    """As `decision_of`, for root, who acts without signing in."""
    name, body = act.chosen
    role = ACTS[name].override
    if role is None:
        allowed = ", ".join(kind for kind in ACTS if ACTS[kind].override)
        raise CallError(Code.FORBIDDEN, f"{name}: not allowed with override; allowed: {allowed}")
    decision = ACTS[name].decision(Person(OVERRIDE, role), body)
    return replace(decision, signed_in=False) if isinstance(decision, Supervisor) else decision


def may_act(person: Person, act: OneOf) -> bool:
    """Whether the person's role may do this, not just see its preview."""
    name, body = act.chosen
    if isinstance(body, StepAct):
        return person.role == STEP_ROLES[body.step]
    return person.role in ACTS[name].roles


def takes_secret(decision: Decision, *, by_two: bool, call_for_help: bool) -> bool:
    """Whether the person must type their secret again: the decision takes two persons. `by_two`: its preview
    says so; `call_for_help`: it answers one, which changes nothing."""
    if isinstance(decision, RequestAnswered):
        return decision.grant and not call_for_help
    if isinstance(decision, ClaimStep):
        return decision.step != "confirm"
    return by_two or (isinstance(decision, RequestMade) and decision.about == "meter")


def _check_role(person: Person, allowed: Roles) -> None:
    if person.role not in allowed:
        raise CallError(
            Code.FORBIDDEN, f"{person.name} is {person.role}; allowed: {', '.join(sorted(allowed))}"
        )


def _key(person: Person, body: KeyBody) -> ConsoleKey:
    return ConsoleKey(body.action, body.seat, body.cents or 0, person.name, body.round or 0, body.press or "")


def _decision(person: Person, body: DecisionBody) -> Supervisor:
    if person.role == "technician" and not CHOICES[body.choice].only_recorded:
        raise CallError(Code.FORBIDDEN, f"{person.name} is technician; allowed: entry")
    fields = body.model_dump(exclude_none=True) | {"who": person.name}
    return replace(_parsed(read_choice, fields), signed_in=True)


def _request(person: Person, body: RequestBody) -> RequestMade:
    decision = None
    if body.about != "help":
        fields = body.model_dump(exclude_none=True) | {"who": person.name}
        choice = {"choice": fields.pop("about"), **fields}
        decision = replace(_parsed(read_choice, choice), signed_in=True)
    return RequestMade(body.about, person.name, person.role, body.why, decision)


def _answer(person: Person, body: AnswerAct) -> RequestAnswered:
    return RequestAnswered(body.request, body.grant, person.name, person.role, body.why, body.token)


def _step(person: Person, body: StepAct) -> ClaimStep:
    if person.role != STEP_ROLES[body.step] and not isinstance(body, StepPreview):
        allowed = ", ".join(step for step, role in STEP_ROLES.items() if role == person.role)
        raise CallError(
            Code.FORBIDDEN, f"{person.name} is {person.role}: {body.step} is not allowed; allowed: {allowed}"
        )
    return ClaimStep(body.claim, body.step, person.name, body.why, signed_in=True, token=body.token)


def _meter(person: Person, body: MeterAct) -> RequestMade:
    correction = MeterCorrection(body.spot, body.cents, person.name, "", body.why, True, body.token)
    return RequestMade("meter", person.name, person.role, body.why, meter=correction)


def _acknowledgement(person: Person, body: AcknowledgementBody) -> Acknowledged:
    return Acknowledged(body.alert, person.name)


def _test_mode(person: Person, body: TestModeBody) -> TestMode:
    if body.on and person.role != "technician":
        raise CallError(Code.FORBIDDEN, f"{person.name} is {person.role}: a technician begins test mode")
    return TestMode(body.on, person.name, body.why)


def _lamp_test(person: Person, body: LampTestBody) -> LampTest:
    return LampTest(body.pattern, person.name, body.seen)


def _lamp_report(person: Person, body: LampReportBody) -> LampReported:
    return LampReported(body.seat, body.spot, body.works, person.name)


def _parsed(read: Callable[[Fields], Read], fields: Fields) -> Read:
    """The decision in these fields. Raises CallError."""
    try:
        return read(fields)
    except NotAllowed as wrong:
        raise CallError(Code.INVALID_PARAMS, str(wrong)) from None


def _roles(*roles: Role) -> Roles:
    return frozenset(roles)


ACTS: Mapping[str, ActKind] = {
    "key": ActKind(_roles("dealer"), _key),
    "decision": ActKind(
        _roles("supervisor", "technician"), _decision, viewers=_roles("supervisor"), override="supervisor"
    ),
    "request": ActKind(_roles("dealer", "supervisor"), _request, viewers=_roles("dealer", "supervisor")),
    "answer": ActKind(
        _roles("dealer", "supervisor"), _answer, viewers=_roles("dealer", "supervisor", "auditor")
    ),
    "step": ActKind(_roles("dealer", "supervisor"), _step, viewers=_roles("dealer", "supervisor")),
    "meter": ActKind(_roles("supervisor"), _meter, viewers=_roles("supervisor")),
    "acknowledgement": ActKind(_roles("supervisor", "technician"), _acknowledgement, override="supervisor"),
    "test_mode": ActKind(_roles("technician", "supervisor"), _test_mode, override="technician"),
    "lamp_test": ActKind(_roles("technician"), _lamp_test),
    "lamp_report": ActKind(_roles("technician"), _lamp_report),
}
"""By the key of the act's object."""
