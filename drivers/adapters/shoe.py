"""A commercial shoe as a Shoe of the table. Its cards become events of a log that is kept for it.

Whatever may have passed unseen becomes a missing number: docs/decisions/0018.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Any, Final

from drivers.adapters.event_log import AdapterLog
from drivers.adapters.line import AdapterCounters, OpenLine, ShoeLine, adapter_total
from drivers.adapters.observations import (
    CardSeen,
    CardSeenOutside,
    CardStuck,
    CutCardSeen,
    Doubt,
    Observation,
    Remark,
    ShoeFault,
    ShoeRestarted,
    ShoeUp,
)
from drivers.devices.classes import Shoe
from drivers.devices.device import ABSENCE_ERRORS
from drivers.errors import DeviceFault
from drivers.link.intake import KNOWN
from drivers.link.reports import DeviceRunning, Down
from drivers.link.shell import Shell
from drivers.messages import (
    Booted,
    CardDrawn,
    CardUnpermitted,
    CardUnreadable,
    CutCard,
    EventBody,
    Fault,
    ShoeJam,
)
from drivers.ports.transport import Transport
from drivers.protocol.codes import Reset

FIRST_QUIET = 1.0
LONGEST_QUIET = 60.0
"""While nobody has resumed, a doubt is reported again after these seconds at the earliest; the wait
doubles up to LONGEST_QUIET."""
UNSEEN: Final = "cards may have left unseen: compare the table with the page"


@dataclass(frozen=True, slots=True)
class ShoeMake:
    """A make of shoe. `mark` is as AdapterLog has it. `conditions`: events that switch off what the line
    may have left on."""

    name: str
    mark: bytes
    conditions: tuple[EventBody, ...] = ()


class AdapterShoe(Shoe):
    """A shoe whose `permit` and `lock` work as far as it has a lock. Cards above the permit are reported as
    such.

    `args` and `kwargs` are those of a Device.
    """

    def __init__(self, make: ShoeMake, open_line: OpenLine, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.make = make
        self._open_line = open_line
        self._line: ShoeLine | None = None
        self._counted = AdapterCounters()
        self._log = AdapterLog(self.name, self.settings.serial, make.name, make.mark)
        self._committed = 0
        self._start: float = 0
        """The shoe runs once the events up to here are in the journal."""
        self._up_to = 0
        """Permitted, unless there is a doubt."""
        self._doubted = 0
        """The missing number of a doubt after which nobody has resumed."""
        self._doubted_at, self._quiet = -inf, FIRST_QUIET

    def permit(self, up_to: int) -> None:
        """Cards may leave until the count is `up_to`. Ends a doubt that is in the journal, because a
        person resumed."""
        if self._committed >= self._doubted:
            self._doubted, self._quiet = 0, FIRST_QUIET
            if self.state == "running":
                self.status.advance("running", "")
        self._up_to = up_to
        self._pump()

    def lock(self) -> None:
        """No card may leave."""
        self._up_to = 0
        self._pump()

    def commit(self, number: int) -> None:
        """All events up to `number` are in the journal, on disk."""
        self._committed = max(self._committed, number)
        self._run_if_ready()

    @property
    def counters(self) -> AdapterCounters:
        """The counts of all lines of this shoe."""
        return adapter_total(self._counted, self._line.counters) if self._line else self._counted

    async def _serve(self, transport: Transport) -> None:
        self.status.advance("identifying")
        self._line = line = self._open_line(self._clock(), self._may_leave)
        self._shell = shell = Shell(transport, line, self._observe, self._clock)
        try:
            await shell.run()
        finally:
            self._counted = adapter_total(self._counted, line.counters)
            self._line = self._shell = None
            self._connected.release(self.settings.port)

    def _may_leave(self) -> bool:
        playing = self.state == "running" and not self._doubted and self._alive()
        return playing and self._up_to > self._log.cards

    def _observe(self, observation: Observation) -> None:
        _HANDLERS[type(observation)](self, observation)

    def _shoe_up(self, _up: ShoeUp) -> None:
        up = self._log.begin(self._bookmark(), self._clock())
        known = up.relation == KNOWN
        self._committed = self._committed if known else 0
        self.facts = up.facts
        self._connected.claim(self.settings.serial, self.settings.port)
        self.status.advance("catching up", "")
        self._deliver(up)
        self._catch_up(known=known)

    def _catch_up(self, *, known: bool) -> None:
        """Begins a session: conditions of an earlier one are unknown now, and so are the cards since."""
        self._start = inf
        if known:
            for body in self.make.conditions:
                self._event(body)
            self._report_missing("it was out of sight")
        self._start = self._log.newest
        self._run_if_ready()

    def _run_if_ready(self) -> None:
        if self.state == "catching up" and self._committed >= self._start:
            self.status.advance("running")
            self._deliver(DeviceRunning(self.name))
            self._pump()

    def _event(self, body: EventBody) -> None:
        self._deliver(self._log.event(body, self._clock()))

    def _card(self, card: CardSeen) -> None:
        permitted = self._log.cards < self._up_to and not self._doubted
        self._card_left(card.card, permitted=permitted)

    def _outside(self, card: CardSeenOutside) -> None:
        self._card_left(card.card, permitted=False)

    def _card_left(self, card: str, *, permitted: bool) -> None:
        self._log.cards = count = self._log.cards + 1
        if not card:
            self._event(CardUnreadable(count))
        elif permitted:
            self._event(CardDrawn(count, card))
        else:
            self._event(CardUnpermitted(count, card))

    def _cut(self, _cut: CutCardSeen) -> None:
        self._event(CutCard(self._log.cards))

    def _trouble(self, trouble: ShoeFault) -> None:
        self._event(Fault(trouble.code, trouble.on, trouble.text))

    def _stuck(self, stuck: CardStuck) -> None:
        self._event(ShoeJam(stuck.on))

    def _restarted(self, _restarted: ShoeRestarted) -> None:
        self._event(Booted(Reset.POWER))

    def _doubt(self, doubt: Doubt) -> None:
        """Reports a doubt, but ever more rarely if the line stays in doubt."""
        now = self._clock()
        if self._doubted and now - self._doubted_at < self._quiet:
            return
        self._quiet = min(2 * self._quiet, LONGEST_QUIET) if self._doubted else FIRST_QUIET
        self._doubted_at = now
        self._report_missing(doubt.why)

    def _report_missing(self, why: str) -> None:
        """Reports a missing number. The table suspends, and nothing is permitted until a person resumes."""
        missing = self._log.missing()
        self._doubted = missing.last
        self.status.advance(self.state, f"{why}: {UNSEEN}")
        self._deliver(missing)

    def _remark(self, remark: Remark) -> None:
        self.status.advance(self.state, remark.text)

    def _line_down(self, down: Down) -> None:
        text = f"{self.name} on port {self.settings.port}: {down.text}"
        absence = ABSENCE_ERRORS.get(down.reason)
        raise absence(text) if absence else DeviceFault(down.reason, text)


_HANDLERS: Final[dict[type, Callable[[AdapterShoe, Any], None]]] = {
    ShoeUp: AdapterShoe._shoe_up,
    CardSeen: AdapterShoe._card,
    CardSeenOutside: AdapterShoe._outside,
    CutCardSeen: AdapterShoe._cut,
    ShoeFault: AdapterShoe._trouble,
    CardStuck: AdapterShoe._stuck,
    ShoeRestarted: AdapterShoe._restarted,
    Doubt: AdapterShoe._doubt,
    Remark: AdapterShoe._remark,
    Down: AdapterShoe._line_down,
}
