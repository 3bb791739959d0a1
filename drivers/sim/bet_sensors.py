"""The simulated bet sensors: 54 spots with chips and bouncing contacts, and a lamp at each."""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar

from drivers.link.ranges import MOST_CENTS
from drivers.messages import CommandBody, Lamps, SensorFault, Wager
from drivers.protocol.codes import LAMPS, MOST_SEATS, SPOTS_PER_SEAT, Lamp, Mode
from drivers.sim.body import NEVER, BodyOutput, SimulatedBody, Tempo
from drivers.sim.link.commands import DONE
from drivers.sim.link.memory import CommandOutcome
from drivers.sim.physical_state import PhysicalState
from drivers.sim.requests import FlagField, IntegerField, Verb

BOUNCES = 6
DARK = bytes([Lamp.NO_BETS] * LAMPS)
"""The safe state."""

Stake = int | None
"""Cents on a spot, 0 for chips of unknown value; None: no chips."""


@dataclass(slots=True)
class Contact:
    """One spot: its chips, the state of its contact, and the toggles that are still to come."""

    stake: Stake
    closed: bool
    toggles: list[float]
    quiet_since: float | None = None
    """When the contact last moved; None once the firmware has decided."""


class SensorsBody(SimulatedBody):
    """One Wager event for each change that lasts. Bouncing causes none."""

    commands: ClassVar[Mapping[type[CommandBody], str]] = {Lamps: "show"}

    def __init__(self, outlet: BodyOutput, surroundings: PhysicalState, seed: int, tempo: Tempo) -> None:
        super().__init__(outlet)
        self._state = surroundings
        self._tempo = tempo
        self._random = Random(f"bounce/{seed}")
        self._lamps = DARK
        self._lease = NEVER
        self._contacts = [Contact(stake, stake is not None, []) for stake in self._stakes]
        place = {"seat": IntegerField(1, MOST_SEATS), "spot": IntegerField(0, SPOTS_PER_SEAT - 1, 0)}
        self.verbs = {
            "put": Verb(self.put, {**place, "cents": IntegerField(0, MOST_CENTS, None)}),
            "take": Verb(self.take, place),
            "clear": Verb(self.clear),
            "fail": Verb(self.fail, {**place, "on": FlagField()}),
        }

    def show(self, record: Lamps, now: float) -> CommandOutcome:
        self._lease = now + record.ttl_ms / 1000
        self._light(record.lamps, safe=False)
        return DONE

    def put(self, now: float, seat: int, spot: int, cents: int | None) -> None:
        """Makes the stake of a spot this much. Without an amount, or with 0, the chips have no readable
        value."""
        self._set_stake(spot_index(seat, spot), cents or 0, now)
        self.outlet.say(**self._stakes_notice())

    def take(self, now: float, seat: int, spot: int) -> None:
        self._set_stake(spot_index(seat, spot), None, now)
        self.outlet.say(**self._stakes_notice())

    def clear(self, now: float) -> None:
        for place in range(LAMPS):
            self._set_stake(place, None, now)
        self.outlet.say(**self._stakes_notice())

    def fail(self, now: float, seat: int, spot: int, on: bool) -> None:
        """A sensor fails, or works again and reports what it missed."""
        place = spot_index(seat, spot)
        failed = set(self._state.get("failed", []))
        if on == (place in failed):
            return
        self._state.put(failed=sorted(failed | {place} if on else failed - {place}))
        self.outlet.record(SensorFault(seat, spot, on), now)
        self._contacts[place].quiet_since = None if on else now

    @property
    def mode(self) -> Mode:
        return Mode.FAULT if self._state.get("failed", []) else Mode.READY

    @property
    def deadline(self) -> float:
        """The end of the lease, the next toggle, or the end of bouncing."""
        return min([self._lease, *(self._due(contact) for contact in self._contacts)])

    def tick(self, now: float) -> None:
        if now >= self._lease:
            self._go_dark()
        for place, contact in enumerate(self._contacts):
            while contact.toggles and contact.toggles[0] <= now:
                contact.quiet_since = contact.toggles.pop(0)
                contact.closed = not contact.closed
            if self._due(contact) <= now:
                self._report(place, contact, now)

    def boot(self, now: float) -> None:
        """Compares the chips with what was last reported."""
        for place, contact in enumerate(self._contacts):
            contact.closed, contact.toggles = contact.stake is not None, []
            contact.quiet_since = now if contact.stake != self._reported[place] else None

    def on_safe(self) -> None:
        self._go_dark()

    def forget(self) -> None:
        """The memory was formatted: the new log has reported nothing."""
        self._state.put(reported=[None] * LAMPS)

    def look(self) -> list[dict[str, Any]]:
        lamps = {"notice": "lamps", "lamps": list(self._lamps), "safe": self._lamps == DARK}
        return [*super().look(), lamps, self._stakes_notice()]

    @property
    def _stakes(self) -> list[Stake]:
        return list(self._state.get("stakes", [None] * LAMPS))

    @property
    def _reported(self) -> list[Stake]:
        return list(self._state.get("reported", [None] * LAMPS))

    def _stakes_notice(self) -> dict[str, Any]:
        return {"notice": "stakes", "stakes": [contact.stake for contact in self._contacts]}

    def _set_stake(self, place: int, stake: Stake, now: float) -> None:
        contact = self._contacts[place]
        if contact.stake == stake:
            return
        contact.stake = stake
        self._state.put(stakes=[each.stake for each in self._contacts])
        contact.toggles = self._bounce(now, odd=contact.closed != (stake is not None))
        contact.quiet_since = now

    def _bounce(self, now: float, odd: bool) -> list[float]:
        if not self._tempo.bounce:
            return [now] if odd else []
        times = sorted(now + self._random.uniform(0, self._tempo.bounce) for _ in range(BOUNCES))
        return [now, *times] if odd else times

    def _due(self, contact: Contact) -> float:
        if contact.toggles:
            return contact.toggles[0]
        return NEVER if contact.quiet_since is None else contact.quiet_since + self._tempo.settle

    def _report(self, place: int, contact: Contact, now: float) -> None:
        contact.quiet_since = None
        reported = self._reported
        if place in self._state.get("failed", []) or reported[place] == contact.stake:
            return
        seat, spot = place // SPOTS_PER_SEAT + 1, place % SPOTS_PER_SEAT
        self.outlet.record(Wager(seat, spot, contact.closed, contact.stake or 0), now)
        self.outlet.say("wager", seat=seat, spot=spot, present=contact.closed)
        reported[place] = contact.stake
        self._state.put(reported=reported)

    def _go_dark(self) -> None:
        self._lease = NEVER
        self._light(DARK, safe=True)

    def _light(self, lamps: bytes, safe: bool) -> None:
        if lamps != self._lamps:
            self._lamps = lamps
            self.outlet.say("lamps", lamps=list(lamps), safe=safe)


def spot_index(seat: int, spot: int) -> int:
    return SPOTS_PER_SEAT * (seat - 1) + spot
