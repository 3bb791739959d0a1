"""The status that the floor gets of a table, made from the table's state. It contains only what the pages
show to anyone."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from controller.property.status import (
    SEVERITIES,
    Severity,
    StatusAlert,
    StatusClaim,
    StatusDirectory,
    StatusLevel,
    StatusPace,
    StatusRequest,
    StatusShift,
    TableStatus,
)
from controller.table.apply.alert_endings import ALERT_KINDS
from controller.table.record.causes import kind_of
from controller.table.record.views import DeviceView
from controller.table.state.alarms import Alarm
from controller.table.state.table_state import TableState
from controller.table.view.build import rounds_per_hour

MOST_TEXT = 160
"""Characters of a sentence in a status."""
MOST_SENTENCES = 8
"""Sentences about one request."""


@dataclass(frozen=True, slots=True)
class StatusFacts:
    """What a status says beside the table's state.

    `row`, `hash`: the last row that may be disclosed; `at`: seconds of Unix time; `target`: rounds an hour
    that the house wants, 0 for none; `nonce`: what a command that answers no request must state; `nonces`:
    those of open requests, by number; `answered`: the last commands and their codes, newest first.
    """

    row: int
    hash: str
    at: float
    shift: StatusShift
    devices: Sequence[DeviceView]
    target: int = 0
    manifest: str = ""
    nonce: str = ""
    nonces: Mapping[int, str] = field(default_factory=dict)
    answered: Sequence[tuple[str, str]] = ()
    progressive: Mapping[str, StatusLevel] = field(default_factory=dict)
    directory: StatusDirectory | None = None
    time_zone: str = ""


def table_status(state: TableState, facts: StatusFacts) -> TableStatus:
    """What the table is doing now."""
    return TableStatus(
        epoch=state.epoch,
        row=facts.row,
        hash=facts.hash,
        at=facts.at,
        nonce=facts.nonce,
        state=state.round.phase,
        suspended=tuple(_clipped(reason) for reason in state.suspension.reasons),
        game=state.game.title,
        min_bet=_least_bet(state),
        round=state.number,
        players=sum(bool(seat.wagers) for seat in state.round.seats.values()),
        dealer=state.shift.croupier,
        pace=StatusPace(per_hour=rounds_per_hour(state), target=facts.target),
        shift=facts.shift,
        devices={device.name: device.state for device in facts.devices},
        alerts=tuple(sorted(map(_alert, state.shift.alarms.open), key=_severest_then_oldest)),
        requests=tuple(_requests(state, facts.nonces)),
        claims=tuple(_claims(state)),
        answered=tuple(facts.answered),
        progressive=dict(facts.progressive),
        directory=facts.directory,
        software=state.version,
        manifest=facts.manifest,
        test=_clipped(state.testing.label) if state.testing else "",
        currency=state.rules.currency,
        minor_digits=state.rules.money.digits,
        time_zone=facts.time_zone,
    )


def severity_of(alarm: Alarm) -> Severity:
    """An alert of an older version, whose cause is not recorded, is a warning."""
    if alarm.ended is not None:
        return "notice"
    kind = ALERT_KINDS.get(kind_of(alarm.cause))
    return kind.severity if kind else "warning"


def _alert(alarm: Alarm) -> StatusAlert:
    return StatusAlert(
        number=alarm.number, code=kind_of(alarm.cause), severity=severity_of(alarm), since=alarm.first
    )


def _severest_then_oldest(alert: StatusAlert) -> tuple[int, float, int]:
    return SEVERITIES.index(alert.severity), alert.since, alert.number


def _requests(state: TableState, nonces: Mapping[int, str]) -> Iterable[StatusRequest]:
    """The oldest first."""
    for request in state.shift.requests.open:
        yield StatusRequest(
            number=request.number,
            nonce=nonces.get(request.number, ""),
            kind=request.about,
            by=request.who,
            since=request.at,
            needs=max(0, request.needs - len(request.grants)),
            text=_clipped(request.why),
            sentences=tuple(map(_clipped, request.sentences[:MOST_SENTENCES])),
            granted=request.grants,
        )


def _claims(state: TableState) -> Iterator[StatusClaim]:
    """The oldest first."""
    for claim in state.register.open:
        yield StatusClaim(claim=str(claim.number), cents=claim.cents, state=claim.state)


def _least_bet(state: TableState) -> int | None:
    """The least wager on the spot of the hand itself, in cents."""
    limits = state.game.options.limits.get(state.game.spots[0])
    return limits[0] if limits else None


def _clipped(text: str) -> str:
    return text if len(text) <= MOST_TEXT else f"{text[: MOST_TEXT - 2]}.."
