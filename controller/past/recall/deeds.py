"""Who did what: the sentence for each kind of row that names a person."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from controller.money import text
from controller.table.record import events, notes
from controller.table.record.choices import CHOICES

Persons = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AuditKind:
    """One kind of row: what sort of deed it is, who did it, and the sentence, empty where there is none."""

    sort: str
    sentence: Callable[[Any], str]
    persons: Callable[[Any], Persons] = lambda told: (told.who,)


def _two_persons(record: Any) -> Persons:
    return record.who, record.second


def _request_persons(record: notes.RequestMoved) -> Persons:
    return record.who, *record.grants, record.by


def _reason(why: str) -> str:
    return f": {why}" if why else ""


def _access(record: notes.Accessed) -> str:
    where = f" at {record.address}" if record.address else ""
    role = f" as {record.role}" if record.role else ""
    return f"{record.what}{role}{where}{_reason(record.text)}"


def _decision(record: events.Supervisor) -> str:
    """No card is named: one that waits may be the one that lies face down."""
    if not CHOICES[record.choice].audit:
        return ""
    device = f" of {record.device}" if record.device else ""
    licence = f", licence {record.licence}" if record.licence else ""
    return f"{CHOICES[record.choice].audit}{device}{licence}{_reason(record.why)}"


def _corrected(record: notes.RoundCorrected) -> str:
    where = f"round {record.number}, seat {record.seat}, hand {record.hand}, card {record.card}"
    change = f"{record.old} is {record.new}" if record.old else f"{record.new} came late"
    return f"{where}: {change}{_reason(record.why)}"


def _undone_key(record: notes.KeyUndone) -> str:
    seat = f" of seat {record.seat}" if record.seat else ""
    return f"took back {record.action}{seat} in round {record.number}{_reason(record.why)}"


def _request(record: notes.RequestMoved) -> str:
    if record.state == "open":
        return _still_open(record)
    by = f" by {record.by}" if record.by else ""
    return f"request {record.number}, {record.about}, {record.state}{by}{_reason(record.because)}"


def _still_open(record: notes.RequestMoved) -> str:
    if not record.grants:
        return f"request {record.number}: {record.about}{_reason(record.why)}"
    of = f"{len(record.grants)} of {record.needs}"
    return f"request {record.number}, {record.about}, granted by {record.by}, {of}{_reason(record.because)}"


def _test_mode(record: events.TestMode) -> str:
    return f"test mode {'on' if record.on else 'off'}{_reason(record.why)}"


def _refused(record: notes.Refusal) -> str:
    seat = f" of seat {record.seat}" if record.seat else ""
    return f"{record.action}{seat} was refused{_reason(record.reason)}" if record.who else ""


def _firmware(record: notes.FirmwareUpdated) -> str:
    return f"firmware of {record.device}, {record.before or 'unknown'} to {record.version}: {record.result}"


AUDIT_KINDS: Mapping[str, AuditKind] = {
    "access": AuditKind("access", _access),
    "supervisor": AuditKind("decision", _decision, _two_persons),
    "corrected": AuditKind("decision", _corrected, _two_persons),
    "key undone": AuditKind("decision", _undone_key, _two_persons),
    "request": AuditKind("request", _request, _request_persons),
    "claim step": AuditKind(
        "claim", lambda told: f"{told.step} claim {told.claim}{_reason(told.why)}"
    ),
    "meter correction": AuditKind(
        "meter", lambda told: f"set {told.spot} to {text(told.cents)}{_reason(told.why)}", _two_persons
    ),
    "acknowledged": AuditKind("alert", lambda told: f"has seen alert {told.alarm}"),
    "dealer": AuditKind("dealer", lambda told: "deals from now on" if told.who else "nobody deals any more"),
    "test mode": AuditKind("test", _test_mode),
    "lamp test": AuditKind("test", lambda told: f"had the lamps show {told.pattern}"),
    "firmware": AuditKind("firmware", _firmware, _two_persons),
    "refusal": AuditKind("refusal", _refused),
}  # fmt: skip
"""By kind of row."""

NOT_IN_AUDIT: Mapping[str, str] = {
    "console key": "there are too many: a round tells them",
    "asked": "the request tells it",
    "answered": "the request tells it",
    "meter": "what moved it tells it",
}
"""Kinds of rows that name a person too, and why they are not in here."""

ON_REQUEST_ONLY = frozenset({"refusal"})
"""Sorts that are told only where they are asked for: keys that come too early are many."""
AUDIT_SORTS = tuple(dict.fromkeys(deed.sort for deed in AUDIT_KINDS.values()))
