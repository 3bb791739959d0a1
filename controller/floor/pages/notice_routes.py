"""The page of notices, its form, and the route that enters one."""

from typing import Annotated, Final

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import HTMLResponse
from pydantic import Field

from controller.floor.approvals.acts import NotActing
from controller.floor.notices.desk import NoticeDesk
from controller.floor.notices.notice import MOST_MINUTES, Notice, NoticeKind, NoticeRefused, NoticeWish
from controller.floor.pages.commanding import SUPERVISORS
from controller.floor.pages.context import NOTICES, Context, links_for
from controller.floor.pages.forms import API, ROOT
from controller.floor.pages.people import FLOOR_ROLES
from controller.floor.pages.rendering import environment
from controller.floor.store_file import StoreError
from controller.monitor.api.sending import Problem
from controller.monitor.authorization import Actor, caller, for_readers, for_roles, with_responses
from controller.monitor.supervisor.form import Form, FormField
from controller.socket.texts import OptionalReason, Reason, RequestModel

KIND_WORDS: Final = (("test", "A test on the live floor"), ("installation", "An installation of software"))
REASONS: Final = ("Acceptance test of the laboratory", "New version of the software", "Repair")
RESPONSES: Final = {
    422: {"model": Problem, "description": "The notice is not allowed; the answer says why"},
    503: {"model": Problem, "description": "The floor cannot write its own journal now"},
}


SUPERVISOR_ROUTE: Final = for_roles(*SUPERVISORS)
router = APIRouter()


class NoticeBody(RequestModel):
    """`begins`: a local time of the house, as 2026-11-27T09:00; `asset`: the asset number, the table's name
    without it; `software`: the version that an installation brings."""

    kind: NoticeKind
    table: Annotated[str, Field(max_length=24)]
    persons: Reason
    begins: Annotated[str, Field(max_length=40)]
    minutes: int
    why: Reason
    asset: OptionalReason = ""
    software: OptionalReason = ""


@router.get(f"{API}/notices", summary="Notices of installations and tests", **for_readers(*FLOOR_ROLES))
async def notices(context: Context) -> list[Notice]:
    """The one that begins last first. Times in seconds of Unix time."""
    return list(context.notices.notices())


@router.post(
    f"{API}/notices", status_code=201, summary="Enter a notice", **with_responses(SUPERVISOR_ROUTE, RESPONSES)
)
async def enter(body: NoticeBody, session: Actor, context: Context) -> Notice:
    """It counts when it is in the floor's own journal."""
    try:
        return await context.notices.enter(NoticeWish(**body.model_dump()), session.person)
    except NoticeRefused as refused:
        raise HTTPException(422, str(refused)) from None
    except (StoreError, NotActing) as error:
        raise HTTPException(503, str(error)) from None


@router.get(NOTICES, include_in_schema=False, **for_roles(*FLOOR_ROLES))
async def page(context: Context, request: Request) -> HTMLResponse:
    person, desk = caller(request), context.notices
    template = environment().get_template("floor/notices.html")
    return HTMLResponse(
        template.render(
            table=context.place.name(),
            person=person,
            ways=links_for(person),
            here=NOTICES,
            notices=desk.notices(),
            now=desk.now(),
            enters=person.role in SUPERVISORS,
            ahead=desk.rules.ahead,
            calendar=desk.rules.calendar,
        )
    )


@router.get(f"{ROOT}/notice", include_in_schema=False, **SUPERVISOR_ROUTE)
async def form(context: Context, request: Request) -> HTMLResponse:
    template = environment().get_template("supervisor/form.html")
    return HTMLResponse(template.render(form=_form(context.notices), person=caller(request)))


def _form(desk: NoticeDesk) -> Form:
    tables = tuple((table, table) for table in sorted(desk.rules.tables()))
    return Form(
        "Enter a notice",
        (f"It begins {desk.rules.ahead} hours from now or later. It cannot be changed afterwards.",),
        "Enter",
        f"POST {API}/notices",
        reasons=REASONS,
        says="What is done, and why",
        fields=(
            FormField("kind", "What", choices=KIND_WORDS),
            FormField("table", "Table", choices=tables),
            FormField("asset", "Asset number", needed=False, hint="Empty: the name of the table"),
            FormField("persons", "Persons who do it"),
            FormField("software", "New version, for an installation", needed=False),
            FormField("begins", f"Begin ({desk.rules.calendar.zone})", "datetime-local"),
            FormField("minutes", "Minutes", "number", value="120", hint=f"1 to {MOST_MINUTES}"),
        ),
    )
