"""How a strategy chart is read: rows by pair, soft and hard total; letters by what the hand may do."""

import pytest

from controller.cards import Card
from controller.games import strategy
from controller.games.layout import Hand
from controller.games.strategy import ANY_COLUMN, Chart, row_labels

ALL = frozenset({"hit", "stand", "double", "split", "surrender", "play", "quick-pay"})
PLAIN = frozenset({"hit", "stand"})


def hand(cards: str) -> Hand:
    return Hand(tuple(map(Card, cards.split())))


@pytest.mark.parametrize(
    ("chart", "cards", "up", "choices", "advice"),
    [
        (strategy.STANDARD, "8s 8d", "Ts", ALL, "split"),
        (strategy.STANDARD, "8s 8d", "Ts", ALL - {"split"}, "surrender"),
        (strategy.STANDARD, "8s 8d", "Ts", PLAIN, "hit"),
        (strategy.STANDARD, "Ts Jd", "6s", ALL, "stand"),
        (strategy.STANDARD, "As 7d", "3c", ALL - {"split"}, "double"),
        (strategy.STANDARD, "As 7d", "3c", PLAIN, "stand"),
        (strategy.STANDARD, "As 6d", "3c", PLAIN, "hit"),
        (strategy.STANDARD, "As 2d 4c", "3c", PLAIN, "hit"),
        (strategy.STANDARD, "9s 8d", "Ah", ALL - {"split"}, "surrender"),
        (strategy.STANDARD, "9s 8d", "Ah", PLAIN, "stand"),
        (strategy.STANDARD, "2s 3d", "Kh", ALL - {"split"}, "hit"),
        (strategy.STANDARD, "As Ad", "Kh", frozenset({"split", "stand"}), "split"),
        (strategy.STANDARD, "As Ad", "Kh", PLAIN, "hit"),
        (strategy.NO_BUST, "2s 2d", "8h", ALL, "hit"),
        (strategy.NO_BUST, "Ts 6d", "9h", ALL - {"split"}, "hit"),
        (strategy.NO_BUST, "Ts 6d", "Jh", ALL - {"split"}, "surrender"),
        (strategy.NO_BUST, "Ts 2d", "Jh", frozenset({"hit"}), "hit"),
        (strategy.QUICK_PAY, "Ts 8d", "9h", ALL - {"split"}, "quick-pay"),
        (strategy.QUICK_PAY, "Ts 8d", "9h", PLAIN, "stand"),
        (strategy.QUICK_PAY, "Ts 5d 5h", "9h", PLAIN, "stand"),
        (strategy.QUICK_PAY, "Ts 4d", "Ah", ALL - {"split"}, "hit"),
        (strategy.QUICK_PAY_STANDS_SOFT_17, "Ts 4d", "Ah", ALL - {"split"}, "stand"),
        (strategy.QUICK_PAY, "Ts 7d", "Ah", ALL - {"split"}, "surrender"),
        (strategy.QUICK_PAY_STANDS_SOFT_17, "Ts 7d", "Ah", ALL - {"split"}, "stand"),
        (strategy.QUICK_PAY, "Ts Jd", "Ah", ALL, "stand"),
        (strategy.QUICK_PAY, "Ts Jd", "Kh", ALL, "quick-pay"),
        (strategy.QUICK_PAY_STANDS_SOFT_17, "Ts Jd", "Ah", ALL, "quick-pay"),
        (strategy.QUICK_PAY, "Ts Jd", "2h", ALL, "stand"),
        (strategy.QUICK_PAY_STANDS_SOFT_17, "Ts Jd", "2h", ALL, "quick-pay"),
        (strategy.QUICK_PAY_STANDS_SOFT_17, "As 9d", "Ah", ALL - {"split"}, "quick-pay"),
        (strategy.QUICK_PAY_STANDS_SOFT_17, "As 8d", "2h", ALL - {"split"}, "quick-pay"),
    ],
)
def test_a_chart_gives_the_letter_that_the_hand_allows(
    chart: Chart, cards: str, up: str, choices: frozenset[str], advice: str
) -> None:
    assert chart.advice(hand(cards), Card(up), choices) == advice


def test_a_changed_chart_leaves_the_other_as_it_was() -> None:
    chart = Chart("H5-  H H H H H H H H H H\nH6+  S S S S S S S S S S")
    other = chart.changed("H4 T S   H31 2 H")
    assert [each.advice(hand("2s 2d"), Card("Kh"), PLAIN) for each in (chart, other)] == ["hit", "stand"]
    assert [each.advice(hand("2s 2d"), Card("9h"), PLAIN) for each in (chart, other)] == ["hit", "hit"]
    assert other.advice(hand("Ts Td Tc As"), Card("2h"), PLAIN) == "hit"


@pytest.mark.parametrize(
    ("label", "rows"),
    [
        ("H9", ["H9"]),
        ("P1-2", ["P1", "P2"]),
        ("S2-", ["S0", "S1", "S2"]),
        ("H30+", ["H30", "H31"]),
    ],
)
def test_a_label_stands_for_rows(label: str, rows: list[str]) -> None:
    assert list(row_labels(label)) == rows


def test_a_chart_with_more_rows_leaves_the_other_as_it_was() -> None:
    chart = Chart("H4-  H", ANY_COLUMN)
    more = chart.with_rows(["H5", "H6"], ["S"])
    assert (len(chart.rows), more.rows["H4"], more.rows["H6"]) == (5, {"*": "H"}, {"*": "S"})


def test_letters_can_be_replaced_everywhere() -> None:
    plain = strategy.STANDARD.with_letters({"R": "H", "r": "S"})
    assert (plain.rows["H16"]["T"], plain.rows["H17"]["A"], plain.rows["P8"]["T"]) == ("H", "S", "P")
    assert strategy.STANDARD.rows["H16"]["T"] == "R"


def test_every_total_has_a_row() -> None:
    rows = Chart("H5-  H H H H H H H H H H\nS12  S S S S S S S S S D").rows
    assert list(rows) == ["H0", "H1", "H2", "H3", "H4", "H5", "S12"]
    assert (rows["H3"]["T"], rows["S12"]["A"]) == ("H", "D")


def test_a_row_with_a_letter_too_few_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="zip"):
        Chart("H5 H H H")
