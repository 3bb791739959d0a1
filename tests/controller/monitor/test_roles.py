"""Every route, requested in every role and without one, serves the roles it declares and no others."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from controller.access.people import ROLES
from controller.monitor.authorization import ANYONE, for_roles
from controller.monitor.context import WebContext
from controller.monitor.live.changes import ChangeNotifier
from controller.monitor.paths import STATIC
from controller.monitor.sign_in.authentication import SAFE
from controller.monitor.web import build
from controller.pages.roles import RolesMissing, RouteRoles, matrix, role_table
from tests.fixtures.core_socket import no_core
from tests.fixtures.table_views import BETTING
from tests.fixtures.web_staff import NOBODY, Staff, staffed

DOCS = Path(__file__).parents[3] / "docs"
PLACES: Mapping[str, str] = {
    "number": "1",
    "spot": "blazing-7s",
    "choice": "void",
    "step": "verify",
    "period": "2026-11-20",
    "answer": "grant",
}
"""Values for the parameters of a path; "1" for those that are not in here."""


def application(*, watching: bool = False) -> FastAPI:
    return build(WebContext(no_core(), lambda: BETTING, ChangeNotifier(), public=watching))


ROUTES = matrix(application())


@pytest.fixture(scope="module")
def staff(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Staff]:
    with staffed(tmp_path_factory.mktemp("access")) as staff:
        yield staff


def filled(served: RouteRoles) -> str:
    """Its path, with a value for each parameter."""
    if served.path == "/static/":
        return served.path + min(file.name for file in STATIC.glob("*.css"))
    whole = served.path
    while "{" in whole:
        before, _, rest = whole.partition("{")
        name, _, after = rest.partition("}")
        whole = before + PLACES.get(name, "1") + after
    return whole


async def asked(staff: Staff, role: str, served: RouteRoles, accept: str = "*/*") -> httpx.Response:
    async with staff.browser(role) as browser:
        return await browser.request(served.method, filled(served), headers={"Accept": accept})


def refused(answer: httpx.Response) -> bool:
    led = answer.status_code == 303 and answer.headers["location"].startswith("/sign-in?next=")
    return led or answer.status_code in {401, 403}


@pytest.mark.parametrize("role", [NOBODY, *ROLES])
@pytest.mark.parametrize("served", ROUTES, ids=lambda served: f"{served.method} {served.path}")
async def test_each_route_serves_the_roles_it_declares(
    tmp_path: Path, served: RouteRoles, role: str, staff: Staff
) -> None:
    if (served.method, served.path) == ("DELETE", "/api/v1/session"):
        with staffed(tmp_path) as others:  # a session that signed out cannot be used again
            answer = await asked(others, role, served)
    else:
        answer = await asked(staff, role, served)
    if served.path == "/api/v1/session" and served.method == "POST":
        assert answer.status_code == 422  # the body is empty
        return
    assert refused(answer) is not served.serves(role), (answer.status_code, answer.text[:200])
    assert answer.status_code < 500 or answer.status_code == 503, answer.text[:200]


@pytest.mark.parametrize(
    "served",
    [one for one in ROUTES if one.method not in SAFE and ANYONE not in one.roles],
    ids=lambda served: f"{served.method} {served.path}",
)
async def test_nothing_is_done_for_a_forged_form(tmp_path: Path, served: RouteRoles) -> None:
    role = min(served.roles)
    with staffed(tmp_path) as staff:
        async with staff.browser(role, forged=True) as browser:
            answer = await browser.request(served.method, filled(served))
        assert answer.status_code == 403
        assert staff.said() == [("forged", role.title())]
        async with staff.browser(role) as browser:
            assert (await browser.get("/api/v1/session")).json()["role"] == role


async def test_a_page_leads_to_the_page_to_sign_in_on(staff: Staff) -> None:
    async with staff.browser(NOBODY) as browser:
        answer = await browser.get("/supervisor", headers={"Accept": "text/html"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/sign-in?next=/supervisor")


def test_who_may_watch_is_configured() -> None:
    watched = {served.path for served in matrix(application(watching=True)) if ANYONE in served.roles}
    public = {served.path for served in ROUTES if ANYONE in served.roles}
    assert watched - public == {"/", "/events", "/api/v1/events", "/api/v1/table"}


def test_the_page_of_the_documentation_is_this_one() -> None:
    assert role_table(ROUTES) in (DOCS / "roles.md").read_text("utf-8"), "run make pages"


def test_a_route_that_says_nothing_is_found() -> None:
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)

    @app.get("/stated", **for_roles("auditor"))
    async def stated() -> None: ...

    assert [served.roles for served in matrix(app)] == [{"auditor"}]

    @app.get("/silent")
    async def silent() -> None: ...

    with pytest.raises(RolesMissing, match="/silent"):
        matrix(app)
