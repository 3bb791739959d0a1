"""The floor's API: every path is described, in the OpenAPI document and on its page."""

import time
from pathlib import Path

from fastapi import FastAPI
from fastapi.routing import APIRoute
from starlette.routing import Mount

from controller.floor.tables.alerts import FloorCause
from controller.floor.tables.jackpots import LinkedJackpots
from controller.floor.tables.picture import FloorPicture
from controller.monitor.authorization import ROLES_KEY
from controller.monitor.openapi import PATH
from tests.controller.floor.pages.test_access import floor
from tests.fixtures.floor_pages import grand, pits_of, status

PAGE = Path(__file__).parents[4] / "docs" / "floor-http.md"


def listed() -> dict[str, str]:
    """The roles of each path, as the page says."""
    rows = [line.strip("| ").split(" | ") for line in PAGE.read_text("utf-8").splitlines()]
    return {
        path.strip("`"): cells[1]
        for cells in rows
        if cells[0].startswith("`/")
        for path in cells[0].split(", ")
    }


def served(app: FastAPI) -> dict[str, set[str]]:
    """The roles of each path of the application, over all methods."""
    found: dict[str, set[str]] = {}
    for route in app.routes:
        if isinstance(route, Mount):
            found[f"{route.path}/"] = {"anyone"}
        elif isinstance(route, APIRoute):
            found.setdefault(route.path, set()).update((route.openapi_extra or {})[ROLES_KEY])
    return found


async def test_the_page_lists_every_path_with_its_roles(tmp_path: Path) -> None:
    async with floor(tmp_path) as browser:
        app = browser._transport.app  # type: ignore[attr-defined]
        roles = served(app)
    said = {path: set(names.split(", ")) for path, names in listed().items()}
    anyone = {path: {"anyone"} if "anyone" in names else names for path, names in roles.items()}
    assert said == anyone


async def test_every_path_of_the_api_is_described_with_its_refusals(tmp_path: Path) -> None:
    async with floor(tmp_path) as browser:
        document = (await browser.get(PATH)).json()
        app = browser._transport.app  # type: ignore[attr-defined]
        paths = {path for path in served(app) if path.startswith("/api/v1/floor")}
    assert paths <= document["paths"].keys()
    for path in paths:
        for operation in document["paths"][path].values():
            assert operation["summary"]
            assert operation["description"]
            assert {"401", "403", "429"} <= operation["responses"].keys()


async def test_tables_jackpots_and_alerts_are_json_too(tmp_path: Path) -> None:
    now = time.time()
    picture = FloorPicture(pits_of(4), now)
    picture.take_status("bj-001", status(1, now, round=4711), now, now)
    picture.jackpots = LinkedJackpots(("grand",), now)
    picture.jackpots.take(grand(), now)
    picture.report(FloorCause("full", which="JOURNAL"), "The stream JOURNAL is 70 % full", now)
    async with floor(tmp_path, "auditor", picture=picture) as browser:
        tables = (await browser.get("/api/v1/floor/tables")).json()
        assert [(table["table"], table["round"]) for table in tables][:2] == [("bj-001", 4711), ("bj-002", 0)]
        assert (await browser.get("/api/v1/floor/tables/bj-001")).json() == tables[0]
        assert (await browser.get("/api/v1/floor/tables/bj-009")).status_code == 404
        (jackpot,) = (await browser.get("/api/v1/floor/jackpots")).json()
        assert (jackpot["level"], jackpot["cents"], jackpot["claims"][0]["table"]) == (
            "grand",
            48_213_350,
            "bj-003",
        )
        (alert,) = (await browser.get("/api/v1/floor/alerts")).json()
        assert (alert["kind"], alert["severity"]) == ("full", "warning")
