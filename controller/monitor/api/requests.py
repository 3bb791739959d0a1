"""Somebody asks for what others must grant."""

from dataclasses import dataclass, replace
from typing import Literal

from fastapi import FastAPI, Request

from controller.access.people import Person
from controller.monitor.api.sending import UNSAID, Perhaps, Token, Told, Why, foresee, say, serves, understood
from controller.monitor.authorization import caller, only
from controller.monitor.context import Parts
from controller.table.people import supervisor_commands
from controller.table.record.events import Asked, Supervisor
from controller.table.record.preview import Preview
from controller.table.record.views import AnsweredView, RequestView
from controller.text.characters import same


@dataclass(frozen=True, slots=True)
class Requests:
    """Those that are open, oldest first, and the last ones that are not any more, newest first."""

    open: tuple[RequestView, ...]
    answered: tuple[AnsweredView, ...]


class Wish(Told):
    """What is asked for. With `correct`: which card it is, as in a decision. A dealer asks for `undo` of the
    last key, and calls for `help`; dealers and supervisors ask for `void` and `correct`. `token`: that of the
    preview; a call for help needs none."""

    about: Literal["undo", "help", "void", "correct"]
    why: Why
    token: Token | None = None
    round: int | None = None
    seat: int | None = None
    hand: int | None = None
    number: int | None = None
    old: str | None = None
    card: str | None = None


class Question(Wish):
    """A request to preview; its reason may be missing."""

    why: Perhaps = UNSAID


def add(app: FastAPI, parts: Parts) -> None:
    """Adds what is asked for."""

    @app.get(
        "/api/v1/requests",
        summary="What others must grant",
        **only("dealer", "supervisor", "auditor"),
    )
    async def requests() -> Requests:
        seen = parts.view()
        return Requests(seen.requests, seen.answered)

    @app.post(
        "/api/v1/requests",
        status_code=201,
        summary="Ask for what others must grant",
        **serves("dealer", "supervisor"),
    )
    async def ask(wish: Wish, request: Request) -> RequestView:
        """409 says why it could not be done now, or who asks for it already."""
        asked = asked_by(caller(request), wish)
        await say(parts, asked)
        return latest(parts, asked)

    @app.post(
        "/api/v1/requests/preview",
        summary="What a request would ask for",
        **serves("dealer", "supervisor"),
    )
    async def preview(question: Question, request: Request) -> Preview:
        """What it would do once it is granted, and the `token` that the request has to carry."""
        return foresee(parts, asked_by(caller(request), question))


def asked_by(person: Person, wish: Wish) -> Asked:
    """The request of who is signed in; raises RequestValidationError."""
    told = wish.model_dump(exclude_none=True) | {"who": person.name}
    word = None if wish.about == "help" else _word(told)
    return Asked(wish.about, person.name, person.role, wish.why, word)


def latest(parts: Parts, asked: Asked) -> RequestView:
    """The request that was just made: nobody has two about the same thing."""
    seen = parts.view()
    every = (*reversed(seen.requests), *(done.request for done in seen.answered))
    return next(one for one in every if one.about == asked.about and same(one.who, asked.who))


def _word(told: supervisor_commands.Words) -> Supervisor:
    """As a supervisor would say it."""
    choice = {"choice": told["about"], **{name: told[name] for name in told if name != "about"}}
    return replace(understood(supervisor_commands.choice, choice), signed_in=True)
