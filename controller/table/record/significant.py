"""Which rows of the journal are significant events (NY 5317.26, 25 CFR 547.10), and what is said of each.

No text names a card that the table itself has not named: an event may be of the round in play.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from controller.table.record import events, notes
from drivers import messages
from drivers.protocol.codes import Reset, Status, TamperCause


@dataclass(frozen=True, slots=True)
class SignificantKind:
    """One code: what it stands for, and the sentence for a record of it, empty for one that is no event."""

    code: str
    means: str
    says: Callable[[Any], str]


def _of(on: bool, came: str, went: str) -> str:
    return came if on else went


def _name(codes: type[IntEnum], number: int) -> str:
    """A code's name; another version may know more of them."""
    known = {code.value: code.name.lower().replace("_", " ") for code in codes}
    return known.get(number, f"code {number}")


def _booted(told: messages.Booted) -> str:
    return f"started after {_name(Reset, told.reset)}"


def _tamper(told: messages.Tamper) -> str:
    return f"tampering: {_name(TamperCause, told.what)}, {told.count} times"


def _pack(told: notes.DeckChecked) -> str:
    return f"a pack of {told.decks} decks is {'good' if told.good else ', '.join(told.wrong)}"


def _claim(told: notes.ClaimMoved) -> str:
    claim = told.claim
    where = f"claim {claim.number}, {claim.spot}, round {claim.round}, seat {claim.seat}"
    persons = (claim.dealer, claim.supervisor, claim.second, claim.payer, claim.voided_by)
    signed = " and ".join(dict.fromkeys(filter(None, persons)))
    moved = f"{where}: {claim.state}, {claim.cents} cents"
    return f"{moved}; {signed}" if signed else moved


def _corrected(told: notes.RoundCorrected) -> str:
    persons = " and ".join(filter(None, (told.who, told.second)))
    return f"round {told.number}, seat {told.seat}: {persons}: {told.why}"


def _undone(told: notes.KeyUndone) -> str:
    persons = " and ".join(filter(None, (told.who, told.second)))
    where = f" of seat {told.seat}" if told.seat else ""
    return f"round {told.number}, {told.action}{where}: {persons}: {told.why}"


def _request(told: notes.RequestMoved) -> str:
    asked = f"request {told.number}, {told.about}, of {told.who}: {told.state}"
    by = f" by {told.by}" if told.by and told.by != told.who else ""
    why = f": {told.because}" if told.because else f": {told.why}" if told.state == "open" else ""
    return f"{asked}{by}{why}"


def _shoe(told: notes.ShoeEnded) -> str:
    reckoned = f"{told.dealt} dealt, {told.burned} burned, {told.unread} unread, {told.left} left behind"
    return f"{told.decks} decks: {reckoned}{'' if told.balanced else '; that is not all of them'}"


def _refused(told: events.CommandRefused) -> str:
    return f"{told.device} refused {told.record}: {Status(told.status).name} {told.text}".strip()


def _meter(told: notes.MeterMoved) -> str:
    """Contributions are in the accounts; what makes a meter go down, or begin anew, is an event."""
    if told.kind == "contribution":
        return ""
    persons = " and ".join(filter(None, (told.who, told.second)))
    moved = f"{told.spot}: {told.kind}, {told.before} to {told.after} cents: {told.why}"
    return f"{moved}; {persons}" if persons else moved


def _round(told: notes.RoundEnded) -> str:
    return f"round {told.round.number} is void" if told.round.outcome == "void" else ""


def _word(told: events.Supervisor) -> str:
    second = f" with {told.second}" if told.second else ""
    licence = f", licence {told.licence}" if told.licence else ""
    return f"{told.choice} by {told.who}{second}{licence}: {told.why}"


def _accessed(told: notes.Accessed) -> str:
    where = f" from {told.address}" if told.address else ""
    return f"{told.who or 'somebody'}{where}: {told.what}{told.text and f', {told.text}'}"


def _tested(told: events.TestMode) -> str:
    return f"{told.who} {'begins' if told.on else 'ends'} it: {told.why or 'no reason given'}"


def _firmware(told: notes.FirmwareUpdated) -> str:
    persons = f"{told.who} and {told.second}"
    return f"{told.device}: firmware {told.before or 'unknown'} to {told.version}, {told.result}; {persons}"


def _clock(told: notes.ClockStepped) -> str:
    return f"the clock was set {abs(told.seconds):.0f} s {'ahead' if told.seconds > 0 else 'back'}"


JAM = SignificantKind(
    "JAM", "a card is stuck, or free again", lambda told: _of(told.on, "a card is stuck", "the card is free")
)

