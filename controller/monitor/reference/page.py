"""The page of the API's reference, rendered from the OpenAPI document."""

import asyncio
from collections.abc import Callable
from functools import cache

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse

from controller.monitor.authorization import ANYONE, for_roles
from controller.monitor.live.renderer import templates
from controller.monitor.navigation import REFERENCE as PATH
from controller.monitor.reference.reference import COMMON, Reference, curl, reference_of
from controller.monitor.sign_in.place import Place


def add(app: FastAPI, place: Place, document: Callable[[], dict[str, object]]) -> None:
    """`document` makes the OpenAPI document."""

    @cache
    def described() -> Reference:
        return reference_of(document())

    @app.get(PATH, include_in_schema=False, **for_roles(ANYONE))
    async def reference(request: Request) -> HTMLResponse:
        session = await request.app.state.authentication.session(request)
        person = session.person if session and not session.reads_only else None
        server = f"{request.url.scheme}://{request.url.netloc}"
        shown = await asyncio.to_thread(described)
        page = templates().get_template("reference.html")
        return HTMLResponse(
            page.render(
                table=place.name(),
                person=person,
                ways=place.links(person) if person else (),
                here=PATH,
                reference=shown,
                common=COMMON,
                example=curl(shown.example, server) if shown.example else "",
                passages=passages,
            )
        )


def passages(text: str) -> list[tuple[str, bool]]:
    """A text in pieces, each with whether it stands between back-quotes."""
    return [(piece, place % 2 == 1) for place, piece in enumerate(text.split("`")) if piece]
