"""Who signs in at the floor is in the floor's own journal."""

import asyncio
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from controller.access.desk import AccessDesk
from controller.floor.floor_log import FloorEntry
from controller.floor.pages.server import FloorServer
from controller.floor.store_file import StoreError
from controller.floor.tables.picture import FloorPicture
from tests.fixtures.access_desk import PASSWORD, add_with_secret
from tests.fixtures.floor_acts import AwayActs
from tests.fixtures.floor_pages import pits_of
from tests.fixtures.waiting import PATIENCE, come_true
from tests.fixtures.web_server import client_of


def hire(folder: Path) -> None:
    with AccessDesk(folder / "access.db", time.time, time.monotonic) as desk:
        add_with_secret(desk, "Ann Lee", "supervisor")


@asynccontextmanager
async def served(folder: Path, acts: AwayActs) -> AsyncIterator[httpx.AsyncClient]:
    accounts, urls = folder / "access.db", list[str]()
    picture = FloorPicture(pits_of(4), time.time())
    server = FloorServer("Grand", accounts, folder, picture, acts, port=0, on_address=urls.append)
    serving = asyncio.create_task(server.run())
    try:
        await come_true(lambda: urls)
        async with client_of(int(urls[0].rstrip("/").rpartition(":")[2])) as browser:
            yield browser
    finally:
        serving.cancel()
        await asyncio.wait({serving})


async def sign_in(browser: httpx.AsyncClient, secret: str) -> int:
    body = {"kind": "password", "name": "Ann Lee", "secret": secret}
    return (await browser.post("/api/v1/session", json=body)).status_code


def written(acts: AwayActs) -> list[tuple[str, str]]:
    return [(body["what"], body["who"]) for kind, body in acts.written if kind == "access"]


async def test_who_signs_in_and_who_fails_to_is_written_once_and_without_the_secret(tmp_path: Path) -> None:
    acts = AwayActs()
    hire(tmp_path)
    async with served(tmp_path, acts) as browser:
        assert [await sign_in(browser, secret) for secret in ("wrong", PASSWORD)] == [401, 200]
        await come_true(lambda: ("signed in", "Ann Lee") in written(acts))
    people = [(what, who) for what, who in written(acts) if who == "Ann Lee"]
    assert people == [("refused", "Ann Lee"), ("signed in", "Ann Lee")]
    assert PASSWORD not in str(acts.written)
    assert "wrong" not in [value for _, body in acts.written for value in body.values()]


async def test_what_the_journal_does_not_take_is_written_later(tmp_path: Path) -> None:
    acts = AwayActs(away=True)
    hire(tmp_path)
    async with served(tmp_path, acts) as browser:
        assert await sign_in(browser, PASSWORD) == 200
    assert written(acts) == []
    acts.away = False
    async with served(tmp_path, acts):
        await come_true(lambda: ("signed in", "Ann Lee") in written(acts))


@dataclass
class SlowActs(AwayActs):
    """Its answer comes at the moment of a cancellation, which is lost, as until Python 3.12 in
    `asyncio.wait_for`."""

    asked: bool = False

    async def note(self, kind: str, body: Mapping[str, Any]) -> FloorEntry:
        self.asked = True
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(PATIENCE)
        return await super().note(kind, body)


@dataclass
class BrokenActs(AwayActs):
    async def note(self, kind: str, body: Mapping[str, Any]) -> FloorEntry:
        raise StoreError(f"no room for {kind}: {body['what']}")


async def test_the_pages_end_although_a_record_loses_the_cancellation(tmp_path: Path) -> None:
    acts = SlowActs()
    hire(tmp_path)
    async with asyncio.timeout(PATIENCE / 2), served(tmp_path, acts) as browser:
        assert await sign_in(browser, PASSWORD) == 200
        await come_true(lambda: acts.asked)


async def test_the_pages_raise_the_error_of_the_part_that_failed(tmp_path: Path) -> None:
    hire(tmp_path)
    picture = FloorPicture(pits_of(4), time.time())
    server = FloorServer("Grand", tmp_path / "access.db", tmp_path, picture, BrokenActs(), port=0)
    with pytest.raises(StoreError, match="no room for access"):
        await server.run()
