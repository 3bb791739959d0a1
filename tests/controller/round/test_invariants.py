"""Invariants of every game, whatever happens at the table and in whatever order."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.cards import DECK, Card
from controller.games import GAMES
from controller.games.game import Game
from controller.games.layout import Layout, Settlement
from controller.money import ratio
from controller.round import CardOut, Command, Event, EventRefused, Key, Peeked, Revealed, Round, Wager
from controller.round.phases import PHASES
from controller.round.state import DealPosition
from tests.fixtures.random_crew import ACTIONS, Chance

LONGEST = 60
"""Steps of a round of four seats in which not everything makes sense."""
ENOUGH = 600
"""Steps in which any round must end."""
MOST_BYTES = 120
"""What the dealer's console can show."""
HOLE = DealPosition(up=False)

THOROUGH = settings(max_examples=40)
SEEDS = st.integers(0, 2**32 - 1)
BURN = st.integers(0, 2)

every_game = pytest.mark.parametrize("game", sorted(GAMES))


def tried(played: Round, event: Event) -> tuple[Command, ...] | EventRefused:
    try:
        return played.handle(event)
    except EventRefused as refused:
        return refused


def seen(played: Round) -> tuple[Any, ...]:
    """Everything that a round shows."""
    return (
        played.phase,
        played.cards_due,
        played.due,
        played.keys,
        dict(played.seats),
        played.dealer,
        played.settlements,
        dict(played.net),
        played.invited,
        played.turn,
        played.advice,
        played.hidden,
    )


def kept(played: Round) -> dict[str, Any]:
    """Everything that a round remembers, except its last commands."""
    state = copied(played)._state
    return {each.name: getattr(state, each.name) for each in fields(state) if each.name != "commands"}


def copied(played: Round) -> Round:
    """A copy of a round; what is not copied never changes."""
    layout = played._state.layout
    trial = Round(played.game)
    laid = replace(layout, seats=dict(layout.seats), meters=dict(layout.meters))
    trial._state = replace(played._state, layout=laid, commands=[])
    return trial


def some(crew: Chance) -> Iterator[Event]:
    """Wagers, then steps that usually make sense."""
    yield from crew.wagers()
    for _ in range(LONGEST):
        if crew.round.phase in ("over", "void"):
            return
        yield crew.sensible() if crew.random.random() < 0.7 else crew.anything()


def ended(crew: Chance) -> Round:
    """A round that was played to its end."""
    for event in some(crew):
        tried(crew.round, event)
    for _ in range(ENOUGH):
        if crew.round.phase in ("over", "void"):
            return crew.round
        crew.round.handle(crew.sensible())
    raise AssertionError(f"still {crew.round.phase}: {crew.round.due}")


@every_game
@THOROUGH
@given(SEEDS, BURN)
def test_what_is_refused_changes_nothing(game: str, seed: int, burn: int) -> None:
    crew = Chance(game, seed, burn=burn)
    for event in some(crew):
        before = seen(crew.round), kept(crew.round)
        if isinstance(said := tried(crew.round, event), EventRefused):
            assert said.reason
            assert (seen(crew.round), kept(crew.round)) == before


@every_game
@THOROUGH
@given(SEEDS, BURN)
def test_cards_that_are_due_are_exactly_those_that_are_taken(game: str, seed: int, burn: int) -> None:
    crew = Chance(game, seed, burn=burn)
    for event in some(crew):
        check_cards(crew.round)
        tried(crew.round, event)


def check_cards(played: Round) -> None:
    trial, due = copied(played), played.cards_due
    taken = 0
    while taken < max(due, 1) and not isinstance(tried(trial, CardOut(Card("9s"))), EventRefused):
        taken += 1
    assert taken == due


@every_game
@THOROUGH
@given(SEEDS, BURN)
def test_every_step_asks_for_something_else(game: str, seed: int, burn: int) -> None:
    crew = Chance(game, seed, seats=9, burn=burn)
    due = crew.round.due
    for event in some(crew):
        said = tried(crew.round, event)
        assert crew.round.phase in PHASES
        assert 0 < len(crew.round.due.text.encode()) <= MOST_BYTES, crew.round.due.text
        if isinstance(said, tuple) and isinstance(event, Key | CardOut):
            assert crew.round.due != due
        due = crew.round.due


@every_game
@THOROUGH
@given(SEEDS)
def test_every_round_ends_and_the_same_events_give_the_same_round(game: str, seed: int) -> None:
    crew = Chance(game, seed)
    handle, taken = crew.round.handle, list[Event]()

    def noted(event: Event) -> tuple[Command, ...]:
        commands = handle(event)
        taken.append(event)
        return commands

    crew.round.handle = noted  # type: ignore[method-assign]
    ended(crew)
    again = Round(crew.game, seats=crew.places)
    for event in taken:
        again.handle(event)
    assert (seen(again), kept(again)) == (seen(crew.round), kept(crew.round))


@every_game
@given(SEEDS)
def test_a_table_that_pays_from_third_base_settles_the_same(game: str, seed: int) -> None:
    crew = Chance(game, seed)
    other = Round(crew.game, seats=crew.places, pay_from="third-base").fresh()
    wagers = crew.wagers()
    while crew.round.phase != "paying":
        event = next(wagers, None) or crew.sensible()
        assert other.handle(event) == crew.round.handle(event)
    assert other.settlements == crew.round.settlements
    assert other.unpaid == tuple(sorted(crew.round.unpaid, reverse=True))


