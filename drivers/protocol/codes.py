"""The numbers of TSL/1, as firmware-protocol/README.md lists them."""

from enum import IntEnum, IntFlag

MAJOR = 1
MINOR = 0
SCHEMA = bytes.fromhex("f4f63b0833020df9")
"""First 8 bytes of SHA-256 over the message list of firmware-protocol/README.md."""


class Flag(IntFlag):
    """Low nibble of a frame's first byte."""

    SEALED = 1
    RETRANSMIT = 2
    CRITICAL = 4
    NAK = 8


class Channel(IntEnum):
    """Second byte of a frame."""

    CONTROL = 0
    EVENTS = 1
    COMMANDS = 2
    BULK = 3
    TELEMETRY = 4


class Side(IntEnum):
    """Who speaks."""

    HOST = 1
    DEVICE = 2


class DeviceClass(IntEnum):
    """What kind of device speaks."""

    SHOE = 1
    SHUFFLER = 2
    SENSORS = 3
    DISPLAY = 4
    CONSOLE = 5


class Seal(IntEnum):
    """How a session is protected."""

    NONE = 1
    SEALED = 2


class TamperCause(IntEnum):
    """What a device took for an attack."""

    TAGS = 1
    PROOF = 2
    CASE = 3


class Reset(IntEnum):
    """Why a device booted."""

    POWER = 1
    WATCHDOG = 2
    SOFTWARE = 3
    BROWN_OUT = 4
    UPDATE = 5


class RefuseReason(IntEnum):
    """Why a handshake ends without a session."""

    VERSION = 1
    SCHEMA = 2
    IDENTITY = 3
    SEAL = 4
    PROOF = 5
    DUPLICATE = 6
    MEMORY = 7
    HELLO = 8


class ByeReason(IntEnum):
    """Why a side ends its session."""

    STOPPING = 1
    LINK = 2
    TAGS = 3
    UNSUPPORTED = 4
    GAP = 5
    UPDATE = 6
    SLEPT = 7


class Status(IntEnum):
    """How a command ended."""

    DONE = 1
    REFUSED = 2
    UNARMED = 3
    STALE = 4
    RANGE = 5
    BUSY = 6
    UNSUPPORTED = 7
    INTERRUPTED = 8
    NEVER = 9
    FORGOTTEN = 10
    FAILED = 11


class Mode(IntEnum):
    """A device's condition, in its heartbeat."""

    READY = 1
    BUSY = 2
    FAULT = 3
    RING_FULL = 4
    UPDATING = 5


class ShufflerPhase(IntEnum):
    """What the shuffler is doing."""

    IDLE = 1
    SHUFFLING = 2
    CHECKING = 3
    DONE = 4
    STOPPED = 5


class LevelState(IntEnum):
    """How a jackpot level is shown."""

    RUNS = 0
    PENDING = 1
    WIN = 2
    LINK_LOST = 3


class Lamp(IntEnum):
    """What the lamp of one spot shows."""

    OFF = 0
    OPEN = 1
    NO_BETS = 2
    LATCHED = 3
    WIN = 4
    JACKPOT = 5
    FAULT = 6


KEYS = (
    "hit",
    "stand",
    "double",
    "split",
    "surrender",
    "insurance",
    "even-money",
    "play",
    "quick-pay",
    "close",
    "pay",
)
"""The console's keys. A key's index is its bit in KeyLamps.mask. `close`: no more bets, or the window is
done. `pay`: wagers are taken and paid (seat 0: all)."""

SPOTS_PER_SEAT = 6
MOST_SEATS = 9
LAMPS = SPOTS_PER_SEAT * MOST_SEATS
