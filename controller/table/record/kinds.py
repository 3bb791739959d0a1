"""What each kind of row in the journal is, in one table that everything else reads.

A row has a kind, which is stored, and a body, which is the JSON text of a record. `KINDS` says of each
kind: the record's class, what was done, why and by whom, how it is logged, under which code a regulator
finds it and under which heading the audit log lists it. The row codec, log lines, significant events, the
audit log, reports and exports have no list of their own.

To add a kind, write its class in `events.py` (an input, which is replayed) or in `notes.py` (what followed,
which is not), add it to the union at the end of that file, give it a row here, and apply or write it. A test
walks both unions. Names are stored: never change one. What the event of a device says has a table of its own,
`message_kinds.py`.

No text names a card that the table has not shown: a row may belong to the round in play.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar, get_args

from controller.money import text as money
from controller.round import Peeked, Revealed, Settled
from controller.table.record import events, notes
from controller.table.record.choices import CHOICES
from drivers.protocol.codes import Status

Level = Literal["info", "warning", "error"]
Heading = Literal[
    "access",
    "decision",
    "request",
    "claim",
    "meter",
    "alert",
    "dealer",
    "test",
    "firmware",
    "refusal",
    "override",
    "floor",
]
Persons = tuple[str, ...]
Record = TypeVar("Record")


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line of the log: its event, and the attributes of the record that it shows. "round.number" is the
    attribute of an attribute; the log shows it under its last name."""

    event: str
    fields: tuple[str, ...] = ()
    level: Level | Callable[[Any], Level] = "info"

    def level_of(self, record: object) -> Level:
        return self.level(record) if callable(self.level) else self.level


@dataclass(frozen=True, slots=True)
class Code:
    """The code of a significant event (NY 5317.26, 25 CFR 547.10) and what it stands for."""

    name: str
    meaning: str


def _started(started: events.Started) -> str:
    plugins = "".join(f", with {name} of {provider}" for name, provider in started.plugins.items())
    return f"version {started.version}, {started.game}, {started.seats} seats{plugins}"


def _always(_record: object) -> bool:
    return True


def _nobody(_record: object) -> Persons:
    return ()


def _nothing(_record: object) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class RecordKind(Generic[Record]):
    """`text` says what was done, `reason` why, `persons` who did it: empty where the record does not say."""

    name: str
    record: type[Record]
    text: Callable[[Record], str] = _nothing
    reason: Callable[[Record], str] = _nothing
    persons: Callable[[Record], Persons] = _nobody
    code: Code | None = None
    """None: the kind is no significant event."""
    significant: Callable[[Record], bool] = _always
    """Whether a record of a kind with a code is one."""
    heading: Heading | None = None
    """Where the audit log lists it; None: it does not."""
    audited: Callable[[Record], bool] = _always
    """Whether the audit log lists a record of a kind with a heading."""
    unaudited: str = ""
    """Why the audit log leaves out a kind that names a person."""
    log: LogLine | None = None
    before_cards: bool = False
    """Whether it may leave the house in the round in play, before that round's first key and first card."""

    def sentence(self, record: Record) -> str:
        """What was done, and why; empty if the kind has no text."""
        return ": ".join(filter(None, (self.text(record), self.reason(record))))

    def full_sentence(self, record: Record) -> str:
        """Who did it, what was done, and why."""
        persons = " and ".join(dict.fromkeys(filter(None, self.persons(record))))
        return ": ".join(filter(None, (persons, self.sentence(record))))


def _why(record: Any) -> str:
    return str(record.why)


def _who(record: Any) -> Persons:
    return (record.who,)


def _both(record: Any) -> Persons:
    return record.who, record.second


def _of_seat(seat: int) -> str:
    return f" of seat {seat}" if seat else ""


