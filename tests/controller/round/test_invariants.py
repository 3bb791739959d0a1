"""Whatever happens at a table, in whatever order: what must always hold."""

from copy import deepcopy
from dataclasses import fields
from fractions import Fraction
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from controller.cards import DECK, FACE_DOWN, Card
from controller.games import open_game
from controller.games.game import Game
from controller.games.layout import Settlement
from controller.money import ratio
from controller.round import CardOut, Command, Event, Key, Refused, Revealed, Round, Void, Wager
from controller.round.phases import PHASES

SEATS = 3
ACTIONS = ["close", "hit", "stand", "pay", "double", "insurance"]

OPTIONS = st.fixed_dictionaries(
    {
        "natural": st.sampled_from(["3:2", "6:5"]),
        "peek": st.booleans(),
        "chip": st.sampled_from([1, 25, 100]),
    },
    optional={
        "limits": st.just({"main": [100, 1000]}),
        "dealer_bust": st.just({"2": "7:3", "4": "10:1"}),
    },
)
CARDS = st.sampled_from(DECK) | st.sampled_from([Card(card) for card in ("As", "Ah", "2s", "3d", "4c", "6h")])
CENTS = st.none() | st.sampled_from([50, 100, 125, 500, 1000, 2000])
SPOTS = st.sampled_from(["main", "dealer-bust", "main", "buster"])

WAGERS = st.builds(
    lambda seat, spot, present, cents: Wager(seat, spot, present, cents if present else None),
    st.integers(0, SEATS + 1), SPOTS, st.booleans(), CENTS,
)  # fmt: skip
KEYS = st.builds(Key, st.sampled_from(ACTIONS), st.integers(0, SEATS), st.none() | st.just(500))
SENSIBLE = st.just(None)
"""Stands for whatever the round asks for now."""
ANY = (
    SENSIBLE
    | SENSIBLE
    | SENSIBLE
    | st.builds(CardOut, CARDS)
    | KEYS
    | WAGERS
    | st.just(Void("floor", "misdeal"))
)
STEPS = st.lists(st.tuples(ANY, CARDS, st.booleans()), min_size=5, max_size=50)
"""What is tried; for the sensible thing the card that comes, and whether a key is preferred to it."""

THOROUGH = settings(max_examples=250, deadline=None)

Step = tuple[Event | None, Card, bool]


def event_of(played: Round, step: Step) -> Event:
    event, card, key = step
    return event or sensible(played, card, key)


def sensible(played: Round, card: Card, key: bool) -> Event:
    """Something that the round must allow now, and that brings it on."""
    seat = played.due.seat
    if played.phase == "betting" and "close" not in played.keys:
        return (
            Wager(seat, next(iter(played.seats[seat].wagers)), False) if seat else Wager(1, "main", True, 500)
        )
    if played.cards_due and not (played.keys and key):
        return CardOut(card)
    return Key(max(played.keys), seat) if played.keys else Wager(1, "main", True, 500)


def tried(played: Round, event: Event) -> tuple[Command, ...] | Refused:
    try:
        return played.handle(event)
    except Refused as refused:
        return refused


def seen(played: Round) -> tuple[Any, ...]:
    """All that a round shows."""
    return (
        played.phase, played.cards_due, played.due, played.keys, dict(played.seats), played.dealer,
        played.settlements, dict(played.net),
    )  # fmt: skip


def kept(played: Round) -> dict[str, Any]:
    """All that a round remembers, but for what it said last."""
    state = played._state
    names = (field.name for field in fields(state) if field.name not in ("game", "commands"))
    return {name: deepcopy(getattr(state, name)) for name in names}


def copied(played: Round) -> Round:
    return deepcopy(played, {id(played.game): played.game})


@THOROUGH
@given(STEPS, OPTIONS, st.integers(0, 2))
def test_what_is_refused_changes_nothing(steps: list[Step], options: dict[str, Any], burn: int) -> None:
    played = Round(open_game("easy-jack", options), seats=SEATS, burn=burn)
    for step in steps:
        event = event_of(played, step)
        before = seen(played), kept(played)
        if isinstance(said := tried(played, event), Refused):
            assert said.reason
            assert (seen(played), kept(played)) == before
        else:
            assert step[0] or (seen(played), kept(played)) != before or played.phase in ("over", "void")


