"""A table at a glance, for a supervisor who watches many tables."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from controller.monitor.device_states import StatusMark
from controller.monitor.supervisor.device_marks import DeviceMark, device_mark, freshness
from controller.monitor.supervisor.requests import title
from controller.table.record.views import AlarmView, PaceView, ShoeView, TableView

Urgency = Literal["calm", "look", "now"]
"""How urgently the table needs its supervisor."""
URGENCY_WORDS: Mapping[Urgency, str] = {"calm": "All well", "look": "Check table", "now": "Needs you"}
URGENCY_SIGNS: Mapping[Urgency, str] = {"calm": "", "look": "▲ ", "now": "✕ "}
"""Prefixes of the title of the browser's tab."""
SLOW_SHARE = 0.9
"""A table is slow if its pace is below this share of the target."""

PHASES: Mapping[str, str] = {
    "betting": "Betting",
    "burning": "Burning cards",
    "dealing": "Dealing",
    "peeking": "Looking at the hole card",
    "insuring": "Insurance is open",
    "offering": "{window} is open",
    "playing": "Playing seat {seat}",
    "drawing": "The dealer draws",
    "paying": "Paying",
    "over": "Between rounds",
    "void": "The round is void",
}


@dataclass(frozen=True, slots=True)
class TileJackpot:
    """A jackpot. `fresh`: whether the players' display is up to date."""

    spot: str
    cents: int
    fresh: StatusMark


@dataclass(frozen=True, slots=True)
class TileShoe:
    """The shoe. `share`: cards that are out, in percent of all; `cut`: whether the cut card is out."""

    text: str
    share: int
    cut: bool


@dataclass(frozen=True, slots=True)
class TilePace:
    """The pace in rounds an hour. `per_hour`: None until it is known; `target`: 0 if the house has set
    none."""

    per_hour: int | None
    target: int
    mark: StatusMark


@dataclass(frozen=True, slots=True)
class Tile:
    """A table. `needs`: numbers and names of things that wait for a person, the most urgent first."""

    table: str
    game: str
    round: int
    croupier: str
    state: str
    urgency: Urgency
    reason: str
    needs: tuple[tuple[int, str], ...]
    ended: int
    """Number of open alerts whose cause has ended. They wait for an acknowledgement, but are not urgent."""
    shoe: TileShoe
    pace: TilePace
    jackpots: tuple[TileJackpot, ...]
    devices: tuple[DeviceMark, ...]

    @property
    def urgency_word(self) -> str:
        """The words for `urgency`."""
        return URGENCY_WORDS[self.urgency]

    @property
    def tab(self) -> str:
        """What the browser's tab begins with: sign of urgency, table, number of things that wait."""
        count = sum(count for count, _ in self.needs)
        return f"{URGENCY_SIGNS[self.urgency]}{self.table}{f' ({count})' if count else ''}"

    @property
    def headline(self) -> str:
        """What the browser's tab says then."""
        return self.state if self.urgency == "calm" else self.reason


def tile(view: TableView) -> Tile:
    """The tile of a view."""
    devices = tuple(map(device_mark, view.devices))
    needs = tuple((count, one if count == 1 else many) for count, one, many in _needs(view) if count)
    call, why = next(_reasons(view, devices), ("calm", view.prompt))
    return Tile(
        view.table,
        view.game,
        view.round,
        view.croupier,
        state(view),
        call,
        why,
        needs,
        len(view.alarms) - len(unended(view)),
        _shoe(view.shoe),
        _pace(view.pace),
        tuple(TileJackpot(one.spot, one.cents, freshness(view.devices)) for one in view.jackpots),
        devices,
    )


def state(view: TableView) -> str:
    """The activity of the table in words."""
    if view.testing:
        return "Test mode"
    if view.suspended:
        return "Suspended"
    if view.phase == "betting" and not view.shoe.loaded:
        return "Waiting for a shoe"
    text = PHASES.get(view.phase, view.phase)
    acting = next((seat.seat for seat in view.seats if seat.active), view.prompt_seat)
    return text.format(seat=acting, window=view.window or "A window")


def _reasons(view: TableView, devices: tuple[DeviceMark, ...]) -> Iterator[tuple[Urgency, str]]:
    """Reasons why a supervisor should come, with their urgency. The caller takes the first one. Test mode
    comes first, because a technician is at the table then."""
    if view.testing:
        yield "look", f"Test mode: {view.testing}"
    for why in view.suspended:
        yield "now", why
    for request in view.requests:
        yield "now", f"{title(request)}: {request.who} asks"
    for claim in view.claims:
        if claim.steps and claim.state != "pending":
            yield "now", f"Claim {claim.number} of seat {claim.seat} is {claim.state}"
    for alarm in sorted(unended(view), key=lambda alarm: alarm.once):
        yield "look", alarm.text
    for device in devices:
        if device.mark.level != "good":
            yield "look", f"The {device.name}: {device.mark.word}"


def _needs(view: TableView) -> Iterator[tuple[int, str, str]]:
    yield len(view.requests), "open request", "open requests"
    yield sum(bool(claim.steps) for claim in view.claims), "open claim", "open claims"
    yield len(unended(view)), "open alert", "open alerts"


def unended(view: TableView) -> tuple[AlarmView, ...]:
    """Open alerts whose cause has not ended."""
    return tuple(alarm for alarm in view.alarms if alarm.ended is None)


def _shoe(shoe: ShoeView) -> TileShoe:
    if not shoe.loaded:
        return TileShoe("no shoe is loaded", 0, cut=False)
    cards = 52 * shoe.decks
    return TileShoe(
        f"{shoe.cards_out} of {cards} cards out", 100 * shoe.cards_out // cards, shoe.cut_card_out
    )


def _pace(pace: PaceView) -> TilePace:
    return TilePace(pace.per_hour, pace.target, _pace_mark(pace))


def _pace_mark(pace: PaceView) -> StatusMark:
    if pace.per_hour is None:
        return StatusMark("good", "not known yet")
    if not pace.target:
        return StatusMark("good", "no target is set")
    if pace.per_hour < SLOW_SHARE * pace.target:
        return StatusMark("warn", f"{pace.target - pace.per_hour} behind")
    return StatusMark("good", "on target")
