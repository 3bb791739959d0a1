"""Counters and histograms of the table for Prometheus."""

from controller.table.record.events import Input
from controller.table.record.notes import Accessed, Alert, ClockStepped, Note, Refusal, RoundEnded
from controller.telemetry.prometheus.instruments import Counter, Gauge, Histogram
from controller.telemetry.prometheus.registry import CollectorRegistry
from drivers.link.reports import DeviceEvent
from drivers.messages import CardDrawn, CardInterrupted, CardUnpermitted, CardUnreadable

COMMIT_BOUNDS = (0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1.0)
LAMP_BOUNDS = (0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1.0)
CARD_KINDS: dict[type, str] = {
    CardDrawn: "drawn",
    CardUnreadable: "unreadable",
    CardUnpermitted: "unpermitted",
    CardInterrupted: "interrupted",
}
ACCESS_KINDS = (
    "signed in",
    "signed out",
    "confirmed",
    "expired",
    "replaced",
    "refused",
    "locked out",
    "forged",
    "account",
    "directory",
    "sealed account",
)
"""The values of `Accessed.what`. Each kind of a counter exists from 0 on, because `increase` in Prometheus
does not count a series that begins at 1."""
OUTCOMES = ("settled", "void")
"""The outcomes of a round."""


class TableMetrics:
    """An observer of the table. Labels name kinds, game and seats, but never cards."""

    def __init__(self, registry: CollectorRegistry, game: str, version: str) -> None:
        self._game = game
        build = Gauge("tableside_build_info", "The running version", ("version", "game"), registry=registry)
        build.set(1, version, game)
        self._cards = Counter(
            "tableside_cards_total", "Cards that left the shoe, by how", ("kind",), registry=registry
        )
        self._rounds = Counter("tableside_rounds_total", "Ended rounds", ("game", "kind"), registry=registry)
        self._wagers = Counter(
            "tableside_wagers_total", "Settled wagers", ("seat", "kind"), registry=registry
        )
        self._refusals = Counter("tableside_refusals_total", "Refused keys and decisions", registry=registry)
        self._steps = Counter(
            "tableside_clock_steps_total", "Times that the clock was set", registry=registry
        )
        self._access = Counter(
            "tableside_access_total", "Who came and went, and who was sent away", ("kind",), registry=registry
        )
        self._alerts = Counter("tableside_alerts_total", "Alerts at the table", registry=registry)
        self._commit = Histogram(
            "tableside_journal_commit_seconds",
            "One transaction of the journal",
            bounds=COMMIT_BOUNDS,
            registry=registry,
        )
        self._lamp = Histogram(
            "tableside_card_to_lamp_seconds",
            "From a card's arrival until what follows is with the devices",
            bounds=LAMP_BOUNDS,
            registry=registry,
        )
        for kind in CARD_KINDS.values():
            self._cards.begin(kind)
        for kind in ACCESS_KINDS:
            self._access.begin(kind)
        for kind in OUTCOMES:
            self._rounds.begin(game, kind)

    def on_input(self, event: Input) -> None:
        """Count cards by how they left the shoe."""
        if (
            isinstance(event, DeviceEvent)
            and not event.history
            and (kind := CARD_KINDS.get(type(event.body)))
        ):
            self._cards.add(kind)

    def on_note(self, note: Note) -> None:
        """Count alerts, accesses, clock steps, refusals, rounds and wagers."""
        if isinstance(note, Alert):
            self._alerts.add()
        elif isinstance(note, Accessed):
            self._access.add(note.what)
        elif isinstance(note, ClockStepped):
            self._steps.add()
        elif isinstance(note, Refusal):
            self._refusals.add()
        elif isinstance(note, RoundEnded):
            self._rounds.add(self._game, note.round.outcome)
            for line in note.round.lines:
                self._wagers.add(str(line.seat), line.wager)

    def on_commit(self, seconds: float) -> None:
        """Note the duration of a commit of the journal."""
        self._commit.observe(seconds)

    def on_outputs(self, seconds: float) -> None:
        """Note the time from a card's arrival to the outputs that follow from it."""
        self._lamp.observe(seconds)
