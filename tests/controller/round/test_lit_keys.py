"""In every game, whatever happens: the keys that are offered are exactly those that are taken."""

from collections.abc import Iterator

import pytest
from hypothesis import given

from controller.games import open_game
from controller.round import AmountRange, EventRefused, Key, KeyPress, Round, Wager
from tests.controller.round.test_invariants import BURN, SEEDS, THOROUGH, copied, every_game, some, tried
from tests.controller.round.test_windows import at, go_on
from tests.fixtures.random_crew import ACTIONS, Chance


@every_game
@THOROUGH
@given(SEEDS, BURN)
def test_keys_and_seats_that_are_offered_are_exactly_those_that_are_taken(
    game: str, seed: int, burn: int
) -> None:
    crew = Chance(game, seed, burn=burn)
    for event in some(crew):
        assert taken(crew.round) == offered(crew.round)
        assert crew.round.keys == {press.action for press in crew.round.key_presses}
        tried(crew.round, event)


def offered(played: Round) -> set[tuple[str, int]]:
    """Closing is for the whole table, whatever seat comes with it."""
    everywhere = range(played._state.places + 2)
    return {
        (press.action, seat)
        for press in played.key_presses
        for seat in (everywhere if press.action == "close" else press.seats)
    }


def taken(played: Round) -> set[tuple[str, int]]:
    return {
        (action, seat)
        for action in ACTIONS
        for seat in range(played._state.places + 2)
        if takes(played, Key(action, seat))
    }


def takes(played: Round, key: Key) -> bool:
    return not isinstance(tried(copied(played), key), EventRefused)


@every_game
@THOROUGH
@given(SEEDS)
def test_an_amount_is_taken_exactly_within_its_bounds(game: str, seed: int) -> None:
    crew = Chance(game, seed)
    for event in some(crew):
        for press in crew.round.key_presses:
            for cents, fits in amounts(press.amount):
                for seat in press.seats:
                    assert takes(crew.round, Key(press.action, seat, cents)) == fits, (press, cents)
        tried(crew.round, event)


def amounts(may: AmountRange | None) -> Iterator[tuple[int, bool]]:
    """The amounts at the bounds, and whether each is allowed; an amount that changes nothing does not
    matter."""
    if may is None:
        return
    yield may.least, True
    if may.least > may.step:
        yield may.least - may.step, False
    if may.step > 1:
        yield may.least + 1, False
    if may.most is not None:
        yield from ((may.most, True), (may.most + may.step, False))


@every_game
@THOROUGH
@given(SEEDS)
def test_a_key_without_an_amount_means_the_usual_one(game: str, seed: int) -> None:
    crew = Chance(game, seed)
    for event in some(crew):
        for press in crew.round.key_presses:
            if press.amount and press.amount.usual is not None:
                assert after(crew.round, press, None) == after(crew.round, press, press.amount.usual)
        tried(crew.round, event)


def after(played: Round, press: KeyPress, cents: int | None) -> dict[int, object]:
    trial = copied(played)
    trial.handle(Key(press.action, press.seats[0], cents))
    return dict(trial.seats)


def test_insurance_is_offered_to_each_seat_for_half_of_its_own_wager() -> None:
    played = at("ez-bust", {1: ("main",), 3: ("main",)}, "9h Ks As 8h Ah Qh")
    assert played.key_presses == (
        KeyPress("insurance", (1,), AmountRange(500, 1, 500, 1)),
        KeyPress("insurance", (3,), AmountRange(500, 1, 500, 1)),
        KeyPress("close"),
    )
    go_on(played, "1:insurance")
    assert [press.seats for press in played.key_presses] == [(3,), (0,)]


def test_insurance_for_less_is_not_offered_where_half_is_required() -> None:
    played = at("no-bust-21st-century", {2: ("main",)}, "9h As 8h Qh")
    assert played.key_presses[0] == KeyPress("insurance", (2,), AmountRange(500, 500, 500, 1))


def test_half_of_a_wager_that_rounds_down_to_nothing_is_not_offered() -> None:
    played = Round(open_game("ez-bust", {"chip": 100}))
    played.handle(Wager(1, "main", True, 100))
    played.handle(Key("close"))
    go_on(played, "9h As 8h Qh")
    assert (played.phase, played.key_presses) == ("insuring", (KeyPress("close"),))


def test_insurance_of_a_wager_that_nobody_knows_may_be_for_any_amount() -> None:
    played = Round(open_game("ez-bust", {"chip": 25}))
    played.handle(Wager(1, "main", True))
    played.handle(Key("close"))
    go_on(played, "9h As 8h Qh")
    assert played.key_presses[0] == KeyPress("insurance", (1,), AmountRange(None, 25, None, 25))


@pytest.mark.parametrize(("paid", "left"), [("", (0, 1, 2)), ("1:pay", (0, 2)), ("pay", ())])
def test_seats_are_paid_one_by_one_or_all_at_once(paid: str, left: tuple[int, ...]) -> None:
    played = at("easy-jack", {1: ("main",), 2: ("main",)}, "5h 7d Kc 1:stand 2:stand")
    for key in paid.split():
        seat, _, action = key.rpartition(":")
        played.handle(Key(action, int(seat or 0)))
    assert played.key_presses == ((KeyPress("pay", left),) if left else ())
