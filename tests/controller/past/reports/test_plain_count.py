"""A report about a simulated day equals a plain count of its rounds."""

from collections import Counter
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest

from controller.games import GAMES
from controller.table.record.views import LineView
from tests.controller.past.reports.played_days import played_day, report

ROUNDS = 60


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_figure_is_that_of_a_plain_count(tmp_path: Path, game: str) -> None:
    with played_day(tmp_path, game) as table:
        table.play_rounds(ROUNDS)
        seen = table.ended
    summary = report(tmp_path)
    lines = [line for _, ended in seen for line in ended.round.lines]
    assert (summary.rounds, summary.first_round, summary.last_round) == (ROUNDS, 1, ROUNDS)
    assert {kind.wager: plain(kind) for kind in summary.wagers} == {
        **{wager: count([line for line in lines if line.wager == wager]) for wager in names(lines)},
        "all wagers": count(lines),
    }
    cards = sum(
        len(ended.round.dealer.cards)
        + sum(len(hand.cards) for seat in ended.round.seats for hand in seat.hands)
        for _, ended in seen
    )
    assert summary.pace.cards_per_round == Fraction(cards, ROUNDS)
    stamps = [at for at, _ in seen]
    gaps = [after - before for before, after in pairwise(stamps)]
    assert summary.pace.open_seconds == pytest.approx(sum(gaps))
    assert summary.pace.per_hour == pytest.approx(len(gaps) * 3600 / sum(gaps))
    assert sum(bar.rounds for bar in summary.bars) == ROUNDS


def test_the_dealers_hands_are_counted_once_a_round(tmp_path: Path) -> None:
    with played_day(tmp_path, "blackjack-x") as table:
        table.play_rounds(ROUNDS)
        seen = table.ended
    summary = report(tmp_path)
    wagered = [ended.round for _, ended in seen if any(line.wager == "buster" for line in ended.round.lines)]
    busts = Counter(len(each.dealer.cards) for each in wagered if each.dealer.label == "bust")
    found = {each.event: each for each in summary.hits if each.bet == "buster"}
    assert {each.trials for each in found.values()} == {len(wagered)}
    assert found["any win"].observed == busts.total()
    assert [found[f"bust with {cards} cards"].observed for cards in range(3, 8)] == [
        busts[cards] for cards in range(3, 8)
    ]


def test_wagers_of_seats_are_counted_each(tmp_path: Path) -> None:
    with played_day(tmp_path, "blackjack-x") as table:
        table.play_rounds(ROUNDS)
        lines = [line for _, ended in table.ended for line in ended.round.lines if line.wager == "blazing-7s"]
    found = next(
        each for each in report(tmp_path).hits if (each.bet, each.event) == ("blazing-7s", "any win")
    )
    assert (found.trials, found.observed) == (len(lines), sum(line.outcome == "win" for line in lines))


def test_the_meter_is_what_the_wagers_fed_it(tmp_path: Path) -> None:
    with played_day(tmp_path, "blackjack-x") as table:
        table.play_rounds(ROUNDS)
        (meter,) = table.state.meters.values()
        stakes = sum(
            line.amount or 0
            for _, ended in table.ended
            for line in ended.round.lines
            if line.wager == "blazing-7s"
        )
    (summary,) = report(tmp_path).meters
    assert summary.ends == meter.cents
    assert summary.pots["contributions"] == Fraction(stakes * 20, 100)
    assert summary.begins + sum(summary.moved.values()) == summary.ends
    assert summary.faults == ()


def names(lines: list[LineView]) -> set[str]:
    return {line.wager for line in lines}


def plain(kind: object) -> dict[str, int]:
    fields = ("count", "won", "pushed", "lost", "unknown", "handle", "paid", "taken", "win")
    return {name: getattr(kind, name) for name in fields}


def count(lines: list[LineView]) -> dict[str, int]:
    """Line by line."""
    figures = dict.fromkeys(
        ("count", "won", "pushed", "lost", "unknown", "handle", "paid", "taken", "win"), 0
    )
    for line in lines:
        figures["count"] += 1
        figures[{"win": "won", "push": "pushed", "lose": "lost"}[line.outcome]] += 1
        if line.amount is None or line.paid is None:
            figures["unknown"] += 1
            continue
        figures["handle"] += line.amount
        figures["win"] -= line.paid
        if line.paid > 0:
            figures["paid"] += line.paid
        else:
            figures["taken"] -= line.paid
    return figures
