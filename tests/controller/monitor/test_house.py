"""The branding of a house on the pages of a table."""

from pathlib import Path

import httpx
import pytest
from playwright.async_api import expect

from controller.config.web import WebSection
from controller.monitor.context import WebContext
from controller.monitor.house import NO_HOUSE, PICTURE_POLICY, House, house_of
from controller.monitor.live.changes import ChangeNotifier
from controller.monitor.outage.outage import ABSENT, Outage
from controller.monitor.outage.page import application
from controller.monitor.server.headers import HEADERS
from controller.monitor.web import build
from tests.controller.config.test_branding import SVG
from tests.controller.monitor.following import follow
from tests.fixtures.chromium import SHARED, chromium
from tests.fixtures.core_socket import no_core
from tests.fixtures.table_views import BETTING
from tests.fixtures.web_server import web_server


def client(house: House, *, halted: bool = False) -> httpx.AsyncClient:
    """A client of a table of this house."""
    outage = application(Outage("halted", "T", "easy-jack", "1", 0.0, ABSENT), no_core().metrics)
    context = WebContext(
        no_core(),
        lambda: BETTING,
        ChangeNotifier(),
        house=lambda: house,
        outage=lambda: outage if halted else None,
    )
    wire = httpx.ASGITransport(build(context))
    return httpx.AsyncClient(transport=wire, base_url="http://localhost")


def branded(folder: Path) -> House:
    (folder / "logo.svg").write_text(SVG.format('<path d="M0 0h9"/>'))
    return house_of(WebSection(house='The "Grand"', logo=str(folder / "logo.svg"), felt="#7a1020"))


@pytest.mark.parametrize("halted", [False, True])
async def test_every_page_links_a_style_sheet_with_felt_name_and_logo(
    tmp_path: Path, *, halted: bool
) -> None:
    async with client(branded(tmp_path), halted=halted) as browser:
        page, style = await browser.get("/"), await browser.get("/house/style.css")
    assert '<link rel="stylesheet" href="/house/style.css">' in page.text
    assert style.status_code == 200
    assert style.headers["content-type"] == "text/css; charset=utf-8"
    lines = style.text.splitlines()
    assert "  --felt: #7a1020;" in lines
    assert "  --felt-light: #951427;" in lines
    assert '  --house-content: "" / "The \\"Grand\\"";' in lines
    assert "  --house-aspect: 3.0000;" in lines


async def test_pages_show_the_house_as_it_is_now(tmp_path: Path) -> None:
    chosen = [branded(tmp_path), House("Palace")]
    context = WebContext(no_core(), lambda: BETTING, ChangeNotifier(), house=lambda: chosen[0])
    wire = httpx.ASGITransport(build(context))
    async with httpx.AsyncClient(transport=wire, base_url="http://localhost") as browser:
        before = await browser.get("/house/logo.svg"), await browser.get("/house/style.css")
        del chosen[0]
        after = await browser.get("/house/logo.svg"), await browser.get("/house/style.css")
    assert [answer.status_code for answer in (*before, *after)] == [200, 200, 404, 200]
    assert '--house-content: "Palace";' in after[1].text


@SHARED
async def test_an_open_page_gets_the_colours_of_another_house(tmp_path: Path) -> None:
    chosen = [NO_HOUSE, branded(tmp_path)]
    async with web_server(house=lambda: chosen[0]) as server, chromium() as browser:
        page = await browser.new_page()
        await follow(page, f"http://127.0.0.1:{server.port}/")
        await page.evaluate("document.body.dataset.mark = 'the same page'")
        await expect(page.locator("html")).to_have_css("--felt", NO_HOUSE.felt)
        del chosen[0]
        server.changes.notify()
        await expect(page.locator("html")).to_have_css("--felt", "#7a1020")
        await expect(page.locator("body[data-mark]")).to_have_count(1)


async def test_the_logo_is_served_as_a_picture_that_runs_nothing(tmp_path: Path) -> None:
    house = branded(tmp_path)
    assert house.logo
    async with client(house) as browser:
        answer = await browser.get(f"/house/logo.svg?{house.logo.digest}")
        other = await browser.get("/house/logo.png")
    assert f'url("/house/logo.svg?{house.logo.digest}")' in house.style
    assert answer.content == (tmp_path / "logo.svg").read_bytes()
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.headers["content-security-policy"] == PICTURE_POLICY
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.headers["x-content-type-options"] == HEADERS["X-Content-Type-Options"]
    assert other.status_code == 404


def test_a_house_without_a_logo_has_its_name_on_the_pages() -> None:
    assert '  --house-content: "Grand";' in house_of(WebSection(house="Grand")).style.splitlines()


def test_a_logo_that_cannot_be_used_keeps_no_page_from_being_served(tmp_path: Path) -> None:
    house = house_of(WebSection(house="Grand", logo=str(tmp_path / "logo.svg")))
    assert house.logo is None
    assert house.fault.startswith(
        f"{tmp_path}/logo.svg cannot be read: No such file or directory; allowed: a PNG"
    )
    assert "house-logo" not in house.style
