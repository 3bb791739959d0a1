"""The round in play as a round script (docs/notation.md), written while the round is played."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from controller.games.game import Invitation
from controller.round import CardOut, Event, Jackpot, Key, Round
from controller.round.script import SCRIPT_ACTIONS

UNWRITTEN = frozenset({"burn_cards"})
"""Options without effect on the script, which begins with the deal."""

LateWager = tuple[int, int, str]
"""A wager in a window: its seat, the split that it came at (0: none), its spot."""


@dataclass(frozen=True, slots=True)
class RoundScript:
    """One round as `tableside game settle` reads it, but for its id. Amounts are cents, None is unknown.

    A wager in a window whose amount nobody knows is a token without an amount, as "1:ez-bust".
    """

    game: str
    options: dict[str, object]
    wagers: dict[str, dict[str, int | None]]
    meters: dict[str, int]
    script: tuple[str, ...]
    seeds: dict[str, int] = field(default_factory=dict)
    """What a jackpot began with again where all of it was won; a script for `tableside game settle` has no
    place for it, and takes the default."""
    linked: tuple[str, ...] = ()
    """Spots whose jackpot several tables played for."""
    plugins: dict[str, str] = field(default_factory=dict)
    """The distribution and version of each plug-in that it was played with, by the name of the game or side
    bet."""


@dataclass(slots=True)
class ScriptWriter:
    """Writes the script of a round from the events that the round accepts.

    A wager in a window is written when the window closes, in the place where it opened: until then chips come
    and go, and where hands act meanwhile a script takes none of them any more.
    """

    wagers: dict[str, dict[str, int | None]] = field(default_factory=dict)
    meters: dict[str, int] = field(default_factory=dict)
    seeds: dict[str, int] = field(default_factory=dict)
    linked: list[str] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)
    _window: Invitation | None = None
    """The window that is open, and where its tokens go."""
    _opened: int = 0
    _late: set[LateWager] = field(default_factory=set)
    """Wagers of windows that are written."""

    def add(self, phase: str, event: Event, after: Round) -> None:
        """Add an event that the round accepted in `phase`."""
        if phase == "betting" and after.phase != "betting":
            self.wagers = {str(number): dict(seat.wagers) for number, seat in after.seats.items()}
        if isinstance(event, Jackpot):
            self._note_jackpot(event)
        if phase != "burning" and (token := _token(event)):
            self.tokens.append(token)
        window = after.invited if after.phase == "offering" else None
        if window is not self._window:
            self._change_window(window, after)

    def script(
        self, game: str, options: dict[str, object], plugins: dict[str, str] | None = None
    ) -> RoundScript:
        """The script so far, of a game with these options."""
        written_options = {name: value for name, value in options.items() if name not in UNWRITTEN}
        return RoundScript(
            game,
            written_options,
            self.wagers,
            self.meters,
            tuple(self.tokens),
            self.seeds,
            tuple(self.linked),
            plugins or {},
        )

    def _note_jackpot(self, jackpot: Jackpot) -> None:
        self.meters[jackpot.spot] = jackpot.cents
        if jackpot.seed is not None:
            self.seeds[jackpot.spot] = jackpot.seed
        if jackpot.linked:
            self.linked.append(jackpot.spot)

    def _change_window(self, window: Invitation | None, after: Round) -> None:
        """A window has closed or opened."""
        placed = {late: cents for late, cents in _late_wagers(after) if late not in self._late}
        self._late |= placed.keys()
        self.tokens[self._opened : self._opened] = [
            f"{seat}:{spot}" if cents is None else f"{seat}:{spot}={cents}"
            for (seat, _, spot), cents in sorted(placed.items(), key=_order)
        ]
        self._window, self._opened = window, len(self.tokens)


def write_script(begun: Round, events: Iterable[Event]) -> ScriptWriter:
    """What is written of a round that is told these events, each of which it takes."""
    written = ScriptWriter()
    for event in events:
        phase = begun.phase
        begun.handle(event)
        written.add(phase, event, begun)
    return written


def _token(event: Event) -> str:
    """The token of an event; empty if a script has none."""
    match event:
        case CardOut(card):
            return card
        case Key(action, seat, cents) if action in SCRIPT_ACTIONS:
            return f"{seat}:{action}" if cents is None else f"{seat}:{action}={cents}"
    return ""


def _late_wagers(played: Round) -> Iterator[tuple[LateWager, int | None]]:
    """Every wager that was placed after the deal, a hand's in the order in which they were."""
    late = played.game.late
    for number, seat in played.seats.items():
        for spot in filter(late.__contains__, seat.wagers):
            yield (number, 0, spot), seat.wagers[spot]
        for hand in seat.hands:
            for spot in filter(late.__contains__, hand.wagers):
                yield (number, hand.split, spot), hand.wagers[spot]


def _order(placed: tuple[LateWager, int | None]) -> tuple[int, int]:
    """Seat by seat, split by split."""
    (seat, split, _), _ = placed
    return seat, split
