"""Who did what: the sentence for each kind of row that names a person."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from controller.money import text
from controller.table.record import events, notes

Persons = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Deed:
    """One kind of row: what sort of deed it is, who did it, and the sentence, empty where there is none."""

    sort: str
    says: Callable[[Any], str]
    persons: Callable[[Any], Persons] = lambda told: (told.who,)


def _both(told: Any) -> Persons:
    return told.who, told.second


def _asking(told: notes.RequestMoved) -> Persons:
    return told.who, *told.grants, told.by


def _because(why: str) -> str:
    return f": {why}" if why else ""


def _access(told: notes.Accessed) -> str:
    where = f" at {told.address}" if told.address else ""
    role = f" as {told.role}" if told.role else ""
    return f"{told.what}{role}{where}{_because(told.text)}"


def _decided(told: events.Supervisor) -> str:
    """No card is named: one that waits may be the one that lies face down."""
    if told.choice in TOLD_OTHERWISE:
        return ""
    device = f" of {told.device}" if told.device else ""
    licence = f", licence {told.licence}" if told.licence else ""
    return f"{DECISIONS.get(told.choice, told.choice)}{device}{licence}{_because(told.why)}"


def _corrected(told: notes.RoundCorrected) -> str:
    where = f"round {told.number}, seat {told.seat}, hand {told.hand}, card {told.card}"
    change = f"{told.old} is {told.new}" if told.old else f"{told.new} came late"
    return f"{where}: {change}{_because(told.why)}"


def _undone(told: notes.KeyUndone) -> str:
    seat = f" of seat {told.seat}" if told.seat else ""
    return f"took back {told.action}{seat} in round {told.number}{_because(told.why)}"


def _request(told: notes.RequestMoved) -> str:
    if told.state == "open":
        return _still_open(told)
    by = f" by {told.by}" if told.by else ""
    return f"request {told.number}, {told.about}, {told.state}{by}{_because(told.because)}"


def _still_open(told: notes.RequestMoved) -> str:
    if not told.grants:
        return f"request {told.number}: {told.about}{_because(told.why)}"
    of = f"{len(told.grants)} of {told.needs}"
    return f"request {told.number}, {told.about}, granted by {told.by}, {of}{_because(told.because)}"


def _test_mode(told: events.TestMode) -> str:
    return f"test mode {'on' if told.on else 'off'}{_because(told.why)}"


def _refused(told: notes.Refusal) -> str:
    seat = f" of seat {told.seat}" if told.seat else ""
    return f"{told.action}{seat} was refused{_because(told.reason)}" if told.who else ""


def _firmware(told: notes.FirmwareUpdated) -> str:
    return f"firmware of {told.device}, {told.before or 'unknown'} to {told.version}: {told.result}"


DECISIONS: Mapping[str, str] = {
    "burn": "burned the card that waited",
    "card": "put the card that waited where the next one was due",
    "assign": "gave the card that waited to a hand",
    "reread": "had the card read once more",
    "void": "voided the round",
    "resume": "let play go on",
    "reload": "asked for a fresh shoe",
    "entry": "opened a case",
}
"""What a supervisor's choice is, in words; any other stands for itself."""
TOLD_OTHERWISE = frozenset({"correct", "undo"})
"""Choices that a note tells more of."""

DEEDS: Mapping[str, Deed] = {
    "access": Deed("access", _access),
    "supervisor": Deed("decision", _decided, _both),
    "corrected": Deed("decision", _corrected, _both),
    "key undone": Deed("decision", _undone, _both),
    "request": Deed("request", _request, _asking),
    "claim step": Deed(
        "claim", lambda told: f"{told.step} claim {told.claim}{_because(told.why)}"
    ),
    "meter correction": Deed(
        "meter", lambda told: f"set {told.spot} to {text(told.cents)}{_because(told.why)}", _both
    ),
    "acknowledged": Deed("alert", lambda told: f"has seen alert {told.alarm}"),
    "dealer": Deed("dealer", lambda told: "deals from now on" if told.who else "nobody deals any more"),
    "test mode": Deed("test", _test_mode),
    "lamp test": Deed("test", lambda told: f"had the lamps show {told.pattern}"),
    "firmware": Deed("firmware", _firmware, _both),
    "refusal": Deed("refusal", _refused),
}  # fmt: skip
"""By kind of row."""

LEFT_OUT: Mapping[str, str] = {
    "console key": "there are too many: a round tells them",
    "asked": "the request tells it",
    "answered": "the request tells it",
    "meter": "what moved it tells it",
}
"""Kinds of rows that name a person too, and why they are not in here."""

QUIET = frozenset({"refusal"})
"""Sorts that are told only where they are asked for: keys that come too early are many."""
SORTS = tuple(dict.fromkeys(deed.sort for deed in DEEDS.values()))
