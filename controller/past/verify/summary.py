"""Connect the parts of a journal, and sum them up."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from controller.jackpot import Claim
from controller.past.verify.findings import Findings
from controller.past.verify.jackpots import MeterState, difference, wrong_steps
from controller.past.verify.row_checks import ChangedKey, ConfirmedRows, KeyUse, PartResult
from controller.past.verify.seals import Boxes, differences


@dataclass(slots=True)
class HistorySummary:
    """`opened`: the cards that were opened as they were sealed; `signed`: the last row that a checkpoint
    signs, 0 if none does; `snapshot`: the last snapshot at the end of a round."""

    rows: int = 0
    rounds: int = 0
    movements: int = 0
    opened: int = 0
    signed: int = 0
    snapshot: int = 0
    keys: dict[str, KeyUse] = field(default_factory=dict)
    confirmed: list[ConfirmedRows] = field(default_factory=list)
    changes: list[ChangedKey] = field(default_factory=list)


def summarize(parts: Iterable[PartResult]) -> HistorySummary:
    """The parts must be in order."""
    whole_summary = HistorySummary()
    for part in parts:
        whole_summary.rows += part.rows
        whole_summary.rounds += part.rounds
        whole_summary.movements += part.meters.movements
        whole_summary.opened += part.seals.opened
        whole_summary.signed = max(whole_summary.signed, part.signed)
        whole_summary.snapshot = max(whole_summary.snapshot, part.snapshot)
        whole_summary.confirmed += part.confirmed
        whole_summary.changes += part.changes
        for key, signed in part.keys.items():
            whole = whole_summary.keys.setdefault(key, KeyUse(0, signed.row, signed.last))
            whole.count, whole.last = whole.count + signed.count, signed.last
    return whole_summary


def check_between(parts: Iterable[PartResult]) -> Iterator[Findings]:
    """Meters, claims, sealed cards and numbers of rounds must go on where the part before ended."""
    meters: dict[str, MeterState] = {}
    claims: dict[int, tuple[int, Claim]] = {}
    boxes: Boxes | None = None
    number = 0
    for part in parts:
        findings = Findings(part.file)
        for spot, reading in part.meters.first.items():
            if what := difference(meters.get(spot), reading):
                findings.add("meter", reading.row, f"jackpot {spot} {what}")
        for claimed, (row, claim) in part.claims.first.items():
            for what in wrong_steps(claims.get(claimed), claim):
                findings.add("claim", row, what)
        if part.seals.first and boxes is not None:
            row, kept = part.seals.first
            for what in differences(boxes, kept):
                findings.add("seal", row, what)
        boxes = part.seals.boxes
        meters |= part.meters.last
        claims |= part.claims.last
        if part.first_round:
            first, row = part.first_round
            if number and first != number + 1:
                findings.add("money", row, f"round {first}; it should be {number + 1}")
            number = (part.last_round or part.first_round)[0]
        yield findings


def retired(parts: list[PartResult]) -> Findings:
    """If the first rows are missing, a row must say that they were removed."""
    first = parts[0].first
    findings = Findings(parts[0].file)
    if first > 1 and not any(first - 1 in part.gone for part in parts):
        findings.add_text(
            "retention",
            first,
            f"journal {parts[0].file}: it begins with row {first}; rows 1 to {first - 1} are missing, and no "
            "row says that they were taken away",
        )
    return findings