@every_game
@THOROUGH
@given(SEEDS)
def test_money_is_conserved(game: str, seed: int) -> None:
    played = ended(Chance(game, seed))
    layout = played._state.layout
    wagered = Counter(
        (what.seat, what.hand, what.wager, what.amount or played.game.fixed_stake(what.wager))
        for what in played.game.wagered(layout)
    )
    if played.phase == "over":
        lines = Counter((line.seat, line.hand, line.wager, line.amount) for line in played.settlements)
        assert lines == wagered
    for line in played.settlements:
        check_line(line, played.game)
    for seat, net in played.net.items():
        paid = [line.paid for line in played.settlements if line.seat == seat]
        assert net == (None if None in paid else sum(filter(None, paid)))


def check_line(line: Settlement, game: Game) -> None:
    assert line.reason
    chip = game.options.chip
    if line.outcome == "push":
        assert (line.paid, line.pays) == (0, None)
    elif line.amount is None:
        assert line.paid is None
    elif line.outcome == "lose":
        assert line.pays is None
        assert line.paid is not None
        assert line.paid % chip == 0
        halved = line.amount // 2 // chip * chip
        assert -line.paid in (line.amount, halved) or "original wager" in line.reason
    else:
        check_win(line, line.amount, chip)


def check_win(line: Settlement, amount: int, chip: int) -> None:
    assert line.pays is not None
    assert line.paid is not None
    if line.pays.endswith("%"):
        assert (line.paid + amount) % chip == 0
        return
    pays = ratio(line.pays)
    assert line.paid + Fraction(line.rounding or 0) == Fraction(amount * pays.win, pays.stake)
    assert line.paid % chip == 0


@every_game
@THOROUGH
@given(SEEDS, st.sampled_from(DECK), st.sampled_from(DECK))
def test_nothing_differs_by_the_face_down_card_before_it_is_turned(
    game: str, seed: int, first: Card, second: Card
) -> None:
    """Two rounds that differ only in that card look the same until it is turned, or the peek reveals a
    natural."""
    crew = Chance(game, seed)
    one, other = crew.round, Round(crew.game, seats=crew.places)
    for event in some(crew):
        down = one._state.deal[:1] == (HOLE,) and isinstance(event, CardOut)
        said = [
            tried(played, CardOut(card) if down else event)
            for played, card in ((one, first), (other, second))
        ]
        turned = [turns(answer) for answer in said]
        if any(turned):
            assert all(turned) or peek_tells(one) != peek_tells(other)
            return
        assert str(said[0]) == str(said[1])
        assert seen(one) == seen(other)


def turns(answer: tuple[Command, ...] | EventRefused) -> bool:
    return isinstance(answer, tuple) and any(isinstance(command, Revealed) for command in answer)


def peek_tells(played: Round) -> bool:
    """Whether the dealer peeks and has a natural."""
    layout = played._state.layout
    return played.game.peeks(layout) and played.game.natural(layout.dealer)


@every_game
@THOROUGH
@given(SEEDS)
def test_the_peek_tells_natural_or_not_and_only_once(game: str, seed: int) -> None:
    crew = Chance(game, seed)
    peeks = list[Peeked]()
    for event in some(crew):
        said = tried(crew.round, event)
        peeks += (
            [command for command in said if isinstance(command, Peeked)] if isinstance(said, tuple) else []
        )
    assert len(peeks) <= 1
    for peeked in peeks:
        assert peeked.natural == peek_tells(crew.round)


@every_game
@THOROUGH
@given(SEEDS)
def test_a_wager_does_not_depend_on_other_seats(game: str, seed: int) -> None:
    """Every seat is settled as if it had been alone with the same cards."""
    played = ended(Chance(game, seed))
    if played.phase == "void":
        return
    layout = played._state.layout
    for number, seat in layout.seats.items():
        alone = Layout({number: seat}, layout.up, layout.hole, layout.drawn, layout.meters)
        mine = [line for line in played.settlements if line.seat == number and not shared(line, played.game)]
        assert mine == [line for line in played.game.settle(alone) if not shared(line, played.game)]


def shared(line: Settlement, game: Game) -> bool:
    """Jackpots are shared with earlier winners; without draw-out EZ Bust waits for other seats' hands."""
    jackpot = line.pays is not None and line.pays.endswith("%")
    return jackpot or (line.wager == "ez-bust" and getattr(game.options, "draw_out", True) is False)


def test_the_crew_does_what_these_tests_are_about() -> None:
    placed = Counter[str]()
    for game in GAMES:
        for seed in range(100):
            crew = Chance(game, seed)
            for event in some(crew):
                said = tried(crew.round, event)
                if isinstance(said, tuple) and isinstance(event, Key | Wager):
                    placed[event.action if isinstance(event, Key) else event.spot] += 1
            hands = [len(seat.hands) for seat in crew.round.seats.values()]
            placed["hands"] = max(placed["hands"], *hands, 0)
    assert {*ACTIONS, "ez-bust", "hedge-18", "buster", "blazing-7s", "dealer-bust"} <= placed.keys()
    assert placed["hands"] == 4