BY_MESSAGE: Mapping[str, SignificantKind] = {
    "booted": SignificantKind("POWER_RESET", "a device had its power back, or started anew", _booted),
    "tamper": SignificantKind("TAMPER", "a wrong seal, a failed proof, an opened case", _tamper),
    "fault": SignificantKind(
        "COMPONENT_FAULT", "a component fault came or was cleared",
        lambda told: _of(told.on, f"fault {told.code}: {told.text}", f"fault {told.code} is cleared"),
    ),
    "door": SignificantKind(
        "DOOR", "a door opened or closed",
        lambda told: f"door {told.which} {_of(told.open, 'opened', 'closed')}",
    ),
    "cover": SignificantKind(
        "COVER", "a cover opened or closed", lambda told: f"cover {_of(told.open, 'opened', 'closed')}"
    ),
    "shoe_jam": JAM,
    "shuffler_jam": JAM,
    "sensor_fault": SignificantKind(
        "SENSOR_FAULT", "a bet sensor cannot be trusted, or can again",
        lambda told: f"seat {told.seat}, spot {told.spot}: {_of(told.on, 'faulty', 'well again')}",
    ),
    "card_unreadable": SignificantKind(
        "CARD_UNREAD", "a card left the shoe that it could not read", lambda told: f"card {told.count}"
    ),
    "card_unpermitted": SignificantKind(
        "CARD_UNEXPECTED", "a card left the locked shoe", lambda told: f"card {told.count}"
    ),
    "card_interrupted": SignificantKind(
        "CARD_INTERRUPTED", "the power went while a card moved", lambda told: f"card {told.count}"
    ),
    "loaded": SignificantKind("SHOE_LOADED", "a fresh shoe was loaded", lambda told: f"{told.decks} decks"),
}  # fmt: skip
"""By the name that a device's event has in its row."""

BY_ROW_KIND: Mapping[str, SignificantKind] = {
    "started": SignificantKind(
        "POWER_UP",
        "the controller started, after a power failure too",
        lambda told: f"version {told.version}, {told.game}, {told.seats} seats",
    ),
    "self-test": SignificantKind(
        "SELF_TEST",
        "the controller compared its own files with the manifest",
        lambda told: f"{told.files} files, manifest {told.manifest or 'none'}",
    ),
    "device lost": SignificantKind(
        "LINK_LOST", "a device does not answer", lambda told: f"{told.device}: {told.why}"
    ),
    "device running": SignificantKind("LINK_BACK", "a device serves", lambda told: told.device),
    "events missing": SignificantKind(
        "EVENTS_LOST",
        "a device's memory overran",
        lambda told: f"{told.device}: events {told.first} to {told.last} are lost",
    ),
    "cards missing": SignificantKind(
        "CARDS_LOST",
        "cards left the shoe that were never reported",
        lambda told: f"{told.shoe_cards} left, {told.ours} were reported",
    ),
    "command refused": SignificantKind("COMMAND_REFUSED", "a device refused a command", _refused),
    "supervisor": SignificantKind("SUPERVISOR", "a person decided", _word),
    "disk": SignificantKind(
        "DISK_SPACE",
        "room on the disk of the journal or of its mirror",
        lambda told: f"{told.disk}: {told.level}, {told.free} bytes free",
    ),
    "suspended": SignificantKind("SUSPENDED", "play stopped", lambda told: told.why),
    "resumed": SignificantKind("RESUMED", "every reason to stand still is cleared", lambda _: "play goes on"),
    "cleared": SignificantKind("CLEARED", "a person let a device serve again", lambda told: told.device),
    "alert": SignificantKind("ALERT", "somebody at the table had to look", lambda told: told.text),
    "meter": SignificantKind("JACKPOT", "a jackpot was won, began anew or was corrected", _meter),
    "claim": SignificantKind("CLAIM", "a jackpot was hit, or a claim of it went a step on", _claim),
    "corrected": SignificantKind(
        "ROUND_CORRECTED", "a misread card, or a late one, was put right", _corrected
    ),
    "key undone": SignificantKind("KEY_UNDONE", "a key of the dealer's was taken back", _undone),
    "request": SignificantKind(
        "REQUEST", "somebody asked for what others must grant, or it was answered", _request
    ),
    "acknowledged": SignificantKind(
        "ACKNOWLEDGED", "somebody has seen an alert", lambda told: f"alert {told.alarm}: {told.who}"
    ),
    "shoe ended": SignificantKind("SHOE_ENDED", "what became of a shoe's cards was reckoned", _shoe),
    "round": SignificantKind("ROUND_VOID", "a round was called off", _round),
    "deck checked": SignificantKind("PACK_COUNTED", "the shuffler counted its pack", _pack),
    "firmware": SignificantKind("FIRMWARE", "the firmware of a device was changed", _firmware),
    "clock": SignificantKind("CLOCK", "the clock of the stamps was set", _clock),
    "test mode": SignificantKind("TEST_MODE", "somebody began to test the table, or ended it", _tested),
    "lamp test": SignificantKind(
        "LAMP_TEST",
        "lamps were tested, and what was seen",
        lambda told: f"{told.pattern}, {told.who}{told.seen and f': seen {told.seen}'}",
    ),
    "access": SignificantKind(
        "ACCESS", "somebody came or went, was sent away, or an account was changed", _accessed
    ),
    "retired": SignificantKind(
        "RETIRED",
        "a file of the journal was taken away when its time was over",
        lambda told: f"{told.file}, rows {told.first} to {told.last}",
    ),
}
"""By the kind of a row."""

CODES: Mapping[str, str] = {kind.code: kind.means for kind in (*BY_ROW_KIND.values(), *BY_MESSAGE.values())}
"""Every code there is, and what it stands for."""
