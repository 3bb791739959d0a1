"""The methods `preview` and `act`: a person, a session and an act become one decision of the table."""

from dataclasses import asdict, replace
from typing import Protocol, get_args

from controller.access.errors import WrongSecret
from controller.access.people import OVERRIDE, SECRET_WORDS, Person, secret_kind
from controller.socket.acts import (
    decision_of,
    may_act,
    overriding_decision,
    takes_secret,
    viewed_decision,
)
from controller.socket.codes import CallError, Code
from controller.socket.core import Core, TableDesk
from controller.socket.messages import OneOf
from controller.socket.params import ActParams, PeerKind, PreviewParams
from controller.socket.peers import ROOT, Peer
from controller.socket.results import Taken
from controller.table.errors import NotAllowed
from controller.table.inbox import Act
from controller.table.record.choices import CHOICES
from controller.table.record.events import (
    ActTaken,
    Decision,
    RequestAnswered,
    RequestMade,
    RequestSubject,
    Supervisor,
)

REQUEST_SUBJECTS: tuple[RequestSubject, ...] = get_args(RequestSubject)


class Caller(Protocol):
    """The client that calls."""

    peer: Peer
    kinds: frozenset[PeerKind]


def preview(core: Core, caller: Caller, params: PreviewParams) -> dict[str, object]:
    """The preview, whose token the act must carry. Raises CallError and NotAllowed."""
    desk = core.desk()
    if params.override is not None:
        return asdict(desk.preview(_overriding(caller, params.act)))
    person = core.session(params.token or "").person
    decision = viewed_decision(person, params.act)
    found = desk.preview(decision)
    asks = may_act(person, params.act) and takes_secret(
        decision,
        by_two=_may_need_two(decision) and found.by_two,
        call_for_help=_answers_help(desk, decision),
    )
    return asdict(replace(found, confirm=secret_kind(person.role) if asks else None))


async def act(core: Core, caller: Caller, params: ActParams) -> Taken:
    """Returns when the act is on disk. Raises CallError and NotAllowed."""
    if params.override is not None:
        return await _override(core, caller, params)
    desk, session = core.desk(), core.session(params.token or "")
    person = session.person
    if before := desk.state.shift.find_act(person.name, params.id):
        return _answered(before)
    decision = decision_of(person, params.act)
    by_two = _by_two(desk, decision)
    if takes_secret(decision, by_two=by_two, call_for_help=_answers_help(desk, decision)):
        await _confirm(core, params, session.address, person)
        core.session(params.token or "")  # it may be over by now
    taken = _as_request(person, decision) if by_two else decision
    return _answered(await desk.act(taken, Act(person.name, params.id)))


async def _override(core: Core, caller: Caller, params: ActParams) -> Taken:
    """An act of root, who has not signed in. Raises CallError for what moves a jackpot or takes two
    persons."""
    desk, decision = core.desk(), _overriding(caller, params.act)
    if before := desk.state.shift.find_act(OVERRIDE, params.id):
        return _answered(before)
    if _by_two(desk, decision):
        raise CallError(Code.FORBIDDEN, "it moves a jackpot or takes two persons: not allowed with override")
    return _answered(await desk.act(decision, Act(OVERRIDE, params.id, params.override or "")))


def _overriding(caller: Caller, act: OneOf) -> Decision:
    """The decision of root. Raises CallError."""
    if caller.peer.uid != ROOT:
        raise CallError(Code.FORBIDDEN, "override: only root may act without signing in")
    if "cli" not in caller.kinds:
        raise CallError(Code.FORBIDDEN, "override: not for this client; allowed: cli")
    return overriding_decision(act)


def _answered(taken: ActTaken) -> Taken:
    if taken.refused:
        raise CallError(Code.REFUSED, taken.refused)
    return Taken(taken.row, taken.request)


def _as_request(person: Person, decision: Decision) -> Decision:
    """A decision that takes two persons, as a request that another one grants."""
    if not isinstance(decision, Supervisor):
        return decision
    subject = next(subject for subject in REQUEST_SUBJECTS if subject == decision.choice)
    return RequestMade(subject, person.name, person.role, decision.why, word=decision)


def _by_two(desk: TableDesk, decision: Decision) -> bool:
    return _may_need_two(decision) and desk.preview(decision).by_two


def _may_need_two(decision: Decision) -> bool:
    """Whether its preview has to say if it takes two persons."""
    return isinstance(decision, Supervisor) and CHOICES[decision.choice].may_need_two


def _answers_help(desk: TableDesk, decision: Decision) -> bool:
    """False for a request that is not open: it may be by the time when the table takes the answer."""
    if not isinstance(decision, RequestAnswered):
        return False
    try:
        return desk.state.shift.requests.find(decision.request).about == "help"
    except NotAllowed:
        return False


async def _confirm(core: Core, params: ActParams, address: str, person: Person) -> None:
    """The person proves again who they are. Raises CallError 403 without the secret or with a wrong one."""
    needed = {"confirm": secret_kind(person.role)}
    if params.confirm is None:
        raise CallError(
            Code.FORBIDDEN, f"this takes {person.name}'s {person.secret_word} again, at this moment", needed
        )
    try:
        await core.accounts().confirm(person, params.confirm.kind, params.confirm.secret, address)
    except WrongSecret:
        wrong = f"this is not {person.name}'s {SECRET_WORDS[params.confirm.kind]}"
        raise CallError(Code.FORBIDDEN, wrong, needed) from None
