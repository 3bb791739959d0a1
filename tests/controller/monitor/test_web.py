"""The routes, over a real connection."""

import httpx

from controller.monitor.paths import STATIC
from controller.monitor.server.headers import HEADERS
from controller.table.record.views import HIDDEN
from tests.controller.monitor.schema import faults
from tests.fixtures.metrics import check
from tests.fixtures.table_views import PLAYING, STATES, SUSPENDED
from tests.fixtures.web_server import WebServer, web_server

FILES = sorted(
    str(file.relative_to(STATIC)) for file in STATIC.rglob("*") if file.suffix in {".js", ".css", ".svg"}
)


async def get(house: WebServer, path: str) -> httpx.Response:
    response = await house.client.get(path)
    assert response.status_code == 200
    assert {name: response.headers[name] for name in HEADERS} == HEADERS
    return response


async def test_the_page_and_all_its_files_are_served() -> None:
    async with web_server(PLAYING) as house:
        page = await get(house, "/")
        assert page.headers["content-type"] == "text/html; charset=utf-8"
        assert "Seat 2 has 9: hit or stand" in page.text
        for file in FILES:
            assert (await get(house, f"/static/{file}")).text == (STATIC / file).read_text(encoding="utf-8")


async def test_the_page_runs_only_its_own_scripts() -> None:
    async with web_server() as house:
        policy = (await get(house, "/")).headers["content-security-policy"]
        rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
        assert rules["default-src"] == "'none'"
        assert rules["script-src"] == rules["style-src"] == rules["connect-src"] == "'self'"


async def test_json_matches_its_schema() -> None:
    async with web_server() as house:
        document = (await get(house, "/api/v1/openapi.json")).json()
        for path in ("/api/v1/table", "/health"):
            described = document["paths"][path]["get"]["responses"]["200"]["content"]["application/json"][
                "schema"
            ]
            for view in STATES.values():
                house.show(view)
                assert faults(document, described, (await get(house, path)).json()) == []


async def test_schema_check_can_fail() -> None:
    async with web_server() as house:
        document = (await get(house, "/api/v1/openapi.json")).json()
        answer = (await get(house, "/api/v1/table")).json()
    table = {"$ref": "#/components/schemas/TableView"}
    schema = document["components"]["schemas"]["TableView"]
    assert schema["description"] == "All that the pages show of a table."
    assert faults(document, table, {**answer, "round": "1"}) == ["answer.round is '1', not of type integer"]
    assert faults(document, table, {**answer, "more": 1}) == ["answer has more"]


async def test_the_api_does_not_name_a_face_down_card() -> None:
    async with web_server(PLAYING) as house:
        assert (await get(house, "/api/v1/table")).json()["dealer"]["cards"] == [HIDDEN]


CARDS = "# HELP cards_total Cards that left the shoe\n# TYPE cards_total counter\ncards_total 3.0\n"


async def test_metrics_are_those_of_the_core_and_of_the_web_server() -> None:
    async with web_server(metrics=lambda: CARDS) as house:
        metrics = await get(house, "/metrics")
        assert metrics.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
        assert metrics.text.startswith(f"{CARDS}# HELP tableside_web_followers ")
        assert "\ntableside_web_process_resident_memory_bytes " in metrics.text
        assert check(metrics.text) == ""


async def test_health_names_suspensions_and_device_states() -> None:
    async with web_server(PLAYING) as house:
        assert (await get(house, "/health")).json()["status"] == "ok"
        house.show(SUSPENDED)
        health = (await get(house, "/health")).json()
        assert health["status"] == "suspended"
        assert health["suspended"] == list(SUSPENDED.suspended)
        assert health["devices"]["shoe"] == "backing off"


async def test_nothing_else_is_served() -> None:
    async with web_server() as house:
        for path in ("/docs", "/redoc", "/static/", "/static/../web.py", "/static/%2e%2e/web.py", "/nowhere"):
            response = await house.client.get(path)
            assert response.status_code == 404, path
            assert response.headers["x-content-type-options"] == "nosniff"


async def test_everything_is_read_only() -> None:
    async with web_server() as house:
        for method in ("POST", "PUT", "DELETE", "PATCH"):
            for path in ("/", "/events", "/api/v1/table", "/metrics", "/health"):
                assert (await house.client.request(method, path)).status_code == 405