@THOROUGH
@given(STEPS, OPTIONS, st.integers(0, 2))
def test_cards_and_keys_that_are_due_are_exactly_those_that_are_taken(
    steps: list[Step], options: dict[str, Any], burn: int
) -> None:
    played = Round(open_game("easy-jack", options), seats=SEATS, burn=burn)
    for step in steps:
        check_due(played)
        tried(played, event_of(played, step))


def check_due(played: Round) -> None:
    trial = copied(played)
    if played.phase in ("burning", "dealing"):
        for left in range(played.cards_due, 0, -1):
            assert (trial.phase, trial.cards_due) == (played.phase, left)
            trial.handle(CardOut(Card("9s")))
        assert trial.phase != played.phase
    else:
        assert played.cards_due == (0 if isinstance(tried(trial, CardOut(Card("9s"))), Refused) else 1)
    for action in ACTIONS:
        answer = tried(copied(played), Key(action, played.due.seat))
        assert (action in played.keys) == (not isinstance(answer, Refused)), (action, answer)


@THOROUGH
@given(STEPS, OPTIONS, st.integers(0, 2))
def test_every_step_asks_for_something_else(steps: list[Step], options: dict[str, Any], burn: int) -> None:
    played = Round(open_game("easy-jack", options), seats=SEATS, burn=burn)
    due = played.due
    for step in steps:
        event = event_of(played, step)
        said = tried(played, event)
        assert played.phase in PHASES
        assert 0 < len(played.due.text) <= 120
        if not isinstance(said, Refused) and not isinstance(event, Wager):
            assert played.due != due
        due = played.due


@THOROUGH
@given(STEPS, OPTIONS)
def test_money_is_conserved(steps: list[Step], options: dict[str, Any]) -> None:
    game = open_game("easy-jack", options)
    played = Round(game, seats=SEATS)
    for step in steps:
        tried(played, event_of(played, step))
    while played.phase not in ("over", "void"):
        played.handle(sensible(played, Card("7c"), key=True))
    wagered = {(seat, spot): cents for seat, at in played.seats.items() for spot, cents in at.wagers.items()}
    assert {(line.seat, line.wager): line.amount for line in played.settlements} == wagered
    for line in played.settlements:
        check_line(line, game)
    for seat, net in played.net.items():
        paid = [line.paid for line in played.settlements if line.seat == seat]
        assert net == (None if None in paid else sum(filter(None, paid)))


def check_line(line: Settlement, game: Game) -> None:
    assert line.reason
    if line.outcome == "push":
        assert (line.paid, line.pays) == (0, None)
    elif line.amount is None:
        assert line.paid is None
    elif line.outcome == "lose":
        assert (line.paid, line.pays) == (-line.amount, None)
    else:
        assert line.pays is not None
        assert line.paid is not None
        pays = ratio(line.pays)
        assert line.paid + Fraction(line.rounding or 0) == Fraction(line.amount * pays.win, pays.stake)
        assert line.paid % game.options.chip == 0


@THOROUGH
@given(STEPS, OPTIONS, st.integers(0, 2), CARDS, CARDS)
def test_nothing_differs_by_the_face_down_card_before_it_is_turned(
    steps: list[Step], options: dict[str, Any], burn: int, first: Card, second: Card
) -> None:
    """Two rounds that differ in that card alone look the same until it is turned."""
    one, other = (Round(open_game("easy-jack", options), seats=SEATS, burn=burn) for _ in range(2))
    for step in steps:
        event = event_of(one, step)
        down = one.phase == "dealing" and one.cards_due == 1 and isinstance(event, CardOut)
        if down and options["peek"] and (first[0] == "A" or second[0] == "A"):
            return  # the peek tells one from the other
        said = [
            tried(played, CardOut(card) if down else event)
            for played, card in ((one, first), (other, second))
        ]
        if any(isinstance(answer, tuple) and any(isinstance(c, Revealed) for c in answer) for answer in said):
            return
        assert str(said[0]) == str(said[1])
        assert seen(one) == seen(other)
        assert one.dealer.cards in ((), (FACE_DOWN,))
