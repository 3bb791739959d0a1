"""The state of the table: no clock, no I/O. Applying the inputs of the journal rebuilds it exactly."""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from controller.games.game import Game
from controller.jackpot import Meter, Register
from controller.round import Command, Event, Round, Wager
from controller.table.record.causes import Cause, cause, kind_of
from controller.table.record.notes import Alert, MeterMoved, Note, RoundEnded, Suspended, alert_text
from controller.table.record.round_script import ScriptWriter, write_script
from controller.table.record.rules import Rules
from controller.table.record.views import RoundView
from controller.table.state.card_ledger import CardLedger
from controller.table.state.device_record import DeviceRecord
from controller.table.state.linked import LevelAccount, LevelCounts
from controller.table.state.round_log import RoundLog
from controller.table.state.shift import Shift
from controller.table.state.shuffler_cycle import ShufflerCycle
from controller.table.state.suspension import Suspension
from controller.table.state.test_session import DeviceTest
from drivers.adapters.options import WITHOUT_CUT

ROUNDS_KEPT = 50
ALERTS_KEPT = 8
LASTING_BETWEEN = frozenset({"closed"})
"""Kinds of reasons that take effect between two rounds and need a supervisor to end."""
PENDING_PARAMETERS = "new parameters of its jackpot wait until it is won"


@dataclass(frozen=True, slots=True)
class UnplacedCard:
    """A card that left the shoe and has no place yet.

    `card` is empty if the shoe could not read it. `why`: the reason to wait, as the predicate of a sentence.
    `regular`: it left under the permit, and takes its place without a person once one is due and no card
    waits before it. `again`: a person has asked that it goes through the shoe once more.
    """

    count: int
    card: str = field(repr=False)
    why: str
    regular: bool
    again: bool = False


