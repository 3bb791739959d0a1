"""The state machine of a round: one literal table of transitions, what walks it, and its diagram.

Theory of operation. `round.py` checks an event before it triggers anything, so a trigger never refuses.
The keys `close` and `pay` and the supervisor's `void` are triggers. `advance` is tried after every event,
as long as it moves. Guards have no side effects. Effects cannot fail; they change the State and append
commands.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import transitions

from controller.games.game import Game
from controller.games.layout import Settlement
from controller.games.settlement import push
from controller.round.events import Peeked, Revealed, Settled
from controller.round.phases import PHASES
from controller.round.state import State, turn


def burns(state: State) -> bool:
    return bool(state.burn)


def burned(state: State) -> bool:
    return not state.burn


def dealt(state: State) -> bool:
    return not state.deal


def insured(state: State) -> bool:
    """Every card is dealt, and a seat may take insurance or even money."""
    return dealt(state) and bool(state.game.insures(state.layout))


def all_insured(state: State) -> bool:
    return not state.game.insures(state.layout)


def shows_natural(state: State) -> bool:
    """The dealer looks and has a natural."""
    game, layout = state.game, state.layout
    return game.peeks(layout) and game.natural(layout.dealer)


def invites(state: State) -> bool:
    return bool(state.game.invites(state.layout))


def opened(state: State) -> bool:
    """A split opened a window."""
    return bool(state.invited)


def closed(state: State) -> bool:
    return not state.invited


def played(state: State) -> bool:
    return turn(state) is None


def stands(state: State) -> bool:
    return not state.game.dealer_draws(state.layout)


def paid(state: State) -> bool:
    return not state.unpaid


def peek(state: State) -> None:
    """Says natural or not, and nothing else."""
    if state.game.peeks(state.layout):
        state.commands.append(Peeked(state.game.natural(state.layout.dealer)))


def invite(state: State) -> None:
    state.invited = state.game.invites(state.layout)


def reveal(state: State) -> None:
    """Turns the hole card, if the game has one."""
    if state.layout.hole:
        state.commands.append(Revealed(state.layout.hole))


def settle(state: State) -> None:
    _note(state, state.game.settle(state.layout))
    seats = tuple(dict.fromkeys(line.seat for line in state.lines))
    state.unpaid = seats if state.pay_from == "first-base" else seats[::-1]


def push_all(state: State) -> None:
    """Returns every wager."""
    reason = f"the round is void: {state.void}"
    _note(state, tuple(push(wager, reason) for wager in state.game.wagered(state.layout)))


def _note(state: State, lines: tuple[Settlement, ...]) -> None:
    state.lines = lines
    state.commands.append(Settled(lines))


@dataclass(frozen=True, slots=True)
class Transition:
    """On `trigger` in `source`, if `guard` holds: go to `dest`, then run `effects`."""

    trigger: str
    source: str
    dest: str
    when: str
    """In words, for the diagram."""
    guard: Callable[[State], bool] | None = None
    effects: tuple[Callable[[State], None], ...] = ()


TRANSITIONS = (
    Transition("close", "betting", "burning", "no more bets, cards to burn first", burns),
    Transition("close", "betting", "dealing", "no more bets"),
    Transition("advance", "burning", "dealing", "every burn card is out", burned),
    Transition("advance", "dealing", "insuring", "every card is dealt, insurance is offered", insured),
    Transition("advance", "dealing", "peeking", "every card is dealt", dealt),
    Transition("close", "insuring", "peeking", "the window is done"),
    Transition("advance", "insuring", "peeking", "nobody is left to ask", all_insured),
    Transition(
        "advance", "peeking", "drawing", "the dealer looks and has a natural", shows_natural, (peek, reveal)
    ),
    Transition("advance", "peeking", "offering", "spots open for side wagers", invites, (peek, invite)),
    Transition("advance", "peeking", "playing", "no natural, or no look", None, (peek,)),
    Transition("close", "offering", "playing", "the window is done"),
    Transition("advance", "offering", "playing", "a hand has acted", closed),
    Transition("advance", "playing", "offering", "a split opens a window", opened),
    Transition("advance", "playing", "drawing", "every hand is played", played, (reveal,)),
    Transition("advance", "drawing", "paying", "the dealer draws no more", stands, (settle,)),
    Transition("pay", "paying", "over", "every seat is paid", paid),
    Transition("void", "betting", "void", "called off", None, (push_all,)),
    Transition("void", "burning", "void", "called off", None, (push_all,)),
    Transition("void", "dealing", "void", "called off", None, (reveal, push_all)),
    Transition("void", "insuring", "void", "called off", None, (reveal, push_all)),
    Transition("void", "offering", "void", "called off", None, (reveal, push_all)),
    Transition("void", "playing", "void", "called off", None, (reveal, push_all)),
    Transition("void", "drawing", "void", "called off", None, (push_all,)),
    Transition("void", "paying", "void", "called off before anything is paid", None, (push_all,)),
)

WINDOWS = frozenset({"insuring", "offering"})
"""Phases that the dealer ends with `close`, and that only some games have."""


class DirectTransition(transitions.Transition):
    """A row of TRANSITIONS in the machine. It calls guard and effects with the State and nothing else."""

    def __init__(self, *arguments: Any, row: Transition, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self._row = row

    def execute(self, state: Any) -> bool:
        """Takes the transition if its guard holds. Returns whether it does."""
        row = self._row
        if row.guard and not row.guard(state):
            return False
        state.phase = row.dest
        for effect in row.effects:
            effect(state)
        return True


class DirectEvent(transitions.Event):
    """A trigger that tries the transitions from the State's phase, in the order of the table.

    The library's own looks up each callback by name, calls hooks that no round has, and calls a logger at
    each step: that takes half of the time of a round.
    """

    def trigger(self, model: Any, *_arguments: Any, **_more: Any) -> bool:
        """Takes the first transition whose guard holds. Returns whether there was one."""
        for transition in self.transitions.get(model.phase, ()):  # noqa: SIM110 - a generator costs a tenth
            if transition.execute(model):
                return True
        return False


class DirectMachine(transitions.Machine):
    """Checks the table of transitions and holds it."""

    transition_cls = DirectTransition
    event_cls = DirectEvent


@cache
def triggers() -> dict[str, Callable[[State], bool]]:
    """The triggers of the machine, which change the State that they are called with.

    One machine serves every round: adding a State as a model and removing it takes a third of the time
    that the round itself takes.
    """
    machine = DirectMachine(
        model=None,
        states=list(PHASES),
        initial=None,
        auto_transitions=False,
        model_attribute="phase",
        transitions=[_transition(row) for row in TRANSITIONS],
    )
    return {name: event.trigger for name, event in machine.events.items()}


def _transition(row: Transition) -> dict[str, Any]:
    return {"trigger": row.trigger, "source": row.source, "dest": row.dest, "row": row}


def diagram(game: Game) -> str:
    """A Mermaid state diagram of a round of `game`."""
    rows = [row for row in TRANSITIONS if {row.source, row.dest}.isdisjoint(WINDOWS - game.windows)]
    ends = dict.fromkeys(row.dest for row in rows if all(row.dest != other.source for other in rows))
    lines = [
        f"[*] --> {rows[0].source}",
        *map(_edge, rows),
        *(f"{end} --> [*]" for end in ends),
    ]
    return "\n".join([f"---\ntitle: {game.title}\n---\nstateDiagram-v2", *(f"    {line}" for line in lines)])


def _edge(row: Transition) -> str:
    effects = ", ".join(effect.__name__.replace("_", " ") for effect in row.effects)
    cause = "" if row.trigger == "advance" else f"{row.trigger}, "
    return f"{row.source} --> {row.dest}: {cause}{row.when}{f' / {effects}' if effects else ''}"
