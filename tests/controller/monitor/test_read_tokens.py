"""Other systems read the API with a token, and nothing else."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from controller.access.read_tokens import DAY
from controller.monitor.authorization import ANYONE
from controller.pages.roles import RouteRoles
from tests.controller.monitor.test_roles import ROUTES, filled
from tests.fixtures.web_staff import Staff, staffed

READABLE = [served for served in ROUTES if served.tokens]


@pytest.fixture(scope="module")
def staff(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Staff]:
    with staffed(tmp_path_factory.mktemp("tokens")) as staff:
        yield staff


@pytest.fixture(scope="module")
def token(staff: Staff) -> str:
    return staff.access.tokens.make("rating", 30, "root")


async def answered(staff: Staff, served: RouteRoles, token: str) -> httpx.Response:
    async with staff.browser() as browser:
        headers = {"Authorization": f"Bearer {token}"}
        return await browser.request(served.method, filled(served), headers=headers)


def test_only_paths_of_the_api_that_read_are_open_to_tokens() -> None:
    assert "/api/v1/table" in {served.path for served in READABLE}
    assert "/api/v1/rounds" in {served.path for served in READABLE}
    for served in READABLE:
        assert served.path.startswith("/api/v1/")
        assert served.method == "GET"
        assert served.serves("auditor")


@pytest.mark.parametrize("served", ROUTES, ids=lambda served: f"{served.method} {served.path}")
async def test_a_token_opens_what_is_marked_and_nothing_else(
    staff: Staff, token: str, served: RouteRoles
) -> None:
    answer = await answered(staff, served, token)
    if served.tokens:
        assert answer.status_code not in {401, 403}, answer.text
    elif ANYONE not in served.roles:
        assert answer.status_code == 403
        assert "a token reads the API and nothing else" in answer.text


async def test_a_token_that_must_not_be_used_gets_a_401_that_says_why(tmp_path: Path) -> None:
    [table] = [served for served in READABLE if served.path == "/api/v1/table"]
    with staffed(tmp_path) as staff:
        for name in ("old", "lost"):
            staff.sessions[name] = {"token": staff.access.tokens.make(name, 1, "root")}
        staff.access.tokens.revoke("lost", "root")
        staff.clock.now += DAY
        for sent, why in (
            (staff.sessions["old"]["token"], "the token old has expired"),
            (staff.sessions["lost"]["token"], "the token lost was revoked"),
            ("tsr_x", "this token is not known"),
            ("x" * 1000, "this token is not known"),
        ):
            answer = await answered(staff, table, sent)
            assert answer.status_code == 401
            assert why in answer.json()["detail"]
            assert 'error="invalid_token"' in answer.headers["www-authenticate"]
