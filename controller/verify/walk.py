"""What the inner loop knows, and what it leaves for its neighbours."""

from dataclasses import dataclass, field

from controller.verify.claims import Claims
from controller.verify.findings import Findings
from controller.verify.meters import Meters
from controller.verify.parts import Part


@dataclass(frozen=True, slots=True)
class Depth:
    """How much is looked at: nothing but the chain unless `kinds`; `by_rules`: every round is settled once
    more."""

    kinds: bool = True
    by_rules: bool = True


@dataclass(slots=True)
class Signed:
    """The first and the last checkpoint of one key."""

    count: int
    row: int
    last: int


@dataclass(frozen=True, slots=True)
class Confirmed:
    """Row `row` says that two persons confirmed the journal up to row `up_to`, with these foreign keys."""

    row: int
    up_to: int
    keys: tuple[str, ...]
    who: str
    second: str
    why: str


@dataclass(slots=True)
class Checked:
    """What a part says of itself; `first`: its first row, `head`: the hash of its last.

    `keys`: by public key in hex; `signed`: the last row that a checkpoint signs; `snapshot`: the last one;
    `first_round` and
    `last_round`: number and row; `gone`: files that were taken away, by their last row.
    """

    file: str
    first: int
    findings: Findings = field(init=False)
    rows: int = 0
    head: bytes = b""
    meters: Meters = field(default_factory=Meters)
    claims: Claims = field(default_factory=Claims)
    keys: dict[str, Signed] = field(default_factory=dict)
    signed: int = 0
    snapshot: int = 0
    rounds: int = 0
    first_round: tuple[int, int] | None = None
    last_round: tuple[int, int] | None = None
    confirmed: list[Confirmed] = field(default_factory=list)
    gone: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.findings = Findings(self.file)


@dataclass(slots=True)
class Walk:
    """Where the loop is: behind row `row`, whose hash is `before`."""

    part: Part
    depth: Depth
    checked: Checked
    row: int = 0
    before: bytes = b""
