"""The pages about the rules are current, and each explains every option in its own words."""

import json
import re
import shutil
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from controller.games import GAMES, open_game, strategy
from controller.games.strategy import Chart
from controller.odds.charts import chart_text
from controller.pages.contents import overview, pages, parts_of
from controller.pages.game import pays
from controller.pages.markdown import GENERATED, WrongMarks, percent, regenerate, table
from controller.pages.strategies import charts_by_name

DOCS = Path(__file__).parents[3] / "docs"


OWN_TABLES = re.findall(
    r"^```json\n(.*?)^```$", (DOCS / "games" / "side-bets.md").read_text("utf-8"), re.DOTALL | re.MULTILINE
)


def page(name: str) -> str:
    return (DOCS / name).read_text("utf-8")


@pytest.mark.parametrize("name", pages())
def test_a_page_is_as_the_rules_are(name: str) -> None:
    """`make pages` writes it."""
    assert regenerate(page(name), pages()[name]) == page(name)


@pytest.mark.parametrize("game", GAMES)
def test_every_option_is_explained_in_words(game: str) -> None:
    """On the game's own page, on the page about what all games share, or on one that it links to."""
    text = "".join(GENERATED.sub("", page(f"games/{name}.md")) for name in (game, "README", *linked(game)))
    for option in type(open_game(game).options).model_fields:
        assert re.search(f"`{option}( = [^`]*)?`", text), option


def linked(game: str) -> set[str]:
    """The pages that a game's page links to."""
    return set(re.findall(r"\]\(([a-z0-9-]+)\.md", page(f"games/{game}.md")))


@pytest.mark.parametrize("game", GAMES)
def test_every_spot_is_named(game: str) -> None:
    text = GENERATED.sub("", page(f"games/{game}.md"))
    assert all(f"`{spot}`" in text for spot in open_game(game).spots if not spot.startswith("hedge"))
    assert f"Id `{game}`" in text


def test_the_command_renews_what_was_changed(tmp_path: Path) -> None:
    for name in pages():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(DOCS / name, tmp_path / name)
    wrong = tmp_path / "games" / "easy-jack.md"
    wrong.write_text(wrong.read_text("utf-8").replace("500:1", "600:1"), "utf-8")
    subprocess.run([sys.executable, "-m", "controller.pages", str(tmp_path)], check=True)
    assert {name: (tmp_path / name).read_text("utf-8") for name in pages()} == {
        name: page(name) for name in pages()
    }


class TestMarks:
    PAGE = "# Own\n<!-- made by `make pages`: one -->\nold\n<!-- end -->\nwords\n"

    def test_only_what_is_between_them_is_made(self) -> None:
        made = regenerate(self.PAGE, {"one": lambda: "new"})
        assert made == self.PAGE.replace("old", "new")
        assert regenerate(made, {"one": lambda: "new"}) == made

    def test_an_empty_part_is_filled(self) -> None:
        assert regenerate(self.PAGE.replace("old\n", ""), {"one": lambda: "old"}) == self.PAGE

    def test_text_that_looks_like_a_pattern_stays_as_it_is(self) -> None:
        assert r"\1 \g<0>" in regenerate(self.PAGE, {"one": lambda: r"\1 \g<0>"})

    @pytest.mark.parametrize("parts", [(), ("two",), ("one", "two")])
    def test_an_extra_or_missing_part_is_refused(self, parts: tuple[str, ...]) -> None:
        with pytest.raises(WrongMarks, match="one"):
            regenerate(self.PAGE, {name: lambda: "" for name in parts})

    def test_a_part_that_occurs_twice_is_refused(self) -> None:
        with pytest.raises(WrongMarks):
            regenerate(self.PAGE * 2, {"one": lambda: ""})


class TestStrategies:
    def test_every_chart_has_its_place(self) -> None:
        literals = [chart for chart in vars(strategy).values() if isinstance(chart, Chart)]
        assert list(charts_by_name().values()) == literals
        assert len(literals) >= 4

    @pytest.mark.parametrize("name", charts_by_name())
    def test_what_is_drawn_is_the_chart(self, name: str) -> None:
        chart = charts_by_name()[name]
        assert read(chart_text(chart)) == chart.rows

    def test_every_game_names_its_own(self) -> None:
        text = page("strategies.md")
        assert all(f"`{game}`" in text for game in GAMES)


def read(text: str) -> dict[str, dict[str, str]]:
    """A drawn chart, row by row, as a reader would take it."""
    head, *lines = (line.split() for line in text.splitlines())
    rows: dict[str, dict[str, str]] = {}
    for label, *letters in lines:
        for total in totals(label[1:]):
            rows[f"{label[0]}{total}"] = dict(zip(head, letters, strict=True))
    return rows


def totals(label: str) -> range:
    if label.endswith("-"):
        return range(int(label[:-1]) + 1)
    first, _, last = label.partition("+" if label.endswith("+") else "-")
    return range(int(first), 32 if label.endswith("+") else int(last or first) + 1)


def test_figures_on_the_pages_are_computed() -> None:
    """Published: 0.9377 % and 9.5124 %; computed elsewhere: Buster B5 with 5 and 8 decks."""
    assert "| before the deal | 0.9377 % | 9.5124 % |" in parts_of("easy-jack")["edges"]()
    assert "| `B5` | 1 | 3 | 6 | 30 | 100 | 200 | 4.8007 % | 4.6266 % |" in page("games/side-bets.md")


@pytest.mark.parametrize(("option", "table"), [*zip(("buster", "blazing_7s"), OWN_TABLES, strict=True)])
def test_own_tables_that_are_shown_are_good(option: str, table: str) -> None:
    """They are the default tables, written out."""
    own, usual = open_game("blackjack-x", {option: json.loads(table)}), open_game("blackjack-x")
    assert parts_of("blackjack-x")["pays"]() == pays(usual) == pays(own)


def test_the_overview_links_every_game() -> None:
    assert all(f"({game}.md) | `{game}` |" in overview() for game in GAMES)


def test_rows_become_a_markdown_table() -> None:
    assert table(("a", "b"), [("1", "2")]) == "| a | b |\n|---|---|\n| 1 | 2 |"
    assert percent(Fraction(1, 3)) == "33.3333 %"
