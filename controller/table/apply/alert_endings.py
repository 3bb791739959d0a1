"""When the cause of an alert ends, kind by kind.

docs/supervisor.md has the same table in words. A kind with the value None is an event, not a state: the alert
ends only when a person acknowledges it. The cause of any other alert ends as soon as the test for its kind
fails.
"""

from collections.abc import Callable, Mapping

from controller.table.record.causes import Cause, CauseKind, kind_of
from controller.table.state.alarms import Alarm
from controller.table.state.table_state import TableState

CauseTest = Callable[[TableState, Alarm], bool]
"""Whether the cause of an alert lasts."""


def end_alerts(state: TableState) -> None:
    """After each input: mark the alerts whose cause has ended."""
    state.shift.alarms.end(lambda alarm: _has_ended(state, alarm), state.shift.at)


def is_one_time(alarm: Alarm) -> bool:
    """Whether the alert is about an event, which cannot end. This holds for alerts of older versions, whose
    cause is not recorded."""
    return CAUSE_LASTS.get(kind_of(alarm.cause)) is None


def _has_ended(state: TableState, alarm: Alarm) -> bool:
    lasts = CAUSE_LASTS.get(kind_of(alarm.cause))
    return lasts is not None and not lasts(state, alarm)


def _which(alarm: Alarm) -> str:
    return alarm.cause.partition(" ")[2]


def _kept(state: TableState, alarm: Alarm) -> bool:
    """The table itself stores the reason, by its cause, until it ends."""
    held = state.suspension
    kept = (held.passing, held.lasting, state.standing, state.after_round)
    return any((Cause(alarm.cause), alarm.text) in reasons.items() for reasons in kept)


def _noticed(_state: TableState, _alarm: Alarm) -> bool:
    """The daemon reports the end."""
    return True


def _waits(state: TableState, alarm: Alarm) -> bool:
    """The card has no place yet; the sentence about it changes."""
    return alarm.cause in state.suspension.lasting


def _in_round(state: TableState, alarm: Alarm) -> bool:
    return _which(alarm) == str(state.number)


def _claimed(state: TableState, alarm: Alarm) -> bool:
    return any(str(claim.number) == _which(alarm) for claim in state.register.open)


def _asked(state: TableState, alarm: Alarm) -> bool:
    return any(str(request.number) == _which(alarm) for request in state.shift.requests.open)


def _pending(state: TableState, alarm: Alarm) -> bool:
    meter = state.meters.get(_which(alarm))
    return meter is not None and meter.pending is not None


def _rejected(state: TableState, alarm: Alarm) -> bool:
    return state.cycle.fault == alarm.text


def _behind(state: TableState, alarm: Alarm) -> bool:
    return state.shift.at < float(_which(alarm))


def _tested(state: TableState, _alarm: Alarm) -> bool:
    return state.testing is not None


CAUSE_LASTS: Mapping[CauseKind | str, CauseTest | None] = {
    # the computer
    "disk": _kept,
    "latency": _kept,
    "mirror": _kept,
    "accounts": _kept,
    "page": _kept,
    "certificate": _noticed,
    "clock": _behind,
    "notice": None,
    # a device
    "missing": _kept,
    "held": _kept,
    "memory": _kept,
    "events": _kept,
    "unread": _kept,
    "tamper": _kept,
    "attempt": None,
    "fault": _kept,
    "door": _kept,
    "command": None,
    "report": None,
    # shoe, cards, shuffler
    "cover": _kept,
    "jam": _kept,
    "empty": _kept,
    "decks": _kept,
    "loaded": _kept,
    "pack": _kept,
    "rejected": _rejected,
    "balance": None,
    "card": _waits,
    "cards": _kept,
    "ledger": _kept,
    # chips
    "sensor": _kept,
    "unplayed": _kept,
    "wager": _in_round,
    "chips": None,
    # play
    "configuration": _in_round,
    "correction": None,
    "test": _tested,
    # jackpots
    "claim": _claimed,
    "contribution": None,
    "pending": _pending,
    "parameters": _asked,
}
"""By kind, whether the cause lasts; None: an event, which cannot end."""
