"""From rows to facts: each kind of row that says something has its taker."""

import json
from collections.abc import Callable, Iterable
from typing import Any, cast

from controller.calendar import Period
from controller.jackpot import Unbalanced
from controller.journal.chain import Entry
from controller.journal.closed_files import CONTINUED
from controller.journal.errors import JournalError
from controller.money import text
from controller.past.reports.facts import Event, Facts, Rules, Said
from controller.past.reports.trackers import LOST, Lasting, Metered, Rounds, states
from controller.past.significant import significant
from controller.table.record.codec import INPUTS, SNAPSHOT
from controller.table.record.notes import ClaimMoved, MeterMoved, RoundCorrected, RoundEnded
from controller.table.record.records import whole

UNREADABLE = (KeyError, TypeError, ValueError, AttributeError, RecursionError, Unbalanced)
"""What rows that make no sense lead to."""
QUIET = frozenset({"console key", "dealer", "started"})
"""Words of people that are no decisions."""
WORDS: dict[str, Callable[[Any], str]] = {
    **dict.fromkeys(("choice", "step", "about", "what", "pattern", "spot", "device"), str),
    "licence": "licence {}".format,
    "claim": "claim {}".format,
    "alarm": "alert {}".format,
    "request": "request {}".format,
    "round": "round {}".format,
    "cents": text,
}
"""Fields of which a decision is told, in this order, and how. The card that somebody names is none."""
FLAGS = {"grant": ("granted", "declined"), "on": ("begun", "ended")}
"""Fields that are true or not, and what is said then."""
TABLES_OWN = frozenset({"ALERT", "SUSPENDED", "RESUMED", "SUPERVISOR", "JACKPOT", "CLAIM", "ROUND_VOID",
                        "ROUND_CORRECTED", "SHOE_ENDED", "SELF_TEST", "CLOCK", "RETIRED", "LINK_LOST",
                        "LINK_BACK", "SHOE_LOADED", "ACCESS", "ACKNOWLEDGED", "REQUEST", "TEST_MODE",
                        "LAMP_TEST"})  # fmt: skip
"""Codes that are told elsewhere in a report."""

Told = dict[str, Any]


