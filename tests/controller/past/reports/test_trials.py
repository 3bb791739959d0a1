"""What counts as a trial, and against which odds."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from controller.games import GAMES
from controller.past.reports.facts import Facts, ReportedRound
from controller.past.reports.hits import EXPECTED, LOOK, UNUSUAL, compare_hits, verdict_word
from controller.past.reports.json_form import attention
from controller.past.reports.played_rules import PlayedRules
from controller.past.reports.report import ReportRequest
from controller.past.reports.report import build_report as summed
from controller.past.reports.round_figures import round_figures
from controller.past.reports.totals import compare_totals
from controller.past.reports.trials import dealer, game_odds, trials
from controller.past.statistics import form
from controller.table.record.views import HandView, LineView, PlayedHandView, RoundView, SeatView
from tests.controller.past.reports.played_days import BEGINS, DAY, HOUSE, played_day, report

PLAIN = "{}"
MANY = 400


@pytest.mark.parametrize("game", sorted(GAMES))
def test_whatever_happens_has_odds(tmp_path: Path, game: str) -> None:
    odds = game_odds(PlayedRules(game, PLAIN))
    assert odds
    for seen in rounds(tmp_path, game):
        for trial in trials(odds.game, seen):
            assert trial.event in odds.chances[trial.bet][trial.up_card]
            assert sum(odds.chances[trial.bet][trial.up_card].values()) == 1


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_hand_counts_where_the_dealer_had_to_complete_it(tmp_path: Path, game: str) -> None:
    """A hand that counts needs no more cards; one that does not is a natural, or the dealer took none."""
    odds = game_odds(PlayedRules(game, PLAIN))
    assert odds
    opening = len(odds.game.deal) - odds.game.deal.count("seats")
    for seen in rounds(tmp_path, game):
        cards = dealer(seen)
        if compare_totals([reported(game, seen)]).hands:
            assert not odds.game.dealer_takes(cards)
        else:
            assert odds.game.natural(cards) or len(cards) == opening


def rounds(folder: Path, game: str) -> Iterator[RoundView]:
    with played_day(folder, game) as table:
        table.play_rounds(40)
    return (ended.round for _, ended in table.ended)


def reported(game: str, seen: RoundView) -> ReportedRound:
    return ReportedRound(0.0, None, "", round_figures(PlayedRules(game, PLAIN), seen))


def test_well_shuffled_shoes_are_as_expected(tmp_path: Path) -> None:
    with played_day(tmp_path, "ez-bust") as table:
        table.play_rounds(MANY)
    summary = report(tmp_path)
    assert {each.bet for each in summary.hits} == {"ez-bust", "insurance"}
    assert {each.word for each in summary.hits} <= {EXPECTED, UNUSUAL}
    assert summary.totals_word in (EXPECTED, UNUSUAL)


def settled(
    dealer: str, *lines: LineView, hands: tuple[str, ...] = ("9s 8s",), game: str = "ez-bust"
) -> ReportedRound:
    """A round of one seat."""
    seats = tuple(PlayedHandView(tuple(hand.split()), None, "stands") for hand in hands)
    seat = SeatView(1, False, (), seats, None)
    seen = RoundView(1, "settled", HandView(tuple(dealer.split()), None, ""), (seat,), lines)
    return reported(game, seen)


def line(wager: str, seat: int = 1, reason: str = "") -> LineView:
    return LineView(seat, 1, wager, 100, "lose", None, -100, reason)


def test_a_dealer_who_always_busts_is_to_be_looked_at() -> None:
    rounds = [replace(settled("6s Ts 8d", line("main")), at=BEGINS + second) for second in range(40)]
    summary = summed(Facts(rounds=rounds), ReportRequest(HOUSE.calendar.named(DAY), HOUSE))
    assert summary.totals_word == LOOK
    assert attention(summary) == ["the dealer's final totals do not fit the odds"]


def test_five_wagers_on_the_dealers_hand_are_one_trial() -> None:
    lines = [line("ez-bust", seat) for seat in range(1, 6)]
    found = compare_hits([settled("6s Ts 8s", *lines), settled("5h Th 5c", *lines)])
    assert [(each.event, each.unit, each.trials, each.observed) for each in found] == [
        ("any win", "rounds", 2, 1),
        ("suited bust", "rounds", 2, 1),
        ("bust", "rounds", 2, 0),
    ]


def test_each_trial_is_compared_with_the_odds_of_its_up_card() -> None:
    found = compare_hits([settled("6s Ts 8d", line("ez-bust")), settled("2h Th 5c", line("ez-bust"))])
    odds = game_odds(PlayedRules("ez-bust", PLAIN))
    assert odds
    chances = odds.chances["ez-bust"]
    assert [each.expected for each in found if each.event == "bust"] == [
        chances["6"]["bust"] + chances["2"]["bust"]
    ]


def test_a_hand_that_nobody_drew_out_is_no_trial() -> None:
    not_drawn = line("ez-bust", reason="dealer need not draw: no hand is left")
    assert compare_hits([settled("6s Ts", not_drawn)]) == ()


def test_a_game_that_this_version_cannot_open_is_not_compared() -> None:
    other = settled("6s Ts 8d", line("ez-bust"), game="canasta")
    assert compare_hits([other]) == ()
    assert compare_totals([other]).hands == 0


def test_naturals_are_left_out_of_the_totals() -> None:
    assert compare_totals([settled("As Kd", line("main"))]).hands == 0
    counted = compare_totals([settled("6s Ts 8d", line("main")), settled("Ts 9d", line("main"))])
    assert {total.name: total.observed for total in counted.totals if total.observed} == {"19": 1, "bust": 1}
    assert sum(total.expected for total in counted.totals) == 2
    assert counted.chance is None


@pytest.mark.parametrize(
    ("chance", "among_all", "says"),
    [(0.5, 1.0, EXPECTED), (0.04, 0.5, UNUSUAL), (0.0004, 0.004, UNUSUAL), (0.00001, 0.0009, LOOK)],
)
def test_a_p_value_is_described_in_words(chance: float, among_all: float, says: str) -> None:
    assert verdict_word(chance, among_all) == says


def test_the_quadratic_form_matches_hand_calculation() -> None:
    assert form([[4.0]], [6.0]) == pytest.approx(9)
    assert form([[2.0, 1.0], [1.0, 3.0]], [1.0, 2.0]) == pytest.approx(float(Fraction(7, 5)))


def test_the_form_of_independent_hands_is_pearsons_sum() -> None:
    shares, counted = [0.2, 0.3, 0.1, 0.4], [23, 31, 6, 40]
    spread = [
        [100 * (one * (here == there) - one * other) for there, other in enumerate(shares[:-1])]
        for here, one in enumerate(shares[:-1])
    ]
    off = [count - 100 * share for count, share in zip(counted, shares, strict=True)]
    pearson = sum(each**2 / (100 * share) for each, share in zip(off, shares, strict=True))
    assert form(spread, off[:-1]) == pytest.approx(pearson)
