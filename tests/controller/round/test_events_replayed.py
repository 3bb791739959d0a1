"""A round told once more from its events: where each card lies, what is passed over, where one would go."""

from collections.abc import Sequence

import pytest

from controller.cards import Card
from controller.games import open_game
from controller.games.layout import Turn
from controller.round import CardOut, Event, Jackpot, Key, Peeked, Revealed, Round, Settled, Wager
from controller.round.replay import Laid, goes, retell
from controller.round.settle import take


def fresh(game: str = "ez-bust", burn: int = 0, **options: object) -> Round:
    return Round(open_game(game, options), burn=burn)


def events(tokens: str) -> list[Event]:
    return [_event(token) for token in tokens.split()]


def _event(token: str) -> Event:
    seat, _, word = token.rpartition(":")
    if not seat and len(word) == 2:
        return CardOut(Card(word))
    spot, given, cents = word.partition("=")
    return Wager(int(seat), spot, True, int(cents)) if given else Key(word, int(seat or 0))


PLAYED = "1:main=500 2:main=500 close 8h 9c 6d 8s 8c Qh 1:split 2h 1:stand 3h 1:stand 2:stand 7h"


def test_every_card_is_found_where_it_lies() -> None:
    told = retell(fresh(), events(PLAYED))
    tokens = PLAYED.split()
    assert {laid: tokens[at] for laid, at in told.laid.items()} == {
        Laid(1, 1, 1): "8h", Laid(1, 1, 2): "2h", Laid(1, 2, 1): "8s", Laid(1, 2, 2): "3h",
        Laid(2, 1, 1): "9c", Laid(2, 1, 2): "8c",
        Laid(0, 1, 1): "6d", Laid(0, 1, 2): "Qh", Laid(0, 1, 3): "7h",
    }  # fmt: skip
    assert (told.passed, told.hidden, told.hole) == ((), None, 8)
    assert len(told.took) == len(events(PLAYED))


def test_a_card_that_lies_face_down_is_at_no_place() -> None:
    told = retell(fresh(), events("1:main=500 close 8h 6d 8s Qh"))
    assert Laid(0, 1, 2) not in told.laid
    assert (told.hidden, told.hole) == (5, 5)


def test_burned_cards_lie_nowhere() -> None:
    told = retell(fresh(burn=2), events("1:main=500 close Ks Kd 8h"))
    assert told.laid == {Laid(1, 1, 1): 4}
    assert told.passed == ()


def test_what_is_not_allowed_is_passed_over() -> None:
    told = retell(fresh(), events("1:main=500 close 8h 6d Ts Qh 2:stand 1:split 1:stand 7h 4c"))
    assert told.passed == (6, 7, 10)
    assert told.round.phase == "paying"


def test_what_followed_is_said_with_its_place() -> None:
    told = retell(fresh(), events("1:main=500 close 8h Td Ts Ah"))
    said = [(one.at, type(one.command)) for one in told.said]
    assert said == [(5, Peeked), (5, Revealed), (5, Settled)]


@pytest.mark.parametrize(
    ("tokens", "expected"),
    [
        ("1:main=500 close", [None, None, Turn(1, 0)]),
        ("1:main=500 close 8h", [None, None, Turn(1, 0), Turn(0, 0)]),
        ("1:main=500 close 8h 6d 8s Qh", [None, None, *[Turn(1, 0), Turn(0, 0)] * 2, Turn(1, 0)]),
    ],
)
def test_where_a_card_would_go(tokens: str, expected: Sequence[Turn | None]) -> None:
    assert list(goes(fresh(), events(tokens))) == expected


def test_a_hand_that_stands_takes_none_the_dealer_does() -> None:
    moments = list(goes(fresh(), events("1:main=500 close 8h 6d 8s Qh 1:stand 7h")))
    assert moments[-3:] == [Turn(1, 0), Turn(0, 0), None]


def test_burned_cards_go_to_nobody() -> None:
    assert list(goes(fresh(burn=1), events("1:main=500 close"))) == [None, None, None]


def test_no_card_goes_anywhere_before_the_jackpot_is_told() -> None:
    told = events("1:main=500 1:blazing-7s=100 close")
    assert list(goes(fresh("blackjack-x"), told))[-1] is None
    assert list(goes(fresh("blackjack-x"), [*told, Jackpot("blazing-7s", 5000)]))[-1] == Turn(1, 0)


def test_where_a_card_would_go_passes_over_what_is_not_allowed() -> None:
    places = list(goes(fresh(), events("1:main=500 close 8h 6d 8s Qh 2:stand 1:stand")))
    assert places[-3:] == [Turn(1, 0), Turn(1, 0), Turn(0, 0)]


def test_a_wager_in_a_window_may_be_of_unknown_amount() -> None:
    played = fresh()
    for event in events("1:main=500 close 8h 6d 8s Qh"):
        played.handle(event)
    take(played, Wager(1, "ez-bust", True))
    assert played.standing(1, "ez-bust") is None


def test_the_same_round_before_anything_happened_to_it() -> None:
    played = fresh(burn=2)
    for event in events("1:main=500 close Ks"):
        played.handle(event)
    anew = played.anew()
    assert (anew.phase, anew.seats, played.phase) == ("betting", {}, "burning")
    anew.handle(events("1:main=500")[0])
    anew.handle(Key("close"))
    assert anew.cards_due == 2


def test_seats_are_unpaid_until_they_are_paid() -> None:
    told = retell(fresh(), events(PLAYED))
    assert set(told.round.unpaid) == {1, 2}
    told.round.handle(Key("pay", 1))
    assert told.round.unpaid == (2,)