def _decision(decision: events.Supervisor) -> str:
    """Never the card: one that waits may be the one that lies face down."""
    played = f", round {decision.round}" if decision.round else ""
    device = f" of {decision.device}" if decision.device else ""
    licence = f", licence {decision.licence}" if decision.licence else ""
    return f"{CHOICES[decision.choice].audit or decision.choice}{played}{device}{licence}"


def _command_refused(refused: events.CommandRefused) -> str:
    return f"{refused.device} refused {refused.record}: {Status(refused.status).name} {refused.text}".strip()


def _lamp_test(test: events.LampTest) -> str:
    seen = f"; what was seen before: {test.seen}" if test.seen else ""
    return f"had the lamps show {test.pattern}{seen}"


def _lamp_reported(report: events.LampReported) -> str:
    if report.works:
        return f"said that the lamp of seat {report.seat}, {report.spot}, works"
    return f"said that the lamp of seat {report.seat}, {report.spot}, is faulty"


def _floor_command(command: events.FloorCommand) -> str:
    about = (
        f" request {command.request}"
        if command.request
        else f" alert {command.alert}"
        if command.alert
        else ""
    )
    return f"commanded from the floor: {command.command}{about}"


def meter_text(moved: notes.MeterMoved, amount: Callable[[int], str] = money) -> str:
    return f"jackpot {moved.spot}: {amount(moved.before)} to {amount(moved.after)}, {moved.kind}"


def claim_text(moved: notes.ClaimMoved, amount: Callable[[int], str] = money) -> str:
    claim = moved.claim
    where = f"claim {claim.number}, {claim.spot}, round {claim.round}, seat {claim.seat}"
    return f"{where}: {claim.state}, {amount(claim.cents) if claim.decided else 'amount not decided yet'}"


def _level(changed: events.LevelChanged) -> str:
    return f"linked jackpot {changed.level} is {changed.state}, {money(changed.cents)}"


def _share_won(won: events.ShareWon) -> str:
    order = ".".join(map(str, won.order))
    return f"claim {won.claim} wins {money(won.cents)} of a linked jackpot, entry {won.n}, order {order}"


def _level_read(read: notes.LevelRead) -> str:
    void = f", {read.voided_wagers} void" if read.voided_wagers else ""
    return f"linked jackpot {read.level}: {read.wagers} wagers, {money(read.wagered)} in all{void}"


def _is_closed(changed: events.LevelChanged) -> bool:
    return changed.state in {"lost", "closed"}


def _claim_persons(moved: notes.ClaimMoved) -> Persons:
    claim = moved.claim
    return claim.dealer, claim.supervisor, claim.second, claim.payer, claim.voided_by


def _is_void(ended: notes.RoundEnded) -> bool:
    return ended.round.outcome == "void"


def _round_corrected(corrected: notes.RoundCorrected) -> str:
    where = f"round {corrected.number}, seat {corrected.seat}, hand {corrected.hand}, card {corrected.card}"
    change = f"{corrected.old} is {corrected.new}" if corrected.old else f"{corrected.new} came late"
    return f"{where}: {change}"


def _key_undone(undone: notes.KeyUndone) -> str:
    return f"took back {undone.action}{_of_seat(undone.seat)} in round {undone.number}"


def _request(request: notes.RequestMoved) -> str:
    if request.state != "open":
        by = f" by {request.by}" if request.by else ""
        return f"request {request.number}, {request.about}, {request.state}{by}"
    if request.grants:
        granted = f"granted by {request.by}, {len(request.grants)} of {request.needs}"
        return f"request {request.number}, {request.about}, {granted}"
    return f"request {request.number}: {request.about}"


def _request_reason(request: notes.RequestMoved) -> str:
    return request.why if request.state == "open" and not request.grants else request.because


def _request_persons(request: notes.RequestMoved) -> Persons:
    return request.who, *request.grants, request.by


