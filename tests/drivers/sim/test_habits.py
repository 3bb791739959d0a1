import pytest

from drivers.sim.habits import DEALER_BUST, HABITS, MAIN, bets, hits, total


@pytest.mark.parametrize(
    ("cards", "points"),
    [
        (["As"], 11),
        (["Ks"], 10),
        (["2s", "Ad"], 3),
        (["As", "2d"], 3),
        (["9c", "Th"], 19),
        (["2s", "3h", "Ac"], 6),
    ],
)
def test_only_an_ace_alone_is_eleven(cards: list[str], points: int) -> None:
    assert total(cards) == points


@pytest.mark.parametrize(
    ("cards", "wants"),
    [
        (["5s"], True),
        (["6s"], True),
        (["7s"], False),
        (["2s", "3d"], True),
        (["2s", "4d"], False),
        (["As"], False),
    ],
)
def test_the_strategy_of_easy_jack(cards: list[str], wants: bool) -> None:
    assert hits(cards) is wants


def test_wagers_come_from_seed_and_round_alone() -> None:
    assert bets(7, 3) == bets(7, 3)
    assert len({bets(7, index) for index in range(50)}) > 45
    assert bets(7, 3) != bets(8, 3)


def test_every_kind_of_wager_turns_up() -> None:
    rounds = [bets(1, index) for index in range(300)]
    assert {bet.seat for played in rounds for bet in played} == set(HABITS.seats)
    assert any(bet.cents is None for played in rounds for bet in played)
    assert any(bet.spot == DEALER_BUST for played in rounds for bet in played)
    for played in rounds:
        assert played
        main = [bet.seat for bet in played if bet.spot == MAIN]
        assert len(main) == len(set(main))
        assert {bet.seat for bet in played} == set(main)
