"""Pages in the language of the person who reads them."""

import json
from pathlib import Path

import httpx
import pytest

from controller.languages import LANGUAGES, speaking
from controller.monitor.console.page import CONSOLE
from controller.monitor.live.pages import TABLE
from controller.monitor.live.renderer import PageRenderer
from controller.monitor.sign_in.cookies import CSRF
from tests.controller.monitor.console.reading import DEE
from tests.fixtures.access_desk import PASSWORD, PIN, hire_staff
from tests.fixtures.played_views import played
from tests.fixtures.table_views import PLAYING, SUSPENDED
from tests.fixtures.web_server import TIM, KnownPerson, web_server
from tests.fixtures.web_staff import staffed

SPANISH = LANGUAGES["es"]


async def test_a_page_speaks_the_language_that_the_browser_asks_for(tmp_path: Path) -> None:
    with staffed(tmp_path) as staff:
        async with staff.browser() as browser:
            answer = await browser.get("/sign-in", headers={"Accept-Language": "es-MX, en;q=0.5"})
    assert '<html lang="es" dir="ltr"' in answer.text
    assert "Elija su nombre" in answer.text
    assert (answer.headers["content-language"], answer.headers["vary"]) == ("es", "Accept-Language, Cookie")


async def test_the_language_that_a_person_chose_comes_first(tmp_path: Path) -> None:
    with staffed(tmp_path) as staff:
        async with staff.browser() as browser:
            choice = await browser.get("/language/es?next=/sign-in", follow_redirects=False)
            page = (await browser.get("/sign-in", headers={"Accept-Language": "en"})).text
    assert (choice.status_code, choice.headers["location"]) == (303, "/sign-in")
    assert '<html lang="es"' in page


async def spoken(browser: httpx.AsyncClient) -> str:
    """The language of the sign-in page in this browser."""
    return (await browser.get("/sign-in")).headers["content-language"]


async def sign_in(browser: httpx.AsyncClient, kind: str, name: str, secret: str) -> None:
    answer = await browser.post("/api/v1/session", json={"kind": kind, "name": name, "secret": secret})
    assert answer.status_code == 200, answer.text
    browser.headers["X-CSRF-Token"] = answer.cookies[CSRF]


async def test_two_people_at_one_browser_have_a_language_each(tmp_path: Path) -> None:
    with staffed(tmp_path) as staff:
        hire_staff(staff.access)
        async with staff.browser() as browser:
            await sign_in(browser, "password", "Ann", PASSWORD)
            await browser.get("/language/es?next=/sign-in")
            assert await spoken(browser) == "es"
            await sign_in(browser, "pin", "Dee", PIN)
            assert await spoken(browser) == "en"
            await sign_in(browser, "password", "Ann", PASSWORD)
            assert await spoken(browser) == "es"
            assert (await browser.delete("/api/v1/session")).status_code == 204
            assert await spoken(browser) == "en"
        async with staff.browser() as elsewhere:
            await sign_in(elsewhere, "password", "Ann", PASSWORD)
            assert await spoken(elsewhere) == "es"


async def test_who_has_chosen_no_language_reads_that_of_the_browser(tmp_path: Path) -> None:
    with staffed(tmp_path) as staff:
        hire_staff(staff.access)
        async with staff.browser() as browser:
            await browser.get("/language/es?next=/sign-in")
            await sign_in(browser, "password", "Ann", PASSWORD)
            assert await spoken(browser) == "es"
            await browser.get("/language/en?next=/sign-in")
            assert await spoken(browser) == "en"
            assert (await browser.delete("/api/v1/session")).status_code == 204
            assert await spoken(browser) == "es"


async def test_a_page_of_another_server_changes_no_account(tmp_path: Path) -> None:
    with staffed(tmp_path) as staff:
        hire_staff(staff.access)
        async with staff.browser() as browser:
            await sign_in(browser, "password", "Ann", PASSWORD)
            await browser.get("/language/es", headers={"Sec-Fetch-Site": "cross-site"})
        assert staff.access.accounts.language("Ann") == ""


@pytest.mark.parametrize("elsewhere", ["//evil.example", "https://evil.example/", "/\\evil.example"])
async def test_choosing_a_language_leads_to_pages_of_this_table_only(tmp_path: Path, elsewhere: str) -> None:
    with staffed(tmp_path) as staff:
        async with staff.browser() as browser:
            choice = await browser.get("/language/es", params={"next": elsewhere}, follow_redirects=False)
    assert choice.headers["location"] == "/"


async def test_an_unknown_language_is_refused_with_those_that_exist(tmp_path: Path) -> None:
    with staffed(tmp_path) as staff:
        async with staff.browser() as browser:
            answer = await browser.get("/language/tlh")
    assert (answer.status_code, "allowed: en, es" in answer.json()["detail"]) == (404, True)


async def test_scripts_get_their_texts_and_no_others(tmp_path: Path) -> None:
    with staffed(tmp_path) as staff:
        async with staff.browser() as browser:
            script = (await browser.get("/texts/es.js")).text
    texts = json.loads(script.removeprefix("window.texts = ").removesuffix(";"))
    assert texts["Choose your name first."] == "Elija primero su nombre."
    assert "The felt" not in texts


async def test_a_refusal_is_in_the_language_of_the_request(tmp_path: Path) -> None:
    with staffed(tmp_path) as staff:
        async with staff.browser() as browser:
            answer = await browser.get("/api/v1/session", headers={"Accept-Language": "es"})
    assert answer.json() == {"detail": "inicie sesión primero"}


def test_two_languages_of_one_page_do_not_mix() -> None:
    english, spanish = PageRenderer(TABLE), PageRenderer(TABLE, None, SPANISH)
    first = spanish.panels(PLAYING)["felt"], english.panels(PLAYING)["felt"]
    assert (spanish.panels(PLAYING)["felt"], english.panels(PLAYING)["felt"]) == first
    assert ("Puesto" in first[0], "Seat" in first[0], "Seat" in first[1]) == (True, False, True)


def test_a_renderer_keeps_its_language_when_another_one_is_in_use() -> None:
    with speaking(SPANISH):
        html = PageRenderer(TABLE).panels(SUSPENDED)["suspension"]
    assert "Play is suspended" in html


def test_the_ended_rounds_are_rendered_in_each_language() -> None:
    rounds = [
        PageRenderer(TABLE, None, language).panels(PLAYING)["rounds"]
        for language in (SPANISH, LANGUAGES["en"])
    ]
    assert rounds[0] != rounds[1]


def test_the_console_shows_prompt_keys_and_wagers_in_spanish() -> None:
    view = played("blackjack-x", "1:main=500 close 9h Ks 8c 7s")
    panels = PageRenderer(CONSOLE, DEE, SPANISH).panels(view)
    html = "".join(panels.values())
    assert [text in html for text in ("Puesto", "Plantarse", "Doblar", "tiene 17 duro contra")] == [True] * 4
    assert ">Stand<" not in panels["console-pad"]


async def test_the_technician_reads_in_spanish_what_to_do() -> None:
    async with web_server(PLAYING, door=KnownPerson(TIM)) as house:
        page = (await house.client.get("/technician", headers={"Accept-Language": "es"})).text
    expected = ("Fuera del modo de prueba", "Contadores desde el inicio del servicio", "Qué hacer")
    assert [text for text in expected if text not in page] == []
