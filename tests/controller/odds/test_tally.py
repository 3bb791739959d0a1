import math

import pytest

from controller.odds.tally import BetTallies, BetTally


def tally(*rounds: tuple[int, int]) -> BetTally:
    counted = BetTally("main")
    for staked, paid in rounds:
        counted.add(staked, paid, ["win" if paid > 0 else "lose"])
    return counted


def test_the_textbook_mean_and_standard_error() -> None:
    """Paid +100, -100, -100, -100 on stakes of 100: mean -0.5, sample deviation 1, error 1 / 2."""
    counted = tally((100, 100), (100, -100), (100, -100), (100, -100))
    assert counted.house_edge == pytest.approx(0.5)
    assert counted.standard_error == pytest.approx(0.5)
    assert counted.results == {"win": 1, "lose": 3}


def test_stakes_that_differ_count_by_their_size() -> None:
    """200 lost and 100 won: a third of what was staked. What each deviates from it: 133.33 and -133.33."""
    counted = tally((200, -200), (100, 100))
    assert counted.house_edge == pytest.approx(1 / 3)
    assert counted.standard_error == pytest.approx(math.sqrt(2 * 133.333**2 * 2) / 300, rel=1e-4)


def test_one_wager_has_no_standard_error() -> None:
    assert math.isnan(tally((100, 100)).standard_error)
    assert math.isnan(tally().house_edge)


def test_merged_parts_are_the_whole() -> None:
    rounds = [(100, 100), (100, -50), (300, 0), (100, -100)]
    whole, part = tally(*rounds), tally(*rounds[:1])
    part.merge(tally(*rounds[1:]))
    assert part == whole


def test_a_bet_after_the_deal_is_also_told_for_any_up_card() -> None:
    kept, other = BetTallies(), BetTallies()
    kept.of("hedge-18", "6").add(100, -100, ["lose"])
    other.of("hedge-18", "A").add(100, 300, ["3:1"])
    other.of("main").add(100, 0, ["push"])
    kept.merge(other)
    found = {(each.bet, each.up_card): (each.count, each.paid) for each in kept.all()}
    assert found == {
        ("hedge-18", "any"): (2, 200),
        ("hedge-18", "6"): (1, -100),
        ("hedge-18", "A"): (1, 300),
        ("main", ""): (1, 0),
    }
    assert [each.given for each in kept.all()][:3] == [{}, {"up_card": "any"}, {"up_card": "6"}]