def _shoe_ended(shoe: notes.ShoeEnded) -> str:
    counts = f"{shoe.dealt} dealt, {shoe.burned} burned, {shoe.unread} unread, {shoe.left} left behind"
    return f"{shoe.decks} decks: {counts}{'' if shoe.balanced else '; that is not all of them'}"


def _deck_checked(check: notes.DeckChecked) -> str:
    return f"a pack of {check.decks} decks is {'good' if check.good else ', '.join(check.wrong)}"


def _firmware(update: notes.FirmwareUpdated) -> str:
    return f"firmware of {update.device}, {update.before or 'unknown'} to {update.version}: {update.result}"


def _maker_key(replaced: notes.MakerKeyReplaced) -> str:
    return f"key of the maker of {replaced.device}, generation {replaced.generation}: {replaced.result}"


def _clock(step: notes.ClockStepped) -> str:
    return f"the clock was set {abs(step.seconds):.0f} s {'ahead' if step.seconds > 0 else 'back'}"


def _access(access: notes.Accessed) -> str:
    role = f" as {access.role}" if access.role else ""
    return f"{access.what}{role}{f' at {access.address}' if access.address else ''}"


def _access_level(access: notes.Accessed) -> Level:
    return "warning" if access.what in {"locked out", "forged", "sealed account"} else "info"


def _disk_level(space: events.DiskSpace) -> Level:
    levels: dict[str, Level] = {"enough": "info", "low": "warning", "stop": "error"}
    return levels[space.level]


