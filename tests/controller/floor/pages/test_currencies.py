"""Pages, JSON and CSV about the past of tables in several currencies: each amount is in that of its table,
and no sum is over two of them."""

import csv
import re
from io import StringIO
from pathlib import Path

import pytest
from httpx import AsyncClient

from controller.calendar import Calendar
from controller.floor.past.settings import PastSettings
from tests.controller.floor.pages.test_access import floor
from tests.fixtures.currency_floor import NAMES, TABLES, played_day, stored_currencies

WAGERED = {"bj-1": "$5", "bj-2": "¥500", "bj-3": "KWD\u00a00.500", "bj-4": "5"}
"""What the two wagers of 250 minor units at each table are together."""


@pytest.fixture(scope="module")
def past(tmp_path_factory: pytest.TempPathFactory) -> PastSettings:
    archive = stored_currencies(tmp_path_factory.mktemp("floor"))
    return PastSettings(archive.folder, {"main": tuple(TABLES.values())}, Calendar())


async def tables_of(browser: AsyncClient, query: str) -> list[str]:
    """The tables of the rounds that a search finds."""
    answer = await browser.get(f"/api/v1/floor/rounds?{query}")
    assert answer.status_code == 200, answer.text
    return sorted(one["table"] for one in answer.json()["rounds"])


def of_each(html: str) -> dict[str, str]:
    """The rows of tables in HTML, by what stands in the first cell."""
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", html, re.DOTALL)
    texts = [re.sub(r"\|+", "|", re.sub(r"\s*<[^>]+>\s*", "|", row)).strip("|") for row in rows]
    return {text.split("|")[0]: text for text in texts}


async def test_a_list_of_rounds_has_the_amounts_of_each_table(tmp_path: Path, past: PastSettings) -> None:
    async with floor(tmp_path, "auditor", past=past) as browser:
        page = of_each((await browser.get("/floor/rounds")).text)
        found = (await browser.get("/api/v1/floor/rounds")).json()["rounds"]
        sheet = list(csv.DictReader(StringIO((await browser.get("/floor/rounds.csv")).text)))
    for table, wagered in WAGERED.items():
        assert f"|{wagered}|" in page[table]
        assert page[table].endswith(f"|+{wagered}")
    money = {one["table"]: (one["currency"], one["minor_digits"], one["wagered"]) for one in found}
    assert money == {
        "bj-1": ("USD", 2, 500),
        "bj-2": ("JPY", 0, 500),
        "bj-3": ("KWD", 3, 500),
        "bj-4": ("", 2, 500),
    }
    cells = {line["table"]: (line["currency"], line["wagered"], line["won most"]) for line in sheet}
    assert cells == {
        "bj-1": ("USD", "5.00", "2.50"),
        "bj-2": ("JPY", "500", "250"),
        "bj-3": ("KWD", "0.500", "0.250"),
        "bj-4": ("", "5.00", "2.50"),
    }


@pytest.mark.parametrize(
    ("query", "tables"),
    [
        ("above=2.49", ["bj-1", "bj-2", "bj-4"]),
        ("above=2.5", ["bj-2"]),
        ("above=0.249", ["bj-1", "bj-2", "bj-3", "bj-4"]),
        ("above=0.249&seat=1&wager=main", ["bj-1", "bj-2", "bj-3", "bj-4"]),
        ("above=0.25&seat=1&wager=main", ["bj-1", "bj-2", "bj-4"]),
        ("above=¥100", ["bj-2"]),
        ("above=$1", ["bj-1"]),
        ("above=0.2 KWD", ["bj-3"]),
        ("above=249 JPY&wager=main", ["bj-2"]),
        ("above=250 JPY", []),
        ("over=249", ["bj-1", "bj-2", "bj-3", "bj-4"]),
        ("over=250", []),
    ],
)
async def test_a_search_by_amount_means_the_currency_of_each_table(
    tmp_path: Path, past: PastSettings, query: str, tables: list[str]
) -> None:
    async with floor(tmp_path, "supervisor", past=past) as browser:
        assert await tables_of(browser, query) == tables


@pytest.mark.parametrize(
    ("typed", "why"),
    [("0.5 JPY", "allowed: whole JPY"), ("5 XYZ", "not an amount"), ("0.0001", "3 decimals")],
)
async def test_an_amount_that_is_none_is_refused(
    tmp_path: Path, past: PastSettings, typed: str, why: str
) -> None:
    async with floor(tmp_path, "supervisor", past=past) as browser:
        answer = await browser.get(f"/api/v1/floor/rounds?above={typed}")
    assert answer.status_code == 422
    assert why in answer.json()["detail"]


async def test_a_round_has_the_amounts_of_its_table(tmp_path: Path, past: PastSettings) -> None:
    async with floor(tmp_path, "auditor", past=past) as browser:
        for code, name in NAMES.items():
            path = f"/floor/tables/{name.table}/journals/{name.epoch}/rounds/1"
            page = (await browser.get(path)).text
            assert f"+{WAGERED[name.table]}<" in page, code


async def test_a_report_adds_up_each_currency_by_itself(tmp_path: Path, past: PastSettings) -> None:
    day = played_day(past.archive).key
    async with floor(tmp_path, "auditor", past=past) as browser:
        page = of_each((await browser.get(f"/floor/reports/{day}")).text)
        found = (await browser.get(f"/api/v1/floor/reports/{day}")).json()
        sheet = list(
            csv.DictReader(StringIO((await browser.get(f"/floor/reports/{day}.csv?sheet=pits")).text))
        )
    for table, wagered in WAGERED.items():
        assert f"|{wagered}|−{wagered}|" in page[table]
    totals = {name: page[name] for name in page if name.startswith("Total")}
    assert list(totals) == ["Total without a currency", "Total JPY", "Total KWD", "Total USD"]
    assert "|$5|−$5|" in totals["Total USD"]
    sums = {"": 2, "JPY": 0, "KWD": 3, "USD": 2}
    assert {line["currency"]: line["minor_digits"] for line in found["totals"]} == sums
    assert [line["handle"] for line in found["totals"]] == [500] * 4
    assert [(line["name"], line["currency"]) for line in found["pits"]] == [("main", code) for code in sums]
    handles = ["5.00", "500", "0.500", "5.00"]
    assert [line["handle"] for line in sheet] == handles + handles
    assert [line["currency"] for line in sheet] == [*sums, *sums]


async def test_the_report_of_a_table_has_its_currency(tmp_path: Path, past: PastSettings) -> None:
    day = played_day(past.archive).key
    exact = {"bj-1": "$5.00", "bj-2": "¥500", "bj-3": "KWD\u00a00.500", "bj-4": "5.00"}
    async with floor(tmp_path, "auditor", past=past) as browser:
        for table, handle in exact.items():
            page = (await browser.get(f"/floor/tables/{table}/reports/{day}")).text
            assert handle in page, table


async def test_a_floor_with_one_currency_has_one_total(tmp_path: Path) -> None:
    archive = stored_currencies(tmp_path, "JPY")
    alone = PastSettings(archive.folder, {}, Calendar())
    async with floor(tmp_path, "auditor", past=alone) as browser:
        page = of_each((await browser.get(f"/floor/reports/{played_day(archive).key}")).text)
    assert "|¥500|−¥500|" in page["Total"]
