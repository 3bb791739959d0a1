"""The simulated shuffler: shuffles the pack inside, counts it, and ejects it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from drivers.messages import CommandBody, DeckCheck, Eject, ShufflerJam, ShufflerState, Start, Stop
from drivers.protocol.codes import Mode, ShufflerPhase, Status
from drivers.sim import cards as packs
from drivers.sim.body import NEVER, BodyOutput, SimulatedBody, Tempo
from drivers.sim.link.commands import DONE
from drivers.sim.link.memory import CommandOutcome
from drivers.sim.physical_state import PhysicalState
from drivers.sim.requests import CardsField, FlagField, IntegerField, RequestError, Response, Verb

REPORTS = (0, 25, 50, 75)
"""The percentages at which a phase reports its progress. The next phase stands for 100."""
RUNNING = (ShufflerPhase.SHUFFLING, ShufflerPhase.CHECKING)
PACK_NUMBER = IntegerField(1, 1_000_000_000, default=None)
"""Packs are counted from 1 in the order in which hands take them. A hand that lost the answer to a request
asks again with the same number, and nothing is done twice."""


@dataclass(frozen=True, slots=True)
class CycleStep:
    """A step of the cycle."""

    at: float
    phase: ShufflerPhase
    percent: int


class ShufflerBody(SimulatedBody):
    """The order of a pack depends only on the seed and on how many packs were taken before."""

    commands: ClassVar[Mapping[type[CommandBody], str]] = {Start: "start", Eject: "eject", Stop: "stop"}

    def __init__(
        self, outlet: BodyOutput, surroundings: PhysicalState, number: int, seed: int, tempo: Tempo
    ) -> None:
        super().__init__(outlet)
        self._state = surroundings
        self._seed = seed
        self._tempo = tempo
        self._phase = ShufflerPhase.IDLE
        self._cycle: list[CycleStep] = []
        self._decks = number
        self._jammed_at: float | None = None
        self._powered = False
        if surroundings.untouched:
            surroundings.put(inside=packs.decks(number), tray=[], taken=0, out=[], inserted=0, unreadable=0)
        self.verbs = {
            "take": Verb(self.take, {"pack": PACK_NUMBER}),
            "insert": Verb(
                self.insert,
                {
                    "cards": CardsField(default=None),
                    "decks": IntegerField(1, 10, default=number),
                    "pack": PACK_NUMBER,
                },
            ),
            "remove": Verb(self.remove, {"card": CardsField(most=1)}),
            "add": Verb(self.add, {"card": CardsField(most=1)}),
            "unreadable": Verb(self.unreadable, {"cards": IntegerField(0, 520)}),
            "jam": Verb(self.jam, {"on": FlagField()}),
        }

    def start(self, record: Start, now: float) -> CommandOutcome:
        """Begins a cycle. Events report the rest."""
        if self._cycle:
            return Status.BUSY, f"the shuffler is {self._phase.name.lower()}"
        if not self._inside:
            return Status.REFUSED, "there are no cards in the shuffler"
        self._cycle = self._plan(now, record.decks)
        return DONE

    def eject(self, _record: Eject, _now: float) -> CommandOutcome:
        """Puts the shuffled and counted pack into the tray."""
        if self._phase is not ShufflerPhase.DONE:
            return Status.REFUSED, f"the pack is not shuffled and checked: {self._phase.name.lower()}"
        cards = packs.shuffled(self._inside, self._seed, self._state.get("taken", 0))
        self._state.put(inside=[], tray=cards)
        self._phase = ShufflerPhase.IDLE
        self.outlet.say(**self._pack_notice(cards))
        self.outlet.say(**self._contents_notice())
        return DONE

    def stop(self, _record: Stop, now: float) -> CommandOutcome:
        """Ends the cycle. The pack is neither shuffled nor checked."""
        if self._cycle:
            self._cycle = []
            self._enter(ShufflerPhase.STOPPED, 0, now)
        return DONE

    def take(self, _now: float, pack: int | None) -> Response:
        """The pack in the tray; for the number of the last one, its cards once more."""
        taken = self._state.get("taken", 0)
        if pack is not None and pack == taken:
            return {"cards": " ".join(self._state.get("out", []))}
        tray = self._state.get("tray", [])
        if not tray:
            raise RequestError("take: no pack lies in the tray; it comes after a cycle, by Eject")
        if pack not in (None, taken + 1):
            raise RequestError(f"take: pack {pack} does not lie in the tray, pack {taken + 1} does")
        self._state.put(tray=[], taken=taken + 1, out=tray)
        self.outlet.say(**self._contents_notice())
        return {"cards": " ".join(tray)}

    def insert(self, now: float, cards: list[str] | None, decks: int, pack: int | None) -> None:
        """Adds cards to those inside; full decks if none are named. `pack`: what they replace."""
        if pack is not None and pack == self._state.get("inserted", 0):
            return
        self._halted("insert")
        done = {} if pack is None else {"inserted": pack}
        self._put_inside(self._inside + (cards if cards is not None else packs.decks(decks)), **done)
        self._enter(ShufflerPhase.IDLE, 0, now)

    def remove(self, _now: float, card: list[str]) -> None:
        """A card from the pack inside gets lost."""
        self._halted("remove")
        inside = self._inside
        if card[0] not in inside:
            raise RequestError(f"remove: no {card[0]} is inside")
        inside.remove(card[0])
        self._put_inside(inside)

    def add(self, _now: float, card: list[str]) -> None:
        """A surplus card gets in."""
        self._halted("add")
        self._put_inside([*self._inside, card[0]])

    def unreadable(self, _now: float, cards: int) -> None:
        """From now on that many cards cannot be read."""
        self._state.put(unreadable=cards)

    def jam(self, now: float, on: bool) -> None:
        """A card gets stuck and the cycle waits, or it is freed."""
        if on and self._jammed_at is None:
            self._jammed_at = now
        elif not on and self._jammed_at is not None:
            late = now - self._jammed_at
            self._jammed_at = None
            self._cycle = [CycleStep(step.at + late, step.phase, step.percent) for step in self._cycle]
        self._state.put(jam=on)
        self._report(now)
        self.outlet.say("jam", on=on)

    @property
    def mode(self) -> Mode:
        if self._jammed_at is not None:
            return Mode.FAULT
        return Mode.BUSY if self._cycle else Mode.READY

    @property
    def deadline(self) -> float:
        """The next step of the cycle."""
        return self._cycle[0].at if self._cycle and self._jammed_at is None else NEVER

    def tick(self, now: float) -> None:
        """Does all steps that are due."""
        while self.deadline <= now:
            step = self._cycle.pop(0)
            if step.phase is ShufflerPhase.DONE:
                self._report_pack(now)
            self._enter(step.phase, step.percent, now)

    def boot(self, now: float) -> None:
        """The pack of an interrupted cycle is unshuffled. Reports a jam that began or ended without power."""
        self._powered = True
        self._jammed_at = now if self._state.get("jam", False) else None
        self._enter(ShufflerPhase.IDLE, 0, now)
        self._report(now)

    def power_off(self, now: float) -> None:
        """The cycle is lost."""
        self._cycle = []
        self._powered = False
        super().power_off(now)

    def forget(self) -> None:
        """The memory was formatted: the new log has reported no jam."""
        self._state.put(reported={})

    def look(self) -> list[dict[str, Any]]:
        tray = self._state.get("tray", [])
        pack = [self._pack_notice(tray)] if tray else []
        return [
            *super().look(),
            {"notice": "shuffler", "state": self._phase.name.lower(), "percent": 0},
            {"notice": "jam", "on": self._jammed_at is not None},
            self._contents_notice(),
            *pack,
        ]

    @property
    def _inside(self) -> list[str]:
        return list(self._state.get("inside", []))

    def _put_inside(self, cards: list[str], **more: int) -> None:
        self._state.put(inside=cards, **more)
        self.outlet.say(**self._contents_notice())

    def _contents_notice(self) -> dict[str, Any]:
        return {"notice": "contents", "inside": len(self._inside), "tray": len(self._state.get("tray", []))}

    def _pack_notice(self, cards: list[str]) -> dict[str, Any]:
        return {"notice": "pack", "cards": len(cards), "number": self._state.get("taken", 0) + 1}

    def _halted(self, verb: str) -> None:
        if self._cycle:
            raise RequestError(f"{verb}: the shuffler is {self._phase.name.lower()}; wait for it or stop it")

    def _plan(self, now: float, number: int) -> list[CycleStep]:
        self._decks = number
        steps = []
        for phase, seconds in zip(RUNNING, (self._tempo.shuffle, self._tempo.check), strict=True):
            steps += [CycleStep(now + seconds * percent / 100, phase, percent) for percent in REPORTS]
            now += seconds
        return [*steps, CycleStep(now, ShufflerPhase.DONE, 100)]

    def _report(self, now: float) -> None:
        """Records a jam that has changed since it was last recorded; without power at the next boot."""
        conditions = {"jam": self._jammed_at is not None}
        if self._powered and self._state.unreported(conditions):
            self.outlet.record(ShufflerJam(conditions["jam"]), now)
            self._state.put(reported=conditions)

    def _report_pack(self, now: float) -> None:
        unreadable = min(self._state.get("unreadable", 0), len(self._inside))
        read = self._inside[unreadable:]
        self.outlet.record(DeckCheck(self._decks, packs.counts(read), unreadable), now)

    def _enter(self, phase: ShufflerPhase, percent: int, now: float) -> None:
        self._phase = phase
        self.outlet.record(ShufflerState(phase, percent), now)
        self.outlet.say("shuffler", state=phase.name.lower(), percent=percent)