class Taking:
    """Is told the rows of all stretches, oldest first. Raises JournalError for a row that makes no sense."""

    def __init__(self, period: Period) -> None:
        self.period, self.facts = period, Facts()
        self.rounds = Rounds(period)
        self._devices, self._suspended, self._dealers = Lasting(period), Lasting(period), Lasting(period)
        self._meters = Metered(self.facts)
        self._inside = False

    def stretch(self, rows: Iterable[Entry]) -> None:
        """A stretch begins with a snapshot, or with the journal."""
        begins = True
        for entry in rows:
            try:
                self._take(entry, begins=begins)
                begins = begins and entry.content.kind == CONTINUED
            except UNREADABLE as error:
                raise _senseless(entry, error) from error

    def correct(self, entry: Entry) -> None:
        """A correction, which may have come long after its round; behind all stretches."""
        try:
            self.rounds.correct(whole(RoundCorrected, json.loads(entry.content.body)))
        except UNREADABLE as error:
            raise _senseless(entry, error) from error

    def all(self, until: float) -> Facts:
        """What was told; what lasts still lasts until then."""
        facts = self.facts
        facts.rounds, facts.corrected = self.rounds.all(), self.rounds.corrected
        facts.intervals = self._devices.closed(until)
        facts.suspensions, facts.dealing = self._suspended.closed(until), self._dealers.closed(until)
        return facts

    def _take(self, entry: Entry, *, begins: bool) -> None:
        row = entry.content
        self._inside = self.period.holds(row.at)
        self._meters.new = self._meters.new or entry.row == 1
        if self._inside:
            self._meters.enter(entry.row)
        if row.kind == SNAPSHOT:
            self._snapshot(row.at, json.loads(row.body), begins=begins)
        elif row.kind in TAKERS:
            TAKERS[row.kind](self, row.at, json.loads(row.body))
        if row.kind == "event":
            self._event(row.at, row.device, json.loads(row.body))
        if self._inside:
            self._significant(entry)

    def _significant(self, entry: Entry) -> None:
        row, facts = entry.content, self.facts
        if row.kind in INPUTS and row.kind not in QUIET | {"event"}:
            self._say(row.kind, row.at, json.loads(row.body))
        told = significant(row)
        if told and told.code == "ALERT":
            facts.alerts.append(Event(row.at, told.code, told.device, told.text))
        elif told and told.code not in TABLES_OWN:
            facts.faults.append(Event(row.at, told.code, told.device, told.text))

    def _say(self, kind: str, at: float, told: Told) -> None:
        if told.get("who"):
            words = (say(told[name]) for name, say in WORDS.items() if told.get(name) not in (None, "", 0))
            flags = (said[not told[name]] for name, said in FLAGS.items() if name in told)
            what = " ".join((kind, *words, *flags))
            self.facts.said.append(
                Said(at, str(told["who"]), str(told.get("second", "")), what, str(told.get("why", "")))
            )

    def _snapshot(self, at: float, told: Told, *, begins: bool) -> None:
        """What it knows counts where a stretch begins, and for meters always: nothing else tells of rows that
        are left out."""
        self.rounds.rules = rules(told["rules"])
        if begins:
            self._name(told)
            self.rounds.follow(next(iter(told.get("ends", ())), None))
            self._stand(at, told)
        self._meters.seen(told.get("meters", {}))

    def _name(self, told: Told) -> None:
        for known, name in ((self.facts.tables, "table"), (self.facts.versions, "version")):
            if told.get(name) and told[name] not in known:
                known.append(told[name])

    def _stand(self, at: float, told: Told) -> None:
        for device, known in told["devices"].items():
            turn = self._devices.end if known["running"] else self._devices.begin
            turn(device, LOST, at)
        reasons = [*told["suspension"]["lasting"].values(), *told["suspension"]["passing"].values()]
        if not reasons:
            self._suspended.end_all(at)
        elif not self._suspended.open:
            self._suspended.begin("", reasons[0], at)
        self._deals(at, told.get("croupier", ""))

    def started(self, at: float, told: Told) -> None:
        """A daemon begins; no device is there."""
        if not self._inside:
            self.facts.tables.clear()
            self.facts.versions.clear()
        self._name(told)
        if self.rounds.rules is None:
            self.rounds.rules = rules(told)
        for device in told["devices"]:
            self._devices.begin(device, LOST, at)

    def lost(self, at: float, told: Told) -> None:
        """A device went."""
        self._devices.begin(told["device"], LOST, at)

    def running(self, at: float, told: Told) -> None:
        """A device serves."""
        self._devices.end(told["device"], LOST, at)

    def suspended(self, at: float, told: Told) -> None:
        """A reason to stand still; the first one names the suspension."""
        if not self._suspended.open:
            self._suspended.begin("", told["why"], at)

    def resumed(self, at: float, _told: Told) -> None:
        """Play goes on."""
        self._suspended.end_all(at)

    def dealer(self, at: float, told: Told) -> None:
        """Somebody deals from now on."""
        self._deals(at, told["who"])

    def moved(self, at: float, told: Told) -> None:
        """A meter moved."""
        self._meters.moved(at, whole(MeterMoved, told), inside=self._inside)

    def claimed(self, _at: float, told: Told) -> None:
        """A claim as it is after a step."""
        claim = cast("ClaimMoved", whole(ClaimMoved, told)).claim
        if self._inside:
            self.facts.claims[claim.number] = claim
            if claim.state == "paid":
                self.facts.paid[claim.number] = claim.cents

    def ended(self, at: float, told: Told) -> None:
        """A round has ended."""
        self.rounds.end(at, whole(RoundEnded, told))

    def refused(self, _at: float, _told: Told) -> None:
        """A key was not legal."""
        self.facts.refusals += self._inside

    def stepped(self, _at: float, told: Told) -> None:
        """The clock was set."""
        if self._inside and not told.get("asleep"):
            self.facts.clock_steps.append(float(told["seconds"]))

    def shoe_ended(self, _at: float, _told: Told) -> None:
        """A shoe is through."""
        self.facts.shoes += self._inside

    def _deals(self, at: float, who: str) -> None:
        if who and ("", who) in self._dealers.open:
            return
        self._dealers.end_all(at)
        if who:
            self._dealers.begin("", who, at)
        self.rounds.croupier = who

    def _event(self, at: float, device: str, told: Told) -> None:
        if isinstance(told["body"], dict) and not told["history"]:
            for what, on in states(told["body"]):
                (self._devices.begin if on else self._devices.end)(device, what, at)


def _senseless(entry: Entry, error: Exception) -> JournalError:
    kind = entry.content.kind
    return JournalError(f"row {entry.row} of the journal makes no sense as a row of kind {kind}: {error!r}")


def rules(told: Told) -> Rules:
    """Of a start or a snapshot."""
    return Rules(told["game"], json.dumps(told["options"], sort_keys=True))


TAKERS: dict[str, Callable[[Taking, float, Told], None]] = {
    "started": Taking.started,
    "device lost": Taking.lost,
    "device running": Taking.running,
    "suspended": Taking.suspended,
    "resumed": Taking.resumed,
    "dealer": Taking.dealer,
    "meter": Taking.moved,
    "claim": Taking.claimed,
    "round": Taking.ended,
    "refusal": Taking.refused,
    "clock": Taking.stepped,
    "shoe ended": Taking.shoe_ended,
}
