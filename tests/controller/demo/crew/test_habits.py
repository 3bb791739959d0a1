from dataclasses import replace

from controller.demo.crew.habits import HABITS, Mood, PlacedBet
from controller.demo.crew.playbook import Circle, Playbook
from tests.controller.demo.crew.playbook import PLAYBOOK, STAKES

MAIN, SIDE, LATE = range(3)
ROUNDS = range(300)


def bets(seed: int, index: int, playbook: Playbook = PLAYBOOK) -> tuple[PlacedBet, ...]:
    return Mood(seed, index, playbook).bets()


def test_wagers_come_from_seed_and_round_alone() -> None:
    assert bets(7, 3) == bets(7, 3)
    assert len({bets(7, index) for index in range(50)}) > 45
    assert bets(7, 3) != bets(8, 3)


def test_every_kind_of_wager_turns_up() -> None:
    rounds = [bets(1, index) for index in ROUNDS]
    assert {bet.seat for played in rounds for bet in played} == set(HABITS.seats)
    assert {bet.cents for played in rounds for bet in played if bet.spot == MAIN} == {None, *STAKES}
    for played in rounds:
        main = [bet.seat for bet in played if bet.spot == MAIN]
        assert len(main) == len(set(main))
        assert {bet.seat for bet in played} == set(main)


def test_a_side_wager_is_no_more_than_the_first_one_where_it_may_not_be() -> None:
    for index in ROUNDS:
        first = {bet.seat: bet.cents for bet in bets(1, index) if bet.spot == MAIN}
        for bet in bets(1, index):
            assert bet.spot == MAIN or bet.cents is None or bet.cents <= (first[bet.seat] or bet.cents)


def test_a_circle_that_needs_as_much_as_the_first_has_it_readable_or_not() -> None:
    playbook = replace(PLAYBOOK, circles=(Circle("bet", STAKES), Circle("other", STAKES, like_first=True)))
    for index in ROUNDS:
        wagers: dict[int, list[int | None]] = {}
        for bet in bets(1, index, playbook):
            wagers.setdefault(bet.seat, []).append(bet.cents)
        assert all(len(cents) == 2 and cents[0] == cents[1] for cents in wagers.values())


def test_late_wagers_are_no_part_of_the_first_ones_and_can_be_valued() -> None:
    assert not any(bet.spot == LATE for index in ROUNDS for bet in bets(1, index))
    late = [Mood(1, index, PLAYBOOK).late(2, 1) for index in ROUNDS]
    assert set(late) == {(), (PlacedBet(2, LATE, 200),)}


def test_only_some_circles_take_another_wager_at_a_split() -> None:
    once = replace(PLAYBOOK, circles=(Circle("main", STAKES), Circle("late", (200,), late=True)))
    assert Mood(1, 0, once).late(2, 1) == (PlacedBet(2, 1, 200),)
    assert Mood(1, 0, once).late(2, 2) == ()
    assert any(Mood(1, index, PLAYBOOK).late(2, 2) for index in ROUNDS)


def test_a_whim_comes_and_goes() -> None:
    moods = [Mood(1, index, PLAYBOOK).has("insurance", 3) for index in ROUNDS]
    assert moods == [Mood(1, index, PLAYBOOK).has("insurance", 3) for index in ROUNDS]
    assert 0.3 < sum(moods) / len(moods) < 0.5
