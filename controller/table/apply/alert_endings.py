"""The kinds of alerts, and when the cause of each ends.

An alert about a single event has no end: it stays until a person acknowledges it. The cause of any other
alert ends as soon as the test of its kind fails.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from controller.property.status import Severity
from controller.table.record.causes import Cause, CauseKind, kind_of
from controller.table.state.alarms import Alarm
from controller.table.state.table_state import TableState

CauseTest = Callable[[TableState, Alarm], bool]
"""Whether the cause of an alert lasts."""
SINGLE_EVENT = "never: it is a single event"


@dataclass(frozen=True, slots=True)
class AlertKind:
    """`meaning` and `ends` are for the documentation. `lasts` is None for a single event. `severity`: how
    urgently the alert needs attention at the floor."""

    meaning: str
    ends: str = SINGLE_EVENT
    lasts: CauseTest | None = None
    severity: Severity = "warning"


def end_alerts(state: TableState) -> None:
    """After each input: mark the alerts whose cause has ended."""
    state.shift.alarms.end(lambda alarm: _has_ended(state, alarm), state.shift.at)


def is_one_time(alarm: Alarm) -> bool:
    """Whether the alert is about an event, which cannot end. This holds for alerts of older versions, whose
    cause is not recorded."""
    return _test_of(alarm) is None


def _has_ended(state: TableState, alarm: Alarm) -> bool:
    lasts = _test_of(alarm)
    return lasts is not None and not lasts(state, alarm)


def _test_of(alarm: Alarm) -> CauseTest | None:
    kind = ALERT_KINDS.get(kind_of(alarm.cause))
    return kind.lasts if kind else None


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


ALERT_KINDS: Mapping[CauseKind | str, AlertKind] = {
    # the computer
    "disk": AlertKind("a disk is nearly full, or full", "when there is room", _kept),
    "latency": AlertKind(
        "a disk of the journal is slow to write. Devices that are lost meanwhile count up this alert and "
        "have none of their own",
        "when all writes of ten seconds were quick",
        _kept,
    ),
    "reader": AlertKind(
        "another program keeps the journal's write-ahead log from being emptied",
        "when it does not",
        _kept,
        severity="notice",
    ),
    "mirror": AlertKind("the mirror of the journal has no disk of its own", "when it has one", _kept),
    "accounts": AlertKind("nobody can sign in", "when people can sign in", _kept),
    "account": AlertKind(
        "the sealed account of the house was used, which is for a table without a floor", severity="critical"
    ),
    "directory": AlertKind(
        "the floor has sent no directory for a quarter of an hour, or has an account whose name is that of "
        "one of the table's own",
        "when a new one has come; when one of the two accounts is gone",
        _kept,
    ),
    "secrets": AlertKind(
        "passwords and PINs cannot be checked, so nobody can sign in with one",
        "when the table has checked one again, which it tries each ten seconds",
        _kept,
    ),
    "socket": AlertKind(
        "the table socket cannot be made, so that no page and no command reaches the table",
        "when it is made, which the table tries at least once a minute",
        _kept,
    ),
    "page": AlertKind("no page can be reached", "when one can", _kept),
    "uplink": AlertKind("the uplink does not run, or does not reach the floor", "when it does", _kept),
    "shipping": AlertKind(
        "the uplink sends no rows: the floor has other ones, or another program uses the table's name there",
        "when rows are sent again",
        _kept,
    ),
    "unshipped": AlertKind(
        "a file of the journal was deleted before the floor had its rows, because a disk is nearly full"
    ),
    "seal": AlertKind(
        "the table has no seal key, so that the journal names the card that lies face down",
        "when a start finds the key",
        _kept,
    ),
    "certificate": AlertKind(
        "the certificate of the pages expires soon",
        "when a start finds another certificate",
        _noticed,
        severity="notice",
    ),
    "clock": AlertKind(
        "the clock is behind the last entry of the journal", "when it has passed that entry", _behind
    ),
    "notice": AlertKind(
        "the clock was set; the journal was repaired; the configuration was read again", severity="notice"
    ),
    # a device
    "missing": AlertKind("a device is missing", "when the device runs", _kept),
    "held": AlertKind(
        "a device comes and goes, and is held off", "when it is back, or is missing for another reason", _kept
    ),
    "memory": AlertKind(
        "the memory of a device changed in a round",
        "when a supervisor resumes or voids",
        _kept,
        severity="critical",
    ),
    "events": AlertKind(
        "events of a device are lost", "when a supervisor resumes or voids", _kept, severity="critical"
    ),
    "unread": AlertKind(
        "a device sent a critical event that this version cannot read", "when a supervisor resumes", _kept
    ),
    "tamper": AlertKind(
        "the case of a device was opened", "when a supervisor resumes", _kept, severity="critical"
    ),
    "attempt": AlertKind("a device got messages with a wrong seal, or a wrong proof", severity="critical"),
    "fault": AlertKind("a device reports a fault", "when the device reports that it is over", _kept),
    "door": AlertKind("a door of a device is open", "when it is closed", _kept),
    "command": AlertKind("a device does not take a command"),
    "report": AlertKind("a device reports something that only another kind of device may report"),
    # shoe, cards, shuffler
    "cover": AlertKind("the cover of the shoe is open", "when it is closed", _kept),
    "jam": AlertKind("a card is stuck", "when it is free", _kept),
    "empty": AlertKind("the shoe is empty in a round", "when it is loaded", _kept),
    "decks": AlertKind(
        "the shoe was loaded with another number of decks", "when it is loaded with the right one", _kept
    ),
    "loaded": AlertKind("the shoe was loaded in a round", "when a supervisor resumes or voids", _kept),
    "pack": AlertKind(
        "after a wrong pack, the shoe holds one that the shuffler has not counted",
        "when a supervisor resumes",
        _kept,
    ),
    "rejected": AlertKind(
        "the pack in the shuffler is wrong",
        "when the shuffler is empty, or shuffles again",
        _rejected,
        severity="critical",
    ),
    "balance": AlertKind("the cards of the last shoe do not add up", severity="critical"),
    "card": AlertKind("a card waits for a place", "when it has one, or is burned", _waits),
    "cards": AlertKind(
        "the shoe counted more cards than it reported",
        "when a supervisor resumes or voids",
        _kept,
        severity="critical",
    ),
    "ledger": AlertKind(
        "a card has come more often than the decks contain it",
        "when a supervisor resumes or voids",
        _kept,
        severity="critical",
    ),
    # chips
    "lamp": AlertKind("a technician left test mode, and lamps are still faulty"),
    "sensor": AlertKind("a sensor is faulty", "when it sees again", _kept),
    "unplayed": AlertKind(
        "chips lie on a spot that is not in play",
        "when they are lifted, or the spot is in play again",
        _kept,
        severity="notice",
    ),
    "wager": AlertKind("chips came, went or changed when they must not", "when its round ends", _in_round),
    "chips": AlertKind("you must compare the chips with the page"),
    # play
    "configuration": AlertKind(
        "a new configuration takes effect with the next round",
        "when its round ends",
        _in_round,
        severity="notice",
    ),
    "correction": AlertKind("a round was corrected, or a key was taken back", severity="notice"),
    "closed": AlertKind(
        "the floor closes the table after the round in play",
        "when a supervisor resumes",
        _kept,
        severity="notice",
    ),
    "message": AlertKind("a message of the floor", severity="notice"),
    "test": AlertKind("the table is in test mode", "when test mode ends", _tested, severity="notice"),
    # jackpots
    "claim": AlertKind("a jackpot is won", "when the claim is paid or void", _claimed),
    "contribution": AlertKind("a contribution to a jackpot is not counted", severity="critical"),
    "linked": AlertKind(
        "a linked jackpot is closed at this table: no amount comes, the progressive is not operable, or two "
        "amounts contradict each other",
        "when it may be played again",
        _kept,
        severity="critical",
    ),
    "pending": AlertKind(
        "new parameters of a jackpot wait until it is won",
        "when they take effect",
        _pending,
        severity="notice",
    ),
    "parameters": AlertKind(
        "new parameters of a jackpot wait for two persons",
        "when they are granted or declined",
        _asked,
        severity="notice",
    ),
}
