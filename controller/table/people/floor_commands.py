"""What a command of the floor does at the table, and who may give it.

The signature, the property, the table and the journal were compared before the command came here
(controller/socket/floor_commands.py). The table compares the rest when it takes a command, never when it
applies a row: a row was checked before it was written.

- A nonce is a hash of what only the table's journal holds, so no clock and no chance is needed. That of a
  request covers who asked for what and when; it expires with the request. That of the status covers the use
  or the start before.
- A request of the table is granted by two persons: one who asked, or has granted it, at the table, and one at
  the floor. They are never the same account.
- What a grant would do is compared with what the request said, as for a grant at the table.
"""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from controller.access.people import Role
from controller.property.commands import OF_REQUESTS, CommandName, ReplyCode
from controller.table.errors import NotAllowed
from controller.table.people.requests import lifecycle
from controller.table.record.causes import cause
from controller.table.record.events import CommandTaken, FloorCommand, RequestAnswered
from controller.table.state.requests import Request
from controller.table.state.table_state import TableState
from controller.text.characters import same_name

NONCE_LENGTH = 32
MESSAGE = "The floor says: {why} ({who})"
CLOSED = "The floor closes the table after this round: {why} ({who})"
UNRECORDED: frozenset[ReplyCode] = frozenset({"nonce"})
"""Refusals that leave no row. The table refuses the same command in the same way for ever, and a sender that
repeats it must not fill the journal."""


class CommandNotAllowed(NotAllowed):
    """The table does not follow a command of the floor."""

    def __init__(self, code: ReplyCode, why: str) -> None:
        super().__init__(why)
        self.code: ReplyCode = code


@dataclass(frozen=True, slots=True)
class CommandRule:
    """`roles`: who may give it; `check` raises CommandNotAllowed or NotAllowed, `apply` NotAllowed; neither
    has changed anything then."""

    roles: frozenset[Role]
    apply: Callable[[TableState, FloorCommand], None]
    check: Callable[[TableState, FloorCommand], None] = lambda _state, _command: None


def check_command(state: TableState, command: FloorCommand) -> None:
    """Raises CommandNotAllowed if the table cannot take the command now."""
    rule = RULES[command.command]
    _check_nonce(state, command)
    if command.role not in rule.roles:
        allowed = ", ".join(sorted(rule.roles))
        raise CommandNotAllowed("person", f"{command.who} is {command.role}; allowed: {allowed}")
    if state.testing and command.command in OF_REQUESTS:
        raise CommandNotAllowed("closed", f"the table is in test mode ({state.testing.label})")
    try:
        rule.check(state, command)
    except CommandNotAllowed:
        raise
    except NotAllowed as refused:
        raise CommandNotAllowed("closed", str(refused)) from None


def carry_out(state: TableState, command: FloorCommand) -> None:
    """Raises NotAllowed without having changed anything."""
    RULES[command.command].apply(state, command)
    if command.command not in OF_REQUESTS:
        renew_nonce(state, command.signature.hex())


def note_answer(state: TableState, taken: CommandTaken) -> None:
    state.shift.commands.appendleft(taken)


def refusal_code(refused: NotAllowed) -> ReplyCode:
    return refused.code if isinstance(refused, CommandNotAllowed) else "closed"


def renew_nonce(state: TableState, why: str) -> None:
    """Commands with the nonce of the status so far are refused from now on."""
    state.shift.nonce = _digest(state.shift.nonce, why, state.shift.at)


def request_nonce(request: Request) -> str:
    """What an answer of the floor to this request must carry."""
    return _digest(request.number, request.about, request.who, request.why, request.at)


def _digest(*parts: object) -> str:
    text = "\n".join(map(str, parts))
    return hashlib.sha256(text.encode()).hexdigest()[:NONCE_LENGTH]


def _check_nonce(state: TableState, command: FloorCommand) -> None:
    if command.command not in OF_REQUESTS:
        if command.nonce != state.shift.nonce:
            raise CommandNotAllowed(
                "nonce", f"the nonce {command.nonce} is not the one of the table's status"
            )
        return
    register = state.shift.requests
    known = (*register.open, *(done.request for done in register.done))
    asked = next((one for one in known if one.number == command.request), None)
    if asked is None or command.nonce != request_nonce(asked):
        raise CommandNotAllowed(
            "nonce", f"the nonce {command.nonce} is not the one of request {command.request}"
        )
    _check_open(state, command)


def _check_open(state: TableState, command: FloorCommand) -> None:
    """Raises CommandNotAllowed for a request that is not open any more."""
    try:
        state.shift.requests.find(command.request)
    except NotAllowed as closed:
        raise CommandNotAllowed("closed", str(closed)) from None


def _check_grant(state: TableState, command: FloorCommand) -> None:
    request = state.shift.requests.find(command.request)
    at_table = request.grants if request.about == "parameters" else (request.who,)
    if same_name(command.who, command.second):
        raise CommandNotAllowed("person", f"{command.who} is both persons: it takes two")
    if not any(same_name(command.second, name) for name in at_table):
        names = ", ".join(at_table) or "none yet: a person at the table must grant it first"
        raise CommandNotAllowed("person", f"second = {command.second!r}; allowed: {names}")
    try:
        lifecycle.check_grant(request, _answer(command))
    except NotAllowed as wrong:
        raise CommandNotAllowed("person", str(wrong)) from None
    lifecycle.preview_answer(state, _answer(command))


def _answer_request(state: TableState, command: FloorCommand) -> None:
    lifecycle.answer_request(state, _answer(command))


def _answer(command: FloorCommand) -> RequestAnswered:
    granted = command.command == "grant"
    return RequestAnswered(command.request, granted, command.who, command.role, command.why)


def _check_alert(state: TableState, command: FloorCommand) -> None:
    if all(alarm.number != command.alert for alarm in state.shift.alarms.open):
        raise CommandNotAllowed("closed", f"there is no open alert {command.alert}")


def _acknowledge(state: TableState, command: FloorCommand) -> None:
    try:
        state.shift.alarms.acknowledge(command.alert, command.who, state.shift.at)
    except LookupError as absent:
        raise NotAllowed(str(absent)) from None


def _message(state: TableState, command: FloorCommand) -> None:
    state.alert(cause("message"), MESSAGE.format(why=command.why, who=command.who))


def _close(state: TableState, command: FloorCommand) -> None:
    state.suspend_between(cause("closed"), CLOSED.format(why=command.why, who=command.who))


SUPERVISORS: frozenset[Role] = frozenset({"supervisor"})
RULES: Mapping[CommandName, CommandRule] = {
    "grant": CommandRule(SUPERVISORS, _answer_request, _check_grant),
    "decline": CommandRule(SUPERVISORS, _answer_request),
    "acknowledge": CommandRule(SUPERVISORS | {"technician"}, _acknowledge, _check_alert),
    "message": CommandRule(SUPERVISORS, _message),
    "close": CommandRule(SUPERVISORS, _close),
}
"""The commands. None opens a table: a supervisor at the table resumes."""
