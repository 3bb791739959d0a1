"""Hands at the devices that play written rounds, and whoever is called when play stands still.

They see what everybody sees, and do each thing once: what a device took lies in its memory.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from controller.demo.crew.prompts import CLAIM
from controller.games import open_game
from controller.games.game import Game
from controller.jackpot import Step
from controller.round.script import ACTIONS
from controller.table.record.events import Choice, ClaimStep, Decision, Supervisor
from drivers.protocol.codes import SPOTS_PER_SEAT, Lamp
from tests.system.drill.world import KINDS, World

QUIET: Final = 0.05
"""Seconds after which all that follows from an act has followed."""
WRITES: Final = 3
"""So many, on a slow disk, until then: one that has begun, one for the act, one for what a device answers."""
UNSEEN: Final = "was on its way when the shoe lost its power"
LONG_OVER: Final = 26.0
"""Seconds after which whatever befell a table is over."""
LIMIT: Final = 90.0
"""Seconds in which the next thing can be done, whatever happened."""
FORCED, DIRTY, MISREAD = "!", "?", "~"
"""Before a card: it is pulled out of the locked shoe, and burned by a supervisor; it cannot be read, and a
supervisor names it; the supervisor takes it for another first, and corrects that: "~9s@2.1.3Kd" is 9s, card 3
of seat 2, hand 1, taken for Kd."""
MARKED = FORCED + DIRTY + MISREAD

WHY: Final = ("Ann", "the camera shows it")
SAID: Final[Mapping[str, tuple[Choice, str, str]]] = {
    FORCED: ("burn", *WHY),
    DIRTY: ("card", *WHY),
    MISREAD: ("card", *WHY),
}
ALREADY: Final = "was read as"
"""Is said of a correction that was done before: the card is no longer the old one."""
STEPS: Final[Mapping[str, tuple[Step, str]]] = {
    "pending": ("confirm", "Dan"),
    "confirmed": ("verify", "Ann"),
    "checked": ("second", "Bob"),
    "verified": ("pay", "Pam"),
}
"""What comes next of a claim in this state, and who does it."""


class StuckError(Exception):
    """Nothing can be done any more; the text says how the table stands."""


@dataclass(frozen=True, slots=True)
class WrittenRound:
    """A round as docs/notation.md has it, with FORCED and DIRTY cards."""

    wagers: Mapping[int, Mapping[str, int]]
    script: Sequence[str]

    @property
    def cards(self) -> list[str]:
        """As they lie in the shoe."""
        return [token.lstrip(MARKED)[:2] for token in self.script if ":" not in token]


@dataclass(frozen=True, slots=True)
class Sight:
    """All that is to be seen on the devices before something is done."""

    step: str
    seen: Mapping[str, Any]


@dataclass(slots=True)
class Hands:
    """`revive` starts a daemon where there is none. `meddle` is told how many things were done, right after
    each: whether it did something, too."""

    world: World
    game: str
    options: Mapping[str, object]
    revive: Callable[[], None]
    meddle: Callable[[int], bool] = lambda _done: False
    sights: list[Sight] = field(default_factory=list)
    _before: bool = False
    """Every device served when it was last looked."""

    def play(self, written: WrittenRound, burn: int) -> None:
        """The whole round, to the next one's betting. Raises StuckError."""
        bets = [(seat, spot, cents) for seat, on in written.wagers.items() for spot, cents in on.items()]
        for seat, spot, cents in bets:
            self._do("", "sensors", "put", seat=seat, spot=self._spot(spot), cents=cents)
        self._press("close")
        for _ in range(burn):
            self._do("Burn", "shoe", "pull")
        for token in written.script:
            self._token(token)
        while not self._until_ready().startswith("Pay"):
            self._press("close")
        self._press("pay")
        self._do("", "sensors", "clear")
        self._settle_claims()

    def rest(self) -> None:
        """Between two rounds, until everything was seen."""
        self._until_ready()
        self._look("nothing")

    def _token(self, token: str) -> None:
        """Windows that it needs no longer are closed before it."""
        while not self._possible(token):
            self._press("close")
        if ":" not in token:
            self._pull(token)
            return
        seat, _, said = token.partition(":")
        word, _, amount = said.partition("=")
        if word in ACTIONS:
            self._press(word, seat=int(seat), cents=int(amount or 0))
        else:
            self._do("", "sensors", "put", seat=int(seat), spot=self._spot(word), cents=int(amount))

    def _possible(self, token: str) -> bool:
        self._until_ready()
        word = token.partition(":")[2].partition("=")[0]
        if word in ACTIONS:
            return word in self._lit
        if word:
            place = SPOTS_PER_SEAT * (int(token[0]) - 1) + self._spot(word)
            return bool(self.world.see("sensors")["lamps"]["lamps"][place] == Lamp.OPEN)
        return token.startswith(FORCED) or self._permitted

    def _pull(self, token: str) -> None:
        if token[0] in (DIRTY, MISREAD):
            self.world.ask("shoe", "unreadable")
        self._do("", "shoe", "pull", force=token.startswith(FORCED))
        if token[0] in MARKED:
            self._supervise(token)

    def _supervise(self, token: str) -> None:
        """Say it again until the table does not wait for it any more: a daemon may die before it hears."""
        card, where = token[1:3], token[4:]
        named = {FORCED: None, DIRTY: card, MISREAD: where[-2:]}[token[0]]
        self._until_ready()
        self._look(f"supervisor {card}")
        while self._until_ready().startswith("Suspended: Card"):
            self._say(Supervisor(*SAID[token[0]], named))
        if token[0] == MISREAD:
            seat, hand, number = map(int, where[:-2].split("."))
            self._correct(Supervisor("correct", *WHY, card, "Bob", seat, hand, number, where[-2:]))

    def _name_unseen(self) -> None:
        """A card that left the shoe while it lost its power."""
        while UNSEEN in self._until_ready():
            count = int(self._prompt.split()[2])
            card = dict(self.world.see("shoe")["shoe"]["out"])[count]
            self._say(Supervisor(*SAID[DIRTY], card))

    def _correct(self, word: Supervisor) -> None:
        """Until the table has it: what was not done is said again."""
        self._look(f"correction {word.card}")
        while (answer := self._answer(self._say(word))) is None:
            continue
        if answer and ALREADY not in answer:
            raise StuckError(f"{word}: {answer}")

    def _settle_claims(self) -> None:
        """Whatever was won is paid."""
        while self._until_ready() and self.world.page and self.world.page.claims:
            number, state = next(iter(self.world.page.claims.items()))
            if self.sights[-1].step != (step := f"claim {number} {state}"):
                self._look(step)
            self._say(ClaimStep(number, *STEPS[state], WHY[1]))

    def _say(self, word: Decision) -> int:
        self._until_ready()
        number = self.world.say(word)
        self._pass()
        return number

    def _answer(self, number: int) -> str | None:
        """None: the daemon died before it said anything."""
        self._until_ready()
        return self.world.answers.get(number)

    def _press(self, action: str, **fields: object) -> None:
        if self._until_ready() and action not in self._lit:
            raise StuckError(f"no key {action}: {self._prompt}, {self._lit}")
        prompt, lives = self._prompt, len(self.world.lives)
        disturbed = self._do("", "console", "press", action=action, **fields)
        while (disturbed or len(self.world.lives) != lives) and self._until_ready() == prompt:
            lives, disturbed = len(self.world.lives), False
            self.world.ask("console", "press", action=action, **fields)  # told to a missing console: refused
            self._pass()

    def _do(self, prompt: str, kind: str, do: str, **fields: object) -> bool:
        """Whether something befell the table with it."""
        if not self._until_ready().startswith(prompt):
            raise StuckError(f"{do} at {self._prompt!r}, not at {prompt!r}")
        self._look(f"{kind} {do} {fields}")
        self.world.ask(kind, do, **fields)
        disturbed = self.meddle(len(self.sights))
        self._pass()
        if disturbed:
            self.world.run(LONG_OVER)
            self._name_unseen()
        return disturbed

    def _look(self, step: str) -> None:
        seen = {kind: _shown(self.world.see(kind)) for kind in KINDS}
        self.sights.append(Sight(step, seen))

    def _pass(self) -> None:
        self.world.run(QUIET + WRITES * self.world.slow)
        self._before &= self._ready()
        self.revive()

    def _until_ready(self) -> str:
        """The prompt, once every device serves and shows what it was told."""
        end = self.world.now + LIMIT
        while not (self._ready() and self._before):
            self._before = self._ready()
            if self.world.now > end:
                raise StuckError(f"not ready: {self._prompt!r}, {self.world.failed}")
            self._pass()
        return self._prompt

    def _ready(self) -> bool:
        levels = self.world.see("display")["display"]["levels"].values()
        waits = self._prompt.startswith("Suspended: Missing") or any(
            state == "pending" for _, state in levels
        )
        return self.world.running == frozenset(KINDS) and not waits

    @property
    def _prompt(self) -> str:
        """What is due in play: a claim is settled after the round."""
        return CLAIM.sub("", str(self.world.see("console")["prompt"]["text"]))

    @property
    def _lit(self) -> Sequence[str]:
        return list(self.world.see("console")["keys"]["keys"])

    @property
    def _permitted(self) -> bool:
        shoe = self.world.see("shoe")
        return bool(shoe["permit"]["up_to"] > shoe["shoe"]["count"])

    def _spot(self, name: str) -> int:
        return self._game.spots.index(name)

    @property
    def _game(self) -> Game:
        return open_game(self.game, dict(self.options))


def _shown(notices: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """What a device shows; that a prompt is shown once more gives it another number."""
    return {
        name: {field: value for field, value in notice.items() if field not in {"notice", "at", "number"}}
        for name, notice in notices.items()
    }
