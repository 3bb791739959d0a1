"""A report in the language of its reader."""

import re
from html import unescape
from pathlib import Path

import pytest

from controller.languages import ENGLISH, LANGUAGES, speaking
from controller.past.reports.charts import charts
from controller.past.reports.html import report_html
from controller.past.reports.json_form import report_json
from controller.past.reports.making import collect_facts, list_periods
from controller.past.reports.report import ReportRequest, build_report
from controller.past.reports.wire import ReportOrder
from tests.controller.past.reports.played_days import DAY, HOUSE, played_day

HEADING = re.compile(r"<(h1|h2|th|dt|title|desc|text)\b[^>]*>(.*?)</\1>", re.DOTALL)
SPANISH = LANGUAGES["es"]
ENGLISH_WORDS = re.compile(
    r"\b(the|of|and|at|by|per|what|who|when|for|since|seen|hands?|cards?|rounds?|wagers?|dealers?|totals|"
    r"band|expected|counted|open|time|win|won|wins|handle|pace|count|median|void|claims?|day|shift|devices|"
    r"missing|not|amount|from|to|with|natural|bust)\b",
    re.IGNORECASE,
)
NAMES = re.compile(r"EZ Bust|Dealer Bust|Buster|Blazing 7s|Surrender or Play|Hedge")


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("journal")
    with played_day(path, "blackjack-x") as table:
        table.play_rounds(25)
        table.lose("sensors", 20)
        table.void_round()
    return path / "table.db"


@pytest.fixture(scope="module")
def spanish(journal: Path) -> str:
    asked = ReportRequest(HOUSE.calendar.named(DAY), HOUSE)
    facts = collect_facts(journal, asked)
    made = build_report(facts, asked)
    with speaking(SPANISH):
        return report_html(made, charts(made, facts))


def headings(page: str) -> list[str]:
    """The texts of headings, names of figures and charts."""
    return [unescape(re.sub("<[^>]+>", "", text)) for _, text in HEADING.findall(page)]


def test_no_heading_or_chart_of_a_spanish_report_has_an_english_word(spanish: str) -> None:
    found = {text for text in headings(spanish) if ENGLISH_WORDS.search(NAMES.sub("", text))}
    assert found == set()


@pytest.mark.parametrize(
    "text",
    [
        "Jornada 2026-11-19",
        "Monto apostado",
        "jornada 2026-11-19; cada columna 15 minutos, tan ancha como el tiempo que la mesa estuvo abierta",
        "Frente a las probabilidades exactas",
        "hora del día, UTC",
        "Rondas anuladas y corregidas",
    ],
)
def test_a_spanish_report_has_its_headings_and_its_charts_in_spanish(spanish: str, text: str) -> None:
    assert text in headings(spanish)


def test_each_comparison_of_a_chart_is_a_spanish_sentence(spanish: str) -> None:
    described = next(text for text in headings(spanish) if text.startswith("Blazing 7s, "))
    assert re.match(r"Blazing 7s, [^,:]+: \d+ de \d+, se esperaban [\d.]+, como se esperaba; ", described)


def test_the_figures_for_programs_are_the_same_in_each_language(journal: Path) -> None:
    asked = ReportRequest(HOUSE.calendar.named(DAY), HOUSE)
    made = build_report(collect_facts(journal, asked), asked)
    bodies = []
    for language in (ENGLISH, SPANISH):
        with speaking(language):
            bodies.append(report_json(made))
    assert bodies[0] == bodies[1]


def test_the_list_of_periods_names_days_as_the_language_does(journal: Path) -> None:
    with speaking(SPANISH):
        page = list_periods(ReportOrder(journal, HOUSE)).page
    assert ("jue 19 nov 2026" in page, "26 rondas" in page, "round" in page) == (True, True, False)
