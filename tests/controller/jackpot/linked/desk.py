"""Builds a level in tests: messages of tables and of the floor become entries, one after another."""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from controller.jackpot.linked.apply import apply
from controller.jackpot.linked.decide import Received, decide
from controller.jackpot.linked.entries import LogEntry
from controller.jackpot.linked.level import Contributor, LinkedLevel
from controller.jackpot.linked.messages import (
    Admission,
    Admit,
    ClaimedShare,
    ClaimMessage,
    InputMessage,
    LevelParameters,
    MeterReading,
    SetParameters,
    StepMessage,
)
from controller.jackpot.linked.wire import MalformedMessage
from controller.jackpot.meter import Meter
from controller.jackpot.parameters import Parameters

LEVEL = "sevens"
TABLE = "t1"
EPOCH = "0" * 16
KEY = "a" * 64
FLOOR = "f" * 64
TWO = ("A. Smith", "B. Jones")
PARAMETERS = Parameters(50_000, Fraction(15, 100), Fraction(5, 100), threshold=1_000)


def reading(row: int, rounds: int, wagers: int, wagered: int, void: tuple[int, int] = (0, 0)) -> MeterReading:
    return MeterReading(
        level=LEVEL,
        epoch=EPOCH,
        row=row,
        rounds=rounds,
        wagers=wagers,
        wagered=wagered,
        voided_wagers=void[0],
        voided=void[1],
    )


def claim(*shares: tuple[int, int], number: int = 1, chip: int = 100) -> ClaimMessage:
    """Seats and shares in percent."""
    claims = tuple(
        ClaimedShare(claim=claim_id(seat, number), seat=seat, share=share) for seat, share in shares
    )
    return ClaimMessage(
        level=LEVEL, epoch=EPOCH, round=number, row=9, chip=chip, seen=(1, 1, 50_000), claims=claims
    )


def claim_id(seat: int, number: int = 1) -> str:
    return f"{TABLE}/{EPOCH}/{number}/{seat}/{LEVEL}"


def step(seat: int, to: Any) -> StepMessage:
    return StepMessage(level=LEVEL, epoch=EPOCH, claim=claim_id(seat), to=to, row=10)


def admission(table: str = TABLE, epoch: str = EPOCH, key: str = KEY) -> Admission:
    return Admission(table=table, epoch=epoch, public=key)


@dataclass
class Desk:
    """A level with a table, and its log."""

    state: LinkedLevel = field(default_factory=lambda: LinkedLevel(LEVEL))
    log: list[LogEntry] = field(default_factory=list)
    sequence: int = 0
    ids: int = 0

    def decide(self, *inputs: Received) -> list[Any]:
        """What these inputs lead to; the level follows it."""
        entry = decide(self.state, inputs)
        if entry is None:
            return []
        self.follow(entry)
        return list(entry.out)

    def follow(self, entry: LogEntry) -> None:
        self.state = apply(self.state, entry)
        self.log.append(entry)

    def received(
        self, message: InputMessage | MalformedMessage, table: str = TABLE, signer: str = KEY
    ) -> Received:
        self.sequence += 1
        return Received(self.sequence, float(self.sequence), f"{self.sequence:064x}", table, signer, message)

    def say(
        self, message: InputMessage | MalformedMessage, table: str = TABLE, signer: str = KEY
    ) -> list[Any]:
        """One message, as one entry."""
        return self.decide(self.received(message, table, signer))

    def order(self, kind: Any, value: Any, about: int | None = None, **other: Any) -> list[Any]:
        """Two persons decide, about what they see now."""
        self.ids += 1
        given = {"level": LEVEL, "id": f"a{self.ids}", "who": TWO, "why": "test", "issued": 1.0} | other
        return self.say(kind(value=value, about=self.state.n if about is None else about, **given), "", FLOOR)

    @property
    def meter(self) -> Meter:
        assert self.state.meter
        return self.state.meter

    @property
    def table(self) -> Contributor:
        return self.state.contributors[TABLE, EPOCH]


def opened(parameters: Parameters = PARAMETERS) -> Desk:
    """A level with parameters, and one admitted table."""
    desk = Desk()
    desk.order(Admit, admission())
    desk.order(SetParameters, LevelParameters.of(parameters))
    return desk
