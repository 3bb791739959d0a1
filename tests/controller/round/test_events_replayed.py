"""A round replayed from its events: where each card lies, what is skipped, where the next card would go."""

from collections.abc import Sequence

import pytest

from controller.cards import Card
from controller.games import open_game
from controller.games.layout import Turn
from controller.round import CardOut, Event, Jackpot, Key, Peeked, Revealed, Round, Settled, Wager
from controller.round.replay import CardPosition, card_targets, replay
from controller.round.settle import apply_token


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
    replayed = replay(fresh(), events(PLAYED))
    tokens = PLAYED.split()
    assert {laid: tokens[at] for laid, at in replayed.positions.items()} == {
        CardPosition(1, 1, 1): "8h",
        CardPosition(1, 1, 2): "2h",
        CardPosition(1, 2, 1): "8s",
        CardPosition(1, 2, 2): "3h",
        CardPosition(2, 1, 1): "9c",
        CardPosition(2, 1, 2): "8c",
        CardPosition(0, 1, 1): "6d",
        CardPosition(0, 1, 2): "Qh",
        CardPosition(0, 1, 3): "7h",
    }
    assert (replayed.refused, replayed.hidden, replayed.hole) == ((), None, 8)
    assert len(replayed.accepted) == len(events(PLAYED))


def test_a_card_that_lies_face_down_is_at_no_place() -> None:
    replayed = replay(fresh(), events("1:main=500 close 8h 6d 8s Qh"))
    assert CardPosition(0, 1, 2) not in replayed.positions
    assert (replayed.hidden, replayed.hole) == (5, 5)


def test_burned_cards_lie_nowhere() -> None:
    replayed = replay(fresh(burn=2), events("1:main=500 close Ks Kd 8h"))
    assert replayed.positions == {CardPosition(1, 1, 1): 4}
    assert replayed.refused == ()


def test_refused_events_are_skipped() -> None:
    replayed = replay(fresh(), events("1:main=500 close 8h 6d Ts Qh 2:stand 1:split 1:stand 7h 4c"))
    assert replayed.refused == (6, 7, 10)
    assert replayed.round.phase == "paying"


def test_each_consequence_is_listed_with_the_event_that_caused_it() -> None:
    replayed = replay(fresh(), events("1:main=500 close 8h Td Ts Ah"))
    said = [(one.at, type(one.command)) for one in replayed.commands]
    assert said == [(5, Peeked), (5, Revealed), (5, Settled)]


@pytest.mark.parametrize(
    ("tokens", "expected"),
    [
        ("1:main=500 close", [None, None, Turn(1, 0)]),
        ("1:main=500 close 8h", [None, None, Turn(1, 0), Turn(0, 0)]),
        ("1:main=500 close 8h 6d 8s Qh", [None, None, *[Turn(1, 0), Turn(0, 0)] * 2, Turn(1, 0)]),
    ],
)
def test_the_place_of_the_next_card_is_known_at_each_step(
    tokens: str, expected: Sequence[Turn | None]
) -> None:
    assert list(card_targets(fresh(), events(tokens))) == expected


def test_a_hand_that_stands_takes_none_the_dealer_does() -> None:
    moments = list(card_targets(fresh(), events("1:main=500 close 8h 6d 8s Qh 1:stand 7h")))
    assert moments[-3:] == [Turn(1, 0), Turn(0, 0), None]


def test_burned_cards_go_to_nobody() -> None:
    assert list(card_targets(fresh(burn=1), events("1:main=500 close"))) == [None, None, None]


def test_no_card_goes_anywhere_before_the_jackpot_is_told() -> None:
    event_list = events("1:main=500 1:blazing-7s=100 close")
    assert list(card_targets(fresh("blackjack-x"), event_list))[-1] is None
    assert list(card_targets(fresh("blackjack-x"), [*event_list, Jackpot("blazing-7s", 5000)]))[-1] == Turn(
        1, 0
    )


def test_the_place_of_the_next_card_skips_refused_events() -> None:
    places = list(card_targets(fresh(), events("1:main=500 close 8h 6d 8s Qh 2:stand 1:stand")))
    assert places[-3:] == [Turn(1, 0), Turn(1, 0), Turn(0, 0)]


def test_a_wager_in_a_window_may_be_of_unknown_amount() -> None:
    played = fresh()
    for event in events("1:main=500 close 8h 6d 8s Qh"):
        played.handle(event)
    apply_token(played, Wager(1, "ez-bust", True))
    assert played.standing(1, "ez-bust") is None


def test_the_same_round_before_anything_happened_to_it() -> None:
    played = fresh(burn=2)
    for event in events("1:main=500 close Ks"):
        played.handle(event)
    anew = played.fresh()
    assert (anew.phase, anew.seats, played.phase) == ("betting", {}, "burning")
    anew.handle(events("1:main=500")[0])
    anew.handle(Key("close"))
    assert anew.cards_due == 2


def test_seats_are_unpaid_until_they_are_paid() -> None:
    replayed = replay(fresh(), events(PLAYED))
    assert set(replayed.round.unpaid) == {1, 2}
    replayed.round.handle(Key("pay", 1))
    assert replayed.round.unpaid == (2,)
