"""The routes by which people at the floor act on a table: always the person who is signed in."""

from typing import Annotated, Any, Final

from fastapi import APIRouter, HTTPException, Path, Request, Response
from pydantic import BaseModel

from controller.access.people import Role
from controller.floor.approvals.acts import NotActing
from controller.floor.approvals.desk import Wish
from controller.floor.approvals.sender import CommandState, SentCommand
from controller.floor.pages.acknowledging import Number
from controller.floor.pages.context import Context, FloorContext, TableName
from controller.floor.pages.people import FLOOR_ROLES
from controller.floor.pages.rendering import ACKNOWLEDGING
from controller.monitor.api.answers import Grant
from controller.monitor.api.sending import CONFIRM_RESPONSES, ConfirmedBody, Problem
from controller.monitor.authorization import Actor, WebSession, for_readers, for_roles, with_responses
from controller.monitor.sign_in.cookies import client_address
from controller.property.commands import CommandName
from controller.socket.texts import OptionalReason, Reason, RequestModel, Token
from controller.table.record.preview import Preview

TABLE: Final = "/api/v1/floor/tables/{table}"
SUPERVISORS: Final[tuple[Role, ...]] = ("supervisor",)
router = APIRouter()
CommandId = Annotated[str, Path(pattern="^[A-Za-z0-9-]{1,36}$", description="The id of the command")]


class ReasonBody(RequestModel):
    """`why`: the reason, or the message."""

    why: Reason


class FloorAnswerBody(ConfirmedBody):
    """`grant`: false declines the request. `why`: without one, the reason that the request states. `token`:
    that of the preview."""

    grant: bool
    why: OptionalReason = ""
    token: Token = ""


class CommandView(BaseModel):
    """A command and what became of it. `state`: `sent`, `unknown` (no answer: it may or may not have been
    carried out), `done` or `refused`; `code` and `reason`: of the table's answer; `row`: of the table's
    journal, 0 if it is not known."""

    id: str
    command: CommandName
    text: str
    who: str
    second: str
    issued: float
    state: CommandState
    code: str
    reason: str
    row: int

    @classmethod
    def of(cls, sent: SentCommand) -> "CommandView":
        command = sent.command
        return cls(
            id=command.id,
            command=command.command,
            text=command.text,
            who=command.who,
            second=command.second,
            issued=command.issued,
            state=sent.state,
            code=sent.code,
            reason=sent.reason,
            row=sent.row,
        )


RESPONSES: Final[dict[int, dict[str, Any]]] = {
    202: {"model": CommandView, "description": "No answer: it may or may not have been carried out"},
    409: {
        "model": Problem,
        "description": "The table refuses, or its status does not allow it",
    },
    503: {"model": Problem, "description": "Nothing was sent: this instance of the floor may not act now"},
}


def _route(*roles: Role, confirmed: bool = False) -> dict[str, Any]:
    return with_responses(for_roles(*roles), RESPONSES, CONFIRM_RESPONSES if confirmed else {})


@router.get(
    f"{TABLE}/requests/{{number}}/preview",
    summary="Preview the answer to a request of a table",
    **_route(*SUPERVISORS),
)
async def preview(
    table: TableName, number: Number, session: Actor, context: Context, grant: Grant = True
) -> Preview:
    """What granting the request would do, or declining it (`grant=false`), and the `token` that the
    answer must carry."""
    try:
        return context.commands.preview(table, number, session.person, grant=grant)
    except LookupError as error:
        raise HTTPException(409, str(error)) from None


@router.post(
    f"{TABLE}/requests/{{number}}/answer",
    summary="Grant or decline a request of a table",
    **_route(*SUPERVISORS, confirmed=True),
)
async def answer(
    table: TableName,
    number: Number,
    body: FloorAnswerBody,
    session: Actor,
    context: Context,
    request: Request,
    response: Response,
) -> CommandView:
    """It takes two persons: the one who asked at the table, and this one, who types the secret again.
    Answering a call for help takes none."""
    try:
        why = body.why or context.commands.request(table, number).text
        wish = Wish("grant" if body.grant else "decline", why, number, body.token)
        takes_secret = context.commands.takes_secret(table, wish)
    except LookupError as error:
        raise HTTPException(409, str(error)) from None
    if takes_secret:
        await context.people.confirm(session.token, body.confirm, client_address(request))
    return await _given(context, table, wish, session, response)


@router.post(
    f"{TABLE}/own-alerts/{{number}}/acknowledgement",
    summary="Acknowledge an alert of the table itself",
    **_route(*ACKNOWLEDGING),
)
async def acknowledge(
    table: TableName,
    number: Number,
    body: ReasonBody,
    session: Actor,
    context: Context,
    response: Response,
) -> CommandView:
    """As at the table."""
    return await _given(context, table, Wish("acknowledge", body.why, number), session, response)


@router.post(f"{TABLE}/messages", summary="Send a message to a table", **_route(*SUPERVISORS))
async def message(
    table: TableName, body: ReasonBody, session: Actor, context: Context, response: Response
) -> CommandView:
    """It is an alert at the table."""
    return await _given(context, table, Wish("message", body.why), session, response)


@router.post(f"{TABLE}/closing", summary="Close a table after its round", **_route(*SUPERVISORS))
async def close(
    table: TableName, body: ReasonBody, session: Actor, context: Context, response: Response
) -> CommandView:
    """Only a supervisor at the table opens it again."""
    return await _given(context, table, Wish("close", body.why), session, response)


@router.get(f"{TABLE}/commands", summary="The last commands to a table", **for_readers(*FLOOR_ROLES))
async def commands(table: TableName, context: Context) -> list[CommandView]:
    """Newest first."""
    return [CommandView.of(sent) for sent in context.commands.recent(table)]


@router.post(
    f"{TABLE}/commands/{{command}}/again",
    summary="Send a command again whose outcome is unknown",
    **_route(*ACKNOWLEDGING),
)
async def again(table: TableName, command: CommandId, context: Context, response: Response) -> CommandView:
    """The same bytes are sent: a table carries out a command once."""
    try:
        return _outcome(context, await context.commands.again(table, command), response)
    except LookupError as error:
        raise HTTPException(409, str(error)) from None
    except NotActing as error:
        raise HTTPException(503, str(error)) from None


async def _given(
    context: FloorContext, table: str, wish: Wish, session: WebSession, response: Response
) -> CommandView:
    try:
        sent = await context.commands.give(table, wish, session.person)
    except LookupError as error:
        raise HTTPException(409, str(error)) from None
    except NotActing as error:
        raise HTTPException(503, f"nothing was sent: {error}") from None
    return _outcome(context, sent, response)


def _outcome(context: FloorContext, sent: SentCommand, response: Response) -> CommandView:
    """Raises HTTPException 409 for a command that the table has refused."""
    context.look()
    if sent.state == "refused":
        raise HTTPException(409, f"the table refuses: {sent.reason}")
    response.status_code = 202 if sent.state == "unknown" else 200
    return CommandView.of(sent)
