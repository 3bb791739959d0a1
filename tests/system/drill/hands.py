"""Hands at the devices that play written rounds, and the person who is called when play stands still.

They see what everybody sees, and do each thing once: what a device took is in its memory.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from controller.games import open_game
from controller.games.game import Game
from controller.jackpot import Step
from controller.round.script import SCRIPT_ACTIONS
from controller.table.apply.claims import without_announcement
from controller.table.record.choices import ChoiceName
from controller.table.record.events import ClaimStep, Decision, Supervisor
from drivers.protocol.codes import SPOTS_PER_SEAT, Lamp
from tests.system.drill.world import KINDS, World

QUIET: Final = 0.05
"""Seconds after which everything that follows from an act has followed."""
WRITES: Final = 3
"""Writes on a slow disk until then: one that has begun, one for the act, one for a device's answer."""
UNSEEN: Final = "was on its way when the shoe lost its power"
LONG_OVER: Final = 26.0
"""Seconds after which any disturbance is over."""
LIMIT: Final = 90.0
"""Seconds in which the next thing can be done, whatever happened."""
FORCED = "!"
DIRTY = "?"
MISREAD = "~"
"""Before a card: it is pulled out of the locked shoe, and burned by a supervisor; it cannot be read, and a
supervisor names it; the supervisor takes it for another first, and corrects that: "~9s@2.1.3Kd" is 9s, card 3
of seat 2, hand 1, taken for Kd."""
MARKED = FORCED + DIRTY + MISREAD

WHY: Final = ("Ann", "the camera shows it")
SAID: Final[Mapping[str, tuple[ChoiceName, str, str]]] = {
    FORCED: ("burn", *WHY),
    DIRTY: ("card", *WHY),
    MISREAD: ("card", *WHY),
}
ALREADY: Final = "was read as"
"""The refusal of a correction that was already done: the card is no longer the old one."""
STEPS: Final[Mapping[str, tuple[Step, str]]] = {
    "pending": ("confirm", "Dan"),
    "confirmed": ("verify", "Ann"),
    "checked": ("second", "Bob"),
    "verified": ("pay", "Pam"),
}
"""The next step of a claim in this state, and who takes it."""


class StuckError(Exception):
    """Nothing can be done any more; the text describes the table."""


@dataclass(frozen=True, slots=True)
class WrittenRound:
    """A round in the notation of docs/notation.md, with FORCED and DIRTY cards."""

    wagers: Mapping[int, Mapping[str, int]]
    script: Sequence[str]

    @property
    def cards(self) -> list[str]:
        """In the order of the shoe."""
        return [token.lstrip(MARKED)[:2] for token in self.script if ":" not in token]


@dataclass(frozen=True, slots=True)
class Sight:
    """Everything that the devices showed before something was done."""

    step: str
    seen: Mapping[str, Any]


@dataclass(slots=True)
class Hands:
    """`revive` starts a daemon where there is none. `meddle` gets the number of acts right after each;
    returns whether it did something, too."""

    world: World
    game: str
    options: Mapping[str, object]
    revive: Callable[[], None]
    meddle: Callable[[int], bool] = lambda _done: False
    sights: list[Sight] = field(default_factory=list)
    _before: bool = False
    """Whether every device served when it was last looked at."""

    def play(self, written: WrittenRound, burn: int) -> None:
        """The whole round, up to the next one's betting. Raises StuckError."""
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
        """Waits between two rounds, until everything was seen."""
        self._until_ready()
        self._look("nothing")

    def _token(self, token: str) -> None:
        """Closes the windows that the token no longer needs."""
        while not self._possible(token):
            self._press("close")
        if ":" not in token:
            self._pull(token)
            return
        seat, _, said = token.partition(":")
        word, _, amount = said.partition("=")
        if word in SCRIPT_ACTIONS:
            self._press(word, seat=int(seat), cents=int(amount or 0))
        else:
            self._do("", "sensors", "put", seat=int(seat), spot=self._spot(word), cents=int(amount))

    def _possible(self, token: str) -> bool:
        self._until_ready()
        word = token.partition(":")[2].partition("=")[0]
        if word in SCRIPT_ACTIONS:
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
        """Repeats the choice until the table no longer waits for it: a daemon may die before it gets it."""
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
        """Names a card that left the shoe while it lost its power."""
        while UNSEEN in self._until_ready():
            count = int(self._prompt.split()[2])
            card = dict(self.world.see("shoe")["shoe"]["out"])[count]
            self._say(Supervisor(*SAID[DIRTY], card))

    def _correct(self, word: Supervisor) -> None:
        """Repeats the correction until the table has it."""
        self._look(f"correction {word.card}")
        while (answer := self._answer(self._say(word))) is None:
            continue
        if answer and ALREADY not in answer:
            raise StuckError(f"{word}: {answer}")

    def _settle_claims(self) -> None:
        """Takes all claims to their payment."""
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
        """None: the daemon died before it answered."""
        self._until_ready()
        return self.world.answers.get(number)

    def _press(self, action: str, **fields: object) -> None:
        if self._until_ready() and action not in self._lit:
            raise StuckError(f"no key {action}: {self._prompt}, {self._lit}")
        prompt, lives = self._prompt, len(self.world.lives)
        disturbed = self._do("", "console", "press", action=action, **fields)
        while (disturbed or len(self.world.lives) != lives) and self._until_ready() == prompt:
            lives, disturbed = len(self.world.lives), False
            self.world.ask("console", "press", action=action, **fields)  # sent to a missing console: refused
            self._pass()

    def _do(self, prompt: str, kind: str, do: str, **fields: object) -> bool:
        """Whether the table was disturbed with it."""
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
        """The prompt, once every device serves and shows what it got."""
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
        return without_announcement(str(self.world.see("console")["prompt"]["text"]))

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
    """What a device shows, without the number of its prompt, which a repeat changes."""
    return {
        name: {field: value for field, value in notice.items() if field not in {"notice", "at", "number"}}
        for name, notice in notices.items()
    }
