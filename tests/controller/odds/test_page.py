"""The figures and pictures of docs/odds.md are those of the engine."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from controller.games import open_game
from controller.games.bets.hedge_table import HEDGE, TOTALS
from controller.odds.exact import bets, dealer
from controller.odds.plot.charts import dealer_chart, sweep_chart
from controller.odds.sweep import sweep

DOCS = Path(__file__).parents[3] / "docs"
PAGE = (DOCS / "odds.md").read_text("utf-8")


def rows(cells: int) -> Iterator[list[str]]:
    for line in PAGE.splitlines():
        row = [cell.strip().strip("`") for cell in line.strip("|").split("|")]
        if line.startswith("| ") and len(row) == cells:
            yield row


def edge(game: str, options: dict[str, Any], bet: str, up_card: str) -> float:
    return next(
        float(one.house_edge)
        for one in bets(open_game(game, options))
        if one.bet == bet and one.given.get("up_card", "") == up_card
    )


FIGURES = [row for row in rows(5) if row[1].startswith("{")]


def test_the_page_has_figures_to_check() -> None:
    assert len(FIGURES) > 10


@pytest.mark.parametrize(("game", "options", "bet", "up_card", "printed"), FIGURES)
def test_each_figure_on_the_page_is_computed(
    game: str, options: str, bet: str, up_card: str, printed: str
) -> None:
    assert f"{edge(game, json.loads(options), bet, up_card) * 100:.4f} %" == printed


@pytest.mark.parametrize("up_card", "A23456789T")
def test_the_hedge_table_on_the_page_is_computed(up_card: str) -> None:
    (cells,) = (row[1:] for row in rows(5) if row[0] == up_card)
    assert cells == [
        f"{pays}:1, {edge('quick-pay', {}, f'hedge-{total}', up_card) * 100:.2f} %"
        for total, pays in zip(TOTALS, HEDGE[6, True][up_card], strict=True)
    ]


def test_the_picture_of_the_dealer_is_current() -> None:
    game = open_game("quick-pay")
    drawn = dealer_chart(game, dealer(game))
    assert (DOCS / "odds" / "quick-pay-dealer.svg").read_text("utf-8") == drawn


def test_the_picture_of_the_sweep_is_current() -> None:
    game = open_game("ez-bust")
    drawn = sweep_chart(game, "decks", "ez-bust", sweep(game, "decks", "ez-bust"))
    assert (DOCS / "odds" / "ez-bust-decks.svg").read_text("utf-8") == drawn
