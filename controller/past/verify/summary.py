"""What lies between the parts of a history, and what all of them come to."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from controller.jackpot import Claim
from controller.past.verify.findings import Findings
from controller.past.verify.jackpots import Reading, differs, goes_on
from controller.past.verify.row_checks import Checked, Confirmed, Signed


@dataclass(slots=True)
class Summary:
    """All parts together. `signed`: the last row that a checkpoint signs, 0 if none does; `snapshot`: the
    last snapshot at the end of a round."""

    rows: int = 0
    rounds: int = 0
    movements: int = 0
    signed: int = 0
    snapshot: int = 0
    keys: dict[str, Signed] = field(default_factory=dict)
    confirmed: list[Confirmed] = field(default_factory=list)


def summary(parts: Iterable[Checked]) -> Summary:
    """Parts in their order."""
    told = Summary()
    for part in parts:
        told.rows += part.rows
        told.rounds += part.rounds
        told.movements += part.meters.movements
        told.signed = max(told.signed, part.signed)
        told.snapshot = max(told.snapshot, part.snapshot)
        told.confirmed += part.confirmed
        for key, signed in part.keys.items():
            whole = told.keys.setdefault(key, Signed(0, signed.row, signed.last))
            whole.count, whole.last = whole.count + signed.count, signed.last
    return told


def between(parts: Iterable[Checked]) -> Iterator[Findings]:
    """Meters, claims and numbers of rounds go on where the part before ended."""
    meters: dict[str, Reading] = {}
    claims: dict[int, tuple[int, Claim]] = {}
    number = 0
    for part in parts:
        findings = Findings(part.file)
        for spot, reading in part.meters.first.items():
            if what := differs(meters.get(spot), reading):
                findings.add("meter", reading.row, f"jackpot {spot} {what}")
        for claimed, (row, claim) in part.claims.first.items():
            for what in goes_on(claims.get(claimed), claim):
                findings.add("claim", row, what)
        meters |= part.meters.last
        claims |= part.claims.last
        if part.first_round:
            first, row = part.first_round
            if number and first != number + 1:
                findings.add("money", row, f"round {first}; it should be {number + 1}")
            number = (part.last_round or part.first_round)[0]
        yield findings


def retired(parts: list[Checked]) -> Findings:
    """Rows before the first that is there were taken away only where a row says so."""
    first = parts[0].first
    findings = Findings(parts[0].file)
    if first > 1 and not any(first - 1 in part.gone for part in parts):
        findings.tell(
            "retention",
            first,
            f"journal {parts[0].file}: it begins with row {first}; rows 1 to {first - 1} are missing, and no "
            "row says that they were taken away",
        )
    return findings
