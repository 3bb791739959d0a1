"""FastAPI analyzes what a route receives and returns when the route is declared. This takes longer than the
rest of an application, so all applications of a process share the routes that keep nothing for one of
them."""

import pytest
from fastapi.routing import APIRoute

from controller.monitor.context import WebContext
from controller.monitor.live.changes import ChangeNotifier
from controller.monitor.web import build
from tests.fixtures.core_socket import no_core
from tests.fixtures.table_views import BETTING


def routes(*, public: bool) -> dict[str, APIRoute]:
    """The documented routes of a new application, by method and path."""
    app = build(WebContext(no_core(), lambda: BETTING, ChangeNotifier(), public=public))
    found = [each for each in app.routes if isinstance(each, APIRoute) and each.include_in_schema]
    return {f"{' '.join(each.methods or ())} {each.path}": each for each in found}


@pytest.mark.parametrize("public", [True, False])
def test_applications_share_the_routes_that_keep_nothing_for_one_of_them(*, public: bool) -> None:
    one, other = routes(public=public), routes(public=public)
    own = [path for path, route in one.items() if other[path] is not route]
    assert own == [
        "GET /api/v1/events",
        "GET /api/v1/reports",
        "GET /api/v1/reports/{period}.csv",
        "GET /api/v1/reports/{period}",
    ]


def test_an_application_for_anyone_has_a_route_of_its_own_for_the_table() -> None:
    anyone, signed_in = routes(public=True), routes(public=False)
    assert "GET /api/v1/table" in anyone
    assert anyone["GET /api/v1/table"] is not signed_in["GET /api/v1/table"]
    assert anyone["GET /api/v1/session"] is signed_in["GET /api/v1/session"]