@dataclass(eq=False, repr=False)
class TableState:
    """Everything that the table knows. Only `state_machine.apply` changes it."""

    rules: Rules
    game: Game = field(init=False)
    coming: Rules = field(init=False)
    """The rules of the next round. Rules never change while wagers are latched."""
    coming_game: Game = field(init=False)
    table: str = ""
    version: str = ""
    """The version of the daemon that plays. Each start records it with the table's name."""
    epoch: str = ""
    """What tells this journal from every other one of the table: the first 16 hex digits of the hash of its
    row 1. Each start and each snapshot records it, because the file with row 1 is deleted one day. Empty
    before row 1 is on disk."""
    number: int = 1
    bank: int = field(init=False)
    """The seat whose turn it is to bank; 0: the third party's."""
    meters: dict[str, Meter] = field(default_factory=dict)
    """Jackpots by spot; one whose game is not played now waits."""
    meters_before: dict[str, Meter] = field(default_factory=dict)
    """The jackpots before the round in play moved them."""
    register: Register = field(default_factory=Register)
    """Claims of won shares."""
    locked_shares: tuple[tuple[int, str, int], ...] | None = None
    """Shares that the round in play wins, in the order of the winners: seat, spot, cents. None: they are not
    locked yet."""
    linked: dict[str, LevelAccount] = field(default_factory=dict)
    """Linked progressives, by level; one that no spot plays for any more stays, because its meters only
    rise."""
    linked_before: dict[str, LevelCounts] = field(default_factory=dict)
    """What this table had counted for each level before the round in play."""
    shown: dict[str, int] = field(default_factory=dict)
    """Cents that each linked level shows now. They come from outside up to some times a second, and are not
    replayed: an input records them before they count (`LevelChanged`)."""
    devices: dict[str, DeviceRecord] = field(default_factory=dict)
    ledger: CardLedger = field(init=False)
    cycle: ShufflerCycle = field(default_factory=ShufflerCycle)
    suspension: Suspension = field(default_factory=Suspension)
    chips: dict[tuple[int, int], int] = field(default_factory=dict)
    """Cents by (seat, spot), for each spot on which the sensors see chips; 0: they cannot value the chips."""
    round_log: RoundLog = field(default_factory=RoundLog)
    faulty_spots: set[tuple[int, int]] = field(default_factory=set)
    """Spots whose sensor cannot be trusted."""
    unread_devices: set[str] = field(default_factory=set)
    """Devices that sent a critical event which this version cannot read."""
    standing: dict[str, str] = field(default_factory=dict)
    """Alerts that stay until their cause is gone, by what they are about."""
    after_round: dict[Cause, str] = field(default_factory=dict)
    """By cause, reasons to suspend play once the round in play is over."""
    unplaced: deque[UnplacedCard] = field(default_factory=deque)
    shoe_wanted: bool = True
    """The shoe must be loaded before anything is dealt."""
    cut_out: bool = False
    """The shoe ends with this round."""
    burn: int = 0
    """Cards that the next round burns first."""
    alerts: deque[str] = field(default_factory=lambda: deque(maxlen=ALERTS_KEPT))
    ended_rounds: deque[RoundEnded] = field(default_factory=lambda: deque(maxlen=ROUNDS_KEPT))
    """Ended rounds, newest first."""
    shift: Shift = field(default_factory=Shift)
    notes: list[Note] = field(default_factory=list)
    """What followed from the present input."""
    round: Round = field(init=False)
    script_writer: ScriptWriter = field(default_factory=ScriptWriter)
    """The round in play as a script."""

    def __post_init__(self) -> None:
        self.coming, self.game = self.rules, self.rules.open()
        self.coming_game = self.game
        self.bank = self.rules.next_bank(0)
        self.ledger = CardLedger(self.game.options.decks)
        self._feed_meters()
        self._open_accounts()
        self.round = self._fresh_round()

    @property
    def ended_views(self) -> tuple[RoundView, ...]:
        """Ended rounds as anybody may see them, newest first."""
        return tuple(ended.round for ended in self.ended_rounds)

    @property
    def underway(self) -> bool:
        """Whether wagers are latched."""
        return self.round.phase != "betting"

    @property
    def halted(self) -> bool:
        """Whether the table takes neither cards nor keys."""
        return bool(self.suspension) or (self.shoe_wanted and not self.underway)

    @property
    def testing(self) -> DeviceTest | None:
        """Test mode, while it is on."""
        return self.suspension.testing

    @property
    def awaits_loading(self) -> bool:
        """Whether the dealer has to report that the shoe was loaded, because this shoe cannot."""
        shoe = self.devices.get("shoe")
        wanted = self.shoe_wanted and not self.underway and not self.suspension
        return wanted and shoe is not None and bool(shoe.adapter)

    @property
    def cut_card_is_out(self) -> bool:
        """Whether so many cards are out that the cut card must be too, for a shoe that does not report it."""
        shoe, decks = self.devices.get("shoe"), self.ledger.decks
        behind = 52 if decks > 1 else 26
        return shoe is not None and shoe.adapter in WITHOUT_CUT and self.ledger.out >= 52 * decks - behind

    def set_coming_rules(self, rules: Rules) -> None:
        """These rules apply from the next round on."""
        if rules != self.coming:
            self.coming, self.coming_game = rules, rules.open()

    def begin_round(self) -> None:
        """Begin the next round with the newest rules."""
        if self.coming != self.rules:
            self._change_rules()
        self.lay_out_round()
        while self.after_round:
            self._suspend_after_round(*self.after_round.popitem())

    def lay_out_round(self) -> None:
        """Begin a round with the chips that lie on the felt."""
        self.round, self.script_writer = self._fresh_round(), ScriptWriter()
        self.round_log, self.locked_shares = RoundLog(), None
        for seat, spot in sorted(self.chips):
            if self.plays(seat, spot):
                self.apply_chips(seat, spot)

    def plays(self, seat: int, spot: int) -> bool:
        """Whether the rules in force have this spot, and no linked level closes it."""
        spots = self.game.spots
        return seat <= self.rules.seats and spot < len(spots) and self.is_open(spots[spot])

    def is_open(self, spot: str) -> bool:
        """Whether the spot of this name may take wagers: false while its linked level is closed."""
        level = self.rules.linked.get(spot)
        return level is None or self.linked[level].playable

    def jackpot_state(self, spot: str) -> str:
        """Empty for a jackpot of this table, else the state of its linked level here."""
        level = self.rules.linked.get(spot)
        return "" if level is None else self.linked[level].state

    def jackpot_cents(self, spot: str) -> int:
        """What the jackpot of this spot shows now, in cents."""
        level = self.rules.linked.get(spot)
        if level is None:
            return self.meters[spot].cents
        return self.shown.get(level, self.linked[level].cents)

    def fresh_shoe(self) -> None:
        """The shoe holds fresh cards, none of them out."""
        options = self.coming_game.options
        self.ledger = CardLedger(
            options.decks, first_round=self.number + self.underway, last_shoe=self.ledger.last_shoe
        )
        self.round_log.before_shoe = len(self.round_log.events)
        self.shoe_wanted = self.cut_out = False
        self.burn = options.burn_cards

    def end_shoe(self) -> None:
        """The shoe's cards serve no further round."""
        self.cut_out = True
        self.shoe_wanted = self.shoe_wanted or not self.underway

    def apply_to_round(self, event: Event) -> tuple[Command, ...]:
        """Let the round handle an event, and log it. Raises EventRefused before anything has changed."""
        phase = self.round.phase
        commands = self.round.handle(event)
        self.script_writer.add(phase, event, self.round)
        self.round_log.add(phase, event, self.round)
        return commands

    def replay_round(self, log: RoundLog, indexes: Iterable[int]) -> None:
        """Replay the round in play with these events of the log; the other events no longer count."""
        self.round, self.round_log = self.round.fresh(), log
        self.script_writer = write_script(self.round, (log.events[at] for at in indexes))

    def apply_chips(self, seat: int, spot: int) -> tuple[Command, ...]:
        """Tell the round which chips lie on a spot. Raises EventRefused if the game has no such spot."""
        cents = self.chips.get((seat, spot))
        name = self.game.spots[spot] if spot < len(self.game.spots) else f"number {spot}"
        return self.apply_to_round(Wager(seat, name, cents is not None, cents or None))

    def clear_chips(self) -> None:
        """Forget all chips; latched wagers stay. In test mode only the chips of the test are forgotten."""
        if self.testing:
            self.suspension.testing = replace(self.testing, lies=())
            return
        self.chips.clear()
        if not self.underway:
            self.lay_out_round()

    def raise_alarm(self, about: Cause, note: Alert | Suspended) -> None:
        """Note something that a person must acknowledge."""
        self.notes.append(note)
        about, text = self._slow_disk(about) or (about, alert_text(note))
        self.shift.alarms.add(about, text, self.shift.at, self.number)

    def _slow_disk(self, about: Cause) -> tuple[Cause, str] | None:
        """The alert about a slow disk. It is the likely cause of the loss of a device, which then counts
        under this alert."""
        if kind_of(about) != "missing":
            return None
        found = (told for told in self.standing.items() if kind_of(told[0]) == "latency")
        return next(((Cause(disk), text) for disk, text in found), None)

    def alert(self, about: Cause, text: str) -> None:
        """Show a sentence at the table until the round is over."""
        self.alerts.append(text)
        self.raise_alarm(about, Alert(text))

    def set_standing(self, about: Cause, text: str) -> None:
        """Raise an alert that stays until its entry in `standing` is removed."""
        if self.standing.get(about) != text:
            self.standing[about] = text
            self.raise_alarm(about, Alert(text))

    def suspend(self, about: Cause, why: str, *, lasting: bool = False) -> None:
        """Suspend play. A `lasting` reason needs a person; any other one ends with `lift`."""
        reasons = self.suspension.lasting if lasting else self.suspension.passing
        if reasons.get(about) != why:
            reasons[about] = why
            self.raise_alarm(about, Suspended(why))

    def suspend_unalarmed(self, about: Cause, why: str) -> None:
        """Suspend play for a temporary reason that nobody has to acknowledge."""
        if self.suspension.passing.get(about) != why:
            self.suspension.passing[about] = why
            self.notes.append(Suspended(why))

    def suspend_between(self, about: Cause, why: str) -> None:
        """Suspend play once the round in play is over: for a temporary reason, or for one of the kinds of
        LASTING_BETWEEN."""
        if self.underway:
            self.after_round[about] = why
            self.raise_alarm(about, Alert(why))
        else:
            self.suspend(about, why, lasting=kind_of(about) in LASTING_BETWEEN)

    def _suspend_after_round(self, about: Cause, why: str) -> None:
        if kind_of(about) in LASTING_BETWEEN:
            self.suspension.lasting[about] = why
            self.notes.append(Suspended(why))
        else:
            self.suspend_unalarmed(about, why)

    def lift(self, about: Cause) -> None:
        """End a temporary reason."""
        self.suspension.passing.pop(about, None)
        self.after_round.pop(about, None)

    def _change_rules(self) -> None:
        decks, coming = self.game.options.decks, self.coming
        fed = replace(self.rules, jackpots=coming.jackpots, unplayed=coming.unplayed)
        granted = coming.approvals and fed == coming
        self.rules, self.game = self.coming, self.coming_game
        self.shoe_wanted = self.shoe_wanted or self.game.options.decks != decks
        if not granted:  # the table plays: the shuffler goes on with what it does
            self.cycle.reset()
        self._feed_meters()
        self._open_accounts()

    def _feed_meters(self) -> None:
        """Apply the rules in force to the meters. A jackpot that nobody has played for shows its seed."""
        for spot in self.game.meters:
            parameters, meter = self.rules.parameters_of(spot), self.meters.get(spot)
            if meter is None or not self.rules.claims:
                self.meters[spot] = Meter(parameters, meter.books if meter else None)
                continue
            self.meters[spot] = changed = meter.change(parameters)
            if changed.pending and changed.pending != meter.pending:
                self.raise_alarm(cause("pending", spot), Alert(f"{spot}: {PENDING_PARAMETERS}"))
            if changed.books != meter.books:
                why = "Nobody has played for it yet: it begins with the new seed"
                self.notes.append(
                    MeterMoved(spot, "seed", meter.cents, changed.cents, why, books=changed.books)
                )

    def _open_accounts(self) -> None:
        """Each level of the rules in force has an account."""
        for level in self.rules.linked.values():
            self.linked.setdefault(level, LevelAccount())

    def _fresh_round(self) -> Round:
        bank = self.bank if self.game.player_banked and self.bank <= self.rules.seats else 0
        return Round(
            self.game,
            seats=self.rules.seats,
            burn=self.burn,
            bank=bank,
            pay_from=self.rules.pay_from,
        )