KINDS: tuple[RecordKind[Any], ...] = (
    # inputs
    RecordKind(
        "started",
        events.Started,
        text=_started,
        code=Code("POWER_UP", "the controller started, after a power failure too"),
        log=LogLine("started", ("version", "game", "seats")),
        before_cards=True,
    ),
    RecordKind(
        "device up",
        events.DeviceUp,
        log=LogLine("device up", ("device", "relation")),
        before_cards=True,
    ),
    RecordKind(
        "device running",
        events.DeviceRunning,
        text=lambda running: f"the {running.device} is in service",
        code=Code("LINK_BACK", "a device is in service"),
        log=LogLine("device running", ("device",)),
        before_cards=True,
    ),
    RecordKind(
        "device lost",
        events.DeviceLost,
        text=lambda lost: f"the {lost.device} is lost",
        reason=_why,
        code=Code("LINK_LOST", "a device does not answer"),
        before_cards=True,
    ),
    RecordKind("event", events.DeviceEvent, before_cards=True),
    RecordKind(
        "events missing",
        events.EventsMissing,
        text=lambda missing: f"{missing.device}: events {missing.first} to {missing.last} are lost",
        code=Code("EVENTS_LOST", "a device's memory overran"),
        log=LogLine("events missing", ("device", "first", "last"), "error"),
        before_cards=True,
    ),
    RecordKind(
        "cards missing",
        events.CardsMissing,
        text=lambda missing: f"{missing.shoe_cards} left the shoe, {missing.ours} were reported",
        code=Code("CARDS_LOST", "cards left the shoe that were never reported"),
        log=LogLine("cards missing", ("device", "shoe_cards", "ours"), "error"),
    ),
    RecordKind("action", events.Action, before_cards=True),
    RecordKind("action ended", events.ActionEnded, before_cards=True),
    RecordKind(
        "command refused",
        events.CommandRefused,
        text=_command_refused,
        code=Code("COMMAND_REFUSED", "a device refused a command"),
        log=LogLine("command refused", ("device", "status", "text"), "warning"),
        before_cards=True,
    ),
    RecordKind(
        "supervisor",
        events.Supervisor,
        text=_decision,
        reason=_why,
        persons=_both,
        code=Code("SUPERVISOR", "a person decided"),
        heading="decision",
        audited=lambda decision: bool(CHOICES[decision.choice].audit),
        log=LogLine(
            "supervisor",
            ("choice", "who", "why", "second", "device", "licence", "signed_in"),
            "warning",
        ),
        before_cards=True,
    ),
    RecordKind(
        "claim step",
        events.ClaimStep,
        text=lambda step: f"{step.step} claim {step.claim}",
        reason=_why,
        persons=_who,
        heading="claim",
        before_cards=True,
    ),
    RecordKind(
        "meter correction",
        events.MeterCorrection,
        text=lambda correction: f"set {correction.spot} to {money(correction.cents)}",
        reason=_why,
        persons=_both,
        heading="meter",
        before_cards=True,
    ),
    RecordKind(
        "disk",
        events.DiskSpace,
        text=lambda space: f"{space.disk}: {space.level}, {space.free} bytes free",
        code=Code("DISK_SPACE", "room on the disk of the journal or of its mirror"),
        log=LogLine("disk", ("disk", "room", "free"), _disk_level),
        before_cards=True,
    ),
    RecordKind("noticed", events.Noticed, before_cards=True),
    RecordKind(
        "console key",
        events.ConsoleKey,
        persons=_who,
        unaudited="there are too many: the round shows them",
    ),
    RecordKind(
        "dealer",
        events.DealerOn,
        text=lambda dealer: "deals from now on" if dealer.who else "nobody deals any more",
        persons=_who,
        heading="dealer",
        before_cards=True,
    ),
    RecordKind(
        "acknowledged",
        events.Acknowledged,
        text=lambda seen: f"has seen alert {seen.alarm}",
        persons=_who,
        code=Code("ACKNOWLEDGED", "a person has seen an alert"),
        heading="alert",
        log=LogLine("acknowledged", ("alarm", "who")),
        before_cards=True,
    ),
    RecordKind(
        "asked",
        events.RequestMade,
        text=lambda request: f"asked for {request.about}",
        reason=_why,
        persons=_who,
        unaudited="the request says more",
        before_cards=True,
    ),
    RecordKind(
        "answered",
        events.RequestAnswered,
        text=lambda answer: f"{'granted' if answer.grant else 'declined'} request {answer.request}",
        reason=_why,
        persons=_who,
        unaudited="the request says more",
        before_cards=True,
    ),
    RecordKind(
        "test mode",
        events.TestMode,
        text=lambda mode: f"test mode {'on' if mode.on else 'off'}",
        reason=_why,
        persons=_who,
        code=Code("TEST_MODE", "a person began to test the table, or ended the test"),
        heading="test",
        log=LogLine("test mode", ("on", "who", "why"), lambda mode: "warning" if mode.on else "info"),
    ),
    RecordKind(
        "lamp test",
        events.LampTest,
        text=_lamp_test,
        persons=_who,
        code=Code("LAMP_TEST", "lamps were tested, and what was seen"),
        heading="test",
        log=LogLine("lamp test", ("pattern", "who", "seen")),
    ),
    RecordKind(
        "lamp",
        events.LampReported,
        text=_lamp_reported,
        persons=_who,
        code=Code("LAMP_REPORT", "a technician said whether a lamp works"),
        heading="test",
        log=LogLine("lamp", ("seat", "spot", "works", "who")),
    ),
    RecordKind(
        "act",
        events.ActTaken,
        persons=_who,
        unaudited="the decision says more",
        before_cards=True,
    ),
    RecordKind(
        "floor command",
        events.FloorCommand,
        text=_floor_command,
        reason=_why,
        persons=_both,
        code=Code("FLOOR_COMMAND", "the floor granted a request, or commanded something else"),
        heading="floor",
        log=LogLine(
            "floor command", ("command", "request", "alert", "who", "second", "why", "id"), "warning"
        ),
        before_cards=True,
    ),
    RecordKind("command taken", events.CommandTaken, before_cards=True),
    RecordKind(
        "level",
        events.LevelChanged,
        text=_level,
        reason=_why,
        code=Code("LINK_LEVEL", "a linked jackpot was closed at the table"),
        significant=_is_closed,
        log=LogLine("linked level", ("jackpot", "state", "n", "why")),
        before_cards=True,
    ),
    RecordKind(
        "share won",
        events.ShareWon,
        text=_share_won,
        code=Code("LINK_WON", "a linked progressive decided what a claim of the table wins"),
        log=LogLine("share won", ("claim", "cents", "n")),
        before_cards=True,
    ),
    # notes
    RecordKind(
        "alert",
        notes.Alert,
        text=lambda alert: alert.text,
        code=Code("ALERT", "a person at the table had to look"),
        log=LogLine("alert", ("text",), "warning"),
        before_cards=True,
    ),
    RecordKind(
        "refusal",
        notes.Refusal,
        text=lambda refusal: f"{refusal.action}{_of_seat(refusal.seat)} was refused",
        reason=lambda refusal: refusal.reason,
        persons=_who,
        heading="refusal",
        audited=lambda refusal: bool(refusal.who),
        log=LogLine("refused", ("action", "seat", "reason", "who")),
    ),
    RecordKind(
        "override",
        notes.Overridden,
        text=lambda override: f"root did what row {override.row} says, without signing in",
        reason=_why,
        persons=_who,
        code=Code("OVERRIDE", "root acted on the table without signing in"),
        heading="override",
        log=LogLine("override", ("row", "why"), "warning"),
        before_cards=True,
    ),
    RecordKind(
        "suspended",
        notes.Suspended,
        text=_why,
        code=Code("SUSPENDED", "play stopped"),
        log=LogLine("suspended", ("why",), "warning"),
        before_cards=True,
    ),
    RecordKind(
        "resumed",
        notes.Resumed,
        text=lambda _: "play goes on",
        code=Code("RESUMED", "every reason for the suspension is cleared"),
        log=LogLine("resumed"),
        before_cards=True,
    ),
    RecordKind("permit", notes.Permitted),
    RecordKind("settlement", Settled, text=lambda _: "every wager is decided"),
    RecordKind(
        "opened", notes.CardOpened, text=lambda opened: f"the sealed card of row {opened.row} is opened"
    ),
    RecordKind("revealed", Revealed, text=lambda revealed: f"the dealer turns {revealed.card}"),
    RecordKind(
        "peek",
        Peeked,
        text=lambda peek: f"the dealer looks: {'a natural' if peek.natural else 'no natural'}",
    ),
    RecordKind(
        "meter",
        notes.MeterMoved,
        text=meter_text,
        reason=_why,
        persons=_both,
        code=Code("JACKPOT", "a jackpot was won, began anew or was corrected"),
        significant=lambda moved: moved.kind != "contribution",  # the accounts list contributions
        unaudited="what moved it is listed",
        log=LogLine("meter", ("spot", "kind", "before", "after", "why")),
        before_cards=True,
    ),
    RecordKind("level read", notes.LevelRead, text=_level_read, before_cards=True),
    RecordKind(
        "claim",
        notes.ClaimMoved,
        text=claim_text,
        persons=_claim_persons,
        code=Code("CLAIM", "a jackpot was hit, or a claim of it went a step on"),
        before_cards=True,
    ),
    RecordKind(
        "round",
        notes.RoundEnded,
        text=lambda ended: f"round {ended.round.number} is {'void' if _is_void(ended) else 'over'}",
        code=Code("ROUND_VOID", "a round was voided"),
        significant=_is_void,
        log=LogLine("round ended", ("round.number", "round.outcome")),
    ),
    RecordKind(
        "corrected",
        notes.RoundCorrected,
        text=_round_corrected,
        reason=_why,
        persons=_both,
        code=Code("ROUND_CORRECTED", "a misread card, or a late one, was corrected"),
        heading="decision",
        log=LogLine("round corrected", ("number", "seat", "hand", "card", "who", "why"), "warning"),
        before_cards=True,
    ),
    RecordKind(
        "key undone",
        notes.KeyUndone,
        text=_key_undone,
        reason=_why,
        persons=_both,
        code=Code("KEY_UNDONE", "a dealer's key was taken back"),
        heading="decision",
        log=LogLine("key undone", ("number", "action", "seat", "who", "second", "why"), "warning"),
    ),
    RecordKind(
        "request",
        notes.RequestMoved,
        text=_request,
        reason=_request_reason,
        persons=_request_persons,
        code=Code("REQUEST", "a person asked for what others must grant, or it was answered"),
        heading="request",
        log=LogLine("request", ("number", "about", "state", "who", "why", "by", "because")),
        before_cards=True,
    ),
    RecordKind(
        "shoe ended",
        notes.ShoeEnded,
        text=_shoe_ended,
        code=Code("SHOE_ENDED", "the cards of a shoe were accounted for"),
        log=LogLine("shoe ended", ("decks", "dealt", "burned", "unread", "left", "balanced")),
        before_cards=True,
    ),
    RecordKind(
        "deck checked",
        notes.DeckChecked,
        text=_deck_checked,
        code=Code("PACK_COUNTED", "the shuffler counted its pack"),
        log=LogLine("deck checked", ("device", "serial", "decks", "good", "wrong")),
        before_cards=True,
    ),
    RecordKind(
        "cleared",
        notes.Cleared,
        text=lambda cleared: f"the {cleared.device} may serve again",
        code=Code("CLEARED", "a person let a device serve again"),
        log=LogLine("cleared", ("device",)),
        before_cards=True,
    ),
    RecordKind(
        "firmware",
        notes.FirmwareUpdated,
        text=_firmware,
        persons=_both,
        code=Code("FIRMWARE", "the firmware of a device was changed"),
        heading="firmware",
        before_cards=True,
    ),
    RecordKind(
        "maker key",
        notes.MakerKeyReplaced,
        text=_maker_key,
        persons=_both,
        code=Code("MAKER_KEY", "a device was given another key of its maker"),
        heading="firmware",
        before_cards=True,
    ),
    RecordKind(
        "clock",
        notes.ClockStepped,
        text=_clock,
        code=Code("CLOCK", "the clock of the stamps was set"),
        log=LogLine("clock stepped", ("seconds", "asleep"), "warning"),
        before_cards=True,
    ),
    RecordKind(
        "self-test",
        notes.SelfTested,
        text=lambda test: f"{test.files} files, manifest {test.manifest or 'none'}",
        code=Code("SELF_TEST", "the controller compared its own files with the manifest"),
        log=LogLine("self-test", ("version", "files", "manifest")),
        before_cards=True,
    ),
    RecordKind(
        "retired",
        notes.Retired,
        text=lambda retired: f"{retired.file}, rows {retired.first} to {retired.last}",
        code=Code("RETIRED", "a file of the journal was removed when its time was over"),
        log=LogLine("file retired", ("file", "first", "last", "sha256")),
        before_cards=True,
    ),
    RecordKind(
        "access",
        notes.Accessed,
        text=_access,
        reason=lambda access: access.text,
        persons=_who,
        code=Code("ACCESS", "a person signed in or out or was refused, or an account was changed"),
        heading="access",
        log=LogLine("access", ("what", "who", "role", "address", "text"), _access_level),
    ),
)

SNAPSHOT = "snapshot"
"""The kind of the rows that hold the whole state; `state/snapshot.py` writes and reads them."""
BY_NAME: dict[str, RecordKind[Any]] = {kind.name: kind for kind in KINDS}
BY_RECORD: dict[type, RecordKind[Any]] = {kind.record: kind for kind in KINDS}
INPUTS: dict[str, type[events.Input]] = {
    kind.name: kind.record for kind in KINDS if kind.record in get_args(events.Input)
}
NOTES: dict[str, type[notes.Note]] = {kind.name: kind.record for kind in KINDS if kind.name not in INPUTS}
