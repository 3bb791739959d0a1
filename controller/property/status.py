"""The status of a table: what it is doing, and what needs attention.

The core makes and signs it; the uplink passes it on. While the core is down, or the uplink sends no rows, the
uplink sends a status of its own, which is not signed. Neither names a card or any row that must not be
disclosed yet.
"""

from typing import Annotated, Any, Final, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import from_json

VERSION: Final = 1
MOST_BYTES: Final = 16 * 1024
"""The longest status."""
MOST_FAULTS: Final = 3
"""Faults that an error names."""

Severity = Literal["critical", "warning", "notice"]
SEVERITIES: Final[tuple[Severity, ...]] = ("critical", "warning", "notice")
"""The most severe first."""
Epoch = Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]
Time = Annotated[float, Field(ge=0, allow_inf_nan=False)]
"""Seconds of Unix time."""
Count = Annotated[int, Field(ge=0)]


class StatusError(Exception):
    """A status cannot be read. The message says why."""


class _Part(BaseModel):
    """Unknown fields are ignored, so that older programs can read a later status of the same version."""

    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)


class StatusPace(_Part):
    """Rounds an hour. `per_hour`: null until two rounds have ended; `target`: 0 if the house has none."""

    per_hour: Count | None
    target: Count


class StatusShift(_Part):
    """Cents since the shift began: what was wagered, and what the house kept of it."""

    wagered: Count
    hold: int


NO_PACE: Final = StatusPace(per_hour=None, target=0)
NO_SHIFT: Final = StatusShift(wagered=0, hold=0)


class StatusAlert(_Part):
    """An alert that is not acknowledged. `code`: its kind; `since`: when it was raised first."""

    number: Count
    code: str
    severity: Severity
    since: Time


class StatusRequest(_Part):
    """An open request of the people at the table. `needs`: how many persons must still grant it; `granted`:
    who has granted it; `nonce`: what an answer must state; `text`: why it was made; `sentences`: what
    granting it would do."""

    number: Count
    nonce: str
    kind: str
    by: str
    since: Time
    needs: Count
    text: str
    sentences: tuple[str, ...] = ()
    granted: tuple[str, ...] = ()


class StatusClaim(_Part):
    """An open claim of a jackpot."""

    claim: str
    cents: Count
    state: str


class StatusLevel(_Part):
    """The last amount of a linked progressive that the table accepted. `n`, `hash` and `version` are those of
    the amount; `state` is the level's state at this table."""

    n: Count
    hash: str
    version: Count
    state: str


class StatusDirectory(_Part):
    """The directory of the floor that the table has, 0 for none. `state`: whether the table is apart from the
    floor, see `controller.access.directory`. `failures`: attempts to sign in that failed since the core
    started."""

    version: Count = 0
    issued: Time = 0.0
    state: str = "none"
    failures: Count = 0


NO_DIRECTORY: Final = StatusDirectory()


class TableStatus(_Part):
    """A table whose core runs. `row` and `hash`: the last row that may be disclosed. `state`: the phase of
    the round; `suspended`: why nothing is played. `min_bet`: cents, null if the table does not limit it.
    `devices`: state by device. `answered`: the last commands and how they were answered, newest first.
    `test`: who tests the table, else empty. `currency`: its code in ISO 4217, else empty; amounts are minor
    units, with `minor_digits` after the decimal point. `time_zone`: its name, empty from older cores.
    `cut`: some entries were left out for lack of room."""

    v: Literal[1] = VERSION
    epoch: Epoch
    row: Count
    hash: Annotated[str, Field(pattern=r"^([0-9a-f]{64})?$")]
    at: Time
    core: Literal["up"] = "up"
    nonce: str = ""
    state: str
    suspended: tuple[str, ...] = ()
    game: str
    min_bet: Count | None = None
    round: Count
    players: Count
    dealer: str = ""
    pace: StatusPace
    shift: StatusShift
    devices: dict[str, str] = Field(default_factory=dict)
    alerts: tuple[StatusAlert, ...] = ()
    requests: tuple[StatusRequest, ...] = ()
    claims: tuple[StatusClaim, ...] = ()
    answered: tuple[tuple[str, str], ...] = ()
    progressive: dict[str, StatusLevel] = Field(default_factory=dict)
    directory: StatusDirectory | None = None
    software: str
    manifest: str = ""
    test: str = ""
    currency: Annotated[str, Field(pattern=r"^([A-Z]{3})?$")] = ""
    minor_digits: Annotated[int, Field(ge=0, le=4)] = 2
    time_zone: Annotated[str, Field(max_length=64)] = ""
    cut: bool = False


class UplinkStatus(_Part):
    """What the uplink says without the core. `alarm`: why it sends no rows; empty if only the core is
    down."""

    v: Literal[1] = VERSION
    epoch: Epoch
    core: Literal["up", "down"]
    alarm: str = ""
    at: Time


_CUT: Final = ("alerts", "requests", "claims", "suspended", "answered")
"""The lists that are cut if there is too much. Each begins with what matters most."""
_Status = TypeVar("_Status", TableStatus, UplinkStatus)


def payload_of(status: TableStatus | UplinkStatus) -> bytes:
    """The status as it is sent, at most MOST_BYTES long. If it is longer, the longest list loses its last
    entries, and `cut` says so."""
    payload = status.model_dump_json().encode()
    while len(payload) > MOST_BYTES and isinstance(status, TableStatus):
        longest = max(_CUT, key=lambda name: len(repr(getattr(status, name))))
        entries = getattr(status, longest)
        if not entries:
            raise StatusError(f"the status has {len(payload)} bytes; allowed: {MOST_BYTES}")
        status = status.model_copy(update={longest: entries[: len(entries) // 2], "cut": True})
        payload = status.model_dump_json().encode()
    return payload


def read_status(payload: bytes) -> TableStatus:
    """The status that a core signed. Raises StatusError."""
    return _read(TableStatus, payload)


def read_uplink_status(payload: bytes) -> UplinkStatus:
    """The status of an uplink without its core. Raises StatusError."""
    return _read(UplinkStatus, payload)


def _read(kind: type[_Status], payload: bytes) -> _Status:
    if len(payload) > MOST_BYTES:
        raise StatusError(f"the status has {len(payload)} bytes; allowed: {MOST_BYTES}")
    try:
        found: Any = from_json(payload)
    except ValueError as error:
        raise StatusError(f"the status is not JSON: {error}") from None
    version = found.get("v") if isinstance(found, dict) else None
    if version != VERSION:
        raise StatusError(f"the status has v = {version!r}; allowed: {VERSION}")
    try:
        return kind.model_validate_json(payload)
    except ValidationError as error:
        faults = error.errors(include_url=False, include_input=False, include_context=False)[:MOST_FAULTS]
        texts = (f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in faults)
        raise StatusError(f"the status cannot be used: {'; '.join(texts)}") from None
